"""Several replays of one activity: every combination of configurations and settings, side by side."""

from .cluster import execute_on
from .extras import Extras
from .plan import Run, plan, unused_sections_of, unused_settings
from .pool import Progress, execute
from .remote_activity import Place
from .table import comparison, is_finished, tidy

__all__ = [
    "Extras",
    "Place",
    "Progress",
    "Run",
    "comparison",
    "execute",
    "execute_on",
    "is_finished",
    "plan",
    "tidy",
    "unused_sections_of",
    "unused_settings",
]
