"""Several replays of one activity: every combination of configurations and settings, side by side."""

from .plan import Run, plan
from .pool import Progress, execute
from .table import comparison, is_finished, tidy

__all__ = ["Progress", "Run", "comparison", "execute", "is_finished", "plan", "tidy"]
