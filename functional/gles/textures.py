"""Texture objects: images, parameters, completeness, mipmap generation (OpenGL ES 3.0, 3.8).

Completeness, versions and storage depend on both images and parameters, so they are in one class.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.depth import depth_format_code, quantized_depths, stored_depths
from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.formats import Format
from ..opengl.limits import MAX_ARRAY_TEXTURE_LAYERS, MAX_TEXTURE_SIZE
from ..pipeline.sampler import Sampler, Storage
from .arguments import rounded, signless
from .mipmaps import blank_levels, smaller_levels
from .srgb import decode_srgb

MAX_SIZE, MAX_LAYERS = MAX_TEXTURE_SIZE, MAX_ARRAY_TEXTURE_LAYERS
MAX_LEVELS = MAX_SIZE.bit_length()
MAX_IMAGE_BYTES = 1 << 30

LUMINANCE_CHANNELS = (0, 0, 0, 5, 4, 5)
"""If luminance is stored in red: meaning of each channel of `Texture.swizzle`."""

Image = NDArray[Any]
"""Texels of one level and layer, (height, width, 4); uint8, float32 or int32 as `Format.dtype` says; row 0 at t = 0."""


class Sampling(NamedTuple):
    """Sampling of a texture: parameters of a texture or of a sampler object."""

    min_filter: int = gl.NEAREST_MIPMAP_LINEAR
    mag_filter: int = gl.LINEAR
    wrap_s: int = gl.REPEAT
    wrap_t: int = gl.REPEAT
    wrap_r: int = gl.REPEAT
    min_lod: float = -1000.0
    max_lod: float = 1000.0
    lod_bias: float = 0.0
    anisotropy: float = 1.0
    compare_mode: int = gl.NONE
    compare_function: int = gl.LEQUAL
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    integer_border: bool = False
    """Whether the border's colour was given as integers."""

    @property
    def mipmapped(self) -> bool:
        """Whether the minification filter uses mipmaps."""
        return self.min_filter not in (gl.NEAREST, gl.LINEAR)

    @property
    def unfiltered(self) -> bool:
        """Whether single texels are read, as textures of integers require."""
        return self.mag_filter == gl.NEAREST and self.min_filter in (gl.NEAREST, gl.NEAREST_MIPMAP_NEAREST)


@dataclass
class SamplerObject:
    """A sampler object."""

    name: int
    sampling: Sampling = Sampling()


class Sibling(Protocol):
    """A texture or renderbuffer that shares its image with another one."""

    version: int


@dataclass
class Texture:
    """A texture object; `images` are numbered by level and by layer, cube face or slice."""

    name: int
    identity: int
    target: int = 0
    label: str = ""
    images: dict[tuple[int, int], Image] = field(default_factory=dict)
    formats: dict[tuple[int, int], Format] = field(default_factory=dict)
    """Format of each image."""
    unsized: dict[tuple[int, int], int] = field(default_factory=dict)
    """Internal formats without size that images were defined with."""
    sampling: Sampling = Sampling()
    base_level: int = 0
    max_level: int = 1000
    swizzle: tuple[int, int, int, int] = (0, 1, 2, 3)
    """Channel that each component reads from: 0 to 3 for red to alpha, 4 for zero, 5 for one."""
    luminance: bool = False
    """Whether depth is read as luminance, as for unsized formats (OES_depth_texture); sized formats read it as red."""
    version: int = 0
    undefined_version: int = -1
    """Version in which nothing had been written to any image; -1 if it was or that is known."""
    allocations: int = 0
    """Rises whenever the memory of an image or its depth is replaced."""
    siblings: list[Sibling] = field(default_factory=list)
    """Objects that share an image with it (EGLImage)."""
    multisample: Any = None
    """Surface of a texture of several samples; see `multisample_textures`."""
    immutable: bool = False
    immutable_levels: int = 0
    automatic_mipmap: bool = False
    crop: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Rectangle that OES_draw_texture draws: x, y, width, height in texels; negative sizes mirror."""
    reads_stencil: bool = False
    """Whether shaders read the stencil of an image with depth and stencil, rather than its depth."""
    stencils: dict[tuple[int, int], NDArray[np.uint8]] = field(default_factory=dict)
    """Stencil of images, (height, width), as uploaded and drawn; what is missing is 0."""
    depth_planes: dict[tuple[int, int], tuple[NDArray[np.uint32], NDArray[np.uint8]]] = field(default_factory=dict)
    """Depth and stencil of images that were attached to a framebuffer, in the format of the depth test."""
    seen: tuple[int, dict[tuple[object, ...], Sampler]] = (-1, {})
    """Resolved samplers of a version, by their parameters."""
    lasting: tuple[int, dict[tuple[object, ...], Sampler]] = (-1, {})
    """Resolved samplers that see every version of the content, by their parameters; and for which allocation."""
    _storage: dict[tuple[int, int, int, bool, bool], Storage] = field(default_factory=dict)
    _levels: tuple[tuple[int, int, int], tuple[int, bool]] = (-1, 0, 0), (0, False)
    """Number of consistent levels, whether there is but one image, in the form that the texture unit reads, and what
    both were found for: programs draw with the same images again and again."""

    @property
    def first_level(self) -> int:
        """Base level; of immutable storage, a level that exists (OpenGL ES 3.0, 3.8.10)."""
        return min(self.base_level, self.immutable_levels - 1) if self.immutable else self.base_level

    @property
    def last_level(self) -> int:
        """Largest level that counts; of immutable storage, one that exists."""
        if not self.immutable:
            return self.max_level
        return min(max(self.first_level, self.max_level), self.immutable_levels - 1)

    @property
    def cube(self) -> bool:
        """Whether it is a cube map."""
        return self.target == gl.TEXTURE_CUBE_MAP

    @property
    def channels(self) -> tuple[int, int, int, int]:
        """Channel that each component reads from, as in `swizzle`."""
        return tuple(LUMINANCE_CHANNELS[c] for c in self.swizzle) if self.luminance else self.swizzle  # type: ignore

    @property
    def format(self) -> Format | None:
        """Format of the base level or, without one, of the image that was defined first."""
        return self.formats.get((self.first_level, 0)) or next(iter(self.formats.values()), None)

    def clear(self) -> None:
        """Discard all images."""
        self.images.clear()
        self.formats.clear()
        self.unsized.clear()
        self.stencils.clear()
        self.depth_planes.clear()
        self.siblings.clear()
        self.version += 1
        self.allocations += 1

    def set_image(self, level: int, layer: int, texels: Image, texel_format: Format, luminance: bool = False) -> None:
        """Define images (glTexImage): consecutive layers from `layer` on, (layers, height, width, 4)."""
        if not 0 <= level < MAX_LEVELS:
            raise GLError(gl.INVALID_VALUE, f"level {level}")
        if self.immutable:
            raise GLError(gl.INVALID_OPERATION, f"texture {self.name} has immutable storage")
        self.allocations += 1
        self.siblings.clear()
        if self.target in (gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY):
            for key in [key for key in self.images if key[0] == level]:
                del self.images[key], self.formats[key]
        if level == self.first_level or not self.formats:
            self.luminance = luminance
        for i, image in enumerate(texels):
            self.hold(level, layer + i, image, texel_format)
            self.unsized.pop((level, layer + i), None)
            self.stencils.pop((level, layer + i), None)
            self.depth_planes.pop((level, layer + i), None)
        self.version += 1

    def set_undefined(
        self, level: int, layer: int, texels: Image, texel_format: Format, luminance: bool = False
    ) -> None:
        """Define images whose content nobody gave."""
        # One texel is what programs bind where they sample nothing (nanovg).
        unread = texels.shape[:3] == (1, 1, 1) and level == 0
        undefined = (not self.images or self.version == self.undefined_version) and not unread
        self.set_image(level, layer, texels, texel_format, luminance)
        self.undefined_version = self.version if undefined else -1

    def hold(self, level: int, layer: int, texels: Image, texel_format: Format) -> None:
        """Make texels, (height, width, 4), an image: the same array if they lie row by row, as kernels take them."""
        self.images[level, layer] = np.ascontiguousarray(texels)
        self.formats[level, layer] = texel_format

    def update(self, level: int, layer: int, x: int, y: int, texels: Image) -> None:
        """Overwrite parts of images (glTexSubImage): consecutive layers from `layer` on."""
        height, width = texels.shape[1:3]
        for i, part in enumerate(texels):
            image = self.images.get((level, layer + i))
            if image is None:
                raise GLError(gl.INVALID_OPERATION, f"texture {self.name} has no image at level {level}")
            if x < 0 or y < 0 or x + width > image.shape[1] or y + height > image.shape[0]:
                size = f"{image.shape[1]}x{image.shape[0]}"
                raise GLError(gl.INVALID_VALUE, f"box {width}x{height} at {x},{y} leaves the image of {size}")
            drawn = self.depth_planes.pop((level, layer + i), None)
            if drawn is not None:
                # What was drawn outside of the box stays.
                image[..., 0] = stored_depths(drawn[0], depth_format_code(self.formats[level, layer + i].name))
                self.allocations += 1
            image[y : y + height, x : x + width] = part
        self.touched()

    def touched(self) -> None:
        """Note that the content of an image changed in place."""
        self.version += 1
        for sibling in self.siblings:
            sibling.version += 1

    def planes(self, level: int, layer: int) -> tuple[NDArray[np.uint32], NDArray[np.uint8]] | None:
        """Depth (uint32) and stencil (uint8) of an image of a depth texture, (height, width); None without an image."""
        image, sized = self.images.get((level, layer)), self.formats.get((level, layer))
        if image is None or sized is None or sized.kind != "depth":
            return None
        if (level, layer) not in self.depth_planes:
            quantized = quantized_depths(image[..., 0], depth_format_code(sized.name))
            self.depth_planes[level, layer] = quantized, self.stencil(level, layer)
        return self.depth_planes[level, layer]

    def stencil(self, level: int, layer: int) -> NDArray[np.uint8]:
        """Stencil of an image, (height, width)."""
        if (level, layer) not in self.stencils:
            self.stencils[level, layer] = np.zeros(self.images[level, layer].shape[:2], np.uint8)
        return self.stencils[level, layer]

    @property
    def sampled_stencil(self) -> bool:
        """Whether the images have stencil, and shaders read it."""
        return self.reads_stencil and self.format is not None and self.format.name.endswith("STENCIL8")

    def layers(self, level: int) -> int:
        """Images of a level."""
        if self.cube:
            return 6
        return max((layer + 1 for at, layer in self.images if at == level), default=0)

    def levels(self) -> int:
        """Number of consistent levels from the base level on: each half the size of the one before, with all layers and
        the format of the base level."""
        return self._known_levels()[0]

    def _known_levels(self) -> tuple[int, bool]:
        key = self.allocations, self.first_level, self.last_level
        if self._levels[0] != key:
            count = self._consistent_levels()
            self._levels = key, (count, count == 1 and self._readable())
        return self._levels[1]

    def _readable(self) -> bool:
        """Whether the base level is one image in the form that the texture unit reads."""
        place = self.first_level, 0
        return self.formats[place].kind not in ("srgb", "depth") and self.layers(self.first_level) == 1

    def _consistent_levels(self) -> int:
        base, sized = self.images.get((self.first_level, 0)), self.formats.get((self.first_level, 0))
        if base is None:
            return 0
        depth = self.layers(self.first_level)
        count = 0
        while self.first_level + count <= self.last_level:
            level = self.first_level + count
            height, width = (max(1, size >> count) for size in base.shape[:2])
            layers = max(1, depth >> count) if self.target == gl.TEXTURE_3D else depth
            places = [(level, layer) for layer in range(layers)]
            images = [self.images.get(place) for place in places]
            if any(i is None or i.shape[:2] != (height, width) for i in images):
                break
            if any(self.formats[place] != sized for place in places):
                break
            count += 1
            if width == height == 1 and (self.target != gl.TEXTURE_3D or layers == 1):
                break
        return count

    def complete(self, sampling: Sampling) -> bool:
        """Whether it is complete for such sampling (OpenGL ES 3.0, 3.8.13; NPOT rules relaxed by OES_texture_npot)."""
        levels = self.levels()
        if not levels:
            return False
        height, width = self.images[self.first_level, 0].shape[:2]
        if self.cube and width != height:
            return False
        sized = self.formats[self.first_level, 0]
        if not (sized.filterable and not self.sampled_stencil) and not sampling.unfiltered:
            return False
        if not sampling.mipmapped:
            return True
        size = max(width, height, self.layers(self.first_level) if self.target == gl.TEXTURE_3D else 1)
        return bool(levels >= min(size.bit_length(), self.last_level - self.first_level + 1))

    @property
    def plain(self) -> bool:
        """Whether its only image has the form that the texture unit reads, and no other object shares it."""
        return not self.siblings and self._known_levels()[1]

    def storage(self, copied: bool = True) -> Storage:
        """Images in the texture unit's format; packed again only after a change.

        All levels, even if no filter uses mipmaps: texelFetch and textureSize name a level themselves.

        Parameters
        ----------
        copied
            Whether the texels are copies; otherwise they are those of the image of a texture that is `plain`.
        """
        key = (self.version, self.first_level, self.last_level, self.sampled_stencil, copied)
        if key not in self._storage:
            self._storage = {key: self._packed(self.levels(), copied)}
        return self._storage[key]

    def _packed(self, levels: int, copied: bool) -> Storage:
        numbers = range(self.first_level, self.first_level + levels)
        layers = [max(1, self.layers(level)) for level in numbers]
        places = [(level, layer) for level, count in zip(numbers, layers, strict=True) for layer in range(count)]
        images = [self.images[place] for place in places]
        drawn = [
            (self.images[key], plane, depth_format_code(self.formats[key].name))
            for key, (plane, _) in self.depth_planes.items()
            if key in self.images
        ]
        shapes = np.array([self.images[level, 0].shape for level in numbers], np.int64)
        sizes = shapes.prod(1) * np.array(layers)
        # Not methods: textures and storages that hold each other would stay in memory.
        pack = partial(packed_texels, images, drawn, self.format is not None and self.format.kind == "srgb")
        if not copied:
            pack = partial(np.reshape, images[0], -1)
        elif self.sampled_stencil:
            pack = partial(stencil_texels, [self.stencil(*place) for place in places])
        return Storage(
            pack,
            np.concatenate([[0], np.cumsum(sizes)[:-1]]),
            shapes[:, 1].copy(),
            shapes[:, 0].copy(),
            np.array(layers, np.int64),
        )

    @property
    def base_texels(self) -> int:
        """Texels of the base level."""
        images = (self.images.get((self.first_level, layer)) for layer in range(self.layers(self.first_level)))
        return sum(image.shape[0] * image.shape[1] for image in images if image is not None)

    def generate_mipmap(self, executes: bool = True) -> None:
        """Derive all levels from the base level by 2x2 (2x2x2) box filtering, odd sizes by clamping (3.8.9).

        Parameters
        ----------
        executes
            Whether they get texels; otherwise they only exist.
        """
        layers = self.layers(self.first_level)
        base = [self.images.get((self.first_level, layer)) for layer in range(layers)]
        if not layers or any(image is None for image in base):
            raise GLError(gl.INVALID_OPERATION, f"texture {self.name} has no base level")
        self.allocations += 1
        images = [image for image in base if image is not None]
        texel_format = self.formats[self.first_level, 0]
        following = range(self.first_level + 1, min(self.last_level, MAX_LEVELS - 1) + 1)
        volume = self.target == gl.TEXTURE_3D
        levels = smaller_levels(images, volume, texel_format) if executes else blank_levels(images, volume)
        for level, made in zip(following, levels, strict=False):
            for layer, image in enumerate(made):
                self.hold(level, layer, image, texel_format)
        self.version += 1


def packed_texels(images: list[Image], drawn: list[tuple[Image, NDArray[np.uint32], int]], encoded: bool) -> Image:
    """Texels of images one after the other, after what was drawn into depth planes is copied back to their images."""
    for image, plane, depth_format in drawn:
        image[..., 0] = stored_depths(plane, depth_format)
    texels = np.concatenate([image.reshape(-1) for image in images])
    return decode_srgb(texels) if encoded else texels


def stencil_texels(planes: list[NDArray[np.uint8]]) -> Image:
    """Stencils one after the other as texels of integers, whose first channel they are."""
    texels = np.zeros((sum(plane.size for plane in planes), 4), np.int32)
    texels[:, 0], texels[:, 3] = np.concatenate([plane.reshape(-1) for plane in planes]), 1
    return texels.reshape(-1)


def with_parameter(sampling: Sampling, name: int, value: float) -> Sampling | None:
    """Sampling with one parameter changed; None if it is not a sampling parameter; GLError for an invalid value."""
    numbers = {
        gl.TEXTURE_MIN_LOD: "min_lod",
        gl.TEXTURE_MAX_LOD: "max_lod",
        gl.TEXTURE_LOD_BIAS: "lod_bias",
        gl.TEXTURE_MAX_ANISOTROPY: "anisotropy",
    }
    if name == gl.TEXTURE_MAX_ANISOTROPY and not value >= 1:
        raise GLError(gl.INVALID_VALUE, f"anisotropy {value}")
    if name in numbers:
        changed: dict[str, Any] = {numbers[name]: signless(value)}
        return sampling._replace(**changed)
    enums: dict[int, tuple[str, Any]] = {
        gl.TEXTURE_MIN_FILTER: ("min_filter", gl.FILTERS),
        gl.TEXTURE_MAG_FILTER: ("mag_filter", (gl.NEAREST, gl.LINEAR)),
        gl.TEXTURE_WRAP_S: ("wrap_s", gl.WRAPS),
        gl.TEXTURE_WRAP_T: ("wrap_t", gl.WRAPS),
        gl.TEXTURE_WRAP_R: ("wrap_r", gl.WRAPS),
        gl.TEXTURE_COMPARE_MODE: ("compare_mode", (gl.NONE, gl.COMPARE_REF_TO_TEXTURE)),
        gl.TEXTURE_COMPARE_FUNC: ("compare_function", gl.COMPARISONS),
    }
    if name not in enums:
        return None
    attribute, values = enums[name]
    chosen: dict[str, Any] = {attribute: rounded(value)}
    if chosen[attribute] not in values:
        raise GLError(gl.INVALID_ENUM, f"{chosen[attribute]:#06x} is not one of the values allowed")
    return sampling._replace(**chosen)
