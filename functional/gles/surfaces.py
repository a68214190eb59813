"""Windows and pbuffers: their default framebuffers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..activity.kernels.samples import SAMPLES
from ..opengl import egl_enums as egl
from ..opengl import enums as gl
from ..opengl.formats import RGB8, RGB565, RGBA8, SIZED, Format
from .context import Identities
from .framebuffers import Attachment, Framebuffer, default_framebuffer
from .window_size import WindowSize

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
class Window(WindowSize):
    """A drawable of the window system.

    Attributes
    ----------
    identities
        Numbers its images.
    format
        Format of the default framebuffer.
    """

    identities: Identities = field(default_factory=Identities)
    format: WindowFormat = WindowFormat()
    description: Framebuffer | None = None
    _framebuffer: Framebuffer | None = None

    @property
    def color(self) -> Format:
        """Colour format."""
        return self.format.color

    @property
    def framebuffer(self) -> Framebuffer | None:
        """Default framebuffer, if it has been needed."""
        return self._framebuffer if self.has_memory else None

    def attachments(self) -> Framebuffer:
        """Default framebuffer, created when it is first needed."""
        if self._framebuffer is None or not self.has_memory:
            identity = self.identities.take("surface", 2)
            self._framebuffer = self._made(identity, max(self.width, 1), max(self.height, 1))
            self.has_memory = True
        return self._framebuffer

    def picture(self, swapped: bool = True) -> Picture:
        """Picture that the window shows."""
        color = self.attachments().color
        assert color is not None
        return Picture(color, swapped)

    def described(self) -> Framebuffer:
        """A default framebuffer without memory, for queries of formats before anything is drawn."""
        description = self.description
        if description is None or (description.revision, description.read_buffer, description.draw_buffers) != (
            0,
            0,
            (0,),
        ):
            description = self.description = self._made(-1, 1, 1)
        return description

    def _made(self, identity: int, width: int, height: int) -> Framebuffer:
        own = self.format
        return default_framebuffer(identity, width, height, own.color, own.depth, own.stencil, own.samples)


def window_format(
    requested: Mapping[int, int], actual: Mapping[int, int], attributes: Mapping[int, int]
) -> WindowFormat:
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
    sizes = {**requested, **actual}
    red, green, blue, alpha = (sizes.get(a, -1) for a in (egl.RED_SIZE, egl.GREEN_SIZE, egl.BLUE_SIZE, egl.ALPHA_SIZE))
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
    samples = SAMPLES if sizes.get(egl.SAMPLES, 0) > 1 else 1
    return WindowFormat(color, depth, actual.get(egl.STENCIL_SIZE, 8) > 0, samples)
