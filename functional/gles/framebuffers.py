"""Renderbuffers, framebuffer objects and the default framebuffer (OpenGL ES 3.0, 4.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.samples import SAMPLES
from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.formats import RGBA8, Format
from ..pipeline.target import Target
from .textures import Sibling, Texture


@dataclass
class Surface:
    """Memory that can be drawn to and is not a texture: a renderbuffer or a part of the default framebuffer.

    Attributes
    ----------
    color
        (height, width, 4), row 0 at the bottom, in the type of the format.
    depth
        uint32 (height, width), quantized to `depth_format`.
    stencil
        uint8 (height, width).
    """

    identity: int
    kind: str
    width: int = 0
    height: int = 0
    color_format: Format | None = None
    depth_format: str | None = None
    color: NDArray[Any] | None = None
    depth: NDArray[np.uint32] | None = None
    stencil: NDArray[np.uint8] | None = None
    version: int = 0
    samples: int = 1
    fixed_samples: bool = True
    name: int = 0
    label: str = ""
    bound: bool = False
    internal: int = gl.RGBA4
    storage: int = 0
    """Rises with every allocation."""
    siblings: list[Sibling] = field(default_factory=list)
    """Objects that share its pixels (EGLImage)."""

    def allocate(
        self, width: int, height: int, color: Format | None, depth: str | None, stencil: bool, samples: int = 1
    ) -> None:
        """Allocate memory, cleared to zero; with several samples, arrays have a leading axis for them."""
        self.width, self.height, self.color_format, self.depth_format = width, height, color, depth
        self.samples = samples
        plane = (samples, height, width) if samples > 1 else (height, width)
        self.color = np.zeros((*plane, 4), color.dtype) if color is not None else None
        if self.color is not None and color is not None and color.bits[3] == 0:
            self.color[..., 3] = color.one
        self.depth = np.zeros(plane, np.uint32) if depth is not None else None
        self.stencil = np.zeros(plane, np.uint8) if stencil else None
        self.version += 1
        self.storage += 1
        self.siblings.clear()

    def touched(self) -> None:
        """Note that the content changed."""
        self.version += 1
        for sibling in self.siblings:
            sibling.version += 1


@dataclass
class Attachment:
    """One image attached to a framebuffer object; a texture of several samples has its memory in a surface."""

    surface: Surface | None = None
    texture: Texture | None = None
    level: int = 0
    face: int = 0

    @property
    def identity(self) -> int:
        """Number of the surface in the recording."""
        return self.surface.identity if self.surface else self.texture.identity if self.texture else -1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; zeros if there is no image."""
        if self.surface is not None:
            return self.surface.width, self.surface.height
        image = self.texture.images.get((self.level, self.face)) if self.texture is not None else None
        return (image.shape[1], image.shape[0]) if image is not None else (0, 0)

    @property
    def samples(self) -> int:
        """Samples per pixel."""
        return self.surface.samples if self.surface is not None else 1

    @property
    def fixed_samples(self) -> bool:
        """Whether its samples have the same positions in all pixels and formats."""
        return self.surface is None or self.surface.fixed_samples

    @property
    def storage(self) -> int:
        """Rises whenever the memory is replaced."""
        return self.surface.storage if self.surface is not None else self.texture.allocations if self.texture else 0

    def color(self) -> NDArray[Any] | None:
        """Pixels of a colour attachment."""
        if self.surface is not None:
            return self.surface.color
        return self.texture.images.get((self.level, self.face)) if self.texture is not None else None

    def depth(self) -> NDArray[np.uint32] | None:
        """Depth plane of a depth attachment."""
        if self.surface is not None:
            return self.surface.depth
        planes = self.texture.planes(self.level, self.face) if self.texture is not None else None
        return planes[0] if planes is not None else None

    def stencil(self) -> NDArray[np.uint8] | None:
        """Stencil plane of a stencil attachment."""
        if self.surface is not None:
            return self.surface.stencil
        planes = self.texture.planes(self.level, self.face) if self.texture is not None else None
        return planes[1] if planes is not None else None

    @property
    def format(self) -> Format | None:
        """Colour format."""
        if self.surface is not None:
            return self.surface.color_format
        return self.texture.formats.get((self.level, self.face)) if self.texture is not None else None

    @property
    def depth_format(self) -> str | None:
        """Name of the depth format."""
        if self.surface is not None:
            return self.surface.depth_format
        sized = self.format
        return sized.name if sized is not None and sized.kind == "depth" else None

    def touched(self) -> None:
        """Note that the content changed."""
        if self.surface is not None:
            self.surface.touched()
        elif self.texture is not None:
            self.texture.touched()


class DefaultSize(NamedTuple):
    """Size of a framebuffer object that has no attachments, and its samples; see `glFramebufferParameteri`."""

    width: int = 0
    height: int = 0
    samples: int = 0
    fixed_samples: bool = False


@dataclass
class Framebuffer:
    """A framebuffer object, or the default one (name 0).

    Attributes
    ----------
    colors
        Colour attachments by number.
    draw_buffers
        Colour attachment that each draw buffer writes to; -1 for none.
    read_buffer
        Colour attachment that is read from.
    """

    name: int
    colors: dict[int, Attachment] = field(default_factory=dict)
    depth: Attachment | None = None
    stencil: Attachment | None = None
    draw_buffers: tuple[int, ...] = (0,)
    read_buffer: int = 0
    bound: bool = False
    revision: int = 0
    """Rises with every change of attachments or draw buffers."""
    without_attachments: DefaultSize = DefaultSize()
    _attachments: tuple[int, list[Attachment]] = (-1, [])
    _size: tuple[tuple[int, int], tuple[int, int]] = (-1, -1), (0, 0)
    target: tuple[tuple[int, int, bool], Target] | None = None
    """The pipeline's render target, with the revision, storage and encoding that it was made for."""

    @property
    def color(self) -> Attachment | None:
        """First colour attachment."""
        return self.colors.get(0)

    @property
    def attachments(self) -> list[Attachment]:
        """All attachments, each once."""
        if self._attachments[0] != self.revision:
            distinct: list[Attachment] = []
            for attachment in (*self.colors.values(), self.depth, self.stencil):
                if attachment is not None and not any(attachment is other for other in distinct):
                    distinct.append(attachment)
            self._attachments = self.revision, distinct
        return self._attachments[1]

    @property
    def textures(self) -> list[Texture]:
        """Textures with an image among the attachments."""
        return [a.texture for a in self.attachments if a.texture is not None]

    @property
    def storage(self) -> int:
        """Rises whenever the memory of an attachment is replaced."""
        return sum([a.storage for a in self.attachments])

    def touched(self) -> None:
        """Note that the content of all attachments changed."""
        for attachment in self.attachments:
            held = attachment.surface or attachment.texture
            if held is not None:
                held.version += 1
                for sibling in held.siblings:
                    sibling.version += 1

    def status(self) -> int:
        """GL enum: whether it is complete, or why not (OpenGL ES 3.0, 4.4.4.2)."""
        attachments = self.attachments
        if not attachments:
            sized = self.without_attachments.width and self.without_attachments.height
            return gl.FRAMEBUFFER_COMPLETE if sized else gl.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT
        if any(0 in attachment.size for attachment in attachments):
            return gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT
        # Windows may have formats that objects cannot have: sRGB without alpha.
        if self.name and any(a.format is None or not a.format.renderable for a in self.colors.values()):
            return gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT
        if self.depth is not None and self.depth.depth_format is None:
            return gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT
        if self.stencil is not None and self.stencil.stencil() is None:
            return gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT
        if len({(a.samples, a.fixed_samples) for a in attachments}) > 1:
            return gl.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE
        return gl.FRAMEBUFFER_COMPLETE

    @property
    def samples(self) -> int:
        """Samples per pixel."""
        several = self.without_attachments.samples > 1
        return max((attachment.samples for attachment in self.attachments), default=SAMPLES if several else 1)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of what can be drawn to; GLError where the framebuffer is incomplete."""
        key = self.revision, self.storage
        if self._size[0] != key:
            self._size = key, self._complete_size()
        return self._size[1]

    def _complete_size(self) -> tuple[int, int]:
        status = self.status()
        if status != gl.FRAMEBUFFER_COMPLETE:
            raise GLError(
                gl.INVALID_FRAMEBUFFER_OPERATION, f"framebuffer {self.name} is incomplete ({gl.STATUSES[status]})"
            )
        sizes = [attachment.size for attachment in self.attachments] or [self.without_attachments[:2]]
        return min(w for w, _ in sizes), min(h for _, h in sizes)

    def detach(self, gone: Surface | Texture) -> None:
        """Detach an image that is deleted."""

        def kept(attachment: Attachment | None) -> Attachment | None:
            if attachment is None or attachment.texture is gone or attachment.surface is gone:
                return None
            return attachment

        self.revision += 1
        self.colors = {number: a for number, a in self.colors.items() if kept(a) is not None}
        self.depth, self.stencil = kept(self.depth), kept(self.stencil)


def default_framebuffer(
    identity: int,
    width: int,
    height: int,
    color: Format = RGBA8,
    depth: str | None = "DEPTH24",
    stencil: bool = True,
    samples: int = 1,
) -> Framebuffer:
    """The default framebuffer of a window of a given size: one surface for colour, one for depth and stencil.

    Parameters
    ----------
    identity
        Number of the colour surface in the recording; depth and stencil get the next one.
    """
    pixels, planes = Surface(identity, "default_color"), Surface(identity + 1, "default_depth_stencil")
    pixels.allocate(width, height, color, None, False, samples)
    planes.allocate(width, height, None, depth, stencil, samples)
    attachment = Attachment(planes)
    return Framebuffer(0, {0: Attachment(pixels)}, attachment if depth else None, attachment if stencil else None)
