"""Random machines with random techniques: idle cycles may be skipped, the compiler changes nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import Layer, random_layers, record_layers
from random_machines import random_overrides

from tilegpu.functional.capture import Recorder
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.results.units import spent_cycles
from tilegpu.tools.scenes.sprite_scene import SpriteScene, quads

TECHNIQUES = ("rendering_elimination", "transaction_elimination", "fragment_memoization")
SEEDS = 300


class Small(SpriteScene):
    """A ground that stands still and a sprite that moves in every second pair of frames."""

    def __init__(self, gl: Recorder) -> None:
        super().__init__(gl, 64, 48)
        places = np.array([(0.0, 0.0), (32.0, 0.0), (0.0, 32.0), (32.0, 32.0)])
        self.ground = self.buffer(quads(places, np.arange(4), 32.0))
        self.sprite = self.buffer(quads(np.zeros((1, 2)), np.array([5]), 14.0))
        self.atlas()

    def frame(self, number: int) -> None:
        """Draw one frame."""
        self.gl.glClear(0x4100)
        self.use(self.ground_program)
        self.draw(self.ground_program, self.ground)
        self.use(self.sprite_program)
        self.draw(self.sprite_program, self.sprite, (3.0 + 9.0 * (number // 2), 20.0))
        self.gl.swap()


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few frames of a small scene, with their pictures."""
    folder = tmp_path_factory.mktemp("small")
    with Recorder(folder / "small.trace", 64, 48) as gl:
        scene = Small(gl)
        for number in range(6):
            scene.frame(number)
    record(folder / "small.trace", folder / "a", FrameRange(1, 5), "all", frozenset({"pass_images"}))
    return folder / "a"


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few frames of objects behind each other, of which some stand still, with their pictures."""
    still, places = random_layers(np.random.default_rng(5), 10), (0, 0, 20, 20, 0)
    moving = [Layer("moving", -0.3, x, x + 16, 8, 40) for x in places]
    return record_layers(tmp_path_factory.mktemp("layered"), [[*still, layer] for layer in moving])


QUICK = (12, 15)
"""Seeds of a single technique: other tests compile the same engines."""


def overrides(seed: int) -> list[str]:
    """A random machine with some of the techniques."""
    rnd = random.Random(seed)
    chosen = [name for name in TECHNIQUES if rnd.random() < 0.6]
    chance = random.Random(f"order {seed}").random()
    if seed not in QUICK and chance < 0.35:
        chosen.append("visibility_rendering_order")
    elif seed not in QUICK and chance < 0.7:
        chosen = [name for name in chosen if name != "fragment_memoization"] + ["deferred_rendering"]
    found = [*random_overrides(rnd), f"techniques={'+'.join(chosen) or 'none'}"]
    found.append(f"frame_buffers={rnd.choice((1, 2, 3))}")
    if "deferred_rendering" in chosen:
        found.append(f"technique.deferred_rendering.mode={rnd.choice(('parallel', 'sequential'))}")
    if "rendering_elimination" in chosen:
        found.append(f"technique.rendering_elimination.ot_queue={rnd.choice((1, 4, 64))}")
        found.append(f"technique.rendering_elimination.overlap_compute={rnd.choice(('yes', 'no'))}")
        found.append(f"technique.rendering_elimination.accumulate={rnd.choice(('block', 'subblock'))}")
        found.append(f"technique.rendering_elimination.accumulate_cycles={rnd.choice((1, 3))}")
        found.append(f"technique.rendering_elimination.compute_bytes_per_cycle={rnd.choice((1, 8, 32))}")
    return found


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed in QUICK else pytest.mark.slow) for seed in range(SEEDS)]
)
def test_skipping_idle_units_changes_nothing(machine: Any, activity: Path, layered: Path, seed: int) -> None:
    one, other = machine(*overrides(seed)), machine(*overrides(seed))
    loader = Loader(layered if seed % 2 else activity, one.chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        assert one.run(frame) == other.run(frame, every=True)
    assert spent_cycles(one.chip) == spent_cycles(other.chip)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1004))
def test_compiled_and_plain_machines_agree(machine: Any, activity: Path, layered: Path, seed: int) -> None:
    one, other = machine(*overrides(seed)), machine(*overrides(seed), compiled=False)
    loader = Loader(layered if seed % 2 else activity, one.chip.configuration)
    frame = loader.load(loader.frames[0])
    assert one.run(frame) == other.run(frame)
