"""Single texels and sizes of levels in vector code (GLSL ES 3.00, 8.8: texelFetch, texelFetchOffset, textureSize).

All shaders share a function per target. The format of the texels is known only when a draw brings its textures, so
code branches on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from llvmlite import ir

from ....glsl.ir.program import Instruction, Shader
from ...kernel_arguments import SAMPLER, TexelFormat
from ..ir.memory import POINTER, between, either, field, field_in_all_lanes, gather, struct_of
from ..ir.vectors import FLOAT, INT, LONG, Value, Vectors
from .notes import Notes
from .texels import byte_channel, float_texels, level_extent, swizzled

LAYERED = ("3d", "2d_array", "shadow_2d_array", "2d_ms")
"""Targets whose texels have a third coordinate: a slice, a layer, or a sample."""


def fetched_texel(
    notes: Notes, sampler: Value, instruction: Instruction, coordinates: list[Value], level: Value, unread: bool
) -> list[Value]:
    """Four channels of the texel at an integer position, which is clamped to the image.

    Parameters
    ----------
    notes
        Where reads are noted; as in the reference, positions before clamping.
    sampler
        Address of a `SamplerBlock`.
    instruction
        Gives the target and the offsets.
    coordinates, level
        Bits of integers.
    unread
        Whether it is enough to note what would be read; then channels are 0.
    """
    v = notes.v
    target, rank = str(instruction.target), _rank(str(instruction.target))
    shifts = [ir.Constant(INT, shift) for shift in [*(instruction.offsets or ()), 0, 0, 0][:rank]]
    if target == "2d_ms":
        # The sample stands where other targets have the level.
        coordinates, level = [*coordinates[:2], level], v.number(0)
    asked = [v.to_ints(c) for c in coordinates[:rank]]
    arguments = [sampler, notes.block, notes.first, v.to_ints(level), *asked, *shifts]
    result = v.builder.call(_declared(v.builder.module, v.width, Fetched(target, unread)), arguments)
    return [v.builder.extract_value(result, channel) for channel in range(4)]


def _rank(target: str) -> int:
    """Coordinates of a texel."""
    return 3 if target in LAYERED else 2


class Fetched(NamedTuple):
    """The target of fetches, and whether they only note what would be read."""

    target: str
    unread: bool

    @property
    def name(self) -> str:
        """Name of the function that executes them."""
        return f"{'note_' if self.unread else ''}fetch_{self.target}"


def fetches(shader: Shader, unread: frozenset[int]) -> list[Fetched]:
    """Fetches of a shader, of which those from some samplers only note what would be read."""
    fetching = [i for i in shader.instructions if i.opcode == "TXF"]
    return sorted({Fetched(str(i.target), i.sampler in unread) for i in fetching})


def emit_fetch(module: ir.Module, width: int, fetched: Fetched) -> None:
    """The function for all fetches of a kind."""
    function = _declared(module, width, fetched)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    b.ret(struct_of(b, _fetched(Vectors(b, width), function.args, fetched)))


def _declared(module: ir.Module, width: int, fetched: Fetched) -> ir.Function:
    name, rank = fetched.name, _rank(fetched.target)
    function: ir.Function | None = module.globals.get(name)
    if function is not None:
        return function
    ints, floats = ir.VectorType(INT, width), ir.VectorType(FLOAT, width)
    inputs = [POINTER, POINTER, LONG, ints, *[ints] * rank, *[INT] * rank]
    return ir.Function(module, ir.FunctionType(ir.LiteralStructType([floats] * 4), inputs), name)


def _fetched(v: Vectors, arguments: Sequence[Value], fetched: Fetched) -> list[Value]:
    """The body of `emit_fetch`."""
    b, zero, target = v.builder, v.integer(0), fetched.target
    rank = _rank(target)
    sampler, block, first, level = arguments[:4]
    coordinates, shifts = arguments[4 : 4 + rank], [v.splat_integer(shift) for shift in arguments[4 + rank :]]
    notes, level = Notes(v, block, first), _existing_level(v, sampler, level)
    sizes = _sizes(v, sampler, target, level)
    asked = [b.add(c, shift) for c, shift in zip(coordinates, shifts, strict=True)]
    # Sums beyond the range of integers lie outside of the image on the same side.
    far = [v.call("sadd.sat", c, shift, of=v.ints) for c, shift in zip(coordinates, shifts, strict=True)]
    inside = [between(b, at, zero, b.sub(size, v.integer(1))) for at, size in zip(far, sizes, strict=True)]
    notes.levels(0, level)
    notes.levels(1, v.integer(-1))
    notes.texels(0, asked[0], asked[1])
    notes.linear(v.flag(False))
    if rank > 2:
        notes.face(inside[2])
    if fetched.unread:
        return [v.number(0)] * 4
    row = inside[1] if rank == 2 else b.add(b.mul(inside[2], sizes[1]), inside[1])
    start = gather(v, field(b, sampler, SAMPLER.offsets, POINTER), level)
    place = b.add(start, b.add(b.mul(row, sizes[0]), inside[0]))
    one = b.select(_is_format(v, sampler, "==", TexelFormat.INTEGERS), v.bits(1), v.number(1))
    return swizzled(v, sampler, _channels(v, sampler, place), one)


def level_size(v: Vectors, sampler: Value, target: str, level: Value) -> list[Value]:
    """Width, height and layers of a level as bits of integers, as far as the target has them.

    Parameters
    ----------
    v
        Where code goes.
    sampler
        Address of a `SamplerBlock`.
    target
        Of the instruction.
    level
        Bits of an integer.
    """
    b = v.builder
    sizes = [v.to_floats(size) for size in _sizes(v, sampler, target, _existing_level(v, sampler, level))]
    missing, zero = _is_format(v, sampler, "==", TexelFormat.NONE), v.number(0)
    size = [b.select(missing, zero, size) for size in [*sizes, zero][:3]]
    return [*size, b.select(missing, v.number(1), zero)]


def _existing_level(v: Vectors, sampler: Value, level: Value) -> Value:
    top = field_in_all_lanes(v, sampler, SAMPLER.top)
    return between(v.builder, v.to_ints(level), v.integer(0), top)


def _is_format(v: Vectors, sampler: Value, comparison: str, number: TexelFormat) -> Value:
    """Outcome of a comparison of the texels' format with another one, for all lanes."""
    return v.builder.icmp_unsigned(comparison, field(v.builder, sampler, SAMPLER.format), ir.Constant(LONG, number))


def _sizes(v: Vectors, sampler: Value, target: str, level: Value) -> list[Value]:
    """Width and height of a level, and its layers where the target has any."""
    places, sizes = [SAMPLER.width, SAMPLER.height], []
    for place in [*places, SAMPLER.layers] if target in LAYERED else places:
        size, shrinks = field_in_all_lanes(v, sampler, place), place != SAMPLER.layers or target == "3d"
        sizes.append(level_extent(v, size, level) if shrinks else size)
    return sizes


def _channels(v: Vectors, sampler: Value, place: Value) -> list[Value]:
    """Channels of a texel: 0 to 1 for bytes, otherwise its bits."""
    b, texels = v.builder, field(v.builder, sampler, SAMPLER.texels, POINTER)

    def of_bytes() -> list[Value]:
        texel = gather(v, texels, place)
        return [b.fdiv(byte_channel(v, texel, channel), v.number(255)) for channel in range(4)]

    wide = _is_format(v, sampler, ">=", TexelFormat.FLOATS)
    return list(either(b, wide, lambda: float_texels(v, texels, place), of_bytes))
