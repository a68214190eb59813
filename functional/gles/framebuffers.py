"""Renderbuffers, framebuffer objects and the default framebuffer (OpenGL ES 2.0, 4.4)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from . import enums as gl
from .errors import GLError
from .formats import RGBA8, Format
from .textures import Texture


@dataclass
class Surface:
    """Memory that can be drawn to, other than a texture: a renderbuffer or a part of the default framebuffer.

    Attributes
    ----------
    color
        uint8 (height, width, 4), row 0 at the bottom.
    depth
        uint32 (height, width), quantized as `depth_format` says.
    stencil
        uint8 (height, width).
    """

    identity: int
    kind: str
    width: int = 0
    height: int = 0
    color_format: Format | None = None
    depth_format: str | None = None
    color: NDArray[np.uint8] | None = None
    depth: NDArray[np.uint32] | None = None
    stencil: NDArray[np.uint8] | None = None
    version: int = 0

    def allocate(self, width: int, height: int, color: Format | None, depth: str | None, stencil: bool) -> None:
        """Give it memory, cleared to zero."""
        self.width, self.height, self.color_format, self.depth_format = width, height, color, depth
        self.color = np.zeros((height, width, 4), np.uint8) if color is not None else None
        if self.color is not None and color is not None and color.bits[3] == 0:
            self.color[..., 3] = 255
        self.depth = np.zeros((height, width), np.uint32) if depth is not None else None
        self.stencil = np.zeros((height, width), np.uint8) if stencil else None
        self.version += 1


@dataclass
class Attachment:
    """One image attached to a framebuffer object."""

    surface: Surface | None = None
    texture: Texture | None = None
    level: int = 0
    face: int = 0

    @property
    def identity(self) -> int:
        """Number of the surface in the recording."""
        return self.surface.identity if self.surface else self.texture.identity if self.texture else -1

    def color(self) -> NDArray[np.uint8] | None:
        """Pixels of a colour attachment."""
        if self.surface is not None:
            return self.surface.color
        return self.texture.images.get((self.level, self.face)) if self.texture is not None else None

    @property
    def format(self) -> Format | None:
        """Colour format."""
        return self.surface.color_format if self.surface else self.texture.format if self.texture else None

    def touched(self) -> None:
        """Note that the content changed."""
        if self.surface is not None:
            self.surface.version += 1
        elif self.texture is not None:
            self.texture.version += 1


@dataclass
class Framebuffer:
    """A framebuffer object, or the default one (name 0)."""

    name: int
    color: Attachment | None = None
    depth: Attachment | None = None
    stencil: Attachment | None = None
    touched: bool = field(default=False)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of what can be drawn to; GLError where the framebuffer is incomplete."""
        sizes = set()
        for attachment in (self.color, self.depth, self.stencil):
            if attachment is None:
                continue
            if attachment.surface is not None:
                sizes.add((attachment.surface.width, attachment.surface.height))
            elif (pixels := attachment.color()) is not None:
                sizes.add((pixels.shape[1], pixels.shape[0]))
            else:
                sizes.add((0, 0))
        if len(sizes) != 1 or (0, 0) in sizes:
            raise GLError(gl.INVALID_FRAMEBUFFER_OPERATION, f"framebuffer {self.name} is incomplete")
        return sizes.pop()


def default_framebuffer(
    identity: int,
    width: int,
    height: int,
    color: Format = RGBA8,
    depth: str | None = "DEPTH24",
    stencil: bool = True,
) -> Framebuffer:
    """The default framebuffer of a window of a size: one colour surface, one for depth and stencil.

    Parameters
    ----------
    identity
        Number of the colour surface in the recording; depth and stencil get the next one.
    """
    pixels, planes = Surface(identity, "default_color"), Surface(identity + 1, "default_depth_stencil")
    pixels.allocate(width, height, color, None, False)
    planes.allocate(width, height, None, depth, stencil)
    attachment = Attachment(planes)
    return Framebuffer(0, Attachment(pixels), attachment if depth else None, attachment if stencil else None)
