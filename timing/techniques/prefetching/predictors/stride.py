"""Stride prefetcher (Fu et al., MICRO 1992): a table has the last line and the stride of each instruction.

The two bits of state are those of Chen and Baer's reference prediction table. A stride counts when it came twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.jit import unit
from ..parameters import Parameters
from ..predicting import Predictor
from ..tables import NOT_FOUND, find, predict_stride, take, touch

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..state import Entry, Prefetcher


INITIAL, TRANSIENT, STEADY, NO_PREDICTION = range(4)


@unit
def train(own: Prefetcher, instruction: int, warp: int, line: int) -> None:
    """An instruction has asked for a line. The same line again says nothing."""
    own.table_reads += 1
    place = find(own.stride, own.entries, instruction, 0)
    if place == NOT_FOUND:
        entry = own.stride[take(own.stride, own.entries, instruction, 0)]
    else:
        entry = own.stride[place]
        if entry.line == line:
            touch(own, entry)
            return
        meet(entry, line - entry.line)
    touch(own, entry)
    own.table_writes += 1
    entry.line = line
    if entry.state == STEADY:
        predict_stride(own, line, entry.stride, own.degree)


@unit
def meet(entry: Entry, stride: int) -> None:
    """Next state of an entry."""
    right = stride == entry.stride
    if entry.state == STEADY:
        entry.state = STEADY if right else INITIAL
        return
    if entry.state == INITIAL:
        entry.state = STEADY if right else TRANSIENT
    elif entry.state == TRANSIENT:
        entry.state = STEADY if right else NO_PREDICTION
    else:
        entry.state = TRANSIENT if right else NO_PREDICTION
    entry.stride = stride


def set_up(own: Prefetcher, configuration: Hardware) -> None:
    """Sizes from the configuration."""
    own.degree = configuration.of(Parameters).stride_degree


PREDICTOR = Predictor("stride", "by the stride of each instruction", train, set_up)
