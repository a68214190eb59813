"""Many-thread aware prefetcher (Lee et al., MICRO 2010): strides within a warp, which hold for all warps when some
agree, and strides from warp to warp.

The Global Stride (GS) and the Inter-thread Prefetch (IP) table are looked up side by side; GS goes first. Where neither
knows, the Per-Warp Stride (PWS) table is looked up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.jit import unit
from ..parameters import Parameters
from ..predicting import Predictor
from ..tables import NOT_FOUND, find, predict_stride, take, touch

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..state import Prefetcher


NEW, PAIRED, TRAINED = range(3)
"""Seen once; has a stride; the stride came again."""


@unit
def train(own: Prefetcher, instruction: int, warp: int, line: int) -> None:
    """An instruction of a warp has asked for a line."""
    own.table_reads += 1
    across = meet_warp(own, instruction, warp, line)
    place = find(own.global_stride, own.global_entries, instruction, 0)
    if place != NOT_FOUND:
        own.global_hits += 1
        touch(own, own.global_stride[place])
        predict_stride(own, line, own.global_stride[place].stride, own.degree)
    elif across != 0:
        own.thread_hits += 1
        predict_stride(own, line, across, own.degree)
    else:
        within_warp(own, instruction, warp, line)


@unit
def meet_warp(own: Prefetcher, instruction: int, warp: int, line: int) -> int:
    """Teach the IP table; the stride from each warp to the next one, 0 where none is known.

    The same warp again says nothing, and neither does the same line.
    """
    place = find(own.inter_thread, own.thread_entries, instruction, 0)
    if place == NOT_FOUND:
        entry = own.inter_thread[take(own.inter_thread, own.thread_entries, instruction, 0)]
        entry.state = NEW
    else:
        entry = own.inter_thread[place]
        warps = warp - entry.line_warp
        lines = line - entry.line
        if warps == 0 or lines == 0:
            touch(own, entry)
            return int(entry.stride) if entry.state == TRAINED else 0
        whole = lines % warps == 0
        stride = lines // warps
        if whole and entry.state != NEW and stride == entry.stride:
            entry.state = TRAINED
        else:
            entry.state = PAIRED if whole else NEW
            entry.stride = stride if whole else 0
    touch(own, entry)
    own.table_writes += 1
    entry.line_warp = warp
    entry.line = line
    return int(entry.stride) if entry.state == TRAINED else 0


@unit
def within_warp(own: Prefetcher, instruction: int, warp: int, line: int) -> None:
    """Teach the PWS table, and let it predict."""
    own.warp_reads += 1
    place = find(own.warp_stride, own.warp_entries, instruction, warp)
    if place == NOT_FOUND:
        entry = own.warp_stride[take(own.warp_stride, own.warp_entries, instruction, warp)]
        entry.state = NEW
    else:
        entry = own.warp_stride[place]
        stride = line - entry.line
        if stride == 0:
            touch(own, entry)
            return
        entry.state = TRAINED if entry.state != NEW and stride == entry.stride else PAIRED
        entry.stride = stride
    touch(own, entry)
    own.warp_writes += 1
    entry.line = line
    if entry.state == TRAINED:
        own.warp_hits += 1
        predict_stride(own, line, entry.stride, own.degree)
        promote(own, instruction, entry.stride)


@unit
def promote(own: Prefetcher, instruction: int, stride: int) -> None:
    """Let a stride that enough warps share hold for all of them."""
    warps = 0
    for i in range(own.warp_entries):
        other = own.warp_stride[i]
        warps += other.used != 0 and other.key == instruction and other.state == TRAINED and other.stride == stride
    if warps < own.promotion_warps:
        return
    entry = own.global_stride[take(own.global_stride, own.global_entries, instruction, 0)]
    entry.stride = stride
    touch(own, entry)
    own.promotions += 1


def set_up(own: Prefetcher, configuration: Hardware) -> None:
    """Sizes from the configuration; the degree may be adapted (`..throttle`)."""
    parameters = configuration.of(Parameters)
    own.degree, own.throttles = parameters.first_degree, parameters.throttling == "on"


PREDICTOR = Predictor("mta", "many-thread aware", train, set_up)
