"""Rows of the draws table, and the identity of what is drawn."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from ..activity.kernels.depth import DEPTH_FORMATS
from ..activity.kernels.logic import COPY, LOGIC_OPERATIONS
from ..gles.programs import Program
from ..opengl import enums as gl
from ..pipeline.command import ArrayLayout, DrawCommand, Vertices
from ..pipeline.sampler import Sampler
from ..pipeline.state import Blend, Blending, StencilFace
from ..text import octets

Unlabelled = tuple[tuple[str, ...], bytes, tuple[int, ...]]
"""Replaces the label of an object without one: sources of the program, geometry, and the range drawn."""


def geometry_bytes(command: DrawCommand) -> bytes:
    """Identity of the arrays of a draw. Client-side ones have none, so their layout and size are used instead."""
    parts = []
    for location, array in sorted(command.arrays.enabled.items()):
        layout = array.layout
        geometry = (
            (array.buffer, layout.offset_bytes) if isinstance(array.data, bytearray) else ("client", len(array.data))
        )
        parts.append(repr((location, *geometry, layout.type, layout.components)))
    return octets("".join(parts))


@lru_cache(maxsize=512)
def _sources_bytes(sources: tuple[str, ...]) -> bytes:
    return b"".join(hashlib.sha256(octets(source)).digest() for source in sources)


def vertices_identity(vertices: Vertices) -> tuple[int, ...]:
    """The range drawn, as part of an `Unlabelled`."""
    return vertices.topology, vertices.first, vertices.stream.count, *vertices.index_source


def object_identity(named: Unlabelled | str, equals: dict[Unlabelled | str, int]) -> int:
    """Stable identity of a draw's object: its debug label, or program and geometry, and the position among equals.

    Parameters
    ----------
    named
        The label, or what replaces it.
    equals
        How often each was drawn in this frame; counted up here.
    """
    number = equals.get(named, 0)
    equals[named] = number + 1
    return _identity(named, number)


@lru_cache(maxsize=1 << 14)
def _identity(named: Unlabelled | str, number: int) -> int:
    """Identity of a draw's object with or without a label, by its position among equals."""
    digest = hashlib.blake2b(octets(named) if isinstance(named, str) else b"", digest_size=8)
    if not isinstance(named, str):
        sources, geometry, drawn = named
        digest.update(_sources_bytes(sources))
        digest.update(geometry)
        # Equal numbers of other types find the same entry.
        digest.update(repr(tuple(map(int, drawn))).encode())
    digest.update(number.to_bytes(4, "little"))
    return int.from_bytes(digest.digest(), "little")


def state_row(command: DrawCommand) -> dict[str, Any]:
    """Columns of a draw that follow from the state alone."""
    state, target = command.state, command.state.target
    raster, tests, blending = state.raster, state.depth_stencil, state.blending
    buffers = [blending.of(number) for number in range(len(target.colors))]
    x0, y0, x1, y1 = raster.scissor
    return dict(
        bindings=binding_rows("vertex", state.samplers.vertex) + binding_rows("fragment", state.samplers.fragment),
        viewport=list(raster.viewport),
        depth_range=list(raster.depth_range),
        scissor=[x0, y0, max(0, x1 - x0), max(0, y1 - y0)],
        cull=gl.FACES[raster.cull],
        front_face=gl.WINDINGS[raster.front_face],
        polygon_offset=list(raster.polygon_offset),
        depth_test=tests.depth_test,
        depth_function=gl.COMPARISONS[tests.depth_function],
        depth_write=tests.depth_write,
        depth_format=None if target.depth is None else DEPTH_FORMATS[target.depth_format],
        stencil_test=tests.stencil_test,
        stencil_front=_stencil(tests.stencil_front),
        stencil_back=_stencil(tests.stencil_back),
        blend_enabled=any(b.blend is not None for b in buffers) or blending.logic_operation != COPY,
        blend=_blend(buffers[0] if buffers else blending),
        logic_operation=None if blending.logic_operation == COPY else LOGIC_OPERATIONS[blending.logic_operation],
        color_masks=[sum(1 << i for i, written in enumerate(b.color_mask) if written) for b in buffers],
        srgb_encoding=any(color is not None and color.kind == "srgb" for color in target.colors),
        alpha_to_coverage=blending.alpha_to_coverage,
        sample_coverage=blending.sample_coverage[0],
        line_width=raster.line_width,
        early_depth=state.early_depth,
    )


DRAWN = ("topology", "first", "count", "index_bytes", "index_buffer", "index_offset_bytes", "instances")
"""Columns of a draw that describe its geometry, except for the indices."""


def drawn_row(vertices: Vertices) -> tuple[Any, ...]:
    """Values of `DRAWN`."""
    index_bytes, index_buffer, index_offset = vertices.index_source
    named = index_buffer >= 0
    return (
        gl.TOPOLOGIES[vertices.topology],
        vertices.first,
        vertices.stream.count,
        index_bytes,
        index_buffer if named else None,
        index_offset if named else None,
        vertices.instances,
    )


def attribute_rows(command: DrawCommand) -> list[dict[str, Any]]:
    """Arrays and constant attributes of a draw."""
    enabled, constants = sorted(command.arrays.enabled.items()), sorted(command.arrays.constants.items())
    arrays = [_attribute(location, a.buffer, a.version, a.layout, None) for location, a in enabled]
    return arrays + [_attribute(location, None, 0, ArrayLayout(), list(value)) for location, value in constants]


def _attribute(
    location: int, buffer: int | None, version: int, layout: ArrayLayout, constant: list[float] | None
) -> dict[str, Any]:
    return dict(
        location=location,
        buffer=buffer,
        version=version,
        offset_bytes=layout.offset_bytes,
        stride_bytes=layout.stride_bytes,
        format=gl.COMPONENT_TYPES[layout.type],
        components=layout.components,
        normalized=layout.normalized,
        divisor=layout.divisor,
        constant=constant,
    )


def binding_rows(stage: str, samplers: tuple[Sampler, ...]) -> list[dict[str, Any]]:
    """State of the textures of a stage."""
    return [
        dict(
            stage=stage,
            sampler=i,
            surface=s.surface,
            version=s.version,
            min_filter=gl.FILTERS[s.min_filter],
            mag_filter=gl.FILTERS[s.mag_filter],
            wrap_s=gl.WRAPS[s.wrap_s],
            wrap_t=gl.WRAPS[s.wrap_t],
            wrap_r=gl.WRAPS[s.wrap_r],
            lod_bias=s.lod_bias,
            min_lod=s.min_lod,
            max_lod=s.max_lod,
            base_level=s.base_level,
            max_level=1000,
            anisotropy=s.anisotropy,
            compare="NONE" if s.compare < 0 else gl.COMPARISONS[gl.NEVER + s.compare],
        )
        for i, s in enumerate(samplers)
    ]


def _stencil(face: StencilFace) -> dict[str, Any]:
    names = gl.STENCIL_OPERATIONS
    return dict(
        function=gl.COMPARISONS[face.function],
        reference=face.reference,
        mask=face.mask & 0xFFFFFFFF,
        write_mask=face.write_mask & 0xFFFFFFFF,
        fail=names[face.fail],
        depth_fail=names[face.depth_fail],
        depth_pass=names[face.depth_pass],
    )


def _blend(blending: Blending) -> dict[str, Any] | None:
    b = blending.blend
    if blending.logic_operation != COPY:
        # For readers that only need to know that the previous colour is read.
        b = Blend(gl.FUNC_ADD, gl.FUNC_ADD, gl.ONE, gl.ONE, gl.ONE, gl.ONE, (0.0, 0.0, 0.0, 0.0))
    if b is None:
        return None
    names, (*enums, constant) = gl.BLEND_EQUATIONS | gl.BLEND_FACTORS, b
    return dict(zip(Blend._fields, (*(names[enum] for enum in enums), list(constant)), strict=True))


def upload_rows(program: Program) -> list[dict[str, Any]]:
    """Constants that were set since the program's previous draw or dispatch."""
    return [
        dict(
            stage=stage,
            block="",
            offset_bytes=16 * slot,
            data=program.constants.of(stage)[slot : slot + count].astype("<f4").tobytes(),
        )
        for (stage, slot), count in sorted(program.dirty.items())
    ]
