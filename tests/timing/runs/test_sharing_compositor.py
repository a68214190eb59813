"""A compositor that draws the windows of applications that share a GPU: it reads them, and its time counts apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Rectangle, Scene
from typer.testing import CliRunner

from tilegpu.functional.errors import UserError
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.memory.address_map import SHARED_BYTES, AddressSpace
from tilegpu.timing.memory.request import COLOR
from tilegpu.timing.sharing import Application, SharingOutcome, Window, share
from tilegpu.timing.sharing.windows import Composition
from tilegpu.tools.composition import boxes, composed
from tilegpu.tools.main import app

pytestmark = pytest.mark.engine("tile_based")


@pytest.fixture(scope="module")
def activities(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two applications of two frames each, with windows of different sizes."""
    folder = tmp_path_factory.mktemp("composed")
    frames = [[Rectangle(n, 8, 30, 30, 0.6)] for n in range(2)]
    return [Scene(*size, frames).write(folder / name) for name, size in (("wide", (96, 64)), ("small", (64, 64)))]


@pytest.fixture(scope="module")
def compositor(activities: list[Path]) -> Any:
    """Activity of the compositor."""
    with composed(activities, "picture-in-picture") as folder:
        yield folder


def shared(activities: list[Path], compositor: Path | None, *settings: str) -> SharingOutcome:
    configuration = load_configuration("ptr-2022", ["dram=simple", *settings])
    return share([Application(path) for path in activities], configuration, compositor=compositor)


def test_windows_keep_their_shapes() -> None:
    windows = Window(0, 120, 60), Window(0, 50, 100), Window(0, 60, 30)
    assert boxes(windows[:2], "side-by-side") == [(0, 15, 60, 30), (75, 0, 30, 60)]
    first, second, third = boxes(windows, "picture-in-picture")
    assert first == (0, 0, 120, 60)
    # Rooms of 40 x 20 pixels, 4 pixels apart, from the lower right corner.
    assert second == pytest.approx((120 - 44 + 15, 4, 10, 20)) and third == pytest.approx((120 - 88, 4, 40, 20))


def test_it_reads_the_windows_and_nothing_else(activities: list[Path], compositor: Path) -> None:
    configuration = load_configuration("ptr-2022", ["dram=simple", "memory.frame_buffers=2"])
    spaces = [AddressSpace(k, SHARED_BYTES) for k in range(3)]
    loaders = [Loader(path, configuration, space=space) for path, space in zip(activities, spaces, strict=False)]
    composition = Composition(Loader(compositor, configuration, space=spaces[2]), loaders)
    seen = []
    for shown in ((0, 0), (1, 0)):
        read = composition.frame(shown).texturing.line
        windows = []
        for loader, number in zip(loaders, shown, strict=True):
            target = loader.load(number).commands.target
            windows.append(target[target["source"] == COLOR][0])
        within = [(read >= w["address"]) & (read < w["address"] + w["size_bytes"]) for w in windows]
        assert np.all(within[0] | within[1]) and within[0].any() and within[1].any()
        # Almost all lines of the window that fills the screen.
        assert len(set(read[within[0]].tolist())) * configuration.memory.line_bytes >= 0.9 * 96 * 64 * 4
        seen.append(set(read.tolist()))
    # The first application has drawn to its other buffer, the second has not.
    assert seen[0] & seen[1] and seen[0] != seen[1]


def test_its_time_counts_apart(activities: list[Path], compositor: Path) -> None:
    without, found = shared(activities, None), shared(activities, compositor)
    assert without.compositor is None and found.compositor is not None
    assert [(turn.application, turn.frame) for turn in found.turns] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    ends = [turn.end_cycle for turn in found.turns]
    assert [turn.begin_cycle for turn in found.turns] == [0, *ends[:-1]]
    assert sum(results.totals()["gpu.cycles"] for results in found.together) == ends[-1]
    for usual, seen in zip(without.together, found.together, strict=True):
        assert usual.totals()["fragment.processor.quads"] == seen.totals()["fragment.processor.quads"]
    totals = found.compositor.totals()
    assert found.compositor.frames == [0, 1] and totals["gpu.cycles"] > 0
    # Both screens, each pixel once.
    assert totals["memory.dram.write_bytes.color"] == 2 * 96 * 64 * 4
    assert totals["gpu.switch_cycles"] == 2 * 2000


def test_what_cannot_be_shown_is_refused(activities: list[Path], compositor: Path) -> None:
    with pytest.raises(ActivityError, match="2 to 3 can share a GPU beside a compositor"):
        shared(activities * 2, compositor)
    with pytest.raises(ActivityError, match="its textures are 96 x 64, 64 x 64, the windows 64 x 64, 96 x 64"):
        shared(activities[::-1], compositor)


def test_a_window_is_no_larger_than_a_texture(tmp_path: Path) -> None:
    wide = Scene(5000, 2, [[Rectangle(0, 0, 2, 2)]]).write(tmp_path / "wide")
    with pytest.raises(UserError, match="5000 x 2 pixels"), composed([wide, wide], "side-by-side"):
        pass


def test_the_verb_has_a_compositor(activities: list[Path], tmp_path: Path) -> None:
    verb = ["share", *map(str, activities), "--set", "dram=simple", "-o", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, [*verb, "--compositor", "side-by-side"])
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "out" / "sharing.json").read_text())
    stats = json.loads((tmp_path / "out" / "compositor" / "stats.json").read_text())
    assert found["compositor"]["cycles"] == sum(row["gpu.cycles"] for row in stats["frames"])
    wrong = CliRunner().invoke(app, [*verb, "--force", "--compositor", "stacked"])
    assert isinstance(wrong.exception, UserError) and "side-by-side or picture-in-picture" in str(wrong.exception)
