"""Ends of frames: buffer swaps or, in programs without any, where their pictures are complete.

A program that never swaps draws into a single-buffered surface, whose content shows at glFlush and glFinish, or reads
its pictures back with glReadPixels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from ..capture import FRAME_ENDS, ArgumentError, Call, Trace, calls_any
from ..opengl import egl_enums as egl
from ..opengl.errors import GLError
from .arguments import handle, made

FramesAt = Literal["swap", "flush", "read"]
CHOICES: tuple[FramesAt, ...] = get_args(FramesAt)
FLUSHES = frozenset({"glFlush", "glFinish"})
READS = frozenset({"glReadPixels", "glReadnPixels", "glReadnPixelsEXT", "glReadnPixelsKHR"})


def single_buffered(attributes: dict[int, int]) -> bool:
    """Whether the attributes of an EGL surface ask for a single buffer."""
    return attributes.get(egl.RENDER_BUFFER) == egl.SINGLE_BUFFER


def find_frame_ends(path: Path) -> FramesAt:
    """Kinds of calls that end the frames of a capture: swaps, if there are any, or else at flushes of single-buffered
    surfaces, if there are any, or else at reads of whole framebuffers.

    Raises
    ------
    CaptureError
        The file cannot be read.
    """
    # Nearly all programs swap; finding that out must not cost them the decoding of their first frame.
    if calls_any(path, FRAME_ENDS):
        return "swap"
    singles: set[int] = set()
    current: dict[int, bool] = {}
    flushed = False
    for call in Trace(path):
        name = call.signature.name
        if name in FRAME_ENDS:
            return "swap"
        if name in FLUSHES:
            flushed = flushed or current.get(call.thread, False)
        elif name.startswith("egl"):
            _follow(call, singles, current)
    return "flush" if flushed else "read"


def _follow(call: Call, singles: set[int], current: dict[int, bool]) -> None:
    """Note single-buffered surfaces, and whether one is current in a thread."""
    try:
        if call.name.startswith(("eglCreateWindowSurface", "eglCreatePlatformWindowSurface")):
            singles.discard(made(call))
            if single_buffered(pairs(call["attrib_list"])):
                singles.add(made(call))
        elif call.name.startswith(("eglCreatePixmapSurface", "eglCreatePlatformPixmapSurface")):
            singles.add(made(call))
        elif call.name == "eglMakeCurrent":
            current[call.thread] = handle(call["draw"]) in singles
    except (ArgumentError, GLError):
        # The call is reported when it is executed.
        return


def pairs(attributes: object) -> dict[int, int]:
    """Attribute list key, value, …, EGL_NONE as a dictionary."""
    if not isinstance(attributes, list):
        return {}
    return {
        k: v
        for k, v in zip(attributes[::2], attributes[1::2], strict=False)
        if isinstance(k, int) and isinstance(v, int)
    }
