"""Which way a draw goes, and why: by kernels of several stages (fused), or stage by stage (the reference).

Vertices and primitives are one half of a draw, fragments the other; each goes its own way, chosen once per draw from
the draw and from who looks. What draws of one state have in common is decided once per state. Both ways give the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...activity.compiled import COMPILED
from ...execute.backend import Backend, Kernel
from ...glsl.ir.analysis import reads_in_loops
from ...glsl.ir.program import Shader
from ..command import DrawCommand
from ..fragments.color_writing import SEVERAL_SAMPLES
from ..geometry.primitive_assembly import CORNERS
from ..geometry.set_up import STRAIGHT
from ..geometry.vertex_shading import output_places, varying_slots
from ..sampler import Sampler
from ..sink import Sink
from ..state import DrawState
from ..texturing.unit import probes
from .attribute_table import fetchable
from .batch_memory import BatchDraw, batch_draw
from .vertex_state import VertexState, vertex_state

FUSED = "fused"
MAX_TEXELS = 1 << 29
UNCOMPILED = "NUMBA_DISABLE_JIT leaves kernels Python"
MEASURED = "its stages are measured one by one"
CAPTURED = "transform feedback captures vertices"
PACKED = "an array holds packed words"
INPUTS = "attributes are recorded as they were fetched"
DISCARDED = "primitives are discarded"
VERTEX_PATHS = "the paths of a vertex shader with branches are recorded"
COLORS = "shaded colours are recorded"
INTEGER_TEXTURE = "a texture holds integers"
LARGE_TEXTURE = f"a texture has {MAX_TEXELS} texels or more"
PROBES_IN_LOOPS = "anisotropic probes of a shader that reads textures in loops are recorded"
FEW_VARYINGS = "the fragment shader reads varyings that the vertex shader lacks"


class Look(NamedTuple):
    """Who looks at a draw, as far as that decides how it goes: whether it is recorded, with attributes as they were
    fetched, with shaded colours."""

    recorded: bool = False
    inputs: bool = False
    colors: bool = False


UNSEEN = Look()
_RECORDED = {(inputs, colors): Look(True, inputs, colors) for inputs in (False, True) for colors in (False, True)}


def look_of(sink: Sink) -> Look:
    """How a sink looks at draws."""
    return _RECORDED[sink.inputs, sink.colors]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a draw is executed.

    Attributes
    ----------
    vertices
        State of vertices and primitives that go fused, or why they go stage by stage.
    fragments
        State of fragments that go fused, or why they go stage by stage.
    shading
        The kernel that shades fragments that otherwise go stage by stage, or why they are shaded operation by
        operation.
    at_once
        Both states, where nobody looks between the halves: one call does the whole draw.
    """

    vertices: VertexState | str
    fragments: BatchDraw | str
    shading: Kernel | str
    at_once: tuple[VertexState, BatchDraw] | None

    @property
    def ways(self) -> tuple[str, str]:
        """How vertices and primitives go, and how fragments, with the reason where that is not fused."""
        vertices, fragments, shaded = FUSED, FUSED, "" if isinstance(self.shading, str) else ", shaded by a kernel"
        if isinstance(self.vertices, str):
            vertices = f"stage by stage: {self.vertices}"
        if isinstance(self.fragments, str):
            fragments = f"stage by stage{shaded}: {self.fragments}"
        return vertices, fragments

    def with_stages_of_vertices(self, why: str) -> Plan:
        """The same, but for vertices and primitives, which go stage by stage."""
        return Plan(why, self.fragments, self.shading, None)


def plan(draw: DrawCommand, look: Look, snap: bool, backend: Backend) -> Plan:
    """How to execute a draw.

    What only vertices can tell is not decided here: primitives that cross a clipping plane leave the one call for
    vertices and primitives (`geometry_call`), and where several threads share draws, one that covers much leaves the
    one call for all (`draws`). They remain fused.

    Parameters
    ----------
    draw
        The draw.
    look
        Who looks at it.
    snap
        Whether window coordinates are snapped.
    backend
        Gives the kernels.
    """
    size = CORNERS[draw.vertices.topology]
    key = size, look, snap
    known: Plan | None = draw.derived.plans.get(key)
    if known is None:
        known = draw.derived.plans[key] = _of_state(draw, size, look, snap, backend)
    if isinstance(known.vertices, str):
        return known
    if draw.feedback is not None:
        return known.with_stages_of_vertices(CAPTURED)
    return known if fetchable(draw) else known.with_stages_of_vertices(PACKED)


def _of_state(draw: DrawCommand, size: int, look: Look, snap: bool, backend: Backend) -> Plan:
    """The plan of all draws of a state, as far as their arrays are fetched by kernels."""
    vertices, shading = _vertices(draw, look, snap, backend), shading_kernel(draw.state, size, look, backend)
    fragments = _fragments(draw.state, shading, look, backend)
    if isinstance(vertices, str) or isinstance(fragments, str) or look.recorded or not snap:
        return Plan(vertices, fragments, shading, None)
    return Plan(vertices, fragments, shading, (vertices, fragments))


def _vertices(draw: DrawCommand, look: Look, snap: bool, backend: Backend) -> VertexState | str:
    if not COMPILED:
        return UNCOMPILED
    if look.inputs:
        return INPUTS
    if draw.state.raster.discard:
        return DISCARDED
    if draw.state.program.captured:
        return CAPTURED
    kernel = backend.vertex_kernel(draw.state.program.vertex)
    if isinstance(kernel, str):
        return f"vertex shader: {kernel}"
    if look.recorded and kernel.branches:
        return VERTEX_PATHS
    return vertex_state(draw, kernel, snap)


def _fragments(state: DrawState, shading: Kernel | str, look: Look, backend: Backend) -> BatchDraw | str:
    if isinstance(shading, str):
        return shading
    if not COMPILED:
        return UNCOMPILED
    if look.colors:
        return COLORS
    if state.target.samples > 1:
        return SEVERAL_SAMPLES
    return batch_draw(state, shading, backend)


def shading_kernel(state: DrawState, size: int, look: Look, backend: Backend) -> Kernel | str:
    """The kernel that shades a draw of primitives of ``size`` corners, or why only the back end's general way does."""
    shader, program, samplers = state.program.fragment, state.program, state.samplers.fragment
    why = next((why for why in map(_not_sampled, samplers) if why), "")
    if why:
        return why
    # A log has no room for probes.
    if look.recorded and reads_in_loops(shader) and any(probes(s) > 1 for s in samplers):
        return PROBES_IN_LOOPS
    slots = output_places(program)[1]
    if program.captured:
        slots = min(slots, varying_slots(program))
    if any(d.semantic == "varying" and d.slot >= slots for d in shader.inputs):
        return FEW_VARYINGS
    decisions = look.recorded and has_flow(shader)
    kernel = backend.fragment_kernel(shader, program.slots("flat"), program.slots(STRAIGHT), size, decisions)
    return f"fragment shader: {kernel}" if isinstance(kernel, str) else kernel


def has_flow(shader: Shader) -> bool:
    """Whether lanes may take different paths."""
    return any(i.opcode in ("UIF", "BGNLOOP") for i in shader.instructions)


def _not_sampled(sampler: Sampler) -> str:
    """Why a kernel cannot sample a texture; "" where it can."""
    storage = sampler.storage
    if storage is None:
        return ""
    if storage.texels.dtype == "int32":
        return INTEGER_TEXTURE
    return LARGE_TEXTURE if storage.texels.size >= 4 * MAX_TEXELS else ""
