"""The resolved state of one draw: all that the pipeline sees of the API's state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from ..execute.memory import ShaderMemory
from ..glsl import CapturedOutput
from ..glsl.ir.program import Stage
from ..opengl import enums as gl
from .derived import ArraysDerived, RasterState, StateDerived, raster_state
from .index_stream import IndexStream
from .state import DrawState

Constant = tuple[float, float, float, float]
NO_MEMORY: Mapping[Stage, ShaderMemory] = MappingProxyType({})


class ArrayLayout(NamedTuple):
    """Layout of a vertex array in its buffer.

    Attributes
    ----------
    offset_bytes, stride_bytes
        Offset of vertex 0, and distance between vertices.
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

    offset_bytes: int = 0
    stride_bytes: int = 0
    type: int = gl.FLOAT
    components: int = 4
    normalized: bool = False
    divisor: int = 0
    integer: bool = False


class VertexArray(NamedTuple):
    """One enabled vertex array.

    Attributes
    ----------
    data
        Content of the buffer or of the client-side array.
    buffer, version
        Identity of the buffer in the recording, and version of its content.
    """

    data: bytes | bytearray
    buffer: int
    version: int
    layout: ArrayLayout


class Arrays(NamedTuple):
    """Arrays and constants that the vertices of a draw are made of.

    Attributes
    ----------
    enabled
        Vertex arrays by attribute location.
    constants
        Constant attribute values by location, for attributes without an array.
    label
        Debug label of the application for the object drawn, "" without one.
    derived
        Data derived from these arrays.
    """

    enabled: dict[int, VertexArray]
    constants: dict[int, Constant]
    label: str
    derived: ArraysDerived


class IndexSource(NamedTuple):
    """Source of the indices of a draw.

    Attributes
    ----------
    index_bytes
        Size of an index, 0 without indices.
    buffer
        Identity of the index buffer, -1 for client-side indices.
    offset_bytes
        First byte in it.
    """

    index_bytes: int
    buffer: int
    offset_bytes: int


NOT_INDEXED = IndexSource(0, -1, 0)


class Vertices(NamedTuple):
    """The vertices of a draw.

    Attributes
    ----------
    stream
        Its index stream.
    index_source
        Source of its indices.
    """

    topology: int
    first: int
    instances: int
    stream: IndexStream
    index_source: IndexSource = NOT_INDEXED


@dataclass(frozen=True)
class FeedbackStream:
    """Vertex outputs that are written next to each other in one buffer.

    Attributes
    ----------
    data
        Content of the buffer, with room for all vertices of the draw.
    first_byte, stride_bytes
        Offset of the draw's first vertex, and bytes per vertex.
    """

    data: bytearray
    first_byte: int
    stride_bytes: int
    captured: tuple[CapturedOutput, ...]


@dataclass(frozen=True)
class Feedback:
    """Transform feedback of a draw."""

    vertices_per_primitive: int
    streams: tuple[FeedbackStream, ...]


class DrawCommand(NamedTuple):
    """One draw, resolved.

    Attributes
    ----------
    derived
        Data derived from the state.
    feedback
        Where vertices are captured, or None.
    memory
        Buffers and images of the stages that access any.
    """

    state: DrawState
    derived: StateDerived
    vertices: Vertices
    arrays: Arrays
    feedback: Feedback | None = None
    memory: Mapping[Stage, ShaderMemory] = NO_MEMORY

    def with_stream(self, topology: int, stream: IndexStream) -> DrawCommand:
        """The same draw with other vertices of the same arrays; for drawing only, because it has no index source."""
        vertices = Vertices(topology, 0, self.vertices.instances, stream, self.vertices.index_source)
        # Faster than to replace a field.
        return DrawCommand(self.state, self.derived, vertices, self.arrays, self.feedback, self.memory)

    def unobserved(self) -> DrawCommand:
        """The same draw for when nothing observes it: without fragment shading that changes nothing."""
        state = self.derived.unobserved
        if state is None:
            state = self.derived.unobserved = self.state.without_idle_shading()
        return self if state is self.state else self._with_state(state)

    def uncolored(self, idle: bool) -> DrawCommand:
        """The same draw for when its colours do not count. ``idle``, which is the same for all draws of a state, says
        whether shading that then changes nothing may be left out."""
        state = self.derived.uncolored
        if state is None:
            state = self.derived.uncolored = self.state.without_colors(idle)
        return self._with_state(state)

    def _with_state(self, state: DrawState) -> DrawCommand:
        """The same draw in another form of its state."""
        # Faster than to replace a field.
        return DrawCommand(state, self.derived, self.vertices, self.arrays, self.feedback, self.memory)

    @property
    def raster_state(self) -> RasterState:
        """State of set-up and rasterization."""
        if self.derived.raster is None:
            self.derived.raster = raster_state(self.state)
        return self.derived.raster
