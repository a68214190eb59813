"""What one draw needs, resolved: the only thing the pipeline sees of the API's state."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.wrapping import WRAPS
from ..gles import enums as gl
from ..glsl import Captured, LinkedProgram
from .index_stream import IndexStream

WRAP_CODES = {number: WRAPS.index(name) for number, name in gl.WRAPS.items()}
"""Codes of wrap modes as kernels take them, by the numbers of a `Sampler`."""
SMALLEST_DEPTH_STEPS = (2.0**-16, 2.0**-24, 2.0**-23)
"""Smallest resolvable depth difference r of polygon offset, by code of the depth format."""


class VertexArray(NamedTuple):
    """One enabled vertex array.

    Attributes
    ----------
    data
        Content of the buffer or of the client-side array.
    buffer, version
        Identity of the buffer in the recording, and which of its contents.
    offset_bytes, stride_bytes
        Where vertex 0 is, and how far apart vertices are.
    type
        GL enum of the components.
    components
        1 to 4.
    normalized
        Whether integers map to 0…1 or -1…1.
    divisor
        Instances per step, 0 for per-vertex arrays.
    integer
        Whether the shader gets integers (glVertexAttribIPointer).
    """

    data: bytes | bytearray
    buffer: int
    version: int
    offset_bytes: int
    stride_bytes: int
    type: int
    components: int
    normalized: bool
    divisor: int = 0
    integer: bool = False


@dataclass(frozen=True)
class Storage:
    """All images of a complete texture in one array, for the texture unit.

    Attributes
    ----------
    texels
        uint8 (0…255 for 0…1), float32 or int32, flat: RGBA texels of the base level's layer 0, layer 1, … then of the
        next level.
    offsets
        int64, (levels,): first element of each level.
    widths, heights, layers
        int64, (levels,): sizes in texels, and images per level (slices of a 3D texture, faces of a cube).
    """

    texels: NDArray[Any]
    offsets: NDArray[np.int64]
    widths: NDArray[np.int64]
    heights: NDArray[np.int64]
    layers: NDArray[np.int64]

    @cached_property
    def first_texels(self) -> NDArray[np.int32]:
        """First texel of each level, int32 (levels,)."""
        return (self.offsets // 4).astype(np.int32)


@dataclass(frozen=True)
class Sampler:
    """A texture as one sampler of a program sees it.

    Attributes
    ----------
    storage
        None for an incomplete texture: it reads (0, 0, 0, 1).
    target
        2d, cube, 3d or 2d_array.
    swizzle
        Channel per component: 0 to 3, 4 for zero, 5 for one.
    compare
        Comparison code of `COMPARISONS`, or -1 without depth comparison.
    base_level
        Level of the texture that is the storage's first.
    """

    storage: Storage | None
    surface: int
    version: int
    target: str
    min_filter: int
    mag_filter: int
    wrap_s: int
    wrap_t: int
    wrap_r: int = gl.REPEAT
    min_lod: float = -1000.0
    max_lod: float = 1000.0
    lod_bias: float = 0.0
    anisotropy: float = 1.0
    swizzle: tuple[int, int, int, int] = (0, 1, 2, 3)
    compare: int = -1
    base_level: int = 0


@dataclass(frozen=True)
class StencilFace:
    """Stencil state of one side (OpenGL ES 2.0, 4.1.4)."""

    function: int
    reference: int
    mask: int
    write_mask: int
    fail: int
    depth_fail: int
    depth_pass: int


@dataclass(frozen=True)
class Blend:
    """Blend state (OpenGL ES 2.0, 4.1.6); enums are GL's."""

    equation_rgb: int
    equation_alpha: int
    source_rgb: int
    destination_rgb: int
    source_alpha: int
    destination_alpha: int
    constant: tuple[float, float, float, float]


@dataclass(frozen=True)
class ColorTarget:
    """One colour attachment.

    Attributes
    ----------
    pixels
        (height, width, 4), row 0 at the bottom: uint8 for channels of at most 8 bits, float32, or int32.
    bits
        Bits kept per channel; 0 where a channel is absent.
    kind
        unorm, srgb, snorm, float, int or uint.
    """

    pixels: NDArray[Any]
    bits: tuple[int, int, int, int]
    kind: str = "unorm"


@dataclass(frozen=True)
class Target:
    """Attachments drawn to.

    Attributes
    ----------
    colors
        Colour attachment per draw buffer; None where there is none.
    depth
        uint32 (height, width), as `quantize_depth` gives them; None without a depth attachment.
    depth_format
        Code of `DEPTH_FORMATS`.
    stencil
        uint8 (height, width) or None.
    flipped
        The window system counts rows from the top (default framebuffer).
    samples
        Samples per pixel; with more than one, the arrays have a leading axis of samples.
    """

    width: int
    height: int
    colors: tuple[ColorTarget | None, ...]
    depth: NDArray[np.uint32] | None
    depth_format: int
    stencil: NDArray[np.uint8] | None
    flipped: bool
    samples: int = 1


@dataclass(frozen=True)
class FeedbackStream:
    """Vertex outputs that go to one buffer, next to each other.

    Attributes
    ----------
    data
        Content of the buffer, with room for all vertices of the draw.
    first_byte, stride_bytes
        Where the draw's first vertex goes, and bytes per vertex.
    """

    data: bytearray
    first_byte: int
    stride_bytes: int
    captured: tuple[Captured, ...]


@dataclass(frozen=True)
class Feedback:
    """Transform feedback of a draw."""

    vertices_per_primitive: int
    streams: tuple[FeedbackStream, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RasterState:
    """State of set-up and rasterization as kernels take it.

    Attributes
    ----------
    rounded
        float32, (8,): viewport x, y, width, height, near, far, height of the framebuffer, line width.
    exact
        float64, (8,): viewport and depth range again, polygon offset factor, and its units as a depth.
    modes
        int64, (3,): whether memory counts rows from the top, front face, culled faces.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered.
    """

    rounded: NDArray[np.float32]
    exact: NDArray[np.float64]
    modes: NDArray[np.int64]
    box: NDArray[np.int64]


@dataclass(slots=True, eq=False)
class StateDerived:
    """What was made of the state alone (anything but vertices, arrays, constants and contents), each when first asked
    for; all draws of the same state share it.

    Attributes
    ----------
    raster
        For set-up and rasterization.
    plans
        How its draws are executed, by what else decides that; see `fused.plan`.
    slots
        Slots of attachments whose content its draws need, and those that they change.
    row
        Columns of the table of draws.
    """

    raster: RasterState | None = None
    plans: dict[tuple[object, ...], Any] = field(default_factory=dict)
    slots: tuple[frozenset[str], frozenset[str]] | None = None
    row: dict[str, Any] | None = None


@dataclass(slots=True, eq=False)
class ArraysDerived:
    """What vertex fetch made of arrays and constants alone; all draws of the same arrays share it.

    Attributes
    ----------
    fetchable
        Whether kernels know the types of all arrays that are read.
    table
        What kernels fetch from; see `fused.attribute_table`.
    """

    fetchable: bool | None = None
    table: Any = None


@dataclass(frozen=True)
class DrawCommand:
    """One draw, resolved.

    Attributes
    ----------
    stream
        Its vertices.
    object_label
        Debug label of the application, "" without one.
    index_source
        Size of an index in bytes, identity of the index buffer (-1 for client-side indices), and first byte in it.
    arrays
        Vertex arrays by attribute location.
    constants
        Constant attribute values by location, for what has no array.
    vertex_constants, fragment_constants
        float32 (n, 4): uniforms of the stages.
    scissor
        x0, y0, x1, y1: framebuffer, scissor box and viewport intersected.
    feedback
        Where vertices are captured, or None.
    rasterizer_discard
        Whether primitives are thrown away before clipping.
    logic_operation
        Code of `logic`, in place of blending where it is not COPY (OpenGL ES 1.1).
    derived, array_derived
        What was made of the state, and of the arrays.
    """

    topology: int
    first: int
    count: int
    instances: int
    stream: IndexStream
    index_source: tuple[int, int, int]
    arrays: dict[int, VertexArray]
    constants: dict[int, tuple[float, float, float, float]]
    program: LinkedProgram
    vertex_constants: NDArray[np.float32]
    fragment_constants: NDArray[np.float32]
    vertex_samplers: tuple[Sampler, ...]
    fragment_samplers: tuple[Sampler, ...]
    viewport: tuple[int, int, int, int]
    depth_range: tuple[float, float]
    scissor: tuple[int, int, int, int]
    cull: int
    front_face: int
    polygon_offset: tuple[float, float]
    depth_test: bool
    depth_function: int
    depth_write: bool
    stencil_test: bool
    stencil_front: StencilFace
    stencil_back: StencilFace
    blend: Blend | None
    color_mask: tuple[bool, bool, bool, bool]
    line_width: float
    target: Target
    object_label: str = ""
    alpha_to_coverage: bool = False
    sample_coverage: tuple[float, bool] = (1.0, False)
    feedback: Feedback | None = None
    rasterizer_discard: bool = False
    logic_operation: int = 3
    derived: StateDerived = field(default_factory=StateDerived, compare=False, repr=False)
    array_derived: ArraysDerived = field(default_factory=ArraysDerived, compare=False, repr=False)

    def with_vertices(
        self,
        topology: int,
        first: int,
        count: int,
        instances: int,
        stream: IndexStream,
        index_source: tuple[int, int, int],
        arrays: dict[int, VertexArray],
        constants: dict[int, tuple[float, float, float, float]],
        object_label: str,
        feedback: Feedback | None,
        array_derived: ArraysDerived,
    ) -> DrawCommand:
        """A draw of other vertices in the same state; what was derived from the state is kept."""
        draw = object.__new__(DrawCommand)
        # Going through the fields one by one would cost more than the rest of a small draw's set-up.
        draw.__dict__.update(
            self.__dict__,
            topology=topology,
            first=first,
            count=count,
            instances=instances,
            stream=stream,
            index_source=index_source,
            arrays=arrays,
            constants=constants,
            object_label=object_label,
            feedback=feedback,
            array_derived=array_derived,
        )
        return draw

    def with_stream(self, topology: int, stream: IndexStream) -> DrawCommand:
        """The same draw of other vertices of the same arrays; for drawing only, as it leaves out which indices."""
        return self.with_vertices(
            topology,
            0,
            len(stream.stream),
            self.instances,
            stream,
            self.index_source,
            self.arrays,
            self.constants,
            self.object_label,
            self.feedback,
            self.array_derived,
        )

    @property
    def indices(self) -> NDArray[np.uint32] | None:
        """Indices as the application gave them, (count,); None for arrays."""
        return self.stream.indices

    @property
    def raster_state(self) -> RasterState:
        """What set-up and rasterization take of the state."""
        if self.derived.raster is None:
            self.derived.raster = raster_state(self)
        return self.derived.raster

    @property
    def early_depth(self) -> bool:
        """Whether depth and stencil may be tested before shading (OpenGL ES 3.0, 4.1: only where nobody can tell)."""
        late = self.program.fragment.discards or self.program.fragment.writes_depth or self.alpha_to_coverage
        return not late


def raster_state(draw: DrawCommand) -> RasterState:
    """State of set-up and rasterization as kernels take it."""
    factor, units = draw.polygon_offset
    step = SMALLEST_DEPTH_STEPS[draw.target.depth_format]
    rounded = (*draw.viewport, *draw.depth_range, draw.target.height, min(draw.line_width, 64.0))
    return RasterState(
        np.array(rounded, np.float32),
        np.array((*draw.viewport, *draw.depth_range, factor, units * step), np.float64),
        np.array((draw.target.flipped, draw.front_face, draw.cull), np.int64),
        np.array(draw.scissor, np.int64),
    )
