"""Windows and pbuffers: how large they are, and their default framebuffers.

The stream doesn't record a window's size. It follows, in this order, from a pbuffer's attributes, from the viewport
that the tracer notes when a context is first made current, from the program's own queries, and from viewports
that reach further.
"""

from __future__ import annotations

from dataclasses import dataclass

from .context import Identities
from .formats import RGB8, RGB565, RGBA8, Format
from .framebuffers import Framebuffer, default_framebuffer
from .textures import MAX_SIZE


@dataclass
class Window:
    """A drawable of the window system.

    Attributes
    ----------
    width, height
        Size in pixels as far as known.
    fixed
        The size is certain (pbuffer, or set by the user).
    color, depth, stencil
        Formats of the default framebuffer.
    """

    identities: Identities
    width: int = 0
    height: int = 0
    fixed: bool = False
    color: Format = RGBA8
    depth: str = "DEPTH24_STENCIL8"
    stencil: bool = True
    framebuffer: Framebuffer | None = None

    def initial_viewport(self, width: int, height: int) -> None:
        """The viewport a context starts with is the window's size."""
        if not self.fixed and self.framebuffer is None and 0 < width <= MAX_SIZE and 0 < height <= MAX_SIZE:
            self.width, self.height = int(width), int(height)

    def reach(self, width: int, height: int) -> None:
        """A viewport reaches this far: the window is at least as large."""
        if self.fixed or width > MAX_SIZE or height > MAX_SIZE:
            return
        if width > self.width or height > self.height:
            self.width, self.height = int(max(width, self.width)), int(max(height, self.height))
            self.framebuffer = None

    def attachments(self) -> Framebuffer:
        """Default framebuffer, made when it is first needed."""
        if self.framebuffer is None:
            identity = self.identities.take("surface", 2)
            self.framebuffer = default_framebuffer(
                identity, max(self.width, 1), max(self.height, 1), self.color, self.depth, self.stencil
            )
        return self.framebuffer

    def described(self) -> Framebuffer:
        """A default framebuffer with nothing in it, for queries of formats before anything is drawn."""
        return default_framebuffer(-1, 1, 1, self.color, self.depth, self.stencil)


def window_format(attributes: dict[int, int]) -> Format:
    """Colour format that a list of EGL_RED_SIZE (0x3024) … EGL_ALPHA_SIZE (0x3021) asks for; unsaid means RGBA8."""
    red, green, blue, alpha = (attributes.get(a, -1) for a in (0x3024, 0x3023, 0x3022, 0x3021))
    if (red, green, blue) == (5, 6, 5) and alpha <= 0:
        return RGB565
    return RGB8 if alpha == 0 else RGBA8
