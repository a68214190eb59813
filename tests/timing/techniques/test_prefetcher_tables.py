"""Tables of the prefetchers by themselves: streams worked out by hand, plain models on random streams, the throttle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prefetch_models import DistanceModel, ManyThreadModel, StrideModel

from tilegpu.timing.engine.plain import plain
from tilegpu.timing.techniques.prefetching import throttle
from tilegpu.timing.techniques.prefetching.predictors import FOLDER
from tilegpu.timing.techniques.prefetching.state import WALKS, Prefetcher


class Predictor:
    """The tables of a prefetcher by themselves."""

    def __init__(self, kind: str, **sizes: Any) -> None:
        self.own: Any = plain(np.zeros(1, Prefetcher.dtype))[0]
        self.kind = kind
        usual = {
            "degree": 2, "entries": 48, "index_entries": 16, "history_entries": 100, "warp_entries": 16,
            "global_entries": 16, "thread_entries": 16, "promotion_warps": 3,
        }  # fmt: skip
        for name, value in (usual | sizes).items():
            setattr(self.own, name, value)

    def access(self, instruction: int, warp: int, line: int) -> list[int]:
        """Lines predicted."""
        self.own.predictions = 0
        FOLDER.find(self.kind).train(self.own, instruction, warp, line)
        return list(self.own.prediction[: self.own.predictions])


def test_a_stride_that_came_twice_is_followed() -> None:
    one = Predictor("stride")
    # Lines of 64 bytes: addresses 0, 64, 128 let 192 and 256 be fetched.
    assert [one.access(7, 0, address // 64) for address in (0, 64, 128)] == [[], [], [192 // 64, 256 // 64]]
    # Another instruction between them does not disturb; the same line says nothing.
    assert one.access(8, 0, 1000) == []
    assert one.access(7, 0, 2) == []
    assert one.access(7, 0, 3) == [4, 5]


def test_states_of_a_stride() -> None:
    one = Predictor("stride")
    assert [one.access(7, 0, line) for line in (0, 1, 2)][-1] == [3, 4]
    # A steady stride outlives one exception: initial, steady again.
    assert [one.access(7, 0, line) for line in (9, 10)] == [[], [11, 12]]
    # 12 is no 11: initial; 15, 19: two other strides, no prediction; 23: the last one again, transient; 27: steady.
    assert [one.access(7, 0, line) for line in (12, 15, 19, 23, 27)] == [[], [], [], [], [31, 35]]
    # Backwards, and no further than the first line.
    assert [one.access(8, 0, line) for line in (9, 6, 3)] == [[], [], [0]]


def test_the_instruction_used_longest_ago_gives_way() -> None:
    one = Predictor("stride", entries=2)
    for instruction, line in ((1, 0), (2, 0), (1, 1), (3, 0)):
        one.access(instruction, 0, line)
    # 2 is forgotten, 1 is not.
    assert one.access(1, 0, 2) == [3, 4]
    assert [one.access(2, 0, line) for line in (1, 2)] == [[], []]


def test_distances_repeat_what_followed_them() -> None:
    one = Predictor("ghb")
    # Distances 1, 2, 1, 2, 1, 2: after the last 2 came 1, then 2.
    found = [one.access(0, 0, line) for line in (1, 2, 4, 5, 7, 8, 10)]
    assert found == [[], [], [], [7, 8], [8, 10], [10, 11], [11, 13]]
    assert one.access(0, 0, 10) == []


def test_distances_in_width_and_depth() -> None:
    # Distance 5 came twice, followed by 1, then by 3.
    lines = (0, 5, 6, 11, 14, 19)
    depth, width = (Predictor("ghb", walk=WALKS.index(walk)) for walk in WALKS)
    assert [depth.access(0, 0, line) for line in lines][-1] == [22, 27]
    assert [width.access(0, 0, line) for line in lines][-1] == [22, 20]


def test_history_and_index_forget() -> None:
    # A steady distance: nothing but itself follows it.
    assert [Predictor("ghb").access(0, 0, 3)] == [[]]
    short = Predictor("ghb", history_entries=3)
    # 0, 5, 6, 11: the line of the earlier 5 has just left.
    assert [short.access(0, 0, line) for line in (0, 5, 6, 11)][-1] == [12, 17]
    assert [short.access(0, 0, line) for line in (100, 105)][-1] == [194, 199]
    assert [short.access(0, 0, line) for line in (200, 300, 305)][-1] == []
    # With one distance in the index, two in turn push each other out.
    narrow = Predictor("ghb", index_entries=1)
    assert [narrow.access(0, 0, line) for line in (1, 2, 4, 5, 7, 8, 10)] == [[]] * 7


def test_strides_of_three_warps_hold_for_all() -> None:
    one = Predictor("mta")
    # Each warp has a stride of 10 lines; from warp to warp there is none.
    for warp, first in enumerate((0, 1000, 5000)):
        assert [one.access(7, warp, first + 10 * i) for i in range(3)] == [[], [], [first + 30, first + 40]]
    assert one.own.promotions == 1
    # A warp that was never seen, at once.
    assert one.access(7, 9, 90000) == [90010, 90020]
    assert one.own.global_hits == 1
    # For another instruction nothing is known.
    assert one.access(8, 9, 90000) == []


def test_two_warps_are_not_enough() -> None:
    one = Predictor("mta")
    for warp, first in enumerate((0, 1000)):
        for i in range(3):
            one.access(7, warp, first + 10 * i)
    assert one.own.promotions == 0
    assert one.access(7, 9, 90000) == []


def test_strides_from_warp_to_warp() -> None:
    one = Predictor("mta")
    assert [one.access(7, warp, 100 + 4 * warp) for warp in (0, 1, 2)] == [[], [], [112, 116]]
    # Two warps further, two strides.
    assert one.access(7, 4, 116) == [120, 124]
    assert one.own.thread_hits == 2
    # Other lines, until two strides agree again.
    assert [one.access(7, warp, line) for warp, line in ((5, 300), (6, 309), (7, 318))] == [[], [], [327, 336]]


def test_of_both_strides_that_within_a_warp_goes_first() -> None:
    one = Predictor("mta")
    for first in (0, 10, 20):
        for warp in range(3):
            one.access(7, warp, 1000 * warp + first)
    # From warp to warp 1000; within each 10, once the GS table has it.
    assert one.own.promotions == 0
    other = Predictor("mta")
    for warp, first in enumerate((0, 1000, 5000)):
        for i in range(3):
            other.access(7, warp, first + 10 * i)
    for warp in (3, 4, 5):
        found = other.access(7, warp, 10000 + 100 * warp)
    assert found == [10510, 10520]


STREAMS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.one_of(st.integers(0, 6), st.integers(0, 40))),
    max_size=120,
)
"""Of instruction, warp and line."""


def strided(stream: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The stream, after one of the same instructions and warps whose lines go on by small steps."""
    at: dict[tuple[int, int], int] = {}
    found = []
    for instruction, warp, step in stream:
        key = (instruction % 2, warp)
        at[key] = at.get(key, 50 * warp) + 1 + step // 13
        found.append((*key, at[key]))
    return found + stream


@settings(max_examples=300, deadline=None)
@given(STREAMS, st.sampled_from([1, 2, 5]), st.integers(0, 5))
def test_strides_are_those_of_the_model(stream: list[Any], entries: int, degree: int) -> None:
    one, model = Predictor("stride", entries=entries, degree=degree), StrideModel(entries, degree)
    for access in strided(stream):
        assert one.access(*access) == model.access(*access)


@settings(max_examples=300, deadline=None)
@given(STREAMS, st.sampled_from([2, 3, 10]), st.sampled_from([1, 3, 16]), st.integers(1, 5), st.sampled_from(WALKS))
def test_distances_are_those_of_the_model(stream: list[Any], history: int, index: int, degree: int, walk: str) -> None:
    sizes = {"history_entries": history, "index_entries": index, "degree": degree, "walk": WALKS.index(walk)}
    one, model = Predictor("ghb", **sizes), DistanceModel(history, index, degree, walk)
    for access in strided(stream):
        assert one.access(*access) == model.access(*access)


@settings(max_examples=300, deadline=None)
@given(STREAMS, st.tuples(*[st.sampled_from([1, 2, 4, 16])] * 3), st.integers(1, 3), st.integers(0, 5))
def test_many_threads_are_those_of_the_model(
    stream: list[Any], sizes: tuple[int, int, int], promotion: int, degree: int
) -> None:
    tables = dict(zip(("warp_entries", "global_entries", "thread_entries"), sizes, strict=True))
    one = Predictor("mta", promotion_warps=promotion, degree=degree, **tables)
    model = ManyThreadModel(sizes, promotion, degree)
    for access in strided(stream):
        assert one.access(*access) == model.access(*access)


def throttled(**figures: int) -> Any:
    """Registers of a throttle of which some are set."""
    own: Any = plain(np.zeros(1, Prefetcher.dtype))[0]
    usual = {
        "throttles": 1, "period": 1000, "period_end": 1000, "degree": 3, "most_degree": 5,
        "low_early": 10, "high_early": 20, "high_merges": 150, "period_requests": 1000,
        "period_lookups": 1, "first_degree": 2,
    }  # fmt: skip
    for name, value in (usual | figures).items():
        setattr(own, name, value)
    return own


@pytest.mark.parametrize(
    ("early", "useful", "merges", "degree"),
    [
        (21, 1000, 900, 0),  # many early evictions, whatever the merges
        (20, 1000, 900, 2),
        (10, 1000, 0, 2),
        (9, 1000, 302, 4),  # few; merges are 151 per mille on average with the period before
        (9, 1000, 301, 0),
        (0, 0, 302, 4),
        (1, 0, 900, 0),
    ],
)
def test_the_degree_after_a_period(early: int, useful: int, merges: int, degree: int) -> None:
    own = throttled(period_early=early, period_useful=useful, period_merges=merges)
    throttle.advance(own, 999)
    assert own.degree == 3
    throttle.advance(own, 1000)
    assert (own.degree, own.period_end) == (degree, 2000)
    assert (own.period_early, own.period_useful, own.period_merges, own.period_requests) == (0, 0, 0, 0)
    # Nothing was asked for since.
    throttle.advance(own, 7500)
    assert (own.degree, own.period_end, own.periods) == (degree, 8000, 1)


def test_a_period_without_predictions_says_nothing() -> None:
    own = throttled(period_lookups=0)
    throttle.advance(own, 1000)
    assert (own.degree, own.periods) == (3, 0)


@pytest.mark.parametrize(("restart", "degrees"), [(0, [0, 0, 0, 0]), (1, [2, 0, 2, 0]), (2, [0, 2, 0, 0])])
def test_prefetching_begins_again(restart: int, degrees: list[int]) -> None:
    own = throttled(restart_periods=restart)
    found = []
    for t in range(1000, 6000, 1000):
        throttle.advance(own, t)
        found.append(own.degree)
        own.period_requests, own.period_lookups = 1000, own.degree
    # Of no use in any of them: few early evictions, and few merges.
    assert found == [0, *degrees]


def test_the_degree_stays_within_its_bounds() -> None:
    own = throttled(degree=5, period_merges=1000)
    throttle.advance(own, 1000)
    assert own.degree == 5
    for t in (2000, 3000, 4000, 5000, 6000, 7000):
        own.period_requests, own.period_useful, own.period_early = 1000, 1000, 15
        throttle.advance(own, t)
    assert own.degree == 0
    # Many merges of accesses alone start it again.
    own.period_requests = own.period_merges = 1000
    throttle.advance(own, 8000)
    assert own.degree == 1
