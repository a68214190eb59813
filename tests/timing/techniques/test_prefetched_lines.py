"""What prefetchers do to a cache: which lines they bring, when, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import ConfigurationError, load_configuration
from tilegpu.timing.declare.records import NEVER
from tilegpu.timing.engine import calendar
from tilegpu.timing.memory.misses import UNASKED
from tilegpu.timing.memory.request import PREFETCH, READ, TEXTURE, asked_by, has_reply, replies_due, send, take_reply

TECHNIQUE = "techniques=prefetching"
OWN = "technique.prefetching."
PREFETCHERS = ("stride", "ghb", "mta")
NOBODY = 62
"""Number of a unit that does nothing when it is ticked."""


class Bench:
    """The memory side of a machine, with the test in the place of a texture unit."""

    def __init__(self, *overrides: str) -> None:
        configuration = load_configuration("ptr-2022", ["dram=simple", TECHNIQUE, *overrides])
        self.gpu: Any = build(configuration).plain().gpu
        self.clock = load_part("engine.clock", compiled=False, techniques=("prefetching",))
        self.port = self.gpu.port[self.gpu.texture_unit[0].port]
        self.port.client = NOBODY
        self.gpu.unit[NOBODY].kind = -1
        self.own = self.gpu.prefetcher[0]
        self.cache = self.gpu.cache[self.own.cache]
        self.t = 0

    def tick(self) -> None:
        """Let the memory do this cycle."""
        calendar.open_page(self.gpu, self.t)
        self.clock.tick_called(self.gpu, None, 0, self.t)

    def send(self, line: int, instruction: int = 0, warp: int = 0, kind: int = READ) -> None:
        tag = asked_by(instruction, warp)
        sent = send(self.gpu, self.port, self.t, line * 64, 64, kind, TEXTURE, -1)
        sent.tag, sent.slot = tag, 0

    def wait(self, cycles: int) -> None:
        """Let some cycles pass."""
        for _ in range(cycles):
            self.t += 1
            self.tick()

    def settle(self) -> None:
        """Run until nothing happens any more."""
        while (wake := calendar.next_call(self.gpu, self.t)) < NEVER:
            self.t = wake
            self.tick()

    def ask(self, *lines: int, instruction: int = 0, warp: int = 0) -> None:
        """Ask for lines, one after the other."""
        for line in lines:
            self.send(line, instruction, warp)
            self.settle()
            self.replies()

    def replies(self) -> int:
        """Answers that have come by now."""
        found = 0
        while has_reply(self.port, self.t):
            take_reply(self.gpu, self.port, replies_due(self.port, self.t))
            found += 1
        return found

    def holds(self, *lines: int) -> list[bool]:
        """Which lines are in the cache."""
        first, count = self.cache.first_line, (self.cache.set_mask + 1) * self.cache.ways
        return [line in self.gpu.line.tag[first : first + count] for line in lines]

    @property
    def still_there(self) -> int:
        """Prefetched lines that nobody has asked for yet, on their way or here."""
        first, count = self.cache.first_line, (self.cache.set_mask + 1) * self.cache.ways
        return self.under_way + int(sum(self.gpu.line.unasked[first : first + count]))

    @property
    def under_way(self) -> int:
        """Prefetched lines on their way that nobody has asked for."""
        busy = int(self.cache.mshrs_busy)
        return sum(busy >> m & 1 and mshr.ahead == UNASKED for m, mshr in enumerate(self.cache.mshr))


def test_lines_come_into_the_cache_ahead() -> None:
    bench = Bench(f"{OWN}prefetcher=ghb")
    bench.ask(1, 2, 4, 5)
    assert bench.holds(7, 8, 10, 11) == [True, True, False, False]
    assert (bench.own.issued, bench.own.misses, bench.own.useful) == (2, 4, 0)
    # The first hit of 7 goes on: 8 is here, 10 is fetched.
    bench.ask(7)
    assert bench.holds(10, 11) == [True, False]
    assert (bench.own.useful, bench.own.dropped_here, bench.own.issued) == (1, 1, 3)
    # Its second one does not count.
    bench.ask(7)
    assert (bench.own.useful, bench.own.taught, bench.own.misses) == (1, 5, 4)
    bench.ask(8, 10)
    assert bench.holds(11, 13) == [True, True]
    assert (bench.own.useful, bench.own.misses, bench.cache.read_misses) == (3, 4, 4)
    assert bench.own.issued == bench.own.useful + bench.still_there == 3 + 2


@pytest.mark.parametrize(("training", "issued"), [("first_uses", 3), ("misses", 2), ("accesses", 3)])
def test_what_teaches(training: str, issued: int) -> None:
    bench = Bench(f"{OWN}prefetcher=ghb", f"{OWN}training={training}")
    bench.ask(1, 2, 4, 5, 7)
    assert bench.own.issued == issued


def test_a_line_asked_for_on_its_way_is_late() -> None:
    bench = Bench(f"{OWN}prefetcher=stride")
    bench.ask(0, 1)
    bench.send(2)
    bench.wait(10)
    # 3 and 4 were asked for two and three cycles after 2 was looked up.
    bench.send(3)
    bench.settle()
    assert bench.replies() == 2
    assert (bench.own.issued, bench.own.late, bench.own.useful) == (3, 1, 0)
    assert (bench.cache.read_misses, bench.cache.merges, bench.own.misses) == (3, 1, 3)
    bench.ask(4)
    assert (bench.own.useful, bench.own.late) == (1, 1)


def test_a_line_is_looked_up_a_cycle_after_what_teaches() -> None:
    bench = Bench(f"{OWN}prefetcher=stride", f"{OWN}latency_cycles=3")
    bench.ask(0, 1)
    bench.send(2)
    bench.tick()
    counts = []
    for _ in range(6):
        counts.append(bench.own.issued)
        bench.wait(1)
    # Looked up in the cycle in which it is sent, and 3 and 4 after it.
    assert counts == [0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize(("lookup", "counts"), [("free_bank", [0, 0, 0, 1]), ("own_port", [1, 2, 2, 2])])
def test_accesses_go_first(lookup: str, counts: list[int]) -> None:
    bench = Bench(f"{OWN}prefetcher=stride", f"{OWN}lookup={lookup}", "texture_cache.banks=1")
    bench.ask(0, 1)
    # Four accesses, one per cycle.
    bench.send(2)
    for _ in range(3):
        bench.send(0)
    bench.tick()
    found = []
    for _ in range(4):
        bench.wait(1)
        found.append(bench.own.issued)
    assert found == counts


def test_nothing_waits_for_an_mshr() -> None:
    bench = Bench(f"{OWN}prefetcher=stride", "texture_cache.mshrs=2")
    bench.ask(0, 1, 2)
    # One MSHR is left beside that of 2.
    assert (bench.own.issued, bench.own.dropped_mshrs) == (1, 1)
    assert bench.holds(3, 4) == [True, False]
    spare = Bench(f"{OWN}prefetcher=stride", "texture_cache.mshrs=2", f"{OWN}spare_mshrs=1")
    spare.ask(0, 1, 2)
    assert (spare.own.issued, spare.own.dropped_mshrs) == (0, 2)
    # With MSHRs of its own, as many as its queue has lines, both are asked for, whatever the accesses take.
    apart = Bench(f"{OWN}prefetcher=stride", "texture_cache.mshrs=2", f"{OWN}mshrs=prefetchers")
    apart.ask(0, 1, 2)
    assert (apart.own.issued, apart.own.dropped_mshrs) == (2, 0)
    assert apart.cache.mshrs == 2 + 16
    one = Bench(f"{OWN}prefetcher=stride", "texture_cache.mshrs=2", f"{OWN}mshrs=prefetchers", f"{OWN}queue=1")
    one.ask(0, 1, 2)
    assert (one.own.issued, one.own.dropped_queue) == (1, 1)


def test_what_the_queue_does_not_hold_is_dropped() -> None:
    bench = Bench(f"{OWN}prefetcher=stride", f"{OWN}queue=1", f"{OWN}stride_degree=4")
    bench.ask(0, 1, 2)
    assert (bench.own.predicted, bench.own.issued, bench.own.dropped_queue) == (4, 1, 3)


def test_a_line_that_gives_way_unused_is_useless() -> None:
    # Two lines that both lie in the one set of the cache.
    bench = Bench(f"{OWN}prefetcher=stride", "texture_cache.size_bytes=128", "texture_cache.ways=2")
    bench.ask(0, 1, 2)
    assert (bench.own.issued, bench.own.useless) == (2, 0)
    bench.ask(100, instruction=9)
    assert (bench.own.useless, bench.still_there) == (1, 1)
    bench.ask(4)
    assert bench.own.useful + bench.own.misses == 5


def test_a_prefetch_of_the_program_teaches_nothing() -> None:
    bench = Bench(f"{OWN}prefetcher=stride")
    for line in (0, 1, 2):
        bench.send(line, kind=PREFETCH)
        bench.settle()
    assert (bench.own.taught, bench.own.issued) == (0, 0)


def test_many_threads_know_instructions_and_warps() -> None:
    bench = Bench(f"{OWN}prefetcher=mta")
    for warp, first in enumerate((0, 1000, 5000)):
        bench.ask(*(first + 10 * i for i in range(3)), instruction=7, warp=warp)
    assert bench.own.promotions == 1
    bench.ask(90000, instruction=7, warp=20)
    # The first degree is three lines.
    assert bench.holds(90010, 90020, 90030, 90040) == [True, True, True, False]


def test_the_degree_follows_the_periods() -> None:
    bench = Bench(f"{OWN}prefetcher=mta", f"{OWN}period_cycles=1000", f"{OWN}first_degree=1")
    bench.ask(0, 1, 2, instruction=7)
    # No early eviction and no merge: nothing more is prefetched.
    bench.t = 1000
    bench.ask(3, 4, instruction=7)
    assert (bench.own.degree, bench.own.periods, bench.own.stops) == (0, 1, 1)
    assert bench.own.issued == 1
    # Accesses that join misses: half of them in the period at work, a quarter on average.
    for line in (500, 501, 502, 503):
        bench.send(line, instruction=8)
        bench.send(line, instruction=8)
        bench.settle()
    bench.t = 2000
    bench.ask(5, instruction=7)
    assert bench.own.degree == 1


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2), st.integers(0, 3), st.integers(0, 40)), max_size=60),
    st.sampled_from(PREFETCHERS),
    st.sampled_from([(64, 1), (128, 2), (512, 2), (2048, 2)]),
    st.sampled_from([1, 2, 4]),
)
def test_prefetched_lines_add_up(stream: list[Any], prefetcher: str, shape: tuple[int, int], mshrs: int) -> None:
    size, ways = shape
    bench = Bench(
        f"{OWN}prefetcher={prefetcher}", f"{OWN}period_cycles=200", f"texture_cache.size_bytes={size}",
        f"texture_cache.ways={ways}", f"texture_cache.mshrs={mshrs}",
    )  # fmt: skip
    answers = 0
    for line, instruction, warp, gap in stream:
        bench.send(line, instruction, warp)
        bench.wait(gap)
        answers += bench.replies()
        own = bench.own
        assert own.issued == own.useful + own.late + own.useless + bench.still_there
    bench.settle()
    assert answers + bench.replies() == len(stream)
    own, cache = bench.own, bench.cache
    assert own.issued == own.useful + own.late + own.useless + bench.still_there
    assert own.lookups == own.issued + own.dropped_here + own.dropped_under_way + own.dropped_mshrs
    assert own.predicted == own.lookups + own.dropped_queue
    assert cache.read_misses == own.misses
    assert cache.fills == own.misses + own.issued
    assert cache.accesses == cache.read_hits + cache.read_misses + cache.merges == len(stream)
    assert cache.mshrs_used == cache.mshrs_ahead == bench.under_way == 0


def test_every_access_to_a_perfect_cache_hits() -> None:
    bench = Bench(f"{OWN}prefetcher=perfect")
    began = bench.t
    bench.send(5)
    bench.settle()
    assert bench.replies() == 1
    # A cycle on the way, and the latency.
    assert bench.t - began == 1 + bench.cache.latency
    bench.ask(6, 7, 5000)
    assert (bench.cache.read_hits, bench.cache.read_misses, bench.gpu.dram.reads) == (4, 0, 0)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("caches=pixel", "has no color cache"),
        ("first_degree=6", "first_degree must be at most"),
        ("low_early_evictions=30", "must not be above"),
    ],
)
def test_what_does_not_fit_is_refused(setting: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        build(load_configuration("ptr-2022", [TECHNIQUE, OWN + setting]))
