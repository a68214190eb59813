"""Entry points of compute shaders and of the images that shaders write (OpenGL ES 3.1, chapters 17 and 8.22)."""

from __future__ import annotations

import struct
from math import prod
from typing import NamedTuple

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import MAX_IMAGE_UNITS, MAX_WORK_GROUPS
from ...pipeline.compute.dispatch import Dispatch
from ..buffers import Buffer
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import ANYTHING, SAMPLING
from ..resolve_memory import resolve_memory
from ..resolve_textures import resolve_samplers
from ..state import ImageUnit
from ..undefined import load_blocks
from .table import EntryPoints

entry = EntryPoints()
IMAGE_FORMATS = frozenset(
    {
        gl.RGBA32F, gl.RGBA16F, gl.R32F, gl.RGBA32UI, gl.RGBA16UI, gl.RGBA8UI, gl.R32UI,
        gl.RGBA32I, gl.RGBA16I, gl.RGBA8I, gl.R32I, gl.RGBA8, gl.RGBA8_SNORM,
    }
)  # fmt: skip
"""Formats of image units (OpenGL ES 3.1, table 8.27)."""
_ACCESS = (gl.READ_ONLY, gl.WRITE_ONLY, gl.READ_WRITE)
_GROUP_BYTES = 12


@entry(effect=ANYTHING)
def glDispatchCompute(context: Context, x: int, y: int, z: int) -> None:
    check_value(all(0 <= count <= MAX_WORK_GROUPS for count in (x, y, z)), f"{x} x {y} x {z} work groups")
    _dispatch(context, (x, y, z), None)


@entry(effect=ANYTHING)
def glDispatchComputeIndirect(context: Context, offset: int) -> None:
    check_value(offset >= 0 and offset % 4 == 0, f"offset {offset}")
    buffer = context.state.buffers.get(gl.DISPATCH_INDIRECT_BUFFER)
    check_operation(buffer is not None, "no buffer is bound to DISPATCH_INDIRECT_BUFFER")
    assert buffer is not None
    room = len(buffer.data)
    check_operation(offset + _GROUP_BYTES <= room, f"{_GROUP_BYTES} bytes from byte {offset} of a buffer of {room}")
    x, y, z = struct.unpack_from("<3I", buffer.data, offset)
    if max(x, y, z) > MAX_WORK_GROUPS:
        # Undefined (OpenGL ES 3.1, 17); drivers execute nothing.
        raise GLError(gl.NO_ERROR, f"{x} x {y} x {z} work groups; nothing is executed")
    _dispatch(context, (x, y, z), _Place(buffer, offset))


class _Place(NamedTuple):
    """Buffer that holds the numbers of work groups, and their offset in bytes."""

    buffer: Buffer
    offset: int


def _dispatch(context: Context, groups: tuple[int, int, int], indirect: _Place | None) -> None:
    program = context.program_of("compute")
    linked = program.linked if program is not None else None
    check_operation(linked is not None and "compute" in linked.shaders, "no compute program is in use")
    assert program is not None and linked is not None
    if 0 in groups:
        return
    load_blocks(context, program)
    resolved = resolve_memory(context, linked.shaders)
    source = None if indirect is None else (indirect.buffer.identity, indirect.offset)
    samplers = resolve_samplers(context, linked.compute.samplers, program.units["compute"], [], resolved.textures)
    dispatch = Dispatch(linked.compute, program.constants.compute, samplers, resolved.stages["compute"], groups, source)
    sink = context.listener.dispatch(context, program, dispatch, context.call)
    try:
        if context.executes or sink is not None:
            context.check_work(prod((*groups, *linked.compute.local_size)), "invocations")
            context.run_dispatch(dispatch, sink)
    finally:
        resolved.finish()
        program.dirty.clear()


@entry(effect=SAMPLING)
def glBindImageTexture(
    context: Context, unit: int, texture: int, level: int, layered: int, layer: int, access: int, form: int
) -> None:
    check_value(0 <= unit < MAX_IMAGE_UNITS, f"image unit {unit} of {MAX_IMAGE_UNITS}")
    check_value(level >= 0 and layer >= 0, f"level {level}, layer {layer}")
    check_enum(access, _ACCESS, "image access")
    check_value(form in IMAGE_FORMATS, f"format {form:#06x} for images")
    if not texture:
        context.state.image_units[unit] = ImageUnit(None, level, False, 0, access, form)
        return
    bound = context.group.textures.get(texture)
    check_value(bound is not None, f"{texture} is not a texture")
    assert bound is not None
    check_operation(bound.immutable, f"texture {texture} has no immutable storage")
    flat = bound.target == gl.TEXTURE_2D
    place = (False, 0) if flat else (bool(layered), layer)
    context.state.image_units[unit] = ImageUnit(bound, level, *place, access, form)
