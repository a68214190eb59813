"""What holds for every stream and every memory: all requests are done once, no command comes too early."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tilegpu.timing.assembly.dram as simulate_module
from tests.examples import examples
from tilegpu.timing.assembly.dram import Run, Stream, simulate
from tilegpu.timing.memory.dram.commands import COMMANDS, REFRESH, REFRESH_BANK
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.memory.dram.refresh import REFRESH_POLICIES
from tilegpu.timing.memory.dram.specification import Specification

from .checker import check

MAPPINGS = ("rochrababgco", "rorababgchco", "chrobabgraco", "corobgbarach")


COUNTED = (
    *(f"{state}_cycles" for state in ("active", "idle", "self_refresh", "active_power_down", "idle_power_down")),
    *("refreshes", "bank_refreshes", "latest_refresh_cycles", "activates", "precharges", "read_commands"),
    *("read_row_hits", "read_latency_cycles", "write_latency_cycles", "cycles"),
)


def variant(base: str = "lpddr4-2400-b32", timing: dict[str, Any] | None = None, **system: Any) -> Specification:
    """A preset with fields of its controller or its timing changed."""
    values = load_specification(base).model_dump()
    values["system"] |= system
    values["timing"] |= timing or {}
    return Specification.model_validate(values)


def stream(seed: int, requests: int, lines: int, write_share: float, spacing_cycles: float) -> Stream:
    rng = np.random.default_rng(seed)
    address = rng.integers(0, lines, requests) * 64 + rng.integers(0, 4, requests) * (1 << 26)
    arrival = np.sort(rng.integers(0, int(requests * spacing_cycles) + 1, requests))
    return Stream(address, rng.random(requests) < write_share, arrival)


def as_read_by_ticks(run: Run) -> dict[str, Any]:
    """Everything that a run counts."""
    return {
        name: np.asarray(run.system[name]).tolist() if name != "channel" else [c.tobytes() for c in run.channels]
        for name in run.system.dtype.names
        if name not in ("logged",)
    }


SPECIFICATIONS = st.builds(
    variant,
    st.sampled_from(("lpddr4-2400-b32", "lpddr3-1600", "lpddr4-3200", "lpddr4-2400-dual")),
    st.fixed_dictionaries({"tREFI": st.sampled_from((2000, 4000)), "tREFIb": st.sampled_from((700, 1000))}),
    address_mapping=st.sampled_from(MAPPINGS),
    queue_structure=st.sampled_from(("PER_BANK", "PER_RANK")),
    refresh_policy=st.sampled_from(("RANK_LEVEL_STAGGERED", "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED")),
    row_buf_policy=st.sampled_from(("OPEN_PAGE", "CLOSE_PAGE")),
    scheduling=st.sampled_from(("fr_fcfs", "fcfs")),
    cmd_queue_size=st.sampled_from((1, 4, 8)),
    trans_queue_size=st.sampled_from((1, 8, 32)),
    unified_queue=st.booleans(),
    enable_self_refresh=st.booleans(),
    sref_threshold=st.sampled_from((50, 1000)),
    power_down_threshold=st.sampled_from((0, 10, 200)),
)


@settings(max_examples=examples(25, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    SPECIFICATIONS,
    st.integers(0, 1 << 30),
    st.sampled_from((1, 4, 64, 1 << 16)),
    st.sampled_from((0.0, 0.3, 0.5, 1.0)),
    st.sampled_from((0, 8, 100)),
)
def test_every_request_is_done_once_and_no_command_comes_too_early(
    spec: Specification, seed: int, lines: int, write_share: float, spacing_cycles: float
) -> None:
    requests = stream(seed, 400, lines, write_share, spacing_cycles)
    run = simulate(spec, requests, log_commands=20_000)
    assert (run.accepted > requests.arrival).all()
    assert (run.done > run.accepted).all()
    assert sum(int(c.reads_done) + int(c.writes_done) for c in run.channels) == 400
    check(spec, run.log)
    for channel in run.channels:
        assert channel.latest_refresh_cycles <= 8 * spec.timing.tREFI
        states = ("active", "idle", "self_refresh", "active_power_down", "idle_power_down")
        for rank in range(spec.ranks):
            assert sum(int(channel[f"{state}_cycles"][rank]) for state in states) == channel.cycles


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPECIFICATIONS, st.integers(0, 1 << 30), st.sampled_from((0, 40, 300)))
def test_skipping_idle_cycles_gives_what_ticking_gives(spec: Specification, seed: int, spacing_cycles: float) -> None:
    requests = stream(seed, 200, 512, 0.4, spacing_cycles)
    skipped = simulate(spec, requests, log_commands=20_000)
    ticked = simulate(spec, requests, log_commands=20_000, every=True)
    assert skipped.log.tolist() == ticked.log.tolist()
    assert skipped.done.tolist() == ticked.done.tolist()
    for a, b in zip(skipped.channels, ticked.channels, strict=True):
        for name in ("active_cycles", "idle_cycles", "self_refresh_cycles", "read_latency_cycles", "cycles"):
            assert np.array_equal(a[name], b[name]), name


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPECIFICATIONS, st.integers(0, 1 << 30), st.sampled_from((3_000, 30_000)))
def test_passing_over_refreshes_gives_what_ticking_gives(spec: Specification, seed: int, spacing_cycles: float) -> None:
    requests = stream(seed, 20, 512, 0.4, spacing_cycles)
    passed, ticked = (simulate(spec, requests, every=every) for every in (False, True))
    assert passed.done.tolist() == ticked.done.tolist()
    for a, b in zip(passed.channels, ticked.channels, strict=True):
        for name in COUNTED:
            assert np.array_equal(a[name], b[name]), name


def test_a_wait_of_hours_is_answered_at_once() -> None:
    """One request after 10^12 cycles, and the refreshes of each rank meanwhile: one per 8660 cycles. Two seconds; were
    it for every cycle, a quarter of an hour at the least."""
    simulate(load_specification("lpddr4-2400-b32"), offered((0, False, 0)))  # compiles
    start = time.process_time()
    run = simulate(load_specification("lpddr4-2400-b32"), offered((0, False, 10**12)))
    assert run.done[0] == 10**12 + 1 + 1 + 15 + 17 + 8
    assert abs(int(run.channels[0].refreshes) - 2 * 10**12 // 8660) <= 1
    assert time.process_time() - start < 120


def test_compiled_and_plain_controllers_agree() -> None:
    spec, requests = variant(enable_self_refresh=True, power_down_threshold=30), stream(3, 120, 64, 0.4, 20)
    compiled, plain = simulate(spec, requests), simulate(spec, requests, compiled=False)
    assert compiled.done.tolist() == plain.done.tolist()
    assert list(compiled.channels[0].active_cycles) == plain.channels[0].active_cycles


@pytest.mark.parametrize("lines", (1, 2, 16))
def test_read_modify_write_under_load_finishes(lines: int) -> None:
    """Reads followed by writes of the same lines, as blending makes them: the reference can stand still here."""
    rng = np.random.default_rng(lines)
    bases = rng.integers(0, 1 << 14, 2000) * 64
    address = np.concatenate([[base + 64 * (i % lines), base + 64 * (i % lines)] for i, base in enumerate(bases)])
    run = simulate(load_specification("lpddr4-2400-b32"), Stream(address, np.arange(4000) % 2, np.zeros(4000)))
    assert (run.done > 0).all()
    check(run.specification, run.log)


def test_a_blocked_drain_lets_the_read_go() -> None:
    """A full write buffer whose oldest write waits for a read that is still behind it."""
    spec = variant(trans_queue_size=12, cmd_queue_size=1)
    # One read occupies the queue of the bank; the second waits in front of it, and twelve writes fill the buffer.
    rows = [(i << 20) for i in range(3)]
    address = np.array([rows[0], rows[1], rows[1], *(rows[2] + 64 * i for i in range(11))])
    write = np.array([0, 0, 1] + [1] * 11)
    run = simulate(spec, Stream(address, write, np.zeros(14)), log_commands=1000)
    assert (run.done > 0).all()
    check(spec, run.log)


@pytest.mark.parametrize("policy", ("RANK_LEVEL_STAGGERED", "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED"))
def test_every_rank_and_bank_is_refreshed_as_often_as_it_must(policy: str) -> None:
    spec = variant("lpddr3-1600", {"tREFI": 3120, "tREFIb": 390}, refresh_policy=policy, channel_size=4096)
    assert spec.ranks == 2
    idle = Stream(np.zeros(1, np.int64), np.zeros(1, np.int32), np.array([100 * 3120]))
    run = simulate(spec, idle, log_commands=10_000)
    command = REFRESH_BANK if policy == "BANK_LEVEL_STAGGERED" else REFRESH
    refreshed = run.log[run.log.command == command]
    for place in set(refreshed.bank.tolist()):
        cycles = refreshed.cycle[refreshed.bank == place]
        assert len(cycles) == pytest.approx(100, abs=2)
    assert len(set(refreshed.bank.tolist())) == (16 if policy == "BANK_LEVEL_STAGGERED" else 2)


def commands(run: Run, *names: str) -> list[tuple[int, str, int]]:
    """Cycle, name and bank of the commands of these names."""
    rows = [(int(row["cycle"]), COMMANDS[row["command"]], int(row["bank"])) for row in run.log]
    return [row for row in rows if row[1] in names]


def offered(*rows: tuple[int, bool, int]) -> Stream:
    """Requests of address, whether written, and cycle."""
    address, write, arrival = zip(*rows, strict=True)
    return Stream(np.array(address), np.array(write), np.array(arrival))


@pytest.mark.parametrize("write", (False, True))
def test_same_bank_after_automatic_precharge_by_hand(write: bool) -> None:
    """Closed pages: two rows of one bank, as DRAMsim3 has it."""
    spec = variant(row_buf_policy="CLOSE_PAGE", power_down_threshold=0)
    row = 1 << (6 + spec.field_places()["ro"][0])
    # Writes are over when accepted: a late read of another bank lets them reach the memory.
    late = (1 << (6 + spec.field_places()["ba"][0]), False, 3000)
    run = simulate(spec, offered(*((row * i, write, 0) for i in range(12)), late), log_commands=100)
    used = "WRITE_PRECHARGE" if write else "READ_PRECHARGE"
    found = [row for row in commands(run, "ACTIVATE", "PRECHARGE", used) if row[2] == 0]
    assert len(found) > 8
    for (before, a, _), (after, b, _) in pairwise(found):
        if a == "ACTIVATE":
            assert (b, after - before) == (used, 15)
        else:
            # AL + BL/2 + tRTP + tRP after a read, though ACT to ACT may ask for more: tRAS + tRP = 47 with 15 gone.
            # CWL + BL/2 + tWR + tRP after a write.
            assert (b, after - before) == ("ACTIVATE", 14 + 8 + 30 + 15 if write else max(8 + 12 + 15, 47 - 15))


@pytest.mark.parametrize("timing", ({"AL": 40}, {"CL": 60, "CWL": 4}, {"CWL": 60, "CL": 4}))
def test_a_negative_distance_is_no_wait(timing: dict[str, int]) -> None:
    """DRAMsim3 adds it to an unsigned clock, and in the first cycles bars the command for ever."""
    spec = variant(timing=timing)
    other_rank = 1 << (6 + spec.field_places()["ra"][0])
    run = simulate(spec, offered(*((other_rank * (i % 2) + 64 * i, i % 4 < 2, 0) for i in range(64))), log_commands=500)
    assert 0 < run.done.max() < 2000
    check(spec, run.log)
    if "AL" in timing:
        first = commands(run, "ACTIVATE", "READ", "WRITE")
        opened = {bank: cycle for cycle, command, bank in reversed(first) if command == "ACTIVATE"}
        # The posted read follows in the next cycle in which the command bus is free.
        cycle, _, bank = next(row for row in first if row[1] != "ACTIVATE")
        assert 0 < cycle - opened[bank] <= 2


def test_a_bank_refresh_blocks_its_bank_alone_by_hand() -> None:
    timing = {"tREFIb": 400, "tRFCb": 90}
    spec = variant("lpddr3-1600", timing, refresh_policy="BANK_LEVEL_STAGGERED")
    assert (spec.ranks, spec.banks) == (1, 8)
    bank = 1 << (6 + spec.field_places()["ba"][0])
    # In cycle 400 bank 0 falls due; reads of banks 0 and 1 come in the cycle after.
    run = simulate(spec, offered((0, False, 401), (bank, False, 401)), log_commands=100)
    found = commands(run, "REFRESH_BANK", "ACTIVATE")
    assert found[0] == (400, "REFRESH_BANK", 0)
    opened = {place: cycle for cycle, command, place in found if command == "ACTIVATE"}
    # Its own bank opens tRFCb later, the other as soon as its request is there.
    assert opened[0] == 490
    assert opened[1] < 410


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_is_not_refused_comes_to_an_end(monkeypatch: pytest.MonkeyPatch, data: Any) -> None:
    """Memories with no more time between refreshes than they must have."""
    monkeypatch.setattr(simulate_module, "SLICE_CYCLES", 1 << 18)
    monkeypatch.setattr(simulate_module, "STUCK_CYCLES", 1 << 18)
    names = ("tRCD", "tRP", "tRAS", "tWR", "tRTP", "AL", "CL", "CWL", "tRRD_S", "tFAW", "tXS", "tXP", "tPPD")
    timing = {name: data.draw(st.sampled_from((0, 1, 20, 300)), name) for name in (*names, "tRFC", "tRFCb")}
    system = {
        "refresh_policy": data.draw(st.sampled_from(REFRESH_POLICIES)),
        "queue_structure": data.draw(st.sampled_from(("PER_BANK", "PER_RANK"))),
        "row_buf_policy": data.draw(st.sampled_from(("OPEN_PAGE", "CLOSE_PAGE"))),
        "enable_self_refresh": data.draw(st.booleans()),
        "sref_threshold": 50,
        "power_down_threshold": data.draw(st.sampled_from((0, 10))),
    }
    name = "tREFIb" if system["refresh_policy"] == "BANK_LEVEL_STAGGERED" else "tREFI"
    least = variant(timing=timing | {name: 1 << 20}, **system).least_refresh_interval_cycles
    with pytest.raises(ValueError, match=f"{name} must be at least {least} cycles"):
        variant(timing=timing | {name: least - 1}, **system)
    spec = variant(timing=timing | {name: least}, **system)
    run = simulate(spec, stream(data.draw(st.integers(0, 99)), 60, 64, 0.4, 5))
    assert (run.done > 0).all()


@pytest.mark.parametrize("name", ("tRCD", "tRP", "tRAS", "tRRD_S", "tFAW", "tWR", "tRTP", "tWTR_L", "tRFC", "tRTRS"))
def test_the_checker_sees_a_distance_that_is_too_short(name: str) -> None:
    spec = variant(timing={"tREFI": 2000})
    run = simulate(spec, stream(1, 2000, 1 << 16, 0.4, 0), log_commands=20_000)
    stricter = variant(timing={"tREFI": 2000, name: getattr(spec.timing, name) + 1})
    with pytest.raises(AssertionError):
        check(stricter, run.log)
