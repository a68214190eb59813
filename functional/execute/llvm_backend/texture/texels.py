"""Texels in vector code: wrap modes (OpenGL ES 3.0, table 3.21), reads of four bytes or four floats by lane, and
swizzles (3.8.14).

On many processors, a gather takes as long as a load per lane. Pixels of images on a screen read adjacent texels: those
of a row of pixels are loaded together, and lanes select theirs from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from llvmlite import binding, ir

from ....activity.kernels.wrapping import CLAMP_TO_BORDER, CLAMP_TO_EDGE, MIRRORED_REPEAT, REPEAT
from ...kernel_arguments import SAMPLER, WRAP_POWER_OF_TWO
from ..ir.memory import any_lane, between, choose, concatenate, either, field, field_in_all_lanes, gather, shuffle
from ..ir.vectors import FLOAT, INT, LONG, Value, Vectors


def float_texels(v: Vectors, texels: Value, places: Value) -> list[Value]:
    """Channels of texels of four floats."""
    b, quads = v.builder, []
    for lane in range(v.width):
        first = b.shl(b.zext(b.extract_element(places, ir.Constant(INT, lane)), LONG), ir.Constant(LONG, 2))
        place = b.gep(texels, [first], source_etype=FLOAT)
        quads.append(b.load(place, align=4, typ=ir.VectorType(FLOAT, 4)))
    together = concatenate(b, quads)
    return [shuffle(b, together, None, range(channel, 4 * v.width, 4)) for channel in range(4)]


def byte_texels(v: Vectors, texels: Value, last: Value, rows: Sequence[Sequence[Value]]) -> list[Value]:
    """Texels of four bytes at several positions per lane, as integers.

    Parameters
    ----------
    v
        Where code goes.
    texels
        Where they lie.
    last
        Integers, the same in all lanes: the last position that is followed by a texel for every lane, or far below 0.
    rows
        Positions, all of them inside; those of a row are expected to be adjacent.
    """
    b, places = v.builder, [place for row in rows for place in row]
    if not _picks(v.width):
        return [gather(v, texels, place) for place in places]
    starts, apart = [], None
    for row in rows:
        starts.append(_start(v, row[0], last))
        for place in row:
            far = b.icmp_unsigned(">=", b.sub(place, starts[-1]), v.integer(v.width))
            apart = far if apart is None else b.or_(apart, far)

    def picked() -> list[Value]:
        return [texel for start, row in zip(starts, rows, strict=True) for texel in _picked(v, texels, start, row)]

    return list(either(b, any_lane(b, apart), lambda: [gather(v, texels, place) for place in places], picked))


def level_extent(v: Vectors, size: Value, level: Value) -> Value:
    """Texels of a level along an edge, from those of the base level."""
    b = v.builder
    size = b.lshr(size, level)
    return b.select(b.icmp_signed(">", size, v.integer(1)), size, v.integer(1))


def texels_per_unit(v: Vectors, sampler: Value, shape: str) -> list[Value]:
    """Texels of the base level per unit of each coordinate that counts for the level of detail, in all lanes."""
    b, places = v.builder, [SAMPLER.width, SAMPLER.height] + [SAMPLER.layers] * (shape == "3d")
    sizes = [b.sitofp(field_in_all_lanes(v, sampler, place), v.floats) for place in places]
    # A direction's component ranges from -1 to 1 across a face: half as many texels per unit.
    return [b.fmul(sizes[0], v.number(0.5))] * 3 if shape == "cube" else sizes


def byte_channel(v: Vectors, texel: Value, channel: int) -> Value:
    """One byte of a texel as a float, 0 to 255."""
    b = v.builder
    value = b.lshr(texel, v.integer(8 * channel)) if channel else texel
    return b.sitofp(value if channel == 3 else b.and_(value, v.integer(255)), v.floats)


def _start(v: Vectors, places: Value, last: Value) -> Value:
    """Start of the texels loaded for lower pixels, and for upper ones: slightly before their first or last position."""
    b, behind = v.builder, v.width - 4
    ends = [shuffle(b, places, None, [end + (lane & 2) for lane in range(v.width)]) for end in (0, behind + 1)]
    start = b.select(b.icmp_signed("<", ends[0], ends[1]), ends[0], ends[1])
    return between(b, b.sub(start, v.integer(v.width // 8)), v.integer(0), last)


def _picked(v: Vectors, texels: Value, start: Value, places: Sequence[Value]) -> list[Value]:
    """Texels at positions less than a vector after the start of their row of pixels."""
    b, loaded = v.builder, []
    for lane in (0, 2):
        first = b.sext(b.extract_element(start, ir.Constant(INT, lane)), LONG)
        loaded.append(b.load(b.gep(texels, [first], source_etype=INT), align=4, typ=v.ints))
    return [_pick(v, loaded[0], loaded[1], b.sub(place, start)) for place in places]


def _pick(v: Vectors, low: Value, high: Value, number: Value) -> Value:
    """Elements by number, of one vector for lower pixels and of another one for upper pixels."""
    b, upper = v.builder, [lane >> 1 & 1 for lane in range(v.width)]
    if v.width == 16:
        of_both = b.or_(number, ir.Constant(v.ints, [ir.Constant(INT, v.width * row) for row in upper]))
        return v.intrinsic("llvm.x86.avx512.vpermi2var.d.512", v.ints, low, of_both, high)
    parts = [v.intrinsic("llvm.x86.avx2.permd", v.ints, part, number) for part in (low, high)]
    return shuffle(b, parts[0], parts[1], [lane + v.width * row for lane, row in enumerate(upper)])


@cache
def _picks(width: int) -> bool:
    """Whether the processor can select vector elements by index."""
    needed = {8: "avx2", 16: "avx512f"}.get(width)
    return needed is not None and bool(binding.get_host_cpu_features().get(needed))


def _clamped(v: Vectors, texel: Value, size: Value) -> Value:
    return between(v.builder, texel, v.integer(0), v.builder.sub(size, v.integer(1)))


def _repeated(v: Vectors, texel: Value, size: Value) -> Value:
    """The remainder, from 0 on; a quotient of doubles is never rounded to the next integer."""
    b = v.builder
    quotient = b.fdiv(b.sitofp(texel, v.doubles), b.sitofp(size, v.doubles))
    return b.sub(texel, b.mul(b.fptosi(v.call("floor", quotient, of=v.doubles), v.ints), size))


def _mirrored(v: Vectors, texel: Value, size: Value) -> Value:
    b = v.builder
    twice = b.add(size, size)
    texel = _repeated(v, texel, twice)
    return b.select(b.icmp_signed("<", texel, size), texel, b.sub(b.sub(twice, v.integer(1)), texel))


def _masked(v: Vectors, texel: Value, size: Value) -> Value:
    return v.builder.and_(texel, v.builder.sub(size, v.integer(1)))


WRAPS = {REPEAT: _repeated, CLAMP_TO_EDGE: _clamped, MIRRORED_REPEAT: _mirrored, WRAP_POWER_OF_TWO: _masked}
"""Code by wrap mode."""
BORDERED_WRAPS = WRAPS | {CLAMP_TO_BORDER: _clamped}
"""The same where texels outside of the image are replaced afterwards."""


_SELECTED = (SAMPLER.red, SAMPLER.green, SAMPLER.blue, SAMPLER.alpha)


def swizzled(v: Vectors, sampler: Value, channels: list[Value], one: Value) -> list[Value]:
    """The channel, zero or one that each component of a sampler selects.

    Parameters
    ----------
    v
        Where code goes.
    sampler
        Address of a `SamplerBlock`.
    channels
        Red, green, blue and alpha of the texels.
    one
        Number 1 in the texels' format.
    """
    b = v.builder
    is_set = b.icmp_unsigned("!=", field(b, sampler, SAMPLER.swizzled), ir.Constant(LONG, 0))
    return choose(b, is_set, lambda: _selected(v, sampler, channels, one), channels)


def _selected(v: Vectors, sampler: Value, channels: list[Value], one: Value) -> list[Value]:
    b = v.builder
    choices = [*channels, v.number(0), one]
    results = []
    for place in _SELECTED:
        code, chosen = field_in_all_lanes(v, sampler, place), channels[0]
        for number, choice in list(enumerate(choices))[1:]:
            chosen = b.select(b.icmp_signed("==", code, v.integer(number)), choice, chosen)
        results.append(chosen)
    return results
