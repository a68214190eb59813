"""Scenes of kind "upload": images and parts of images, from client memory and buffers, with every layout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilegpu.functional.opengl import enums as gl

from .formats import LAYOUTS, Layout
from .formats import pixels as random_pixels
from .scene import Choices, matrix, texels
from .stage import HEAD, Stage
from .texture_images import TARGETS

Box = tuple[int, int, int, int, int, int]
SAMPLERS = {"2d": "sampler2D", "3d": "sampler3D", "array": "sampler2DArray"}


@dataclass(frozen=True)
class Memory:
    """Layout of client memory (glPixelStorei), and whether it is a buffer's."""

    alignment: int
    row_length: int
    skip_rows: int
    skip_pixels: int
    image_height: int
    skip_images: int
    by_buffer: bool
    offset: int

    def set(self, stage: Stage, unpack: bool = True) -> None:
        """Set the parameters of unpacking, or of packing (which has fewer)."""
        r = stage.r
        r.glPixelStorei(gl.UNPACK_ALIGNMENT if unpack else gl.PACK_ALIGNMENT, self.alignment)
        r.glPixelStorei(gl.UNPACK_ROW_LENGTH if unpack else gl.PACK_ROW_LENGTH, self.row_length)
        r.glPixelStorei(gl.UNPACK_SKIP_ROWS if unpack else gl.PACK_SKIP_ROWS, self.skip_rows)
        r.glPixelStorei(gl.UNPACK_SKIP_PIXELS if unpack else gl.PACK_SKIP_PIXELS, self.skip_pixels)
        if unpack:
            r.glPixelStorei(gl.UNPACK_IMAGE_HEIGHT, self.image_height)
            r.glPixelStorei(gl.UNPACK_SKIP_IMAGES, self.skip_images)

    def stride(self, width: int, pixel: int) -> int:
        """Bytes from row to row."""
        return -(-(self.row_length or width) * pixel // self.alignment) * self.alignment

    def arranged(self, data: np.ndarray, number: int) -> np.ndarray:
        """Memory from the pointer on in which (depth, height, width, bytes) pixels lie, random bytes around them."""
        depth, height, width, pixel = data.shape
        stride = self.stride(width, pixel)
        image = stride * (self.image_height or height)
        start = self.skip_images * image + self.skip_rows * stride + self.skip_pixels * pixel
        size = start + depth * image + stride
        out = texels(number).integers(0, 256, size, np.uint8)
        for z in range(depth):
            for y in range(height):
                at = start + z * image + y * stride
                out[at : at + width * pixel] = data[z, y].reshape(-1)
        return out


def memory(pick: Choices, size: tuple[int, int, int], volume: bool, pixel: int) -> Memory:
    """A random layout for a box of pixels."""
    given = pick.chance(0.6)
    return Memory(
        pick.one(1, 2, 4, 8),
        size[0] + pick.randint(0, 7) if given and pick.chance(0.7) else 0,
        pick.randint(0, 4) if given else 0,
        pick.randint(0, 4) if given else 0,
        size[1] + pick.randint(0, 4) if volume and given and pick.chance(0.5) else 0,
        pick.randint(0, 2) if volume and given else 0,
        pick.chance(0.35),
        pick.randint(0, 3) * 8 * pixel,
    )


@dataclass(frozen=True)
class Uploads:
    """An image, parts of which are overwritten; one slice is shown.

    Attributes
    ----------
    parts
        x, y, z, width, height, depth of what is given; the first is the whole image.
    """

    target: str
    layout: Layout
    storage: bool
    parts: tuple[tuple[Box, Memory], ...]
    slice: int
    number: int
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, target = stage.r, TARGETS[self.target]
        name = stage.texture(target)
        stage.nearest(target)
        size = self.parts[0][0][3:]
        if self.storage:
            if self.target == "2d":
                r.glTexStorage2D(target, 1, self.layout.enums[0], *size[:2])
            else:
                r.glTexStorage3D(target, 1, self.layout.enums[0], *size)
        for i, (box, layout) in enumerate(self.parts):
            self._upload(stage, box, layout, self.number + i, i == 0 and not self.storage)
        r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
        r.glBindTexture(target, name)
        axes = "ivec2(v.xy)" if self.target == "2d" else f"ivec3(v.xy, {self.slice})"
        sampler = self.layout.prefix + SAMPLERS[self.target]
        head = HEAD.replace("uniform mat4", f"uniform highp {sampler} image; uniform mat4", 1)
        source = (
            f"{head}out vec4 color;\nvoid main() {{ ivec2 at = ivec2(v.xy);\n"
            "bool inside = all(lessThan(at, textureSize(image, 0).xy));\n"
            f"color = inside ? seen(texelFetch(image, {axes}, 0)) : vec4(0.5); }}"
        )
        scale, offset = self.layout.shown
        stage.show(source, matrix(self.channels, 1.0 if self.layout.integer else scale), offset)

    def _upload(self, stage: Stage, box: Box, layout: Memory, number: int, defines: bool) -> None:
        r, target = stage.r, TARGETS[self.target]
        internal, client, kind = self.layout.enums
        place, size = box[:3], box[3:]
        data = random_pixels(self.layout, (size[2], size[1], size[0]), number)
        raw = np.ascontiguousarray(data).view(np.uint8).reshape(size[2], size[1], size[0], -1)
        arranged: np.ndarray | int = layout.arranged(raw, number)
        layout.set(stage)
        if layout.by_buffer:
            stage.buffer(gl.PIXEL_UNPACK_BUFFER, np.concatenate([np.zeros(layout.offset, np.uint8), arranged]))
            arranged = layout.offset
        else:
            r.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
        if self.target == "2d":
            if defines:
                r.glTexImage2D(target, 0, internal, *size[:2], 0, client, kind, arranged)
            else:
                r.glTexSubImage2D(target, 0, *place[:2], *size[:2], client, kind, arranged)
        elif defines:
            r.glTexImage3D(target, 0, internal, *size, 0, client, kind, arranged)
        else:
            r.glTexSubImage3D(target, 0, *place, *size, client, kind, arranged)


def uploads(pick: Choices) -> Uploads:
    """Random choices."""
    target = pick.one("2d", "2d", "3d", "array")
    layout = pick.choice([one for one in LAYOUTS if one.kind != "depth" or target != "3d"])
    pixel = random_pixels(layout, (1, 1), 0).nbytes
    volume = target != "2d"
    size = pick.randint(1, 32), pick.randint(1, 32), pick.randint(1, 5) if volume else 1
    parts = [((0, 0, 0, *size), memory(pick, size, volume, pixel))]
    for _ in range(pick.randint(0, 2)):
        place = tuple(pick.randrange(s) for s in size)
        part = tuple(pick.randint(1, s - p) for s, p in zip(size, place, strict=True))
        parts.append(((*place, *part), memory(pick, part, volume, pixel)))  # type: ignore[arg-type]
    channels = pick.one((0, 1, 2), (3, 1, 0), (2, 3, 1))
    storage = layout.sized and pick.chance(0.4)
    return Uploads(target, layout, storage, tuple(parts), pick.randrange(size[2]), pick.number(), channels)  # type: ignore[arg-type]
