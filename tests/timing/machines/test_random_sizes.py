"""Machines of random sizes on made-up frames: idle cycles may be skipped, and the compiler changes nothing. What
`test_every_part` cannot derive has a row here: settings and frames in which a part has much to do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import pytest
import test_decoupled_access as decoupled
import test_immediate as immediate
import test_packing as packing
import test_pixel_prefetching as pixel_prefetching
import test_prefetching as prefetching
import test_programmable_blending as blending
from random_machines import random_overrides
from synthetic import synthetic
from test_engine import random_frame
from test_hazards import SQUASH

from tilegpu.timing.results.units import spent_cycles

pytestmark = pytest.mark.engine("every_part")

FIRST_SLOW = 1000
"""Seed of the first of the slow runs."""


class Varied(NamedTuple):
    """Random machines and frames.

    Attributes
    ----------
    settings, frames
        Of a machine, and what it draws, by a seed.
    quick, slow
        Seeds in quick runs, and in all others.
    """

    settings: Callable[[int], Sequence[str]]
    frames: Callable[[int], list[Any]]
    quick: int
    slow: int


def sizes(seed: int) -> list[str]:
    """A random tile-based machine."""
    return random_overrides(random.Random(seed))


def long_instructions(seed: int, most_cycles: int, **more: Any) -> list[Any]:
    """A frame whose instructions take several cycles each."""
    dice = random.Random(seed)
    frame = synthetic(tiles_x=2, primitives=3, largest=6, seed=seed, late_share=0.3, discard_share=0.5, **more)
    frame.shading.instruction["cycles"] = [dice.randint(1, most_cycles) for _ in frame.shading.instruction]
    return [frame]


def same_twice(frame_of: Callable[[int], Any], seed: int) -> list[Any]:
    """A frame, and the same once more: it finds caches as the first has left them."""
    return [frame_of(seed), frame_of(seed)]


def two(frame_of: Callable[[int], Any], seed: int) -> list[Any]:
    """Two frames: the second finds lines and tables as the first has left them."""
    return [frame_of(seed), frame_of(seed + 100)]


VARIED = {
    "tile_based": Varied(sizes, lambda seed: [random_frame(seed)], 18, 320),
    "tile_based, long instructions": Varied(
        lambda seed: [*sizes(seed), f"tile_flush.pixels_per_cycle={(1, 2, 3, 16)[seed % 4]}"],
        partial(long_instructions, most_cycles=9), 6, 20,
    ),
    "tile_based, squashing": Varied(
        lambda seed: [*sizes(seed), *SQUASH],
        lambda seed: long_instructions(seed, 5 if seed % 3 == 0 else 1, texture_operations=seed % 4), 12, 180,
    ),
    "immediate": Varied(immediate.overrides, partial(same_twice, immediate.frame_of), 12, 300),
    "programmable_blending": Varied(blending.overrides, partial(same_twice, blending.frame_of), 5, 300),
    **{
        f"{name}, packed": Varied(
            partial(packing.overrides, name), partial(same_twice, partial(packing.frame_of, name)), 3, 120
        )
        for name in packing.MACHINES
    },
    "decoupled_access": Varied(decoupled.shaded_machine, partial(two, decoupled.frame_of), 3, 150),
    "prefetching": Varied(prefetching.random_machine, partial(two, prefetching.strided_frame), 3, 100),
    "prefetching, immediate": Varied(pixel_prefetching.settings, partial(two, immediate.frame_of), 1, 40),
}  # fmt: skip


def seeds() -> Iterator[Any]:
    for name, varied in VARIED.items():
        yield from (pytest.param(name, seed, id=f"{name}-{seed}") for seed in range(varied.quick))
        for seed in range(FIRST_SLOW, FIRST_SLOW + varied.slow):
            yield pytest.param(name, seed, id=f"{name}-{seed}", marks=pytest.mark.slow)


@pytest.mark.parametrize("name, seed", list(seeds()))
def test_skipping_idle_units_changes_nothing(machine: Any, name: str, seed: int) -> None:
    varied = VARIED[name]
    one, other = (machine(*varied.settings(seed)) for _ in range(2))
    for frame, again in zip(varied.frames(seed), varied.frames(seed), strict=True):
        assert one.run(frame) == other.run(again, every=True)
    assert spent_cycles(one.chip) == spent_cycles(other.chip)


@pytest.mark.parametrize(
    "seed", [100, pytest.param(101, marks=pytest.mark.slow), pytest.param(102, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", VARIED)
def test_compiled_and_plain_machines_agree(machine: Any, name: str, seed: int) -> None:
    varied = VARIED[name]
    one, other = machine(*varied.settings(seed)), machine(*varied.settings(seed), compiled=False)
    assert one.run(varied.frames(seed)[0]) == other.run(varied.frames(seed)[0])
