"""Arguments of kernels: blocks of 64-bit fields, by position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, auto

from ..activity.kernels.wrapping import WRAPS
from ..gles import enums as gl


class FragmentField(IntEnum):
    """Arguments of a program's fragment kernel.

    Pointers: ``WHICH`` int64 ascending positions of the quads to shade in the arrays ``PRIMITIVE`` (int32), ``QUAD_X``
    and ``QUAD_Y`` (uint16); ``CORNERS`` (int32, three per primitive), ``WINDOW`` (float32, four per vertex),
    ``OUTPUTS`` (float32, ``OUTPUT_STRIDE`` per vertex), ``PLANES`` (float64, three per primitive), ``FRONT`` (bytes per
    primitive), ``EXTENT`` (float32 per primitive); ``CONSTANTS`` (float32); ``SAMPLERS`` (blocks of `SamplerField`);
    ``READS`` (blocks of `ReadField`, one per texture instruction in order, then those of later probes, or null; a block
    of `LogField` where decisions are noted and textures are read in loops); ``RESULTS`` (float32 rows of ``ROW`` lanes,
    four per output), ``KILLED`` (bytes per lane). ``LIMIT`` bounds the instructions that a vector of lanes may execute;
    ``FAILED`` is set if it is exceeded. A kernel that notes decisions adds them to ``TREE`` (a block of
    `TreeField`) and stores in ``NODES`` (int32 per lane) where each lane ended.
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
    EXTENT = auto()
    CONSTANTS = auto()
    SAMPLERS = auto()
    READS = auto()
    RESULTS = auto()
    ROW = auto()
    KILLED = auto()
    LIMIT = auto()
    FAILED = auto()
    TREE = auto()
    NODES = auto()


class TreeField(IntEnum):
    """The tree of a shader's decisions, see `decisions`.

    ``FOLLOWING`` int32, the child of each node and symbol, 0 if there is none yet; ``PARENTS`` int32, the index of each
    node in there. ``COUNT`` nodes of ``CAPACITY`` are used; ``FULL`` is set if those do not suffice.
    """

    FOLLOWING = 0
    PARENTS = auto()
    COUNT = auto()
    CAPACITY = auto()
    FULL = auto()


FLAT_TARGETS = ("2d", "external")
"""Texture targets that take two coordinates and no reference."""


@dataclass(frozen=True, slots=True)
class TextureKind:
    """Properties that the code of the texture unit's functions depends on.

    Attributes
    ----------
    shape
        2d, cube, 3d or 2d_array.
    floats
        Whether texels are float32, otherwise uint8.
    compared
        Whether they are depths that are compared with a reference.
    deep
        Whether calls pass three coordinates and a reference, otherwise two coordinates.
    probed
        Whether filtering is anisotropic if the level of detail is implied.
    """

    shape: str
    floats: bool = False
    compared: bool = False
    deep: bool = False
    probed: bool = False


class TexelFormat(IntEnum):
    """Element of a texture's storage; ``NONE``: an incomplete texture."""

    NONE = 0
    BYTES = auto()
    FLOATS = auto()
    INTEGERS = auto()


class SamplerField(IntEnum):
    """A texture of RGBA images for the texture unit's functions.

    ``IMPLICIT`` and ``EXPLICIT`` are those functions, with the level of detail implied and given; ``SINGLE`` gives one
    channel with the level implied, and is 0 for textures that are not of `FLAT_TARGETS`. All are 0 if the shader only
    fetches texels and sizes. ``TEXELS`` points at the storage, whose texel ``LAST`` is followed by enough others for
    all lanes of a vector (it is far below 0 where there are not that many), ``OFFSETS`` at the int32 first texel of
    each level; ``WIDTH``, ``HEIGHT`` and ``LAYERS`` are the base level's, ``TOP`` the last level. ``MIPMAPS`` is 0
    without mipmaps, 1 for the nearest level, 2 for two. Wrap modes are `WRAPS` by position, with 3 for repeating an
    image whose size is a power of two. ``DETAILED`` is 0 where no level of detail is ever needed. ``COMPARE`` is the
    code of a depth comparison. ``SWIZZLED`` says that ``RED`` … ``ALPHA`` (channel, 4 for zero, 5 for one) are not the
    identity. ``PROBES`` is the limit of anisotropy. ``FORMAT`` is a `TexelFormat`. Floats are in the low 32 bits.
    """

    IMPLICIT = 0
    EXPLICIT = auto()
    SINGLE = auto()
    TEXELS = auto()
    LAST = auto()
    OFFSETS = auto()
    WIDTH = auto()
    HEIGHT = auto()
    LAYERS = auto()
    TOP = auto()
    MIN_LINEAR = auto()
    MAG_LINEAR = auto()
    MIPMAPS = auto()
    DETAILED = auto()
    WRAP_S = auto()
    WRAP_T = auto()
    WRAP_R = auto()
    COMPARE = auto()
    BIAS = auto()
    MIN_LOD = auto()
    MAX_LOD = auto()
    SWIZZLED = auto()
    RED = auto()
    GREEN = auto()
    BLUE = auto()
    ALPHA = auto()
    PROBES = auto()
    FORMAT = auto()


class ReadField(IntEnum):
    """Memory in which a texture instruction notes what it reads: rows of all lanes, as in the pipeline's `Reads`.

    ``LEVELS`` int8, ``X`` and ``Y`` int32, two rows of ``ROW`` lanes each; ``LINEAR`` bytes, ``FACE`` int32. ``NEXT``:
    bytes from this block to that of the next anisotropic probe, 0 if there is none.
    """

    LEVELS = 0
    X = auto()
    Y = auto()
    LINEAR = auto()
    FACE = auto()
    ROW = auto()
    NEXT = auto()


class LogField(IntEnum):
    """Memory in which a kernel whose shader reads textures in loops adds a record per operation and vector of lanes.

    ``OPERATION`` int32, its number; ``LANE`` int64, first lane of the vector; the others as in `ReadField`, of the
    lanes of a vector. ``COUNT`` records of ``CAPACITY`` are taken, and there is one more; ``FULL`` is set where those
    do not suffice.
    """

    COUNT = 0
    CAPACITY = auto()
    FULL = auto()
    OPERATION = auto()
    LANE = auto()
    LEVELS = auto()
    X = auto()
    Y = auto()
    LINEAR = auto()
    FACE = auto()


WRAP_POWER_OF_TWO = len(WRAPS)
"""Repetition of an image whose size is a power of two, in addition to the codes of `WRAPS`."""


class BlendField(IntEnum):
    """Arguments of a kernel that blends quads into a colour buffer of four bytes per pixel.

    ``WHICH`` int64 ascending positions of the quads in ``QUAD_X``, ``QUAD_Y`` and ``LANES`` (uint16; bits 0 to 3 are
    lanes to write); ``COLORS`` float32, four rows of ``ROW`` lanes; ``PIXELS`` and ``WIDTH`` of the buffer;
    ``CONSTANT``, the blend constant in float32.
    """

    COUNT = 0
    WHICH = auto()
    QUAD_X = auto()
    QUAD_Y = auto()
    LANES = auto()
    COLORS = auto()
    ROW = auto()
    PIXELS = auto()
    WIDTH = auto()
    CONSTANT = auto()


@dataclass(frozen=True, slots=True)
class BlendState:
    """Properties that the code of a blend kernel depends on.

    Attributes
    ----------
    equations
        GL enums for red, green, blue and for alpha; 0 if blending is off.
    sources, targets
        GL enums of the factors, for colour and for alpha.
    channels
        Whether a channel is written.
    has_alpha
        Whether the buffer stores alpha; otherwise it reads as 1.
    """

    equations: tuple[int, int]
    sources: tuple[int, int]
    targets: tuple[int, int]
    channels: tuple[bool, bool, bool, bool]
    has_alpha: bool

    @property
    def opaque_replaces(self) -> bool:
        """Whether a colour with alpha 1 replaces any previous colour."""
        added = all(self.channels) and self.equations == (gl.FUNC_ADD, gl.FUNC_ADD)
        weighted = set(self.sources) <= {gl.SRC_ALPHA, gl.ONE} and set(self.targets) == {gl.ONE_MINUS_SRC_ALPHA}
        return added and weighted
