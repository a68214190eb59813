"""Two clocks: requests of the GPU in its cycles, the memory's answers in its own, to the cycle."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.engine import calendar
from tilegpu.timing.memory.request import READ, VERTEX, has_reply, replies_due, send, take_reply

NOBODY = 62
"""Number of a unit that does nothing when it is ticked."""


@pytest.mark.parametrize(
    ("gpu", "memory"),
    ((Fraction(800), Fraction(1200)), (Fraction(2000, 3), Fraction(1600, 7)), (Fraction(1), Fraction(1))),
)
def test_a_read_takes_what_the_memory_takes(gpu: Fraction, memory: Fraction) -> None:
    overrides = (
        "dram=lpddr4-2400-b32",
        f"gpu_mhz={gpu.numerator}",
        f"gpu_divisor={gpu.denominator}",
        f"memory_mhz={memory.numerator}",
        f"memory_divisor={memory.denominator}",
    )
    machine: Any = build(load_configuration("ptr-2022", overrides)).plain().gpu
    clock = load_part("engine.clock", compiled=False)
    port = machine.port[machine.dram.first_port]
    port.client = NOBODY
    machine.unit[NOBODY].kind = -1
    sent = 1000
    t = sent
    send(machine, port, t, 0, 64, READ, VERTEX, -1)
    while True:
        calendar.open_page(machine, t)
        if has_reply(port, t):
            break
        clock.tick_called(machine, None, 0, t)
        t = calendar.next_call(machine, t)
    take_reply(machine, port, replies_due(port, t))
    # Taken into the queue in the cycle it is sent, offered in the next; then in memory cycles: offered with the first
    # that begins later, to its command queue in that one, row opened in the next, tRCD 15, CL 17, burst 8.
    offered = floor((sent + 1) * memory / gpu) + 1
    done = offered + 1 + 15 + 17 + 8
    assert t == ceil(done * gpu / memory) + 1
