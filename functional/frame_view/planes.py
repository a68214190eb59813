"""Contents of attachments as planes of whole numbers of at most 24 bits, and what an operation changed in one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT, depth_format_code
from ..gles.framebuffers import Attachment, Framebuffer
from ..pipeline.fragments.multisampling import resolve
from .packed import PackedBytes

Plane = NDArray[np.uint32]
"""(height, width), row 0 at the top: red + 256 * green + 65536 * blue; alpha; depth; or stencil."""
DEPTH_MAX = 0xFFFFFF
"""Value of a depth of 1 in a plane."""


class PlaneKey(NamedTuple):
    """Identity of a plane.

    Attributes
    ----------
    surface, level, layer
        Image that holds it.
    kind
        color, alpha, depth or stencil.
    """

    surface: int
    level: int
    layer: int
    kind: str


class Delta(NamedTuple):
    """Change of a plane within a rectangle.

    Attributes
    ----------
    x, y
        Left and top of the rectangle in pixels; row 0 of the plane is at the top.
    packed
        See `pixels`.
    """

    x: int
    y: int
    packed: PackedBytes

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the rectangle."""
        height, width, _ = self.packed.shape
        return width, height

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """uint8, (height, width, 4): the value's bytes, lowest first, and 255, where it changed; zeros elsewhere."""
        return self.packed.array()


def planes_of(framebuffer: Framebuffer) -> Iterator[tuple[str, PlaneKey, Attachment]]:
    """Slot, key and attachment of all planes of a framebuffer; slots are color0 and so on, depth and stencil."""
    for number, color in sorted(framebuffer.colors.items()):
        yield f"color{number}", _key(color, "color"), color
        if color.format is not None and color.format.bits[3]:
            yield f"color{number}", _key(color, "alpha"), color
    for kind, other in (("depth", framebuffer.depth), ("stencil", framebuffer.stencil)):
        if other is not None:
            yield kind, _key(other, kind), other


def _key(attachment: Attachment, kind: str) -> PlaneKey:
    return PlaneKey(attachment.identity, attachment.level, attachment.face, kind)


def plane(attachment: Attachment, kind: str) -> Plane | None:
    """The present content of an attachment, None if it has no memory.

    Colours are rounded to 8 bits per channel, floats clamped to 0…1; depth of 16 and 32 bits is scaled to 24. Of
    several samples, colours are averaged, and depth and stencil are those of the first one.
    """
    if kind in ("color", "alpha"):
        content = attachment.color()
        return None if content is None else _color_plane(content, kind)
    other: Any = attachment.depth() if kind == "depth" else attachment.stencil()
    if other is None:
        return None
    single = other[0] if other.ndim == 3 else other
    if kind == "depth":
        return _depth_plane(single, depth_format_code(attachment.depth_format))[::-1]
    return np.asarray(single[::-1], np.uint32)


def _color_plane(content: NDArray[Any], kind: str) -> Plane:
    pixels = resolve(content) if content.ndim == 4 else content
    if pixels.dtype != np.uint8:
        scale = 255 if pixels.dtype == np.float32 else 1
        pixels = np.floor(np.clip(np.nan_to_num(pixels) * scale, 0, 255) + 0.5).astype(np.uint8)
    words = np.ascontiguousarray(pixels).view("<u4")[..., 0][::-1]
    return np.asarray(words & 0xFFFFFF if kind == "color" else words >> 24, np.uint32)


def _depth_plane(depth: NDArray[np.uint32], code: int) -> Plane:
    if code == FLOAT_FORMAT:
        return np.asarray(np.rint(np.clip(depth.view(np.float32), 0, 1) * np.float64(DEPTH_MAX)), np.uint32)
    if DEPTH_STEPS[code] == DEPTH_MAX:
        return depth
    return np.asarray(np.rint(depth * (DEPTH_MAX / DEPTH_STEPS[code])), np.uint32)


def changed(before: Plane | None, after: Plane) -> Delta | None:
    """Changes between two contents, None without any; all of the second one if the first is unknown."""
    if before is None or before.shape != after.shape:
        return _delta(after, np.ones(after.shape, np.bool_), (0, 0))
    different = before != after
    rows = np.flatnonzero(different.any(1))
    if not len(rows):
        return None
    y0, y1 = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(different[y0:y1].any(0))
    x0, x1 = int(columns[0]), int(columns[-1]) + 1
    return _delta(after[y0:y1, x0:x1], different[y0:y1, x0:x1], (x0, y0))


def _delta(values: Plane, different: NDArray[np.bool_], place: tuple[int, int]) -> Delta:
    words = np.where(different, values & 0xFFFFFF | 0xFF000000, 0).astype("<u4")
    return Delta(*place, PackedBytes.of(words.view(np.uint8).reshape(*values.shape, 4)))
