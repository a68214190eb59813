"""Inspects a stream without rendering it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .capture import FRAME_ENDS, Call, Trace
from .gles.desktop import DesktopCaptureError
from .gles.display import Display
from .gles.entry_points import ENTRY_POINTS
from .gles.listener import Listener
from .gles.surfaces import Window
from .pipeline.draw import Outcome

SYSTEMS = ("egl", "glX", "wgl", "CGL")
WINDOW_SYSTEM = frozenset({"glViewport", "glBindFramebuffer"})


@dataclass(frozen=True)
class StreamInfo:
    """Summary of a stream's content.

    Attributes
    ----------
    width, height
        Size of the window in pixels; 0 if it cannot be derived from the stream.
    gl_version
        Highest major version of OpenGL ES requested for a context; 0 without a context.
    calls
        Number of calls by name.
    unsupported
        Calls that tilegpu would skip.
    problems
        Problems found by executing everything but the draws: GL errors, unsupported formats and shaders, one line per
        kind; None if this was not requested.
    desktop
        A message if the program draws with desktop OpenGL, which tilegpu does not support; otherwise None.
    """

    name: str
    frames: int
    width: int
    height: int
    gl_version: int
    total_calls: int
    container_version: int
    compression: str
    process: str
    calls: dict[str, int]
    unsupported: dict[str, int]
    warnings: list[str]
    problems: list[str] | None = None
    desktop: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def inspect_stream(path: Path, check: bool = False) -> StreamInfo:
    """Read a whole stream and count its calls.

    Parameters
    ----------
    path
        apitrace file.
    check
        Whether to execute everything but the draws, to find GL errors and unsupported features.

    Raises
    ------
    CaptureError
        The file cannot be read.
    """
    trace = Trace(path)
    calls: Counter[str] = Counter()
    windows: list[Window] = []

    def on_frame(window: Window, call: Call) -> None:
        windows.append(window)
        del windows[1:]

    display = Display(lambda draw, sink: Outcome(), Listener(), on_frame)
    desktop: str | None = None
    for call in trace:
        calls[call.name] += 1
        if desktop is not None:
            continue
        # Windows and their sizes follow from these calls; nothing else needs to be executed.
        if check or call.name.startswith(SYSTEMS) or call.name in WINDOW_SYSTEM or call.name in FRAME_ENDS:
            try:
                display.execute(call)
            except DesktopCaptureError as error:
                desktop = str(error)
    window = windows[0] if windows else next(iter(display.windows.values()), None)
    unsupported = {
        name: count
        for name, count in sorted(calls.items())
        if desktop is None
        and name.startswith("gl")
        and not name.startswith("glX")
        and name not in ENTRY_POINTS
        and name not in FRAME_ENDS
    }
    return StreamInfo(
        path.name,
        sum(calls[name] for name in FRAME_ENDS),
        window.width if window else 0,
        window.height if window else 0,
        display.highest_version,
        sum(calls.values()),
        trace.version,
        trace.compression,
        trace.properties.get("process.name", ""),
        dict(sorted(calls.items())),
        unsupported,
        trace.warnings,
        display.report.lines() if check and desktop is None else None,
        desktop,
    )
