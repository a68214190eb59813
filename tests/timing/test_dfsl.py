"""Dynamic fragment shading load-balancing: which sizes are tried, which is kept, against a plain reading of
Algorithm 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from activity_builder import Rectangle, Scene
from conftest import Machine

from tilegpu.timing import load_configuration
from tilegpu.timing.config.load import ConfigurationError
from tilegpu.timing.loading.load import Loader

DFSL = "techniques=dfsl"


def sizes_and_times(folder: Path, frames: int, *overrides: str) -> list[tuple[int, float]]:
    """Side of work tiles and shading cycles of the same frame, drawn again and again."""
    c = load_configuration("emerald-case2", ["dram=simple", *overrides])
    machine, loader = Machine(c, True), Loader(folder, c)
    found = []
    for _ in range(frames):
        s = machine.run(loader.load(0))
        found.append((int(s.get("techniques.dfsl.work_tile", 0)), s["gpu.fragment_shading_cycles"]))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small thing in a corner, and layers behind it."""
    layers = [Rectangle(0, 0, 40, 40, depth=0.9 - 0.1 * i) for i in range(5)]
    return Scene(frames=[[*layers, Rectangle(50, 50, 8, 8, depth=0.1)]]).write(tmp_path_factory.mktemp("dfsl") / "a")


def test_all_sizes_are_tried_and_the_fastest_is_kept(folder: Path) -> None:
    own = ("technique.dfsl.greatest=4", "technique.dfsl.run_frames=3")
    found = sizes_and_times(folder, 14, DFSL, *own)
    for begin in (0, 7):
        evaluated, ran = found[begin : begin + 4], found[begin + 4 : begin + 7]
        assert [size for size, _ in evaluated] == [1, 2, 3, 4]
        best = min(evaluated, key=lambda one: (one[1], one[0]))[0]
        assert [size for size, _ in ran] == [best] * 3


def test_a_fixed_size_takes_the_time_that_is_judged(folder: Path) -> None:
    tried = sizes_and_times(folder, 2, DFSL, "technique.dfsl.greatest=2", "technique.dfsl.run_frames=1")
    fixed = sizes_and_times(folder, 1, "tile_coalescing.work_tile=1")
    assert fixed[0][1] == tried[0][1]
    assert 0 < tried[1][1] != tried[0][1]


def test_bounds_that_contradict_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="must not be below"):
        load_configuration("emerald-case2", [DFSL, "technique.dfsl.least=5", "technique.dfsl.greatest=4"])
    with pytest.raises(ConfigurationError, match="works on simt"):
        load_configuration("ptr-2022", [DFSL])
