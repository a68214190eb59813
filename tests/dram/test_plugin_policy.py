"""A scheduling policy from outside the package, in one file: BLISS, by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.dram import Run, Stream, simulate
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import ConfigurationError, configuration_toml, load_configuration
from tilegpu.timing.declare.statistics import read
from tilegpu.timing.memory.dram import policies
from tilegpu.timing.memory.dram.commands import COMMANDS
from tilegpu.timing.memory.dram.policies import find_policy, policy_names, policy_parameters
from tilegpu.timing.results.statistics import snapshot, statistics

from .checker import check
from .test_properties import as_read_by_ticks, stream, variant

PLUGINS = Path(__file__).parents[1] / "timing" / "plugins" / "policies"
BUILT_IN = ["dash", "fcfs", "fr_fcfs", "priority"]


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The policies of this folder are found in these tests, as after `add_plugins`."""
    monkeypatch.setattr(policies, "__path__", [*policies.__path__, str(PLUGINS)])


def two_masters(scheduling: str, clearing_interval: int = 10_000, **options: Any) -> Run:
    """Eight reads of a row by master 1; after the first of them, one of another row of the bank by master 2."""
    spec = variant("lpddr3-1333-2x32", row_accesses=1000, timing={"tRTP": 4}, scheduling=scheduling, channels=1)
    address = np.array([0, 1 << 16, *range(32, 32 * 8, 32)])
    master = np.array([1, 2, *[1] * 7])
    if scheduling == "bliss":
        kind = find_policy("bliss").parameters
        assert kind is not None
        options["parameters"] = kind(threshold=2, clearing_interval=clearing_interval)
    nothing = np.zeros(9, int)
    return simulate(spec, Stream(address, nothing, nothing, master=master), log_commands=100, **options)


def schedule_of(run: Run) -> list[tuple[str, int]]:
    """Commands, with cycles since the first activate."""
    commands = [(COMMANDS[row["command"]], int(row["cycle"])) for row in run.log]
    return [(name, cycle - commands[0][1]) for name, cycle in commands]


def listings(run: Run) -> int:
    (stat,) = find_policy("bliss").statistics
    return read(run.system, stat.path)


def reads(*cycles: int) -> list[tuple[str, int]]:
    return [("READ", cycle) for cycle in cycles]


@pytest.mark.parametrize("compiled", (False, True))
def test_a_master_that_was_served_twice_in_a_row_stands_back(compiled: bool) -> None:
    """A read follows an activate by tRCD = 12 cycles and a read by 4. A row stays open for tRAS = 28 cycles, and opens
    tRP = 12 after it was closed.

    The second read, in cycle 16, blacklists master 1. Two more find the row open while it cannot be closed. In cycle 28
    it is closed for master 2, though four reads have use for it; first ready, first come serves these before.
    """
    first_ready = schedule_of(two_masters("fr_fcfs", compiled=compiled))
    assert first_ready == [
        ("ACTIVATE", 0), *reads(12, 16, 20, 24, 28, 32, 36, 40), ("PRECHARGE", 44), ("ACTIVATE", 56), *reads(68)
    ]  # fmt: skip
    run = two_masters("bliss", compiled=compiled)
    assert schedule_of(run) == [
        ("ACTIVATE", 0), *reads(12, 16, 20, 24), ("PRECHARGE", 28), ("ACTIVATE", 40), *reads(52),
        ("PRECHARGE", 68), ("ACTIVATE", 80), *reads(92, 96, 100, 104),
    ]  # fmt: skip
    assert listings(run) == 1


def test_all_are_forgiven_after_an_interval() -> None:
    """The row is opened in cycle 2. In cycle 28, the 26th from there, master 1 is forgiven: its reads 28 and 32 still
    go first, and the second of them blacklists it again."""
    run = two_masters("bliss", clearing_interval=28)
    assert run.log[0]["cycle"] == 2
    assert schedule_of(run)[:8] == [("ACTIVATE", 0), *reads(12, 16, 20, 24, 28, 32), ("PRECHARGE", 36)]
    assert listings(run) >= 2


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(("lpddr4-2400-b32", "lpddr3-1600")), st.sampled_from(("PER_BANK", "PER_RANK")),
    st.sampled_from(("OPEN_PAGE", "CLOSE_PAGE")), st.booleans(), st.integers(0, 1 << 30), st.sampled_from((0, 3, 40)),
)  # fmt: skip
def test_everything_is_done_and_ticking_gives_the_same(
    memory: str, queues: str, page: str, unified: bool, seed: int, spacing: float
) -> None:
    spec = variant(memory, scheduling="bliss", queue_structure=queues, row_buf_policy=page, unified_queue=unified)
    some = stream(seed, 400, 4096, 0.4, spacing)
    masters = np.random.default_rng(seed).integers(0, 3, 400)
    requests = Stream(some.address, some.write, some.arrival, master=masters)
    kind = find_policy("bliss").parameters
    assert kind is not None
    options: Any = {"log_commands": 5000, "parameters": kind(threshold=2, clearing_interval=100)}
    run = simulate(spec, requests, **options)
    assert (run.done > run.accepted).all()
    check(spec, run.log)
    assert as_read_by_ticks(simulate(spec, requests, every=True, **options)) == as_read_by_ticks(run)


def test_a_choice_among_policies_compiles_nothing() -> None:
    part = load_part("memory.dram.standalone")
    two_masters("bliss")
    for name in policy_names():
        two_masters(name)
    assert part.run.variants == 1


def test_parameters_registers_and_statistics_of_a_gpu() -> None:
    assert policy_names() == [*BUILT_IN, "bliss"]
    c = load_configuration("ptr-2022", ["dram.scheduling=bliss"])
    parameters: Any = policy_parameters(c, "bliss")
    assert (parameters.threshold, parameters.clearing_interval) == (4, 10_000)
    chip = build(c)
    assert chip.gpu.dram.channel[0].policy.bliss.interval == 10_000
    assert "[bliss]\nthreshold = 4  # requests, 1 to " in configuration_toml(c)
    narrow = load_configuration("ptr-2022", ["dram.scheduling=bliss", "bliss.threshold=7"])
    assert build(narrow).gpu.dram.channel[0].policy.bliss.threshold == 7
    with pytest.raises(ConfigurationError, match="bliss.threshold: Input should be greater than or equal to 1, not 0"):
        load_configuration("ptr-2022", ["dram.scheduling=bliss", "bliss.threshold=0"])
    chip.gpu.dram.channel[1].policy.bliss.listings = 3
    assert snapshot(chip)["memory.dram.bliss.listings"] == 3
    assert "memory.dram.bliss.listings" not in {stat.name for stat in statistics(load_configuration("ptr-2022"))}


def test_a_policy_that_is_not_there_is_told_in_a_line() -> None:
    message = "scheduling: there is no policy fairest; there are dash, fcfs, fr_fcfs, priority, bliss"
    with pytest.raises(ConfigurationError, match=message):
        load_configuration("ptr-2022", ["dram.scheduling=fairest"])
    with pytest.raises(ValueError, match=message):
        variant(scheduling="fairest")


def test_the_page_shows_the_file() -> None:
    """Each piece of docs/dram.md, "A policy in one file", is a piece of it."""
    text = (Path(__file__).parents[2] / "docs" / "dram.md").read_text("utf-8")
    pieces = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert pieces
    for piece in pieces:
        assert piece in (PLUGINS / "bliss.py").read_text("utf-8")
