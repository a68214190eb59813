"""Decides how a draw is executed, and why: by kernels of several stages (fused), or stage by stage (the reference).

Vertices and primitives are one half of a draw, fragments the other. The way of each half is chosen once per draw, from
the draw and its observers; parts that depend only on the state are decided once per state. Both ways give the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...compile import COMPILED, PLAIN
from ...compile.blocks import Block
from ...execute.backend import Backend, Interpolation, Kernel, Noted
from ...glsl.ir.analysis import graded_samplers, has_flow, reads_in_loops
from ...glsl.ir.program import Shader
from ...glsl.ir.unread import without_colors
from ..command import DrawCommand
from ..geometry.primitive_assembly import CORNERS
from ..geometry.set_up import STRAIGHT
from ..geometry.vertex_shading import output_places, varying_slots
from ..sampler import Sampler
from ..state import DrawState
from ..texturing.unit import probes
from .batch_memory import BatchDraw
from .sampler_blocks import detailed_samplers
from .vertex_kernels import shade_vertices
from .vertex_state import vertex_state

FUSED = "fused"
MAX_TEXELS = 1 << 29
UNCOMPILED = f"{PLAIN} leaves kernels Python"
MEASURED = "its stages are measured one by one"
VERTEX_READS = "texels that a vertex shader reads in loops are recorded"
EARLY_TESTS = "the fragment shader decides on samples that have passed early tests"
LARGE_TEXTURE = f"a texture has {MAX_TEXELS} texels or more"
GRADED = "a texture that is filtered anisotropically is sampled with gradients"
PROBES_IN_LOOPS = "anisotropic probes of a shader that reads textures in loops are recorded"
MEMORY = "the {stage} shader accesses buffers or images"
FEW_VARYINGS = "the fragment shader reads varyings that the vertex shader lacks"


@dataclass(frozen=True, slots=True)
class Plan:
    """Way of executing a draw.

    Attributes
    ----------
    vertices
        State of vertices and primitives that are fused, or the reason why they go stage by stage.
    fragments
        State of fragments that are fused, or the reason why they go stage by stage.
    at_once
        Both states, if nothing observes the draw between the halves: one call executes the whole draw.
    """

    vertices: Block | str
    fragments: BatchDraw | str
    at_once: tuple[Block, BatchDraw] | None

    @property
    def ways(self) -> tuple[str, str]:
        """The ways of vertices and primitives, and of fragments, with the reason if they are not fused."""
        vertices, fragments = [
            f"stage by stage: {half}" if isinstance(half, str) else FUSED for half in (self.vertices, self.fragments)
        ]
        return vertices, fragments

    def with_stages_of_vertices(self, why: str) -> Plan:
        """The same plan, with vertices and primitives stage by stage."""
        return Plan(why, self.fragments, None)


def plan(draw: DrawCommand, recorded: bool, snap: bool, backend: Backend, counted: bool = False) -> Plan:
    """Choose the way of executing a draw.

    Decisions that depend on the vertices are not made here: primitives that cross a clipping plane leave the single
    call for vertices and primitives (`geometry_call`), and if several threads share draws, one that covers many pixels
    leaves the single call for everything (`draws`). They remain fused.

    Parameters
    ----------
    draw
        The draw.
    recorded
        Whether it is recorded.
    snap
        Whether window coordinates are snapped.
    backend
        Back end with the kernels.
    counted
        Whether kernels count what it does.
    """
    size = CORNERS[draw.vertices.topology]
    # A state may be drawn in full, unobserved or without colours: each form has a plan.
    colored = draw.state is not draw.derived.uncolored
    key = size, recorded, snap, counted, draw.state is draw.derived.unobserved, colored
    planned: Plan | None = draw.derived.plans.get(key)
    if planned is None:
        planned = draw.derived.plans[key] = _of_state(
            draw, Observation(recorded, counted, colored), size, snap, backend
        )
    return planned


class Observation(NamedTuple):
    """Whether draws are recorded, or counted by kernels, and whether their colours count."""

    recorded: bool
    counted: bool = False
    colored: bool = True

    def noted(self, shader: Shader) -> Noted:
        """The notes that kernels take of the flow of lanes."""
        if not has_flow(shader):
            return "nothing"
        return "decisions" if self.recorded else "instructions" if self.counted else "nothing"


def _of_state(draw: DrawCommand, observed: Observation, size: int, snap: bool, backend: Backend) -> Plan:
    """The plan of all draws of a state."""
    vertices, fragments = _vertices(draw, observed, snap, backend), _fragments(draw.state, size, observed, backend)
    apart = not snap or draw.state.raster.discard
    if isinstance(vertices, str) or isinstance(fragments, str) or apart:
        return Plan(vertices, fragments, None)
    if observed.recorded and (draw.state.program.vertex.samplers or fragments.reads_in_loops):
        return Plan(vertices, fragments, None)
    return Plan(vertices, fragments, (vertices, fragments))


def _vertices(draw: DrawCommand, observed: Observation, snap: bool, backend: Backend) -> Block | str:
    if not COMPILED:
        return UNCOMPILED
    shader = draw.state.program.vertex
    if shader.accesses_memory:
        return MEMORY.format(stage="vertex")
    kernel = backend.vertex_kernel(shader, observed.noted(shader))
    if isinstance(kernel, str):
        return f"vertex shader: {kernel}"
    if why := _unsupported_texture(shader, draw.state.samplers.vertex):
        return why
    if observed.recorded and reads_in_loops(shader):
        return VERTEX_READS
    return vertex_state(draw, kernel, snap, shade_vertices.address)


def _fragments(state: DrawState, size: int, observed: Observation, backend: Backend) -> BatchDraw | str:
    if not COMPILED:
        return UNCOMPILED
    kernel = shading_kernel(state, size, observed, backend)
    return kernel if isinstance(kernel, str) else BatchDraw(state, kernel, backend)


def shading_kernel(state: DrawState, size: int, observed: Observation, backend: Backend) -> Kernel | str:
    """The kernel that shades a draw of primitives of ``size`` corners, or the reason why there is none."""
    shader, program, samplers = state.program.fragment, state.program, state.samplers.fragment
    if shader.accesses_memory:
        return MEMORY.format(stage="fragment")
    if shader.early_tests and state.shading_decides:
        return EARLY_TESTS
    if why := _unsupported_texture(shader, samplers):
        return why
    # A log has no room for probes.
    if observed.recorded and reads_in_loops(shader) and any(probes(s) > 1 for s in samplers):
        return PROBES_IN_LOOPS
    slots = output_places(program).slots
    if program.captured:
        slots = min(slots, varying_slots(program))
    if any(d.semantic == "varying" and d.slot >= slots for d in shader.inputs):
        return FEW_VARYINGS
    interpolation = Interpolation(program.slots("flat"), program.slots(STRAIGHT), size)
    # Alpha may decide on samples.
    colors = observed.colored or state.blending.alpha_to_coverage
    uncolored = None if colors else without_colors(shader, detailed_samplers(samplers))
    kernel = backend.fragment_kernel(shader, interpolation, observed.noted(shader), uncolored)
    return f"fragment shader: {kernel}" if isinstance(kernel, str) else kernel


def _unsupported_texture(shader: Shader, samplers: tuple[Sampler, ...]) -> str:
    """The reason why a kernel cannot read a stage's textures; "" if it can."""
    if any(probes(samplers[number]) > 1 for number in graded_samplers(shader)):
        return GRADED
    storages = [sampler.storage for sampler in samplers if sampler.storage is not None]
    return LARGE_TEXTURE if any(storage.size >= 4 * MAX_TEXELS for storage in storages) else ""
