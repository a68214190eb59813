"""What kernels are given: blocks of 64-bit fields, by position."""

from __future__ import annotations

from enum import IntEnum, auto


class FragmentField(IntEnum):
    """Arguments of a program's fragment kernel.

    Pointers: ``WHICH`` int64 positions of the quads to shade in the arrays ``PRIMITIVE`` (int32), ``QUAD_X`` and
    ``QUAD_Y`` (uint16); ``CORNERS`` (int32, three per primitive), ``WINDOW`` (float32, four per vertex), ``OUTPUTS``
    (float32, ``OUTPUT_STRIDE`` per vertex), ``PLANES`` (float64, three per primitive), ``FRONT`` (bytes per primitive);
    ``CONSTANTS`` (float32); ``SAMPLERS`` (blocks of `SamplerField`); ``READS`` (blocks of `ReadField`, one per texture
    instruction in order, or null); ``RESULTS`` (float32 rows of ``ROW`` lanes, four per output), ``KILLED`` (bytes per
    lane); ``IMPLICIT`` and ``EXPLICIT``, the functions of the texture unit. ``LIMIT`` bounds the instructions that a
    vector of lanes may execute; ``FAILED`` is set where it does not suffice.
    """

    COUNT = 0
    WHICH = auto()
    PRIMITIVE = auto()
    QUAD_X = auto()
    QUAD_Y = auto()
    CORNERS = auto()
    WINDOW = auto()
    OUTPUTS = auto()
    OUTPUT_STRIDE = auto()
    PLANES = auto()
    FRONT = auto()
    CONSTANTS = auto()
    SAMPLERS = auto()
    READS = auto()
    RESULTS = auto()
    ROW = auto()
    KILLED = auto()
    IMPLICIT = auto()
    EXPLICIT = auto()
    LIMIT = auto()
    FAILED = auto()


class SamplerField(IntEnum):
    """A texture of two-dimensional uint8 RGBA images as the texture unit's functions see it.

    ``TEXELS`` points at the storage, ``OFFSETS`` at the int32 first texel of each level; ``WIDTH`` and ``HEIGHT`` are
    the base level's, ``TOP`` the last level. ``MIPMAPS`` is 0 without mipmaps, 1 for the nearest level, 2 for two.
    Wrap modes are `WRAPS` by position, with 3 for repeating an image whose size is a power of two. ``DETAILED`` is 0
    where no level of detail is ever needed. ``SWIZZLED`` says that ``RED`` … ``ALPHA`` (channel, 4 for zero, 5 for
    one) are not the identity. Floats lie in the low 32 bits.
    """

    TEXELS = 0
    OFFSETS = auto()
    WIDTH = auto()
    HEIGHT = auto()
    TOP = auto()
    MIN_LINEAR = auto()
    MAG_LINEAR = auto()
    MIPMAPS = auto()
    DETAILED = auto()
    WRAP_S = auto()
    WRAP_T = auto()
    BIAS = auto()
    MIN_LOD = auto()
    MAX_LOD = auto()
    SWIZZLED = auto()
    RED = auto()
    GREEN = auto()
    BLUE = auto()
    ALPHA = auto()


class ReadField(IntEnum):
    """Where a texture instruction notes what it reads: rows of all lanes, as in the pipeline's `Reads`.

    ``LEVELS`` int8, ``X`` and ``Y`` int32, two rows of ``ROW`` lanes each; ``LINEAR`` bytes.
    """

    LEVELS = 0
    X = auto()
    Y = auto()
    LINEAR = auto()
    ROW = auto()


WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR, WRAP_POWER_OF_TWO = range(4)
