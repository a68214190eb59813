"""Random textures: target, size, levels and how they are given, parameters."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .formats import Layout, of_kinds, pixels
from .scene import Choices, value_of
from .stage import Stage

FILTERS = (
    "NEAREST", "LINEAR", "NEAREST_MIPMAP_NEAREST", "LINEAR_MIPMAP_NEAREST", "NEAREST_MIPMAP_LINEAR",
    "LINEAR_MIPMAP_LINEAR",
)  # fmt: skip
WRAPS = ("REPEAT", "CLAMP_TO_EDGE", "MIRRORED_REPEAT")
CHANNELS = ("RED", "GREEN", "BLUE", "ALPHA", "ZERO", "ONE")
_SWIZZLES = {"RED": 0x1903, "GREEN": 0x1904, "BLUE": 0x1905, "ALPHA": 0x1906, "ZERO": 0, "ONE": 1}
TARGETS = {"2d": gl.TEXTURE_2D, "3d": gl.TEXTURE_3D, "array": gl.TEXTURE_2D_ARRAY, "cube": gl.TEXTURE_CUBE_MAP}
Size = tuple[int, int, int]


@dataclass(frozen=True)
class Images:
    """Images of a texture.

    Attributes
    ----------
    how
        "images" (glTexImage), "storage" (glTexStorage), with "+mipmap" for glGenerateMipmap.
    size
        Width, height, and slices or layers.
    levels
        Levels that are given; at least the base level.
    base, top
        Base and maximum level.
    missing
        Level that is left out; -1 for none.
    """

    target: str
    layout: Layout
    how: str
    size: Size
    levels: int
    base: int
    top: int
    missing: int
    number: int

    def level_size(self, level: int) -> Size:
        """Size of a level."""
        width, height, depth = self.size
        halved = max(1, depth >> level) if self.target == "3d" else depth
        return max(1, width >> level), max(1, height >> level), halved

    @property
    def fetched_levels(self) -> int:
        """Levels that texelFetch may name, from the base level on."""
        all_levels = _count(self.target, self.size)
        last = self.levels - 1 if "mipmap" not in self.how else all_levels - 1
        return max(1, min(last, self.top, all_levels - 1) - self.base + 1)

    @property
    def may_be_incomplete(self) -> bool:
        """Whether levels are missing, which matters to filters with mipmaps."""
        return self.how == "images" and (self.missing >= 0 or self.levels < _count(self.target, self.size))

    def make(self, stage: Stage) -> None:
        """Make and bind the texture."""
        target, r = TARGETS[self.target], stage.r
        stage.texture(target)
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        if "storage" in self.how:
            levels = self.levels if "mipmap" not in self.how else _count(self.target, self.size)
            if self.target in ("3d", "array"):
                r.glTexStorage3D(target, levels, self.layout.enums[0], *self.size)
            else:
                r.glTexStorage2D(target, levels, self.layout.enums[0], *self.size[:2])
        r.glTexParameteri(target, gl.TEXTURE_BASE_LEVEL, self.base)
        r.glTexParameteri(target, gl.TEXTURE_MAX_LEVEL, self.top)
        for level in range(self.base, self.base + 1) if "mipmap" in self.how else range(self.levels):
            if level != self.missing:
                self._level(stage, level)
        if "mipmap" in self.how:
            r.glGenerateMipmap(target)

    def _level(self, stage: Stage, level: int) -> None:
        r, target, size = stage.r, TARGETS[self.target], self.level_size(level)
        internal, client, kind = self.layout.enums
        whole = self.target in ("3d", "array")
        for face in range(6 if self.target == "cube" else 1):
            image = target if self.target != "cube" else gl.TEXTURE_CUBE_MAP_POSITIVE_X + face
            shape = (size[2], size[1], size[0]) if whole else (size[1], size[0])
            data = pixels(self.layout, shape, self.number + 8 * level + face)
            if "storage" in self.how:
                if whole:
                    r.glTexSubImage3D(image, level, 0, 0, 0, *size, client, kind, data)
                else:
                    r.glTexSubImage2D(image, level, 0, 0, *size[:2], client, kind, data)
            elif whole:
                r.glTexImage3D(image, level, internal, *size, 0, client, kind, data)
            else:
                r.glTexImage2D(image, level, internal, *size[:2], 0, client, kind, data)


def _count(target: str, size: Size) -> int:
    """Levels of a complete pyramid."""
    return max(size if target == "3d" else size[:2]).bit_length()


def images(pick: Choices, target: str, layout: Layout, fetched: bool) -> Images:
    """Random images; complete where texels are fetched."""
    sides = pick.one((16, 16), (8, 4), (32, 32), (1, 8), (pick.randint(1, 24), pick.randint(1, 24)))
    if target == "cube":
        sides = pick.one((1, 1), (8, 8), (16, 16), (5, 5))
    size = (*sides, pick.randint(1, 9) if target == "3d" else pick.randint(1, 4) if target == "array" else 1)
    full = _count(target, size)
    ways = ["images"] + ["storage"] * layout.sized
    # Mipmaps are generated of what can be filtered and drawn to.
    if layout.kind in ("unorm", "srgb", "float", "snorm") and _generated(layout):
        ways += [f"{way}+mipmap" for way in ways]
    how = pick.choice(ways)
    levels = full if pick.chance(0.8) else pick.randint(1, full)
    base = pick.randint(0, levels - 1) if pick.chance(0.3) else 0
    top = 1000 if pick.chance(0.7) else pick.randint(base, full)
    missing = -1
    if not fetched and how == "images" and pick.chance(0.06):
        missing = pick.randint(base, levels - 1)
    if "storage" not in how and "mipmap" in how and base:
        base = 0
    if fetched and how == "images":
        top = min(top, levels - 1)
    return Images(target, layout, how, size, levels, base, top, missing, pick.number())


def _generated(layout: Layout) -> bool:
    """Whether glGenerateMipmap takes the format: unsized, or sized, filterable and renderable."""
    if (
        layout.internal in ("SRGB8", "RGB9_E5", "RGB16F", "RED", "RG")
        or "SNORM" in layout.internal
        or "32F" in layout.internal
    ):
        return False
    return layout.kind != "float" or layout.sized


@dataclass(frozen=True)
class Parameters:
    """How a texture is sampled; by parameters of a sampler object, or of the texture."""

    by_sampler: bool
    min_filter: str
    mag_filter: str
    wraps: tuple[str, str, str]
    lods: tuple[float, float]
    swizzle: tuple[str, ...]
    compare: str = ""
    border: tuple[float, ...] = ()

    def set(self, stage: Stage, target: int) -> None:
        """Set the parameters for the bound texture."""
        r = stage.r
        if self.by_sampler:
            name = r.glGenSamplers(1)[0]
            r.glBindSampler(0, name)
        whole = (lambda p, v: r.glSamplerParameteri(name, p, v)) if self.by_sampler else (
            lambda p, v: r.glTexParameteri(target, p, v)
        )  # fmt: skip
        real = (lambda p, v: r.glSamplerParameterf(name, p, v)) if self.by_sampler else (
            lambda p, v: r.glTexParameterf(target, p, v)
        )  # fmt: skip
        whole(gl.TEXTURE_MIN_FILTER, value_of(self.min_filter))
        whole(gl.TEXTURE_MAG_FILTER, value_of(self.mag_filter))
        for axis, wrap in zip((gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R), self.wraps, strict=True):
            whole(axis, value_of(wrap))
        if self.lods != (-1000.0, 1000.0):
            real(gl.TEXTURE_MIN_LOD, self.lods[0])
            real(gl.TEXTURE_MAX_LOD, self.lods[1])
        if self.border:
            color = [float(value) for value in self.border]
            if self.by_sampler:
                r.glSamplerParameterfv(name, gl.TEXTURE_BORDER_COLOR, color)
            else:
                r.glTexParameterfv(target, gl.TEXTURE_BORDER_COLOR, color)
        if self.compare:
            whole(gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE)
            whole(gl.TEXTURE_COMPARE_FUNC, value_of(self.compare))
        for component, channel in enumerate(self.swizzle):
            r.glTexParameteri(target, gl.TEXTURE_SWIZZLE_R + component, _SWIZZLES[channel])


def parameters(pick: Choices, layout: Layout, compare: str = "") -> Parameters:
    """Random parameters; mostly such that the texture is complete."""
    nearest = layout.integer or (layout.kind == "depth" and not compare)
    filters = FILTERS
    if nearest and pick.chance(0.93):
        filters = ("NEAREST", "NEAREST_MIPMAP_NEAREST", "NEAREST_MIPMAP_NEAREST")
        filters += () if layout.integer and not pick.chance(0.5) else ("NEAREST_MIPMAP_LINEAR",)
    magnified = "NEAREST" if nearest else pick.one("NEAREST", "LINEAR")
    lods = (-1000.0, 1000.0)
    if pick.chance(0.2):
        low = pick.real(-2, 2)
        lods = low, low + pick.real(0, 3)
    swizzle = tuple(pick.choice(CHANNELS) for _ in range(4)) if pick.chance(0.3) else ()
    known, border = WRAPS, ()
    if not layout.integer and pick.chance(0.25):
        # EXT_texture_border_clamp
        known, border = (*WRAPS, "CLAMP_TO_BORDER", "CLAMP_TO_BORDER"), pick.reals(4, -0.2, 1.2)
    wraps = (pick.choice(known), pick.choice(known), pick.choice(known))
    return Parameters(pick.chance(0.3), pick.choice(filters), magnified, wraps, lods, swizzle, compare, border)


def layout_for(pick: Choices, target: str) -> Layout:
    """A random format for a target, every kind about as often."""
    kinds = ["unorm", "unorm", "float", "snorm", "srgb", "int", "uint"] + ["depth"] * (target != "3d")
    return pick.choice(of_kinds(pick.choice(kinds)))  # type: ignore[arg-type]
