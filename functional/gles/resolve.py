"""From state to `DrawCommand`: which arrays, textures and attachments a draw uses."""

from __future__ import annotations

from ..activity.kernels.depth import depth_format_code
from ..activity.kernels.logic import COPY
from ..pipeline.command import Blend, ColorTarget, DrawCommand, Feedback, Target
from ..pipeline.index_stream import IndexStream, consecutive
from . import enums as gl
from .context import Context
from .framebuffers import Attachment, Framebuffer
from .programs import Program
from .resolve_arrays import resolve_arrays
from .resolve_textures import resolve_samplers
from .resolved import Key, ResolvedState
from .state import State
from .state_content import state_content
from .textures import Texture

MAX_KEPT = 64
"""States that are kept for when everything is so again: old contents of textures stay in memory."""


def resolve_target(framebuffer: Framebuffer) -> Target:
    """Attachments of a framebuffer as the pipeline takes them; GLError where it is incomplete."""
    key = framebuffer.revision, framebuffer.storage
    if framebuffer.target is None or framebuffer.target[0] != key:
        framebuffer.target = key, _target(framebuffer)
    target = framebuffer.target[1]
    assert isinstance(target, Target)
    return target


def _target(framebuffer: Framebuffer) -> Target:
    width, height = framebuffer.size
    depth = framebuffer.depth.depth() if framebuffer.depth is not None else None
    stencil = framebuffer.stencil.stencil() if framebuffer.stencil is not None else None
    depth_format = framebuffer.depth.depth_format if framebuffer.depth is not None else None
    return Target(
        width,
        height,
        tuple(color_target(framebuffer.colors.get(number)) for number in framebuffer.draw_buffers),
        depth,
        depth_format_code(depth_format if depth is not None else None),
        stencil,
        framebuffer.name == 0,
        max((attachment.samples for attachment in framebuffer.attachments), default=1),
    )


def color_target(attachment: Attachment | None) -> ColorTarget | None:
    """A colour attachment as the pipeline takes it."""
    pixels = attachment.color() if attachment is not None else None
    if attachment is None or pixels is None or attachment.format is None:
        return None
    return ColorTarget(pixels, attachment.format.bits, attachment.format.kind)


def scissor_box(state: State, width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of what may be written of a framebuffer, viewport not considered."""
    if gl.SCISSOR_TEST not in state.enabled:
        return 0, 0, width, height
    x, y, w, h = state.scissor
    x0, y0 = min(max(x, 0), width), min(max(y, 0), height)
    return x0, y0, max(x0, min(x + w, width)), max(y0, min(y + h, height))


def resolve_draw(
    context: Context,
    program: Program,
    mode: int,
    first: int,
    count: int,
    instances: int,
    stream: IndexStream,
    index_source: tuple[int, int, int],
    feedback: Feedback | None = None,
) -> DrawCommand:
    """Everything a draw needs.

    Raises
    ------
    GLError
        An array ends before the last vertex, a client-side array was lost by the tracer, or the framebuffer is
        incomplete.
    """
    framebuffer = context.framebuffer
    state = context.resolved_state
    if state is None or not _valid(state, context, program, framebuffer):
        content = state_content(context, program, framebuffer)
        state = context.states_before.get(content[0]) if content is not None else None
        if state is not None and _shown(state):
            state.key = _key(context, program, framebuffer)
            arrays = resolve_arrays(context, program, stream.largest)
        else:
            # Incomplete framebuffers are told before anything that is wrong with arrays.
            target = resolve_target(framebuffer)
            arrays = resolve_arrays(context, program, stream.largest)
            state = _resolved(context, program, framebuffer, target)
            if content is not None:
                _keep(context, content, state)
        context.resolved_state = state
    else:
        arrays = resolve_arrays(context, program, stream.largest)
    return state.command.with_vertices(
        mode,
        first,
        count,
        instances,
        stream,
        index_source,
        arrays.arrays,
        arrays.constants,
        arrays.label,
        feedback,
        arrays.derived,
    )


def _valid(state: ResolvedState, context: Context, program: Program, framebuffer: Framebuffer) -> bool:
    revision, owner, linked, units, drawn_to = state.key
    if (
        revision != context.group.revision
        or owner is not program
        or linked is not program.linked
        or units != program.units_revision
        or drawn_to is not framebuffer
    ):
        return False
    return _shown(state)


def _shown(state: ResolvedState) -> bool:
    """Whether textures still have the content that was resolved."""
    return all(texture.version == version for texture, version in state.textures)


def _keep(context: Context, content: tuple[tuple[object, ...], list[object]], state: ResolvedState) -> None:
    """Remember a state for when everything is as it is now."""
    if len(context.states_before) >= MAX_KEPT:
        context.states_before.clear()
    context.states_before[content[0]] = state
    state.kept = content[1]


def _key(context: Context, program: Program, framebuffer: Framebuffer) -> Key:
    return context.group.revision, program, program.linked, program.units_revision, framebuffer


def _resolved(context: Context, program: Program, framebuffer: Framebuffer, target: Target) -> ResolvedState:
    state, linked = context.state, program.linked
    assert linked is not None
    x0, y0, x1, y1 = scissor_box(state, target.width, target.height)
    vx, vy, vw, vh = state.viewport
    enabled = state.enabled
    textures: list[tuple[Texture, int]] = []
    command = DrawCommand(
        gl.POINTS,
        0,
        0,
        1,
        consecutive(0, 0),
        (0, -1, 0),
        {},
        {},
        linked,
        program.vertex_constants,
        program.fragment_constants,
        resolve_samplers(context, linked.vertex.samplers, program.vertex_units, textures),
        resolve_samplers(context, linked.fragment.samplers, program.fragment_units, textures),
        state.viewport,
        state.depth_range,
        (max(x0, vx), max(y0, vy), min(x1, vx + vw), min(y1, vy + vh)),
        state.cull_face if gl.CULL_FACE in enabled else gl.NONE,
        state.front_face,
        state.polygon_offset if gl.POLYGON_OFFSET_FILL in enabled else (0.0, 0.0),
        gl.DEPTH_TEST in enabled and target.depth is not None,
        state.depth_function,
        state.depth_mask,
        gl.STENCIL_TEST in enabled and target.stencil is not None,
        state.stencil_front,
        state.stencil_back,
        Blend(*state.blend_equation, *state.blend_function, state.blend_color) if gl.BLEND in enabled else None,
        state.color_mask,
        state.line_width,
        target,
        "",
        gl.SAMPLE_ALPHA_TO_COVERAGE in enabled and target.samples > 1,
        state.sample_coverage if gl.SAMPLE_COVERAGE in enabled else (1.0, False),
        None,
        gl.RASTERIZER_DISCARD in enabled,
        context.fixed.logic_operation & 15 if gl.COLOR_LOGIC_OP in context.fixed.enabled else COPY,
    )
    return ResolvedState(_key(context, program, framebuffer), textures, command)
