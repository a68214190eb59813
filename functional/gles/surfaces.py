"""Windows and pbuffers: their sizes and default framebuffers.

The stream does not record a window's size. It is derived, in this order, from a pbuffer's attributes, from the viewport
that the tracer notes when a context is first made current, from the program's own queries, and from viewports
that reach further; without any of them, from blits to the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..activity.kernels.samples import SAMPLES
from . import egl_enums as egl
from . import enums as gl
from .context import Identities
from .formats import RGB8, RGB565, RGBA8, SIZED, Format
from .framebuffers import Attachment, Framebuffer, default_framebuffer
from .textures import MAX_SIZE

MAX_PIXELS = 1 << 26
_DEPTHS = {0: None, 16: "DEPTH16", 24: "DEPTH24_STENCIL8"}


@dataclass(frozen=True)
class WindowFormat:
    """Formats of a window's default framebuffer; None for no depth."""

    color: Format = RGBA8
    depth: str | None = "DEPTH24_STENCIL8"
    stencil: bool = True
    samples: int = 1


@dataclass(frozen=True)
class Picture:
    """Image that a finished frame shows.

    Attributes
    ----------
    attachment
        Its pixels.
    swapped
        Whether a buffer swap ended the frame: the window's depth and stencil are lost then.
    """

    attachment: Attachment
    swapped: bool = True

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.attachment.size[0]

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self.attachment.size[1]

    @property
    def color(self) -> Format:
        """Format of its pixels."""
        return self.attachment.format or RGBA8

    @property
    def state(self) -> tuple[int, int]:
        """Surface and version, which rises with every change."""
        held = self.attachment.surface or self.attachment.texture
        return self.attachment.identity, held.version if held is not None else 0


@dataclass
class Window:
    """A drawable of the window system.

    Attributes
    ----------
    width, height
        Size in pixels, as far as it is known.
    fixed
        Whether the size is certain (a pbuffer, or set by the user).
    format
        Format of the default framebuffer.
    single_buffered
        Whether drawing shows without a swap.
    """

    identities: Identities
    width: int = 0
    height: int = 0
    fixed: bool = False
    format: WindowFormat = WindowFormat()
    framebuffer: Framebuffer | None = None
    description: Framebuffer | None = None
    single_buffered: bool = False
    size_of_blits: bool = True
    """Whether nothing but blits has told the size."""

    @property
    def color(self) -> Format:
        """Colour format."""
        return self.format.color

    def initial_viewport(self, width: int, height: int) -> None:
        """Note the initial viewport of a context, which has the window's size."""
        if not self.fixed and self.framebuffer is None and min(width, height) > 0 and _plausible(width, height):
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
            self.framebuffer = None

    def attachments(self) -> Framebuffer:
        """Default framebuffer, created when it is first needed."""
        if self.framebuffer is None:
            identity = self.identities.take("surface", 2)
            self.framebuffer = self._made(identity, max(self.width, 1), max(self.height, 1))
        return self.framebuffer

    def picture(self, swapped: bool = True) -> Picture:
        """What the window shows."""
        color = self.attachments().color
        assert color is not None
        return Picture(color, swapped)

    def described(self) -> Framebuffer:
        """A default framebuffer without memory, for queries of formats before anything is drawn."""
        known = self.description
        if known is None or (known.revision, known.read_buffer, known.draw_buffers) != (0, 0, (0,)):
            known = self.description = self._made(-1, 1, 1)
        return known

    def _made(self, identity: int, width: int, height: int) -> Framebuffer:
        own = self.format
        return default_framebuffer(identity, width, height, own.color, own.depth, own.stencil, own.samples)


def _plausible(width: int, height: int) -> bool:
    """Whether a window can be as large: others have viewports far beyond them."""
    return max(width, height) <= MAX_SIZE and width * height <= MAX_PIXELS


def window_format(requested: dict[int, int], actual: dict[int, int], attributes: dict[int, int]) -> WindowFormat:
    """Format of a window.

    Parameters
    ----------
    requested
        EGL attributes that the configuration was chosen by: minimum sizes; unspecified ones are assumed large.
    actual
        Attributes of the configuration that the program queried.
    attributes
        Attributes of the surface.
    """
    known = requested | actual
    red, green, blue, alpha = (known.get(a, -1) for a in (egl.RED_SIZE, egl.GREEN_SIZE, egl.BLUE_SIZE, egl.ALPHA_SIZE))
    color = RGBA8
    if (red, green, blue) == (5, 6, 5) and alpha <= 0:
        color = RGB565
    elif alpha == 0:
        color = RGB8
    if attributes.get(egl.GL_COLORSPACE) == egl.GL_COLORSPACE_SRGB and color is not RGB565:
        color = SIZED[gl.SRGB8_ALPHA8] if alpha else SIZED[gl.SRGB8]
    depth: str | None = "DEPTH24_STENCIL8"
    if egl.DEPTH_SIZE in actual:
        depth = _DEPTHS.get(actual[egl.DEPTH_SIZE], "DEPTH24_STENCIL8")
    elif requested.get(egl.DEPTH_SIZE) == 16:
        depth = "DEPTH16"
    samples = SAMPLES if known.get(egl.SAMPLES, 0) > 1 else 1
    return WindowFormat(color, depth, actual.get(egl.STENCIL_SIZE, 8) > 0, samples)
