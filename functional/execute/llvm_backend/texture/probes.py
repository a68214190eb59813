"""Anisotropic filtering in vector code: several probes along a pixel's longer side, as `texturing.anisotropy` does it.

Counts, levels and positions of probes follow that file step by step, in its precision, so both read the same texels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from llvmlite import ir

from ...kernel_arguments import READ, SAMPLER
from ..ir.memory import POINTER, any_lane, choose, field, field_in_all_lanes
from ..ir.transcendental import log2
from ..ir.vectors import INT, LONG, Value, Vectors
from .notes import forget_probe

if TYPE_CHECKING:
    from .unit import Sampling


@dataclass
class Footprint:
    """Probes of each quad, with a lane for it.

    Attributes
    ----------
    count
        Integers: probes, at least 1.
    steps
        Change of each coordinate along the longer side, to the next pixel.
    detail
        Level of detail of every probe, before biases and limits.
    """

    count: Value
    steps: list[Value]
    detail: Value


def footprint(lanes: Vectors, extents: list[tuple[Value, Value]], sampler: Value) -> Footprint:
    """Probes for coordinates, given with the texels per unit of each, that a sampler takes."""
    v, b = lanes.quads(), lanes.builder
    gradients = []
    for lane in (1, 2):
        gradients.append([b.fsub(lanes.taken_of_quads(c, lane), lanes.taken_of_quads(c, 0)) for c, _ in extents])
    in_x, in_y = (_length(v, gradient, [size for _, size in extents]) for gradient in gradients)
    along_x, no_number = b.fcmp_ordered(">=", in_x, in_y), b.fcmp_unordered("uno", in_x, in_x)
    longer = b.select(b.or_(along_x, no_number), in_x, in_y)
    shorter = b.select(b.or_(b.fcmp_ordered("<=", in_x, in_y), no_number), in_x, in_y)
    one = v.double(1)
    ratio = v.call("ceil", b.fdiv(longer, shorter), of=v.doubles)
    ratio = b.select(b.fcmp_ordered(">", longer, v.double(0)), ratio, one)
    most = b.sitofp(field_in_all_lanes(v, sampler, SAMPLER.probes), v.doubles)
    ratio = b.select(b.fcmp_ordered(">", ratio, most), most, ratio)
    # NaN counts as one probe, too.
    count = b.select(b.fcmp_ordered(">", ratio, one), ratio, one)
    detail = log2(v, b.fptrunc(b.fdiv(longer, count), v.floats))
    steps = [b.select(along_x, x, y) for x, y in zip(*gradients, strict=True)]
    return Footprint(b.fptosi(count, v.ints), steps, detail)


def _length(v: Vectors, gradient: list[Value], sizes: list[Value]) -> Value:
    """Length of a change in texels, in double precision."""
    b, total = v.builder, None
    for change, size in zip(gradient, sizes, strict=True):
        texels = b.fmul(b.fpext(change, v.doubles), b.fpext(size, v.doubles))
        square = b.fmul(texels, texels)
        total = square if total is None else b.fadd(total, square)
    return v.call("sqrt", total, of=v.doubles)


def probed(sampling: Sampling) -> list[Value]:
    """Mean of the probes' channels; every probe notes its reads in its own block, as far as there are blocks."""
    v = sampling.v
    b = v.builder
    extents = sampling.extents()
    coordinates = [c for c, _ in extents]
    pixel = footprint(v, extents, sampling.sampler)
    detail = sampling._within_limits(b.fadd(v.given_to_quads(pixel.detail), sampling._bias()))
    count, zero = v.given_to_quads(pixel.count), v.number(0)
    before, (head, body, behind) = b.block, (b.append_basic_block(n) for n in ("probes", "probe", "probed"))
    b.branch(head)
    b.position_at_end(head)
    number, block = b.phi(LONG), b.phi(POINTER)
    number.add_incoming(ir.Constant(LONG, 0), before)
    block.add_incoming(sampling.note, before)
    totals = [b.phi(v.floats) for _ in range(4)]
    for total in totals:
        total.add_incoming(zero, before)
    place = b.trunc(number, INT)
    takes = b.icmp_signed(">", count, v.splat_integer(place))
    b.cbranch(any_lane(b, takes), body, behind)
    b.position_at_end(body)
    _move(sampling, coordinates, pixel, place)
    sampling.notes = sampling.noted(block)
    channels = sampling._sampled(detail)
    following = _next_block(v, block, sampling.first, takes)
    for total, channel in zip(totals, channels, strict=True):
        total.add_incoming(b.fadd(total, b.select(takes, channel, zero)), b.block)
    number.add_incoming(b.add(number, ir.Constant(LONG, 1)), b.block)
    block.add_incoming(following, b.block)
    b.branch(head)
    b.position_at_end(behind)
    probes = b.sitofp(count, v.floats)
    return [b.fdiv(total, probes) for total in totals]


def _move(sampling: Sampling, coordinates: list[Value], pixel: Footprint, number: Value) -> None:
    """Put the coordinates where a probe lies: -1/2 + i / (N + 1) pixels along the longer side, i from 1 on."""
    v, b = sampling.v.quads(), sampling.v.builder
    one, number = v.integer(1), v.splat_integer(number)
    share = b.fdiv(b.sitofp(b.add(number, one), v.doubles), b.sitofp(b.add(pixel.count, one), v.doubles))
    share = b.fsub(share, v.double(0.5))
    ways = [b.fptrunc(b.fmul(b.fpext(step, v.doubles), share), v.floats) for step in pixel.steps]
    moved = [b.fadd(c, sampling.v.given_to_quads(way)) for c, way in zip(coordinates, ways, strict=True)]
    sampling.s, sampling.t = moved[:2]
    if len(moved) > 2:
        sampling.r = moved[2]


def _next_block(v: Vectors, block: Value, first: Value, takes: Value) -> Value:
    """Block for the notes of the next probe, null if nothing is noted; lanes without the probe read nothing."""
    b = v.builder
    none = ir.Constant(LONG, 0)

    def behind() -> list[Value]:
        forget_probe(v, block, first, takes)
        offset = field(b, block, READ.next)
        following = b.add(b.ptrtoint(block, LONG), offset)
        return [b.select(b.icmp_unsigned("==", offset, none), none, following)]

    asked = b.icmp_unsigned("!=", b.ptrtoint(block, LONG), none)
    return b.inttoptr(choose(b, asked, behind, [none])[0], POINTER)
