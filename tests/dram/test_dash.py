"""DASH and TCM by hand: levels, the probability, clusters, turns; and what memories move at most."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilegpu.timing.config import ConfigurationError, load_configuration
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.memory.dram.policies import dash
from tilegpu.timing.memory.dram.policies.dash import ranks as levels
from tilegpu.timing.memory.dram.policies.dash.clusters import cluster, shuffle
from tilegpu.timing.memory.dram.policies.dash.registers import QUANTUM, SCHEDULING, SHUFFLING, SWITCHING, Ranking
from tilegpu.timing.memory.masters import DISPLAY, GPU

ONE, TWO, THREE, FOUR = range(1, 5)
"""Masters: the CPU cores."""


def memory(*overrides: str, cores: int = 4) -> Any:
    """Main memory with DASH, of a GPU of 1 GHz, whose CPU runs at 2 GHz."""
    registers: Any = plain(np.zeros(1, Ranking.dtype).view(np.recarray)[0])
    dram = SimpleNamespace(policy=SimpleNamespace(dash=registers), classes=0)
    dash.set_up(dram, load_configuration("ptr-2022", ["clocks.gpu_mhz=1000", *overrides]))
    dash.share(dram, cores)
    return dram


def scheduler(*overrides: str, cores: int = 4) -> Any:
    """Registers of DASH in such a memory."""
    return memory(*overrides, cores=cores).policy.dash


def ranks(made: Any) -> dict[int, int]:
    levels.rank(made)
    return {m: made.master[m].urgency for m in (GPU, ONE, TWO, THREE, FOUR, DISPLAY)}


def test_table_3_in_gpu_cycles() -> None:
    """A CPU cycle is half a GPU cycle."""
    dram = memory()
    timer = dram.policy.dash.timer
    assert [timer[which].due for which in (SCHEDULING, SWITCHING, SHUFFLING, QUANTUM)] == [500, 250, 400, 500_000]
    assert dash.next_update(dram) == 250
    assert not dash.update(dram, 249)
    dash.update(dram, 250)
    assert dash.next_update(dram) == 400
    # A class for each of four cores, for the GPU and for the display.
    assert dram.classes == 6


@pytest.mark.parametrize("prefers", (0, 1))
def test_levels(prefers: int) -> None:
    """An urgent IP, light threads, then another IP before intensive threads, or after them."""
    made = scheduler()
    made.prefers_threads = prefers
    made.master[DISPLAY].urgent = 1
    made.master[TWO].turn = 1
    for core, turn in ((THREE, 2), (FOUR, 3)):
        made.master[core].intensive, made.master[core].turn = 1, turn
    found = ranks(made)
    order = sorted(found, key=lambda m: found[m])
    assert order == [DISPLAY, ONE, TWO, *((THREE, FOUR, GPU) if prefers else (GPU, THREE, FOUR))]
    assert sorted(found.values()) == list(range(6))


def test_two_ips_of_a_level_are_alike() -> None:
    found = ranks(scheduler(cores=0))
    assert found[GPU] == found[DISPLAY] == 0


@pytest.mark.parametrize(
    ("rule", "elapsed", "done", "urgent"),
    [
        # Half of the time: half of the work is due.
        ("time", 500, 500, 0), ("time", 500, 499, 1), ("time", 500, 900, 0),
        # From 80 % of the time on it is urgent whatever it has done.
        ("time", 799, 900, 0), ("time", 800, 999, 1),
        # 80 % of what is expected is enough.
        ("share", 500, 401, 0), ("share", 500, 399, 1), ("share", 900, 721, 0), ("share", 900, 719, 1),
    ],
)  # fmt: skip
def test_urgency_of_an_ip(rule: str, elapsed: int, done: int, urgent: int) -> None:
    dram = memory(f"dash.emergent={rule}", "dash.display_period_us=1")
    made = dram.policy.dash
    dash.begin_work(dram, DISPLAY, 1000, t=70)
    dash.served(dram, DISPLAY, done)
    levels.judge(made, 70 + elapsed)
    assert (made.master[DISPLAY].urgent, made.master[GPU].urgent) == (urgent, 0)
    dash.end_work(dram, DISPLAY)
    levels.judge(made, 70 + elapsed)
    assert made.master[DISPLAY].urgent == 0


def test_deadlines_are_parameters() -> None:
    """16,667 and 33,000 microseconds of a GPU of 1 GHz."""
    made = scheduler()
    assert (made.master[DISPLAY].period_cycles, made.master[GPU].period_cycles) == (16_667_000, 33_000_000)


def test_the_gpu_has_a_threshold_of_its_own() -> None:
    dram = memory("dash.emergent=time", "dash.display_period_us=1", "dash.gpu_period_us=1")
    made = dram.policy.dash
    for ip in (GPU, DISPLAY):
        dash.begin_work(dram, ip, 0, t=0)
    levels.judge(made, 850)
    assert (made.master[GPU].urgent, made.master[DISPLAY].urgent) == (0, 1)
    levels.judge(made, 900)
    assert made.master[GPU].urgent == 1


def test_the_probability_balances_what_is_served() -> None:
    made = scheduler("dash.probability=500", "dash.probability_step=10")
    made.master[ONE].intensive = 1
    for _ in range(3):
        levels.serve(made, GPU, 64)
    levels.serve(made, ONE, 64)
    levels.serve(made, TWO, 64)
    assert (made.served_ips, made.served_threads) == (3, 1)
    levels.switch(made)
    assert (made.probability, made.served_ips, made.served_threads) == (510, 0, 0)
    levels.switch(made)
    assert made.probability == 510
    levels.serve(made, ONE, 64)
    levels.switch(made)
    assert made.probability == 500
    # What urgent IPs get does not count.
    made.master[GPU].urgent = 1
    levels.serve(made, GPU, 64)
    levels.switch(made)
    assert made.probability == 500


@pytest.mark.parametrize("probability", (0, 250, 1000))
def test_threads_are_preferred_as_often_as_the_probability_says(probability: int) -> None:
    made = scheduler(f"dash.probability={probability}")
    chosen = 0
    for _ in range(2000):
        levels.switch(made)
        chosen += made.prefers_threads
    assert abs(chosen / 2000 - probability / 1000) < 0.03


@pytest.mark.parametrize(("bandwidth", "intensive"), [("cpu", [0, 1, 1, 1]), ("system", [0, 0, 0, 1])])
def test_clusters(bandwidth: str, intensive: list[int]) -> None:
    """Of 10,000 bytes of the CPU 15 % are 1500: threads one and two have 1600 together. Of all 40,000 bytes 15 % are
    6000: the first three have 4600."""
    made = scheduler(f"dash.clustering_bandwidth={bandwidth}")
    for core, size in ((FOUR, 5400), (THREE, 3000), (TWO, 600), (ONE, 1000)):
        thread = made.master[core]
        thread.bytes, thread.requests, thread.retired_cycles = size, size // 10, 1000
    made.master[GPU].bytes = 30_000
    cluster(made)
    # Fewest misses first: two, one, three, four.
    assert [made.master[m].turn for m in (TWO, ONE, THREE, FOUR)] == [0, 1, 2, 3]
    assert [made.master[m].intensive for m in (TWO, ONE, THREE, FOUR)] == intensive
    assert made.master[GPU].bytes == made.master[ONE].requests == made.master[ONE].retired_cycles == 0


def test_misses_count_by_what_a_thread_computes() -> None:
    """Half the misses in a tenth of the cycles are more."""
    made = scheduler(cores=2)
    for core, requests, cycles in ((ONE, 50, 1000), (TWO, 100, 10_000)):
        made.master[core].requests, made.master[core].retired_cycles = requests, cycles
    cluster(made)
    assert (made.master[TWO].turn, made.master[ONE].turn) == (0, 1)


def test_intensive_threads_take_turns() -> None:
    made = scheduler()
    for turn, core in enumerate((ONE, TWO, THREE, FOUR)):
        made.master[core].turn, made.master[core].intensive = turn, turn > 0
    orders = []
    for _ in range(3):
        shuffle(made)
        orders.append([made.master[m].turn for m in (ONE, TWO, THREE, FOUR)])
    assert orders == [[0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 2, 3]]


DISPLAY_BYTES_PER_SECOND = 1024 * 768 * 4 * 60


@pytest.mark.parametrize(
    ("memory", "mhz", "bandwidth", "share"),
    [
        ("lpddr3-1333-2x32", Fraction(1333, 2), 10.664e9, 0.0177),
        ("lpddr3-133-2x32", Fraction(133, 2), 1.064e9, 0.1774),
        ("lpddr3-1600-4x32", Fraction(800), 25.6e9, 0.0074),
    ],
)
def test_what_the_display_takes_of_a_memory(memory: str, mhz: Fraction, bandwidth: float, share: float) -> None:
    assert DISPLAY_BYTES_PER_SECOND == 188_743_680
    c = load_configuration(
        "ptr-2022", [f"dram={memory}", f"memory_mhz={mhz.numerator}", f"memory_divisor={mhz.denominator}"]
    )
    per_second = c.dram.peak_bytes_per_memory_cycle * c.clocks.memory * 1_000_000
    assert per_second == bandwidth
    assert DISPLAY_BYTES_PER_SECOND / per_second == pytest.approx(share, abs=5e-5)
    assert c.dram.specification is not None
    assert c.dram.specification.timing.tCK == pytest.approx(float(1000 / mhz), abs=1e-4)


def fields_of(channel: Any, address: int) -> tuple[int, ...]:
    from tilegpu.timing.memory.dram.address import place

    return tuple(place(channel, address, which) for which in range(6))


@pytest.mark.parametrize("mapping", ("rorababgcoch", "rocorababgch"))
@pytest.mark.parametrize("stripe", (32, 128))
def test_stripes_stay_in_a_row_and_every_place_has_one_address(mapping: str, stripe: int) -> None:
    from tilegpu.timing.memory.dram.build import set_up
    from tilegpu.timing.memory.dram.state import channel_type

    c = load_configuration(
        "ptr-2022", ["dram=lpddr3-1333-2x32", f"dram.address_mapping={mapping}", f"dram.stripe_bytes={stripe}"]
    )
    channel: Any = np.zeros(1, channel_type()).view(np.recarray)[0]
    spec = c.dram.specification
    assert spec is not None
    set_up(channel, spec)
    # Two rows of all banks of both channels, a burst of 32 bytes each.
    found = [fields_of(channel, address) for address in range(0, 2 * 2 * 8 * 4096, 32)]
    assert len(set(found)) == len(found)
    columns, banks, channels = 128, 8, 2
    assert {(f[0], f[3], f[5]) for f in found} == set(product(range(channels), range(banks), range(columns)))
    for first in range(0, len(found), stripe // 32):
        piece = found[first : first + stripe // 32]
        assert {f[:5] for f in piece} == {piece[0][:5]}
        assert [f[5] for f in piece] == list(range(piece[0][5], piece[0][5] + len(piece)))
    # The next stripe is another channel's; the one after it the row's next, or another bank's.
    following, after = found[stripe // 32], found[2 * stripe // 32]
    assert (found[0][0], following[0], after[0]) == (0, 1, 0)
    assert (after[3] == 0) == (mapping == "rorababgcoch")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["dram.cpu_channels=2"], "cpu_channels must leave one of the 2 channels"),
        (["dram=simple", "dram.cpu_channels=1"], "cpu_channels must leave"),
        (["dram.stripe_bytes=96"], "stripe_bytes must be 0, or a power of two"),
        (["dram.stripe_bytes=16"], "stripe_bytes must be"),
        (["dram.address_mapping=rorabaco"], "must name each of"),
        (["dram=lpddr3-1600-4x32", "dram.cpu_channels=1"], "channels must be a power of two, not 3"),
        (["dram.cpu_channels=1", "dram.ip_address_mapping=ro"], "must name each of"),
    ],
)
def test_what_makes_no_memory_is_told(overrides: list[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load_configuration("ptr-2022", overrides)


def test_channels_of_each_kind() -> None:
    c = load_configuration("ptr-2022", ["dram=lpddr3-1600-4x32", "dram.cpu_channels=2"])
    groups = c.dram.channel_groups
    assert {name: (first, spec.system.channels) for name, (first, spec) in groups.items()} == {
        "gpu": (2, 2), "cpu": (0, 2), "display": (2, 2)
    }  # fmt: skip
    assert groups["cpu"][1].system.address_mapping == "rorababgcoch"
    assert groups["gpu"][1].system.address_mapping == "rocorababgch"
    assert (
        load_specification("lpddr3-1600-4x32")
        == load_configuration("ptr-2022", ["dram=lpddr3-1600-4x32"]).dram.specification
    )
