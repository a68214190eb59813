"""Toys of docs/toys.md, as they stand there: what each decides, in frames counted by hand."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Rectangle, Scene
from conftest import Machine
from synthetic import TEXTURES, synthetic

from tilegpu.timing import load_configuration, techniques
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.declare import policy_folders
from tilegpu.timing.declare.policy_folders import FOLDERS
from tilegpu.timing.declare.quad_mappings import quad_processors
from tilegpu.timing.engine.frame import with_extra
from tilegpu.timing.registry import add_plugins

pytestmark = pytest.mark.engine("toys")

PAGE = Path(__file__).parents[3] / "docs" / "toys.md"
BLOCK = re.compile(r"```python\n# (\S+)\n(.*?)```", re.DOTALL)
SHADED = "fragment.processor.quads", "raster.blending.quads", "raster.blending.fragments", "raster.tile_flush.tiles"


@pytest.fixture(autouse=True)
def toys(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folder of plug-ins with the toys, as long as a test runs: policies make other engines."""
    folder = tmp_path_factory.mktemp("toys")
    for place, text in BLOCK.findall(PAGE.read_text("utf-8")):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text, "utf-8")
    monkeypatch.setattr(techniques, "__path__", list(techniques.__path__))
    monkeypatch.setattr(policy_folders, "PLUGIN_ROOTS", [])
    for kind in FOLDERS.values():
        package = importlib.import_module(kind.package)
        monkeypatch.setattr(package, "__path__", list(package.__path__))
    add_plugins(folder, ("techniques",))
    policy_folders.PLUGIN_ROOTS.append(str(folder))


def test_a_primitive_without_a_quad_in_the_tile_is_not_in_its_list(machine: Any) -> None:
    frame = synthetic(tiles_x=2, primitives=4, largest=6)
    frame.tiling.entry["last_quad"][::3] = frame.tiling.entry["first_quad"][::3]
    base, one = (machine(*names, compiled=False).run(frame) for names in ((), ("techniques=empty_bins",)))
    empty = len(frame.tiling.entry[::3])
    assert one["techniques.empty_bins.empty"] == one["tiling.polygon_list_builder.left_out"] == empty
    for name in ("tiling.polygon_list_builder.pointers", "tiling.tile_fetcher.primitives"):
        assert one[name] == base[name] - empty
    assert all(one[name] == base[name] for name in SHADED)


def test_a_run_without_the_technique_leaves_nothing_out(machine: Any) -> None:
    frame = synthetic(tiles_x=1, primitives=3, largest=4)
    frame.tiling.entry["left_out"] = 1
    assert machine(compiled=False).run(frame)["tiling.tile_fetcher.primitives"] == 3


def test_halves_of_the_screen_go_to_their_raster_units(machine: Any) -> None:
    frame = synthetic(tiles_x=4, tiles_y=2, primitives=2, largest=6)
    one = machine("techniques=halves", "raster_units=2", compiled=False)
    right = frame.commands.tile["x"] >= 64
    module = importlib.import_module("tilegpu.timing.techniques.halves")
    s = one.run(with_extra(frame, (module.load(None, None, frame),)))
    assert s["raster.tile_flush.tiles"] == 8
    assert frame.commands.log["raster_unit"].tolist() == right.astype(int).tolist()


def test_each_processor_meets_each_end_and_shades_what_it_would(machine: Any) -> None:
    frame = synthetic(tiles_x=4, primitives=5, largest=8)
    base, one = (machine(*names, compiled=False).run(frame) for names in ((), ("techniques=own_pace",)))
    assert all(one[name] == base[name] for name in SHADED)
    assert one["techniques.own_pace.ends"] >= 4 * 4
    assert one["gpu.cycles"] <= base["gpu.cycles"]


def test_tiles_are_compared_with_those_of_the_last_frame(machine: Any) -> None:
    one = machine("techniques=warmer", compiled=False)
    still, moved = (synthetic(tiles_x=2, primitives=2, largest=6) for _ in range(2))
    still.texturing.line[:] = TEXTURES
    moved.texturing.line[:] = TEXTURES + 64 * np.arange(len(moved.texturing.line))
    found = [one.run(frame) for frame in (still, still, moved, synthetic(tiles_x=3, primitives=1))]
    assert [s["techniques.warmer.compared"] for s in found] == [0, 2, 2, 0]
    assert [s["techniques.warmer.warmer"] for s in found] == [0, 0, 2, 0]


def test_a_mapping_of_a_plug_in_is_a_value_of_the_field(machine: Any) -> None:
    (table,) = quad_processors("checkers", 16, 16, 4)
    assert table.reshape(16, 16)[::4, ::4][::-1].tolist() == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    one = machine("quad_mapping=checkers", compiled=False)
    assert list(one.gpu.quad_processor[:256]) == table.tolist()


def test_a_scheduler_of_a_plug_in_is_one_and_compiles_nothing(machine: Any) -> None:
    frame = synthetic(tiles_x=2, primitives=4, largest=6)
    found = {
        name: machine(f"fragment_stage.scheduler={name}", compiled=False).run(frame)
        for name in ("round_robin", "greedy_oldest", "youngest", "wasp")
    }
    assert len({s["gpu.cycles"] for s in found.values()}) > 1
    for s in found.values():
        assert all(s[name] == found["round_robin"][name] for name in (*SHADED, "fragment.processor.instructions"))


def test_a_scheduler_of_a_plug_in_is_one_of_cores_too(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 48, 48, textured=True)]]).write(tmp_path / "activity")
    found = {}
    for name in ("round_robin", "greedy_oldest", "youngest"):
        c = load_configuration(
            "emerald-case1", ["dram=simple", "simt_core.operations=1", f"simt_core.scheduler={name}"]
        )
        found[name] = Machine(c, False).run(Loader(folder, c).load(0))
    assert len({s["gpu.cycles"] for s in found.values()}) == 3
    # Which quads share a warp depends on when they come.
    for name in ("simt.core.quads", "simt.core.vertices"):
        assert len({s[name] for s in found.values()}) == 1


def test_a_predictor_of_a_plug_in_prefetches(machine: Any) -> None:
    frame = synthetic(tiles_x=1, primitives=3, largest=6)
    frame.texturing.line[:] = TEXTURES + 64 * np.arange(len(frame.texturing.line))
    named = "techniques=prefetching", "technique.prefetching.prefetcher=next_line"
    s = machine(*named, compiled=False).run(frame)
    assert s["techniques.prefetching.issued"] > 0
    assert s["techniques.prefetching.useful"] + s["techniques.prefetching.late"] > 0


def test_what_is_not_there_is_told_in_a_line() -> None:
    for setting in ("quad_mapping=circle", "fragment_stage.scheduler=lazy"):
        with pytest.raises(ValueError, match="Input should be .* not ") as error:
            load_configuration("ptr-2022", [setting])
        assert "\n" not in str(error.value)
