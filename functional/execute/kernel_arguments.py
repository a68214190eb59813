"""Arguments of kernels of the back ends, and what they point at: blocks as in `compile.blocks`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, auto
from typing import NamedTuple

from ..activity.kernels.wrapping import WRAPS
from ..compile.blocks import (
    Address,
    DoubleRows,
    Flags,
    FloatRows,
    Floats,
    Halves,
    IntegerRows,
    Integers,
    NumberRows,
    Numbers,
    Words,
    places,
)
from ..opengl import enums as gl


class FragmentArguments(NamedTuple):
    """Arguments of a program's fragment kernel.

    Attributes
    ----------
    which
        Quads to shade: ascending positions in the next three arrays.
    primitive, quad_x, quad_y
        The primitive of each quad, and its place in quads.
    corners, window, outputs
        Three vertices per primitive; window coordinates and 1/w per vertex; varyings per vertex.
    planes, front, extent
        Per primitive: depth as a plane, whether it faces the viewer, size of a point or width of a line.
    constants
        Of the shader.
    samplers
        A `SamplerBlock` per texture.
    reads
        Empty, or a `ReadBlock` per texture instruction in order, then those of later probes; or a `LogBlock` if
        decisions are noted and textures are read in loops.
    results
        To fill: four rows of lanes per output.
    killed
        To fill: four bytes per quad, one for each lane.
    tree
        A `TreeBlock` that decisions are added to, if the kernel notes them.
    nodes
        To fill, by lane: where it ended in the tree, or the number of instructions that it executed.
    failed
        Set if a vector of lanes executes more instructions than are allowed.
    """

    which: Words
    primitive: Integers
    quad_x: Halves
    quad_y: Halves
    corners: IntegerRows
    window: FloatRows
    outputs: FloatRows
    planes: DoubleRows
    front: Flags
    extent: Floats
    constants: FloatRows
    samplers: Words
    reads: Words
    results: FloatRows
    killed: Numbers
    tree: Words
    nodes: Integers
    failed: bool = False


class VertexArguments(NamedTuple):
    """Arguments of a program's vertex kernel.

    Attributes
    ----------
    samplers
        A `SamplerBlock` per texture.
    inputs, outputs
        float32: four rows of lanes per input and output.
    constants
        Of the shader.
    failed
        A word, to set if a vector of lanes executes more instructions than are allowed.
    reads
        A `ReadBlock` per texture instruction in order, or 0 to note nothing.
    tree, nodes
        As in `FragmentArguments`, if the kernel notes the flow of lanes.
    lanes, first
        Number of lanes; index of the first one in the rows of `reads` and in `nodes`.
    """

    samplers: Address
    inputs: Address
    outputs: Address
    constants: Address
    failed: Address
    reads: Address
    tree: Address
    nodes: Address
    lanes: int
    first: int


class ComputeArguments(NamedTuple):
    """Arguments of a compute shader's kernel.

    Attributes
    ----------
    constants
        Of the shader.
    samplers
        A `SamplerBlock` per texture.
    buffers
        int64, three per buffer: address, whole words, bytes.
    images
        int64, four per image: address of the texels, width, height, layers.
    local
        int32, three rows: place of each invocation in its group; a row's length is a multiple of a vector's lanes.
    state, shared
        Memory for what outlives barriers, and for what a group shares.
    columns, rows, layers
        Work groups in x, y and z.
    first, last
        Groups to execute, x first; without the last.
    failed
        Set if a vector of lanes executes more instructions than are allowed.
    """

    constants: Address
    samplers: Address
    buffers: Address
    images: Address
    local: Address
    state: Address
    shared: Address
    columns: int
    rows: int
    layers: int
    first: int
    last: int
    failed: bool = False


class TreeBlock(NamedTuple):
    """The tree of a shader's decisions, see `decisions`.

    Attributes
    ----------
    following
        int32: child of each node and symbol, 0 if there is none yet.
    parents
        int32: index of each node in `following`.
    numbers
        int32: path of each node, -1 if it has no number yet.
    used, capacity
        Nodes that exist, and that there is room for.
    full
        Whether the room did not suffice.
    """

    following: Address
    parents: Address
    numbers: Address
    used: int
    capacity: int
    full: bool = False


FLAT_TARGETS = ("2d", "external")
"""Texture targets that take two coordinates and no reference."""


class TexelFormat(IntEnum):
    """Element of a texture's storage; ``NONE``: an incomplete texture."""

    NONE = 0
    BYTES = auto()
    FLOATS = auto()
    INTEGERS = auto()


@dataclass(frozen=True, slots=True)
class TextureKind:
    """Properties that the code of the texture unit's functions depends on.

    Attributes
    ----------
    shape
        2d, cube, 3d or 2d_array.
    texels
        Their format.
    compared
        Whether they are depths that are compared with a reference.
    deep
        Whether calls pass three coordinates and a reference, otherwise two coordinates.
    probed
        Whether filtering is anisotropic if the level of detail is implied.
    shifted
        Whether calls pass texel offsets.
    bordered
        Whether texels outside of the image may have the border colour.
    """

    shape: str
    texels: TexelFormat = TexelFormat.BYTES
    compared: bool = False
    deep: bool = False
    probed: bool = False
    shifted: bool = False
    bordered: bool = False

    def without_texels(self) -> TextureKind:
        """The same kind with only those properties that decide which texels are read."""
        # Slices are noted as they are wrapped.
        bordered = self.bordered and self.shape == "3d"
        return TextureKind(self.shape, deep=self.deep, probed=self.probed, shifted=self.shifted, bordered=bordered)


class SamplerBlock(NamedTuple):
    """A texture of RGBA images for the texture unit's functions.

    Attributes
    ----------
    implicit, explicit
        Addresses of these functions, with the level of detail implied and given; all are 0 if the shader only fetches
        texels and sizes.
    single
        Gives one channel with the level implied; 0 for textures that are not of `FLAT_TARGETS`.
    texels
        The storage.
    last
        Texel that is followed by enough others for all lanes of a vector, far below 0 where there are not that many.
    offsets
        int32: first texel of each level.
    width, height, layers
        Of the base level.
    top
        Last level.
    min_linear, mag_linear
        Whether filters are linear.
    mipmaps
        0 without mipmaps, 1 for the nearest level, 2 for two.
    detailed
        Whether a level of detail is ever needed.
    wrap_s, wrap_t, wrap_r
        Modes as in `WRAPS`, or `WRAP_POWER_OF_TWO`.
    compare
        Code of a depth comparison.
    bias, min_lod, max_lod
        Bits of float32.
    swizzled
        Whether the next four are not the identity.
    red, green, blue, alpha
        A channel, 4 for zero, 5 for one.
    probes
        Limit of anisotropy.
    format
        A `TexelFormat`.
    border_red, border_green, border_blue, border_alpha
        Bits of the border colour as the storage would have it, float32 or integers.
    """

    implicit: Address
    explicit: Address
    single: Address
    texels: Address
    last: int
    offsets: Address
    width: int
    height: int
    layers: int
    top: int
    min_linear: bool
    mag_linear: bool
    mipmaps: int
    detailed: bool
    wrap_s: int
    wrap_t: int
    wrap_r: int
    compare: int
    bias: int
    min_lod: int
    max_lod: int
    swizzled: bool
    red: int
    green: int
    blue: int
    alpha: int
    probes: int
    format: int
    border_red: int
    border_green: int
    border_blue: int
    border_alpha: int


class ReadBlock(NamedTuple):
    """Memory in which a texture instruction notes what it reads: rows of all lanes, as in the pipeline's `Reads`.

    Attributes
    ----------
    levels
        int8, two rows.
    x, y
        int32, two rows each.
    linear
        Bytes.
    face
        int32.
    row
        Lanes of a row.
    next
        Bytes from this block to that of the next anisotropic probe, 0 if there is none.
    """

    levels: Address
    x: Address
    y: Address
    linear: Address
    face: Address
    row: int
    next: int


class LogBlock(NamedTuple):
    """Memory in which a kernel whose shader reads textures in loops adds a record per operation and vector of lanes.

    Attributes
    ----------
    used, capacity
        Records in use, and records that fit, without a spare one.
    full
        Whether the room did not suffice.
    operation
        int32: number of the operation.
    lane
        int64: first lane of the vector.
    levels, x, y, linear, face
        As in `ReadBlock`, of the lanes of a vector.
    """

    used: int
    capacity: int
    full: bool
    operation: Address
    lane: Address
    levels: Address
    x: Address
    y: Address
    linear: Address
    face: Address


TREE, SAMPLER, READ, LOG = places(TreeBlock), places(SamplerBlock), places(ReadBlock), places(LogBlock)
"""Words of their fields."""
WRAP_POWER_OF_TWO = len(WRAPS)
"""Repetition of an image whose size is a power of two, in addition to the codes of `WRAPS`."""


class BlendArguments(NamedTuple):
    """Arguments of a kernel that blends quads into a colour buffer.

    Attributes
    ----------
    which
        Quads to blend: ascending positions in the next three arrays.
    quad_x, quad_y, lanes
        Place of each quad in quads; bits 0 to 3 are lanes to write.
    colors
        Four rows of lanes, which follow `which`.
    pixels, width
        The buffer, or what describes it to kernels for any format (see `general_writing`); and its pixels per row.
    constant
        The blend constant.
    """

    which: Words
    quad_x: Halves
    quad_y: Halves
    lanes: Halves
    colors: FloatRows
    pixels: Address
    width: int
    constant: Floats


class DepthArguments(NamedTuple):
    """Arguments of a kernel that tests the depths of quads.

    Attributes
    ----------
    primitive, quad_x, quad_y, lanes
        The primitive of each quad, its place in quads, and bits 0 to 3: lanes to test.
    planes
        Depths of primitives as planes.
    depth
        The buffer, which holds all pixels of the quads.
    passed
        To fill: lanes of each quad that pass.
    """

    primitive: Integers
    quad_x: Halves
    quad_y: Halves
    lanes: Halves
    planes: DoubleRows
    depth: NumberRows
    passed: Halves


@dataclass(frozen=True, slots=True)
class DepthState:
    """Properties that the code of a depth test depends on.

    Attributes
    ----------
    depth_format, function
        Codes of `DEPTH_FORMATS` and `COMPARISONS`.
    write
        Whether depths that pass are written.
    """

    depth_format: int
    function: int
    write: bool


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
