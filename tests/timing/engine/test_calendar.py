"""The calendar: who is called when, now, soon, and further ahead than it has pages."""

from __future__ import annotations

from typing import Any

import pytest

from tilegpu.timing.assembly.build import build
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.records import NEVER
from tilegpu.timing.engine.calendar import (
    PAGES,
    WORD_UNITS,
    next_call,
    next_call_of,
    number_of,
    open_page,
    poke,
    poke_at,
)


@pytest.fixture
def gpu() -> Any:
    return build(load_configuration("ptr-2022")).plain().gpu


def called(gpu: Any, t: int) -> list[int]:
    """Units called in cycle t, who are then taken to have run."""
    open_page(gpu, t)
    units = [u for u in range(64) if gpu.calendar.today.word[0] >> u & 1]
    gpu.calendar.today.word[0] = 0
    return units


@pytest.mark.parametrize("ahead", [1, 2, PAGES - 1, PAGES, PAGES + 1, 100_000])
def test_a_unit_is_called_in_the_cycle_that_was_asked_for(gpu: Any, ahead: int) -> None:
    assert called(gpu, 1000) == []
    poke_at(gpu, 7, 1000 + ahead)
    poke_at(gpu, 7, 1000 + ahead + 200_000)
    assert next_call(gpu, 1000) == next_call_of(gpu, 7) == 1000 + ahead
    assert called(gpu, 1000 + ahead) == [7]
    assert next_call_of(gpu, 8) == NEVER


def test_calls_of_the_past_and_of_this_cycle_come_today(gpu: Any) -> None:
    called(gpu, 1000)
    poke(gpu, 3)
    poke_at(gpu, 4, 999)
    poke_at(gpu, 5, 1000)
    assert next_call_of(gpu, 4) == 1000
    # Units already ticked are ticked again in the next cycle.
    assert next_call(gpu, 1000) == 1001
    assert called(gpu, 1001) == [3, 4, 5]


def test_nobody_is_called_twice_for_one_call(gpu: Any) -> None:
    called(gpu, 0)
    for t in (2, 2, PAGES + 2):
        poke_at(gpu, 1, t)
    assert [t for t in range(1, 3 * PAGES) if called(gpu, t)] == [2, PAGES + 2]
    assert next_call(gpu, 3 * PAGES) == NEVER


def test_the_earliest_of_calls_far_ahead_comes_first(gpu: Any) -> None:
    called(gpu, 0)
    for unit, t in ((1, 500), (2, 300), (3, 400)):
        poke_at(gpu, unit, t)
    order = []
    t = 0
    while (t := next_call(gpu, t)) < NEVER:
        order.append((t, called(gpu, t)))
    assert order == [(300, [2]), (400, [3]), (500, [1])]


def test_numbers_of_units_leave_out_the_sign_of_a_word() -> None:
    numbers = [number_of(place) for place in range(3 * WORD_UNITS)]
    assert numbers == [n for n in range(3 * 64) if n % 64 != 63]
