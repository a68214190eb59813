"""Scenes of kinds "read" and "copy": glReadPixels into buffers, glCopyTexImage2D and its parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilegpu.functional.opengl import enums as gl

from .formats import RENDERABLE, Layout, layout_of, pixels
from .scene import Choices, value_of
from .stage import CELL, Stage
from .targets import color_target, show_plane
from .uploads import Memory, memory

_PIXELS = {
    "unorm": ("RGBA", "UNSIGNED_BYTE", "RGBA8", 4),
    "srgb": ("RGBA", "UNSIGNED_BYTE", "RGBA8", 4),
    "float": ("RGBA", "FLOAT", "RGBA32F", 16),
    "int": ("RGBA_INTEGER", "INT", "RGBA32I", 16),
    "uint": ("RGBA_INTEGER", "UNSIGNED_INT", "RGBA32UI", 16),
}
"""By kind of format: format and type that are always valid to read, a texture that can hold them, bytes of a pixel."""


def filled(stage: Stage, name: str, size: tuple[int, int], number: int) -> int:
    """A framebuffer object with random texels, bound; gives its texture."""
    layout, r = layout_of(name), stage.r
    target = color_target(stage, (name,), size)
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
    data = pixels(layout, (size[1], size[0]), number)
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, *size, *layout.enums[1:], data)
    return target.colors[0]


@dataclass(frozen=True)
class Reading:
    """Pixels read into a buffer, and shown as a texture whose texels are what the memory holds."""

    format: str
    size: tuple[int, int]
    box: tuple[int, int, int, int]
    pack: Memory
    number: int
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        filled(stage, self.format, self.size, self.number)
        client, kind, held, pixel = _PIXELS[layout_of(self.format).kind]
        pack, (width, height) = self.pack, self.box[2:]
        stride = pack.stride(width, pixel) // pixel
        rows = height + pack.skip_rows + 1
        buffer = stage.buffer(gl.PIXEL_PACK_BUFFER, bytes(stride * rows * pixel + 64))
        pack.set(stage, unpack=False)
        r.glReadPixels(*self.box, value_of(client), value_of(kind), 0)
        r.glBindBuffer(gl.PIXEL_PACK_BUFFER, 0)
        layout = Layout(held, client, kind, layout_of(held).kind)
        name = stage.texture()
        stage.nearest()
        r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
        r.glTexImage2D(gl.TEXTURE_2D, 0, value_of(held), stride, rows, 0, value_of(client), value_of(kind), 0)
        r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
        show_plane(stage, name, layout, channels=self.channels)


def reading(pick: Choices) -> Reading:
    """Random choices; boxes may leave the framebuffer, whose outside keeps what the buffer held."""
    name = pick.choice(RENDERABLE)
    size = pick.randint(4, CELL), pick.randint(4, CELL)
    x, y = pick.randrange(size[0] - 2), pick.randrange(size[1] - 2)
    box = x, y, pick.randint(1, size[0] - x), pick.randint(1, size[1] - y)
    pixel = _PIXELS[layout_of(name).kind][3]
    # eglretrace reads to the start of a buffer, whatever the offset.
    pack = replace(memory(pick, (*box[2:], 1), False, pixel), offset=0)
    return Reading(name, size, box, pack, pick.number(), pick.one((0, 1, 2), (3, 1, 0)))


@dataclass(frozen=True)
class Copying:
    """A texture copied from a framebuffer object, and parts of it copied again."""

    format: str
    internal: str
    size: tuple[int, int]
    box: tuple[int, int, int, int]
    parts: tuple[tuple[int, ...], ...]
    number: int
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        filled(stage, self.format, self.size, self.number)
        layout = layout_of(self.internal)
        name = stage.texture()
        stage.nearest()
        r.glCopyTexImage2D(gl.TEXTURE_2D, 0, value_of(self.internal), *self.box, 0)
        for part in self.parts:
            r.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, *part)
        show_plane(stage, name, layout, channels=self.channels)


_COPIES = {
    "R8": ("RED", "LUMINANCE", "R8"), "RG8": ("RED", "RG", "RG8", "R8", "LUMINANCE"),
    "RGB8": ("RGB", "RGB8", "LUMINANCE", "RG8"), "RGB565": ("RGB", "RGB565"),
    "RGBA8": ("RGBA", "RGB", "ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "RGBA8", "RGB8", "RG8", "R8"),
    "RGBA4": ("RGBA", "RGB", "RGBA4"), "RGB5_A1": ("RGBA", "RGB", "RGB5_A1"),
    "RGB10_A2": ("RGB10_A2",), "SRGB8_ALPHA8": ("SRGB8_ALPHA8",),
    "R16F": ("R16F",), "RGBA16F": ("RGBA16F", "R16F", "RG16F"), "RGBA32F": ("RGBA32F", "RG32F", "R32F"),
    "RGBA8I": ("RGBA8I", "RG8I", "R8I"), "RGBA16UI": ("RGBA16UI", "RG16UI", "R16UI"), "RGBA32I": ("RGBA32I", "R32I"),
    "R11F_G11F_B10F": ("R11F_G11F_B10F",), "RGB10_A2UI": ("RGB10_A2UI",),
}  # fmt: skip
"""By format that is read: internal formats that it can be copied to."""


def copying(pick: Choices) -> Copying:
    """Random choices."""
    name = pick.choice(sorted(_COPIES))
    size = pick.randint(4, 40), pick.randint(4, 40)
    x, y = pick.randrange(size[0] - 2), pick.randrange(size[1] - 2)
    box = x, y, pick.randint(1, size[0] - x), pick.randint(1, size[1] - y)
    parts = []
    for _ in range(pick.randint(0, 2)):
        to = pick.randrange(box[2]), pick.randrange(box[3])
        extent = pick.randint(1, box[2] - to[0]), pick.randint(1, box[3] - to[1])
        start = pick.randint(0, size[0] - extent[0]), pick.randint(0, size[1] - extent[1])
        parts.append((*to, *start, *extent))
    internal = pick.choice(_COPIES[name])
    return Copying(name, internal, size, box, tuple(parts), pick.number(), pick.one((0, 1, 2), (3, 1, 0)))
