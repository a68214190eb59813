"""Sizes of windows, which a stream does not record.

They are derived, in this order, from attributes of a pbuffer or of a window of a fixed size, from the viewport that the
tracer notes when a context is first made current, from the program's own queries, and from viewports that reach
further; without any of them, from blits to the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..capture import Call
from ..opengl.limits import MAX_TEXTURE_SIZE

MAX_PIXELS = 1 << 26
BLITS = frozenset({"glBlitFramebuffer", "glBlitFramebufferANGLE", "glBlitFramebufferNV"})


@dataclass
class WindowSize:
    """Evidence of the size of a drawable of the window system.

    Attributes
    ----------
    width, height
        Size in pixels, as far as it is known.
    fixed
        Whether the size is certain (a pbuffer, or set by the user).
    single_buffered
        Whether drawing shows without a swap.
    """

    width: int = 0
    height: int = 0
    fixed: bool = False
    single_buffered: bool = False
    size_of_blits: bool = True
    """Whether nothing but blits has told the size."""
    has_memory: bool = False
    """Whether there is a default framebuffer of this size."""

    def initial_viewport(self, width: int, height: int) -> None:
        """Note the initial viewport of a context, which has the window's size."""
        if not self.fixed and not self.has_memory and min(width, height) > 0 and _plausible(width, height):
            self.width, self.height = int(width), int(height)
            self.size_of_blits = False

    def reach(self, width: int, height: int) -> None:
        """Note a viewport that reaches this far: the window is at least as large."""
        self.size_of_blits = False
        self._enlarge(width, height)

    def reach_by_blit(self, width: int, height: int) -> None:
        """Note a blit that reaches this far: it is as large as the window, unless the window's size is known."""
        if self.size_of_blits:
            self._enlarge(width, height)

    def _enlarge(self, width: int, height: int) -> None:
        if self.fixed or not _plausible(width, height):
            return
        if width > self.width or height > self.height:
            self.width, self.height = int(max(width, self.width)), int(max(height, self.height))
            self.has_memory = False


def _plausible(width: int, height: int) -> bool:
    """Whether a window can be as large: others have viewports far beyond them."""
    return max(width, height) <= MAX_TEXTURE_SIZE and width * height <= MAX_PIXELS


def blit_corner(call: Call) -> tuple[int, int] | None:
    """Width and height that a blit reaches."""
    corners = _numbers(call.arguments[4:8])
    return (max(corners[0::2]), max(corners[1::2])) if len(corners) == 4 else None


def viewport_box(call: Call) -> tuple[int, int, int, int] | None:
    """Box of a viewport: left, bottom, width, height."""
    box = _numbers(call.arguments)
    return (box[0], box[1], box[2], box[3]) if len(box) == 4 else None


def _numbers(values: Sequence[object]) -> list[int]:
    return [value if isinstance(value, int) else 0 for value in values]
