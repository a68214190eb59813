"""The policy `priority`: the most urgent first, nothing lost, no deadlock, and all classes alike is first ready."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.timing.assembly.dram import Run, Stream, StreamError, simulate
from tilegpu.timing.memory.dram.commands import COMMANDS
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.memory.dram.specification import Specification

from .checker import check
from .test_properties import as_read_by_ticks, stream, variant

SPECIFICATIONS = st.builds(
    variant,
    st.sampled_from(("lpddr4-2400-b32", "lpddr3-1600", "lpddr4-2400-dual")),
    queue_structure=st.sampled_from(("PER_BANK", "PER_RANK")),
    row_buf_policy=st.sampled_from(("OPEN_PAGE", "CLOSE_PAGE")),
    scheduling=st.just("priority"),
    cmd_queue_size=st.sampled_from((1, 4, 8)),
    trans_queue_size=st.sampled_from((8, 32)),
    unified_queue=st.booleans(),
)


def with_urgency(requests: Stream, urgency: Any) -> Stream:
    return Stream(requests.address, requests.write, requests.arrival, np.asarray(urgency))


def columns(run: Run, command: str) -> list[tuple[int, int]]:
    """Cycle and bank of every command of this name."""
    return [(int(r["cycle"]), int(r["bank"])) for r in run.log if COMMANDS[r["command"]] == command]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPECIFICATIONS, st.integers(0, 1 << 30), st.sampled_from((64, 4096)), st.sampled_from((0, 3, 40)), st.booleans())
def test_everything_is_done_in_time_and_ticking_gives_the_same(
    spec: Specification, seed: int, lines: int, spacing: float, beyond: bool
) -> None:
    requests = stream(seed, 400, lines, 0.4, spacing)
    if beyond:
        # Some lie beyond what the memory holds: other addresses, the same places.
        requests.address[::2] += 1 << 36
    requests = with_urgency(requests, np.random.default_rng(seed).integers(0, 3, 400))
    run = simulate(spec, requests, log_commands=5000)
    assert (run.done > run.accepted).all()
    check(spec, run.log)
    assert as_read_by_ticks(simulate(spec, requests, log_commands=5000, every=True)) == as_read_by_ticks(run)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPECIFICATIONS, st.integers(0, 1 << 30))
def test_the_most_urgent_class_fares_better(spec: Specification, seed: int) -> None:
    """Of two classes that load a memory alike, the urgent one waits less once it is in."""
    requests = stream(seed, 600, 1 << 16, 0.0, 2)
    urgency = np.random.default_rng(seed).integers(0, 2, 600)
    run = simulate(spec, with_urgency(requests, urgency))
    latency = run.done - run.accepted
    assert latency[urgency == 0].mean() <= latency[urgency == 1].mean()


def test_one_class_is_first_ready() -> None:
    """Command for command, where queues are of one bank."""
    requests = stream(5, 1500, 4096, 0.3, 2)
    runs = [
        simulate(variant(scheduling=policy), with_urgency(requests, np.zeros(1500, int)), log_commands=20_000)
        for policy in ("fr_fcfs", "priority")
    ]
    assert runs[0].log.tolist() == runs[1].log.tolist()


def test_a_write_that_waits_for_a_less_urgent_read_keeps_no_row_open() -> None:
    """A read, then an urgent write of the same place (by an address beyond the memory), then one of another row of the
    bank. The read stands back for the last, which must be able to close the row though the other write wants it."""
    spec = variant("lpddr3-1600", scheduling="priority", unified_queue=True)
    address = np.array([0, 1 << 36, 1 << 24])
    assert {spec.system.address_mapping} == {"rochrababgco"}
    requests = Stream(address, np.array([0, 1, 1]), np.zeros(3, int), np.array([1, 0, 0]))
    run = simulate(spec, requests, log_commands=100)
    check(spec, run.log)
    row = {int(r["row"]) for r in run.log if COMMANDS[r["command"]] == "ACTIVATE"}
    assert len(row) == 2
    assert run.channels[0].reads_done == 1


def test_an_urgent_read_closes_the_row_of_others_by_hand() -> None:
    """Four reads of one row, then one of another row of the same bank: it goes last, or first when it is urgent.

    All arrive at once, a transaction per cycle moves on, and the first opens its row. By the time that it could be read
    (tRCD) the urgent one is there: the row is closed as soon as it may be (tRAS), the other one opened (tRP), and read
    (tRCD). Then the first row is opened again.
    """
    spec = variant("lpddr4-2400-b32", unified_queue=True, scheduling="priority", row_buf_policy="OPEN_PAGE")
    far = next(a for a in (1 << k for k in range(6, 30)) if _row(spec, a) != _row(spec, 0) and _bank(spec, a) == 0)
    zeros = np.zeros(5, np.int64)
    stream_of = Stream(np.array([0, 64, 128, 192, far]), zeros, zeros)
    alike = simulate(spec, with_urgency(stream_of, zeros), log_commands=100)
    assert int(alike.done.argmax()) == 4
    run = simulate(spec, with_urgency(stream_of, [1, 1, 1, 1, 0]), log_commands=100)
    check(spec, run.log)
    assert int(run.done.argmin()) == 4
    t = spec.timing
    opened, closed = [c for c, _ in columns(run, "ACTIVATE")], [c for c, _ in columns(run, "PRECHARGE")]
    assert closed[0] == opened[0] + t.tRAS
    assert opened[1] == closed[0] + t.tRP
    assert columns(run, "READ")[0][0] == opened[1] + t.tRCD
    assert run.done[4] == opened[1] + t.tRCD + spec.read_delay_cycles
    assert opened[2] == opened[1] + t.tRAS + t.tRP


def _row(spec: Specification, address: int) -> int:
    shift, width = spec.field_places()["ro"]
    return address >> (spec.request_bytes.bit_length() - 1) >> shift & ((1 << width) - 1)


def _bank(spec: Specification, address: int) -> int:
    shift, width = spec.field_places()["ba"]
    return address >> (spec.request_bytes.bit_length() - 1) >> shift & ((1 << width) - 1)


def test_an_urgent_write_waits_for_a_read_of_its_place_whatever_their_addresses() -> None:
    """The read is not as urgent, as it has another address; yet it must go first, or none of them ever would."""
    spec = variant("lpddr4-2400-b32", scheduling="priority", trans_queue_size=8)
    address = np.array([0, *(1 << 36 | 64 * i for i in range(8))])
    requests = Stream(address, np.array([0] + [1] * 8), np.array([0] + [1] * 8))
    run = simulate(spec, with_urgency(requests, [1] + [0] * 8), log_commands=100)
    check(spec, run.log)
    assert (run.done > run.accepted).all()


def test_a_read_hurries_with_the_write_that_waits_for_it() -> None:
    """Its write is the most urgent and may not pass it; reads of another row would keep both waiting for ever."""
    spec = variant("lpddr4-2400-b32", unified_queue=True, scheduling="priority", cmd_queue_size=8)
    far = 1 << 26
    address = np.array([0, far, far + 64, far + 128, 0])
    write = np.array([0, 0, 0, 0, 1])
    zeros = np.zeros(5, np.int64)
    run = simulate(spec, Stream(address, write, zeros, np.array([2, 1, 1, 1, 0])), log_commands=100)
    check(spec, run.log)
    assert len(columns(run, "READ")) == 4
    assert len(columns(run, "WRITE")) == 1


def test_classes_are_bounded() -> None:
    with pytest.raises(StreamError, match="urgency"):
        Stream(np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.int64), np.array([16]))
    assert load_specification("lpddr4-2400-b32").system.scheduling == "fr_fcfs"
