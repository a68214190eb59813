"""Inspects a stream without rendering it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .capture import FRAME_ENDS, Trace
from .capture.signatures import SIGNATURES
from .frame_numbers import FrameNumbers
from .gles.driver_limits import LIMIT_QUERIES, limits_beyond, note_limit
from .gles.frame_ends import FramesAt, find_frame_ends
from .work import long_calls_told


@dataclass(frozen=True)
class StreamInfo:
    """Summary of a stream's content.

    Attributes
    ----------
    frames_at
        Calls that end a frame: swap, flush or read; see `Display`.
    width, height
        Size of the first frame or, without one, of the window in pixels; 0 if it cannot be derived from the stream.
    gl_version
        Highest major version of OpenGL ES requested for a context; 0 without a context.
    calls
        Number of calls by name.
    unsupported
        Calls that tilegpu would skip.
    limits
        Limits that the captured driver reported and that are lower in tilegpu, one line each.
    problems
        Problems found by executing everything but the draws: GL errors, unsupported formats and shaders, one line per
        kind; None if this was not requested.
    desktop
        Whether a context is one of desktop OpenGL, which is served as far as OpenGL ES goes.
    """

    name: str
    frames: int
    frames_at: FramesAt
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
    limits: list[str]
    problems: list[str] | None = None
    desktop: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def inspect_stream(path: Path, check: bool = False, frames_at: FramesAt | None = None) -> StreamInfo:
    """Read a whole stream and count its calls.

    Parameters
    ----------
    path
        apitrace file.
    check
        Whether to execute everything but the draws, to find GL errors and unsupported features.
    frames_at
        Calls that end a frame; None finds out.

    Raises
    ------
    CaptureError
        The file cannot be read.
    """
    trace = Trace(path)
    calls: Counter[str] = Counter()
    frames_at = frames_at or find_frame_ends(path)
    numbers = FrameNumbers(frames_at, every_call=check)
    reported: dict[int, float] = {}
    with long_calls_told(numbers.display):
        for call in trace:
            calls[call.name] += 1
            if call.name in LIMIT_QUERIES:
                note_limit(reported, call)
            numbers.follow(call)
    display, sizes = numbers.display, numbers.sizes
    window = next(iter(display.window_system.windows.values()), None)
    width, height = sizes[0] if sizes else (window.width, window.height) if window else (0, 0)
    unsupported = {name: calls[name] for name in _unsupported(calls)}
    return StreamInfo(
        path.name,
        numbers.number,
        frames_at,
        width,
        height,
        display.window_system.highest_version,
        sum(calls.values()),
        trace.version,
        trace.compression,
        trace.properties.get("process.name", ""),
        dict(sorted(calls.items())),
        unsupported,
        trace.warnings,
        limits_beyond(reported),
        numbers.problems if check else None,
        display.window_system.desktop,
    )


def _unsupported(calls: Iterable[str]) -> list[str]:
    """Functions of OpenGL that are not supported; all that have a signature are."""
    unknown = {
        name
        for name in calls
        if name.startswith("gl") and not name.startswith("glX") and name not in FRAME_ENDS and name not in SIGNATURES
    }
    if not unknown:
        return []
    # They stand on all of the renderer; only extensions have to be looked up.
    from .gles.entry_points import ENTRY_POINTS

    return sorted(unknown - ENTRY_POINTS.keys())
