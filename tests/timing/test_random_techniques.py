"""Random machines with random techniques: idle cycles may be skipped, the compiler changes nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from test_engine import random_overrides

from tilegpu.functional.player import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing.loading.load import Loader
from tilegpu.timing.results.units import spent_cycles
from tilegpu.tools.demo import scene_folder

TECHNIQUES = ("rendering_elimination", "transaction_elimination", "fragment_memoization")
SEEDS = 300


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene in which one piece moves, with its pictures."""
    folder = tmp_path_factory.mktemp("board") / "a"
    record(scene_folder() / "board.trace", folder, FrameRange(4, 8), groups=frozenset({"pass_images"}))
    return folder


def overrides(seed: int) -> list[str]:
    """A random machine with some of the techniques."""
    rnd = random.Random(seed)
    chosen = [name for name in TECHNIQUES if rnd.random() < 0.6]
    found = [*random_overrides(rnd), f"techniques={'+'.join(chosen) or 'none'}"]
    found.append(f"frame_buffers={rnd.choice((1, 2, 3))}")
    if "rendering_elimination" in chosen:
        found.append(f"technique.rendering_elimination.ot_queue={rnd.choice((1, 4, 64))}")
        found.append(f"technique.rendering_elimination.overlap_compute={rnd.choice(('yes', 'no'))}")
    return found


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed == 7 else pytest.mark.slow) for seed in range(SEEDS)]
)
def test_skipping_idle_units_changes_nothing(machine: Any, board: Path, seed: int) -> None:
    one, other = machine(*overrides(seed)), machine(*overrides(seed))
    loader = Loader(board, one.chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        assert one.run(frame) == other.run(frame, every=True)
    assert spent_cycles(one.chip) == spent_cycles(other.chip)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1004))
def test_compiled_and_plain_machines_agree(machine: Any, board: Path, seed: int) -> None:
    one, other = machine(*overrides(seed)), machine(*overrides(seed), compiled=False)
    loader = Loader(board, one.chip.configuration)
    frame = loader.load(loader.frames[0])
    assert one.run(frame) == other.run(frame)
