"""tilegpu: a cycle-level simulator of mobile tile-based GPUs, fed by captured OpenGL ES applications.

>>> import tilegpu
>>> for frame in tilegpu.render("game.trace", "0:2"):
...     print(frame.number, frame.pixels.shape)
>>> tilegpu.record("game.trace", "activity", "0:2")
>>> results = tilegpu.replay("activity", "ptr-2022", raster_units=2)
>>> results.totals["gpu.cycles"]

Everything is imported when it is first used. docs/api.md describes it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .captures import Reduced, executed_lines, reduce, trim
    from .experiments import characterize, plan, power_curve, share, sweep
    from .functional.capture.recorder import Recorder
    from .functional.comparison import Comparison
    from .functional.errors import UserError
    from .functional.player import Frame
    from .functional.record import Recorded
    from .interface import Rendering, ReplayOptions, Results, compare, load_config, record, render, replay
    from .timing.config.schema import Configuration
    from .timing.runs.power import PowerCurve
    from .tools.sampling.plan import Plan

API_VERSION = 1
"""Raised by one when something that this package exports, or the declaration of a plug-in, changes its meaning."""

_PLACES = {
    "Comparison": "functional.comparison",
    **dict.fromkeys(("Reduced", "executed_lines", "reduce", "trim"), "captures"),
    "Configuration": "timing.config.schema",
    "Frame": "functional.player",
    "Plan": "tools.sampling.plan",
    "PowerCurve": "timing.runs.power",
    **dict.fromkeys(("characterize", "plan", "power_curve", "share", "sweep"), "experiments"),
    "Recorded": "functional.record",
    "Recorder": "functional.capture.recorder",
    "UserError": "functional.errors",
    **dict.fromkeys(
        (
            "Rendering",
            "ReplayOptions",
            "Results",
            "compare",
            "load_config",
            "record",
            "render",
            "replay",
        ),
        "interface",
    ),
}

__all__ = [
    "API_VERSION",
    "Comparison",
    "Configuration",
    "Frame",
    "Plan",
    "PowerCurve",
    "Recorded",
    "Recorder",
    "Reduced",
    "Rendering",
    "ReplayOptions",
    "Results",
    "UserError",
    "characterize",
    "check_api",
    "compare",
    "executed_lines",
    "load_config",
    "plan",
    "power_curve",
    "record",
    "reduce",
    "render",
    "replay",
    "share",
    "sweep",
    "trim",
]


def check_api(version: int) -> None:
    """For plug-ins: refuse to go on with a tilegpu that has another interface.

    Parameters
    ----------
    version
        `API_VERSION` that the plug-in was written for.

    Raises
    ------
    UserError
        If this tilegpu has another one.
    """
    if version != API_VERSION:
        from .functional.errors import UserError

        raise UserError(f"written for version {version} of tilegpu's interface; this tilegpu has {API_VERSION}")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tilegpu")
    if name in _PLACES:
        return getattr(import_module(f".{_PLACES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
