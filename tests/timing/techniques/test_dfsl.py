"""Dynamic fragment shading load-balancing: which sizes are tried, which is kept, against a plain reading of
Algorithm 1."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from activity_builder import Rectangle, Scene
from conftest import Machine
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config.load import ConfigurationError

pytestmark = pytest.mark.engine("dfsl")

DFSL = "techniques=dfsl"


def sizes_used(greatest: int, run_frames: int, times: list[list[int]]) -> list[int]:
    """Size of work tiles of each frame, where frame n takes `times[n][size - 1]` cycles."""
    own = f"technique.dfsl.greatest={greatest}", f"technique.dfsl.run_frames={run_frames}"
    configuration = load_configuration("emerald-case2", ["dram=simple", "simt_core.clusters=1", DFSL, *own])
    gpu = build(configuration).plain().gpu
    tiles, frame_end = gpu.vertex_launcher.tiles, load_part("techniques.dfsl", False, "simt", ("dfsl",)).frame_end
    found = []
    for of_size in times:
        found.append(tiles.side // tiles.tc_side)
        gpu.vertex_launcher.shading_cycles += of_size[found[-1] - 1]
        frame_end(gpu, SimpleNamespace(), None, 0)
    return found


def test_all_sizes_are_tried_and_the_fastest_is_kept() -> None:
    # The third is fastest, then the first.
    times = [[9, 8, 5, 7]] * 7 + [[4, 8, 5, 7]] * 7
    assert sizes_used(4, 3, times) == [1, 2, 3, 4, 3, 3, 3, 1, 2, 3, 4, 1, 1, 1]


@settings(max_examples=15)
@given(st.integers(1, 5), st.integers(1, 6), st.data())
def test_it_is_the_algorithm_of_the_paper_with_the_greatest_size(
    greatest: int, run_frames: int, data: st.DataObject
) -> None:
    one = st.lists(st.integers(1, 50), min_size=greatest, max_size=greatest)
    times = data.draw(st.lists(one, min_size=1, max_size=25))
    expected, best, least = [], 1, 0
    for n, of_size in enumerate(times):
        place = n % (greatest + run_frames)
        if place == 0:
            least = 1 << 30
        expected.append(place + 1 if place < greatest else best)
        if place < greatest and of_size[place] < least:
            least, best = of_size[place], place + 1
    assert sizes_used(greatest, run_frames, times) == expected


@pytest.mark.slow
def test_a_fixed_size_takes_the_time_that_is_judged(tmp_path: Path) -> None:
    layers = [Rectangle(0, 0, 40, 40, depth=0.9 - 0.1 * i) for i in range(5)]
    folder = Scene(frames=[[*layers, Rectangle(50, 50, 8, 8, depth=0.1)]]).write(tmp_path / "activity")
    found = {}
    for name, overrides in {
        "tried": (DFSL, "technique.dfsl.greatest=2", "technique.dfsl.run_frames=1"),
        "fixed": ("tile_coalescing.work_tile=1",),
    }.items():
        c = load_configuration("emerald-case2", ["dram=simple", *overrides])
        machine, loader = Machine(c, True), Loader(folder, c)
        found[name] = [machine.run(loader.load(0)) for _ in range(2)]
    assert [int(s["techniques.dfsl.work_tile"]) for s in found["tried"]] == [1, 2]
    cycles = "gpu.fragment_shading_cycles"
    assert found["tried"][0][cycles] == found["fixed"][0][cycles] > 0
    assert found["tried"][1][cycles] != found["fixed"][1][cycles]


def test_bounds_that_contradict_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="must not be below"):
        load_configuration("emerald-case2", [DFSL, "technique.dfsl.least=5", "technique.dfsl.greatest=4"])
    with pytest.raises(ConfigurationError, match="works on simt"):
        load_configuration("ptr-2022", [DFSL])
