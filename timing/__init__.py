"""Pass 2: replays an activity, cycle by cycle, through a configurable tile-based GPU."""

from .config import Configuration, ConfigurationError, load_configuration
from .replay import Progress, SimulationError, replay
from .results.results import Results, ResultsError

__all__ = [
    "Configuration",
    "ConfigurationError",
    "Progress",
    "Results",
    "ResultsError",
    "SimulationError",
    "load_configuration",
    "replay",
]
