"""Hazards that squash instructions: counts worked out by hand, a plain model of turns, nothing lost by skipping."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import rows
from test_by_hand import A, S, one_primitive, raster_cycles
from test_engine import random_frame

from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.units import hazards, processor

SQUASH = ("fragment_stage.hazards=squash", "vertex_stage.hazards=squash")


@pytest.mark.parametrize(
    ("kinds", "chain", "latency", "more", "squashed"),
    [
        # Decoded in the next cycle, and then every other one, until the result is there.
        ([A, A], True, 1, 1, 0),
        ([A, A], True, 2, 3, 1),
        ([A, A], True, 3, 3, 1),
        ([A, A], True, 4, 5, 2),
        ([A, A], True, 5, 5, 2),
        ([A, A], True, 6, 7, 3),
        ([A, A, A, A], True, 4, 15, 6),
        ([A, A, A, A], False, 4, 3, 0),
        # A special function takes 8 cycles: attempts after 1, 3, 5, 7 and 9.
        ([S, A], True, 4, 9, 4),
    ],
)
def test_a_warp_alone_tries_every_other_cycle(
    machine: Any, kinds: list[int], chain: bool, latency: int, more: int, squashed: int
) -> None:
    frame = one_primitive(kinds, chain)
    overrides = (*SQUASH[:1], f"fragment_stage.alu_latency={latency}", "fragment_stage.sfu_latency=8")
    base = raster_cycles(machine, one_primitive([A]), *overrides)
    assert raster_cycles(machine, frame, *overrides) == base + more
    gpu = machine(*overrides)
    assert gpu.run(frame)["fragment.processor.squashed_instructions"] == squashed


def test_nothing_is_squashed_by_warps_that_wait(machine: Any) -> None:
    assert machine().run(random_frame(1))["fragment.processor.squashed_instructions"] == 0


def turns(latencies: list[list[int]], waits: list[list[bool]], start: list[int]) -> tuple[list[tuple[int, int]], int]:
    """Cycle and warp of every instruction issued, and instructions squashed: one cycle after the other, as told.

    `latencies`: of each warp's instructions; `waits`: whether each needs the one before; `start`: first cycle in which
    a warp's first instruction may be decoded.
    """
    issued: list[tuple[int, int]] = []
    at, may = [0] * len(start), list(start)
    here = [0] * len(start)
    squashed, last, t = 0, len(start) - 1, 0
    while any(i < len(own) for i, own in zip(at, latencies, strict=True)):
        for step in range(1, len(start) + 1):
            w = (last + step) % len(start)
            if at[w] < len(latencies[w]) and may[w] <= t:
                last = w
                if waits[w][at[w]] and here[w] > t:
                    squashed += 1
                    may[w] = t + 2
                else:
                    issued.append((t, w))
                    here[w] = t + latencies[w][at[w]]
                    at[w] += 1
                    may[w] = t + 1
                break
        t += 1
    return issued, squashed


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_warps_take_turns_as_in_a_plain_model(data: st.DataObject) -> None:
    """Random chains of arithmetic and special functions; looked at in every cycle, and only when there is news."""
    warps = data.draw(st.integers(1, 5))
    kinds = [data.draw(st.lists(st.sampled_from([A, S]), min_size=1, max_size=7)) for _ in range(warps)]
    waits = [[i > 0 and data.draw(st.booleans()) for i in range(len(own))] for own in kinds]
    alu, sfu = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 30))
    latency = {A: alu, S: sfu}
    expected = turns([[latency[k] for k in own] for own in kinds], waits, [1] * warps)
    for skipping in (False, True):
        assert executed(kinds, waits, latency, skipping) == expected


def executed(
    kinds: list[list[int]], waits: list[list[bool]], latency: dict[int, int], skipping: bool
) -> tuple[list[tuple[int, int]], int]:
    """The same by a processor of the plain machine, without an instruction cache; all warps start in cycle 0."""
    gpu, core = SimpleNamespace(line_shift=6), plain(np.zeros((), processor.Processor.dtype))
    core.squashes, core.port, core.warp.depth, core.turn = 1, -1, len(kinds), len(kinds) - 1
    core.latency[A], core.latency[S] = latency[A], latency[S]
    lengths = [len(own) for own in kinds]
    ends = np.cumsum(lengths)
    code = rows(f.Instruction.dtype, sum(lengths), kind=np.concatenate(kinds), cycles=1)
    code["destination"] = np.concatenate([1 + np.arange(n) for n in lengths])
    code["source_0"] = np.where(np.concatenate(waits), code["destination"] - 1, 0)
    path = rows(f.ShaderPath.dtype, len(kinds), first=ends - lengths, last=ends)
    shading = SimpleNamespace(path=plain(path), sequence=list(range(len(code))), instruction=plain(code))
    for w in range(len(kinds)):
        processor.start(gpu, shading, core, w, 1, 0)
    issued: list[tuple[int, int]] = []
    t = 1
    while core.running != 0:
        before = sum(core.instructions)
        wake = int(hazards.issue(gpu, shading, core, t))
        if sum(core.instructions) > before:
            issued.append((t, int(core.turn)))
        t = wake if skipping else t + 1
    return issued, int(core.squashed)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_work_is_done(machine: Any, seed: int) -> None:
    """Squashing costs time, and issues what waiting issues."""
    frame = random_frame(seed)
    waits, squashes = machine().run(frame), machine(*SQUASH).run(frame)
    for name in ("fragment.processor.instructions", "fragment.processor.quads", "geometry.vertex_processor.vertices"):
        assert waits[name] == squashes[name] > 0
    assert squashes["fragment.processor.squashed_instructions"] > 0
