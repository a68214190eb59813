"""Resolves state to a `DrawCommand`, group by group; resolved groups are reused while nothing changes them."""

from __future__ import annotations

from ..activity.kernels.logic import COPY
from ..activity.kernels.samples import ALL_SAMPLES
from ..opengl import enums as gl
from ..opengl.enums import WEIGHTED_EQUATIONS
from ..opengl.errors import GLError
from ..pipeline.command import DrawCommand, Feedback, Vertices
from ..pipeline.state import Blend, Blending, BufferBlend, DepthStencil, DrawState, Raster, Samplers
from ..pipeline.target import Target
from .context import Context
from .framebuffers import Framebuffer
from .programs import Program
from .resolve_arrays import resolve_arrays
from .resolve_target import resolve_target, scissor_box
from .resolve_textures import resolve_samplers
from .resolved import ResolvedState, TextureVersions, known_textures
from .state import BufferBlending, State

MAX_KEPT, KEPT_ANYHOW, MAX_PROGRAMS = 256, 8, 8
"""Most resolved states kept for reuse: programs cycle through the same states in every frame; new ones after which
those of old contents are dropped; and most programs whose last state is at hand."""


def resolve_draw(
    context: Context, program: Program, vertices: Vertices, feedback: Feedback | None = None
) -> DrawCommand:
    """Resolve everything a draw needs.

    Raises
    ------
    GLError
        An array ends before the last vertex, a client-side array was lost by the tracer, or the framebuffer is
        incomplete.
    """
    resolved = _resolved_state(context, program)
    arrays = resolve_arrays(context, program, vertices.stream.largest)
    return DrawCommand(resolved.state, resolved.derived, vertices, arrays.arrays, feedback)


def _resolved_state(context: Context, program: Program) -> ResolvedState:
    framebuffer, stages = context.framebuffer, context.group.stages_revision
    earlier, latest = context.resolved_states.get(program.identity), context.resolved_state
    if latest is not None and latest.stages != stages:
        latest = None
    if earlier is not None and _same_objects(earlier, context, program, framebuffer):
        if earlier.stages == stages:
            context.resolved_state = earlier
            return earlier
        linked, constants, _, _, _, samplers, target = earlier.state
        state = DrawState(linked, constants, *_stages(context, target, latest), samplers, target)
        textures = earlier.textures
    else:
        state, textures = draw_state(context, program, framebuffer, latest)
    resolved = context.states_before.get(state)
    if resolved is None:
        resolved = ResolvedState(state, textures)
        _keep(context, resolved)
    resolved.key = context.group.objects_revision, program, program.units_revision, framebuffer
    resolved.stages = stages
    if len(context.resolved_states) == MAX_PROGRAMS:
        # Otherwise, old contents of textures would stay in memory.
        context.resolved_states.clear()
    context.resolved_states[program.identity] = context.resolved_state = resolved
    return resolved


def _same_objects(earlier: ResolvedState, context: Context, program: Program, framebuffer: Framebuffer) -> bool:
    """Whether programs, textures and framebuffers are still as they were resolved: no call can have changed them, and
    the content of the textures is the same."""
    if earlier.key is None:
        return False
    revision, owner, units, drawn_to = earlier.key
    if revision != context.group.objects_revision or owner is not program or units != program.units_revision:
        return False
    return drawn_to is framebuffer and (not earlier.textures or known_textures(earlier.textures))


def _keep(context: Context, resolved: ResolvedState) -> None:
    """Keep a state for when the context is in the same state again."""
    kept = context.states_before
    if len(kept) % KEPT_ANYHOW == 0:
        # Otherwise, old contents of textures would stay in memory.
        old = [state for state, kept_state in kept.items() if not known_textures(kept_state.textures)]
        for state in old:
            kept.pop(state, None)
    if len(kept) >= MAX_KEPT:
        kept.clear()
    kept[resolved.state] = resolved


def draw_state(
    context: Context, program: Program, framebuffer: Framebuffer, like: ResolvedState | None = None
) -> tuple[DrawState, TextureVersions]:
    """State of draws except for their vertices, and the textures in it; GLError for an incomplete framebuffer.

    Parameters
    ----------
    like
        What was resolved with the same state of the fixed-function stages, if that is known.
    """
    linked, target = program.linked, resolve_target(framebuffer, context.state.encodes)
    assert linked is not None
    textures: TextureVersions = []
    samplers = Samplers((), ())
    if linked.vertex.samplers or linked.fragment.samplers:
        written = None if linked.accesses_memory else framebuffer.textures
        samplers = Samplers(
            resolve_samplers(context, linked.vertex.samplers, program.units["vertex"], textures, written),
            resolve_samplers(context, linked.fragment.samplers, program.units["fragment"], textures, written),
        )
    stages = _stages(context, target, like)
    _check_equations(stages[2], linked.fragment.blend_support, target)
    return DrawState(linked, program.constants, *stages, samplers, target), textures


def _check_equations(colors: Blending, declared: tuple[str, ...], target: Target) -> None:
    """Advanced equations need a declaration of the shader and a single draw buffer (KHR_blend_equation_advanced)."""
    for blend in (colors.blend, *(buffer.blend for buffer in colors.buffers)):
        if blend is None or blend.equation_rgb in WEIGHTED_EQUATIONS.values():
            continue
        name = gl.BLEND_EQUATIONS[blend.equation_rgb]
        if name not in declared:
            raise GLError(gl.INVALID_OPERATION, f"the fragment shader does not declare blend_support_{name.lower()}")
        if sum(color is not None for color in target.colors) > 1:
            raise GLError(gl.INVALID_OPERATION, f"blending by {name} needs a single draw buffer")


def _stages(context: Context, target: Target, like: ResolvedState | None) -> tuple[Raster, DepthStencil, Blending]:
    """State of the fixed-function stages; entry points that change only this state declare it in their effect."""
    if like is not None and like.state.target is target:
        return like.state.raster, like.state.depth_stencil, like.state.blending
    return raster(context.state, target), depth_stencil(context.state, target), blending(context, target)


def raster(state: State, target: Target) -> Raster:
    """State of primitives."""
    enabled, viewport = state.enabled, state.viewport
    box = scissor_box(state, target.width, target.height)
    return Raster(
        viewport,
        state.depth_range,
        # Usually, both are the whole framebuffer.
        box if viewport == box else _common(box, viewport),
        state.cull_face if gl.CULL_FACE in enabled else gl.NONE,
        state.front_face,
        state.polygon_offset if gl.POLYGON_OFFSET_FILL in enabled else (0.0, 0.0),
        state.line_width,
        gl.RASTERIZER_DISCARD in enabled,
    )


def _common(box: tuple[int, int, int, int], viewport: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Intersection of a box x0, y0, x1, y1 and a viewport."""
    x, y, width, height = viewport
    return max(box[0], x), max(box[1], y), min(box[2], x + width), min(box[3], y + height)


def depth_stencil(state: State, target: Target) -> DepthStencil:
    """State of the depth and stencil tests."""
    enabled = state.enabled
    return DepthStencil(
        gl.DEPTH_TEST in enabled and target.depth is not None,
        state.depth_function,
        state.depth_mask,
        gl.STENCIL_TEST in enabled and target.stencil is not None,
        state.stencil_front,
        state.stencil_back,
    )


def blending(context: Context, target: Target) -> Blending:
    """State of colours."""
    state, fixed = context.state, context.fixed
    enabled, blend = state.enabled, None
    if gl.BLEND in enabled:
        blend = Blend(*state.blend_equation, *state.blend_function, state.blend_color)
    buffers = range(len(target.colors) if state.blend_buffers else 0)
    return Blending(
        blend,
        state.color_mask,
        fixed.logic_operation & 15 if gl.COLOR_LOGIC_OP in fixed.enabled else COPY,
        gl.SAMPLE_ALPHA_TO_COVERAGE in enabled and target.samples > 1,
        state.sample_coverage if gl.SAMPLE_COVERAGE in enabled else (1.0, False),
        tuple([_of_buffer(state, number, blend) for number in buffers]),
        state.sample_mask & ALL_SAMPLES if gl.SAMPLE_MASK in enabled else ALL_SAMPLES,
    )


def _of_buffer(state: State, number: int, common: Blend | None) -> BufferBlend:
    """Blending and mask of one draw buffer."""
    own = state.blend_buffers.get(number, BufferBlending())
    blend = common
    if own.enabled is False:
        blend = None
    elif common is not None or own.enabled:
        equation, function = own.equation or state.blend_equation, own.function or state.blend_function
        blend = Blend(*equation, *function, state.blend_color)
    return BufferBlend(blend, state.mask_of(number))
