"""Applications that share a GPU: frames take turns, nothing is lost, each sees the others only through the caches."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from activity_builder import Rectangle, Scene
from typer.testing import CliRunner

from tilegpu.timing import ConfigurationError, ResultsError, load_configuration, replay
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.sharing import Application, SharingOutcome, share, turns
from tilegpu.tools.main import app

pytestmark = pytest.mark.engine("tile_based")

WORK = (
    "geometry.vertex_processor.vertices",
    "tiling.polygon_list_builder.pointers",
    "raster.rasterizer.quads",
    "fragment.processor.quads",
    "fragment.processor.alu_instructions",
)


@pytest.fixture(scope="module")
def activities(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two applications of four and two frames."""
    folder = tmp_path_factory.mktemp("sharing")
    large = [[Rectangle(n, 8, 80, 80, 0.6), Rectangle(16, n, 100, 64, 0.4)] for n in range(4)]
    small = [[Rectangle(n, 8, 20, 20, 0.6)] for n in range(2)]
    return [Scene(128, 128, frames).write(folder / name) for name, frames in (("large", large), ("small", small))]


def shared(activities: list[Path], *settings: str, quantum: int = 1, warm_up: int = 0) -> SharingOutcome:
    quanta = f"command_processor.quantum_frames={quantum}"
    configuration = load_configuration("ptr-2022", ["dram=simple", quanta, *settings])
    return share([Application(path) for path in activities], configuration, "frame", warm_up)


@pytest.mark.parametrize(
    ("frames", "quantum", "order"),
    [
        ([2, 2], 1, [(0, 0), (1, 0), (0, 1), (1, 1)]),
        ([3, 1], 1, [(0, 0), (1, 0), (0, 1), (0, 2)]),
        ([3, 2], 2, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2)]),
        ([1, 0, 2], 1, [(0, 0), (2, 0), (2, 1)]),
    ],
)
def test_frames_take_turns(frames: list[int], quantum: int, order: list[tuple[int, int]]) -> None:
    assert turns(frames, quantum) == order


def test_each_does_the_work_that_it_does_alone(activities: list[Path]) -> None:
    found = shared(activities)
    for k, path in enumerate(activities):
        together, alone = found.together[k].totals(), found.alone[k].totals()
        usual = replay(path, load_configuration("ptr-2022", ["dram=simple"])).totals()
        # Its place in memory changes nothing.
        assert alone == usual
        assert [together[name] for name in WORK] == [alone[name] for name in WORK]
        assert together["memory.l2_cache.misses"] >= alone["memory.l2_cache.misses"]
    assert found.interference(0) >= 1 and found.interference(1) >= 1


def test_turns_follow_each_other_without_gaps(activities: list[Path]) -> None:
    found = shared(activities)
    assert [(turn.application, turn.frame) for turn in found.turns] == [
        (0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (0, 3),
    ]  # fmt: skip
    ends = [turn.end_cycle for turn in found.turns]
    assert [turn.begin_cycle for turn in found.turns] == [0, *ends[:-1]]
    cycles = [results.totals()["gpu.cycles"] for results in found.together]
    assert sum(cycles) == ends[-1] == found.end_cycle(0)
    assert found.end_cycle(1) == ends[3]
    alone = [results.totals()["gpu.cycles"] for results in found.alone]
    slowdowns = ends[-1] / alone[0], ends[3] / alone[1]
    assert (found.slowdown(0), found.slowdown(1)) == slowdowns
    # The small one waits for the large one.
    assert found.fairness == slowdowns[0] / slowdowns[1] < 1
    assert found.throughput == pytest.approx(1 / slowdowns[0] + 1 / slowdowns[1])


def test_a_switch_takes_its_cycles(activities: list[Path]) -> None:
    free, costly = (shared(activities, f"command_processor.context_switch_cycles={n}") for n in (0, 700))
    # All but the first and the last turn begin with one.
    ends = [found.turns[-1].end_cycle for found in (free, costly)]
    assert ends[1] - ends[0] == 4 * 700
    switches = [results.totals()["gpu.switch_cycles"] for results in costly.together]
    assert switches == [2 * 700, 2 * 700]
    longer = shared(activities, "command_processor.context_switch_cycles=700", quantum=2)
    assert sum(results.totals()["gpu.switch_cycles"] for results in longer.together) == 2 * 700


def test_frames_that_warm_up_do_not_count(activities: list[Path]) -> None:
    found = shared(activities, warm_up=1)
    assert [results.frames for results in found.together] == [[1, 2, 3], [1]]
    assert found.turns[0].begin_cycle == 0
    assert sum(results.totals()["gpu.cycles"] for results in found.together) == found.turns[-1].end_cycle


def test_what_cannot_share_is_refused(activities: list[Path]) -> None:
    for many in (1, 5):
        with pytest.raises(ActivityError, match="2 to 4"):
            shared(activities[:1] * many)
    with pytest.raises(ConfigurationError, match="quantum_frames"):
        shared(activities, quantum=0)
    with pytest.raises(ActivityError, match="visibility_rendering_order is modelled for one"):
        shared(activities, "techniques=visibility_rendering_order")
    with pytest.raises(ActivityError, match="overlap"):
        shared(activities, "command_processor.overlap=geometry")
    with pytest.raises(ActivityError, match="leave none"):
        shared(activities, warm_up=2)


def test_the_verb_writes_what_it_prints(activities: list[Path], tmp_path: Path) -> None:
    verb = ["share", *map(str, activities), "--set", "dram=simple", "-o", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, verb)
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "out" / "sharing.json").read_text())
    assert json.loads(done.stdout) == found
    assert [row["name"] for row in found["applications"]] == ["0-large", "1-small"]
    assert pq.read_table(tmp_path / "out" / "turns.parquet")["frame"].to_pylist() == [0, 0, 1, 1, 2, 3]
    together = json.loads((tmp_path / "out" / "1-small" / "stats.json").read_text())
    assert [row["frame"] for row in together["frames"]] == [0, 1]
    again = CliRunner().invoke(app, verb)
    assert isinstance(again.exception, ResultsError) and "--force" in str(again.exception)
    alone = CliRunner().invoke(app, ["share", str(activities[0])])
    assert isinstance(alone.exception, ActivityError) and "2 to 4" in str(alone.exception)
