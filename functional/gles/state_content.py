"""Everything that draws are resolved from, to look it up: programs go through the same states in every frame."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from .resolve_textures import bound_texture, sampling_of
from .state import UNCHANGED_STENCIL

if TYPE_CHECKING:
    from ..pipeline.command import StencilFace
    from .context import Context
    from .framebuffers import Framebuffer
    from .programs import Program

_pack = struct.Struct("<10d").pack


def state_content(
    context: Context, program: Program, framebuffer: Framebuffer
) -> tuple[tuple[object, ...], list[object]] | None:
    """What a `ResolvedState` is made of but contents of textures; None where it is not worth it.

    Returns
    -------
    tuple, list
        The content, and the objects in it that count as what they are; as long as they live, nothing else equals them.
    """
    linked = program.linked
    # The first version's environments of textures change in place.
    if linked is None or context.version == 1:
        return None
    state = context.state
    kept: list[object] = [program, framebuffer]
    content: list[object] = [
        id(program),
        linked,
        id(framebuffer),
        framebuffer.revision,
        framebuffer.storage,
        frozenset(state.enabled),
        state.viewport,
        state.scissor,
        state.cull_face,
        state.front_face,
        state.depth_function,
        state.depth_mask,
        state.color_mask,
        state.blend_equation,
        state.blend_function,
        state.sample_coverage[1],
        context.fixed.logic_operation if context.fixed.enabled else -1,
        _stencil(state.stencil_front),
        _stencil(state.stencil_back),
        # As bytes, because zeros of both signs are equal.
        _pack(
            *state.depth_range, *state.polygon_offset, *state.blend_color, state.line_width, state.sample_coverage[0]
        ),
    ]
    for samplers, units in (
        (linked.vertex.samplers, program.vertex_units),
        (linked.fragment.samplers, program.fragment_units),
    ):
        for declaration, unit in zip(samplers, units, strict=True):
            texture = bound_texture(context, declaration.target, unit)
            content.append(unit)
            if texture is not None:
                sampling = sampling_of(context, texture, unit)
                content += (id(texture), id(sampling), texture.channels, texture.base_level, texture.max_level)
                kept += (texture, sampling)
    return tuple(content), kept


def _stencil(face: StencilFace) -> StencilFace | None:
    """A side's stencil state; None for the initial one, which most programs leave as it is."""
    return None if face is UNCHANGED_STENCIL else face
