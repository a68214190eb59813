"""Techniques, units and machines from outside the package: found, linked, compiled, in all results."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from activity_builder import Rectangle, Scene
from synthetic import synthetic

from tilegpu.functional.errors import UserError
from tilegpu.timing import ConfigurationError, load_configuration, replay, techniques
from tilegpu.timing.assembly.variants import load
from tilegpu.timing.config import configuration_toml
from tilegpu.timing.registry import add_plugins, technique_names
from tilegpu.timing.runs import plan, unused_settings

REPOSITORY = Path(__file__).parents[3]

PROBE = """
from typing import Any
from ..engine.jit import inline
from tilegpu.timing.declare.records import record
from ..engine.technique import Technique
from ..engine.hooks import GO, SKIP
from tilegpu.timing.declare.tiles import Tiles

STATE = record(tiles="i8", survivors="i8", step="i8")

def setup(chip: Any, state: Any) -> None:
    state.step = chip.configuration.of(Tiles).raster_units

@inline
def tile_flush(gpu: Any, own: Any, commands: Any, r: int, tile: int, t: int) -> int:
    gpu.technique.NAME.tiles += gpu.technique.NAME.step
    return GO if tile % 2 == 0 else SKIP

@inline
def depth_compared(gpu: Any, own: Any, depth: Any, r: int, quad: int, passed: int, t: int) -> None:
    if passed != 0:
        gpu.technique.NAME.survivors += 1

TECHNIQUE = Technique("NAME", "a probe", record=STATE, setup=setup, order=ORDER, conflicts=CONFLICTS)
"""


@pytest.fixture(scope="module")
def probes(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Techniques that write every other tile only: `first_probe` is asked before `second_probe`, `foe` works with
    neither."""
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "techniques").mkdir()
    for name, order, conflicts in (
        ("first_probe", 1, ()),
        ("second_probe", 2, ()),
        ("foe", 3, ("first_probe", "second_probe")),
    ):
        text = PROBE.replace("NAME", name).replace("ORDER", str(order)).replace("CONFLICTS", repr(conflicts))
        (folder / "techniques" / f"{name}.py").write_text(text, "utf-8")
    add_plugins(folder)


@pytest.mark.parametrize("compiled", (False, pytest.param(True, marks=pytest.mark.slow)))
def test_techniques_fill_hook_points_and_leave_the_rest(machine: Any, probes: None, compiled: bool) -> None:
    frame = synthetic(tiles_x=4, primitives=2, largest=6)
    # Named in any order, the first is asked first: what it leaves out, the second is not asked about.
    gpu, baseline = machine("techniques=second_probe+first_probe", compiled=compiled), machine(compiled=compiled)
    s, b = gpu.run(frame), baseline.run(frame)
    assert s["memory.dram.write_bytes.color"] == b["memory.dram.write_bytes.color"] / 2
    assert s["raster.tile_flush.tiles"] == b["raster.tile_flush.tiles"] == gpu.gpu.technique.first_probe.tiles == 4
    assert gpu.gpu.technique.second_probe.tiles == 2
    for probe in (gpu.gpu.technique.first_probe, gpu.gpu.technique.second_probe):
        assert probe.survivors == s["raster.early_depth.survived_quads"]
    assert s["raster.early_depth.killed_quads"] == b["raster.early_depth.killed_quads"]


@pytest.mark.parametrize(
    ("techniques", "message"),
    [
        ("hooks", "there is no technique hooks"),
        ("magic", "there is no technique magic"),
        ("../units/blending", "there is no technique"),
        ("foe+first_probe", "foe and first_probe do not work together"),
        ("foe+foe", "foe is named twice"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(probes: None, techniques: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        load_configuration("ptr-2022", [f"techniques={techniques}"])
    assert "\n" not in str(error.value)


def test_a_plug_in_of_an_earlier_version_is_told_what_has_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "techniques").mkdir()
    monkeypatch.setattr(techniques, "__path__", list(techniques.__path__))
    text = "from ..engine.records import record\n\nTECHNIQUE = record\n"
    (tmp_path / "techniques" / "aged.py").write_text(text, "utf-8")
    add_plugins(tmp_path)
    moved = r"aged.py: tilegpu.timing.engine.records is now tilegpu.timing.declare.records; change the import"
    with pytest.raises(UserError, match=moved) as error:
        load_configuration("ptr-2022", ["techniques=aged"])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "statement, message",
    [
        ("from ..engine.ring import queue", "tilegpu.timing.engine.ring.queue is now class Queue"),
        ("from ..engine.account import ACCOUNT", "tilegpu.timing.engine.account.ACCOUNT is now class Accounted"),
        ("from tilegpu.timing.declare.records import TOKEN", "tilegpu.timing.declare.records.TOKEN is now class Token"),
    ],
)
def test_a_plug_in_of_an_earlier_version_is_told_what_has_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, message: str
) -> None:
    (tmp_path / "techniques").mkdir()
    monkeypatch.setattr(techniques, "__path__", list(techniques.__path__))
    (tmp_path / "techniques" / "elderly.py").write_text(f"{statement}\n\nTECHNIQUE = None\n", "utf-8")
    add_plugins(tmp_path)
    with pytest.raises(UserError, match=f"elderly.py: {message}: registers are classes") as error:
        load_configuration("ptr-2022", ["techniques=elderly"])
    assert "\n" not in str(error.value)


def test_there_is_no_other_machine() -> None:
    with pytest.raises(ConfigurationError, match="there is no machine analog"):
        load_configuration("ptr-2022", ["machine=analog"])


def test_the_example_of_the_documentation_runs_as_it_stands(
    machine: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = (REPOSITORY / "docs" / "techniques.md").read_text("utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.S)
    assert example is not None
    folder = tmp_path_factory.mktemp("example")
    (folder / "techniques").mkdir()
    (folder / "techniques" / "rewrites.py").write_text(example[1], "utf-8")
    add_plugins(folder)
    assert "rewrites" in technique_names()
    # Two whole layers that both pass: every quad of the second is blended over one of the first.
    gpu = machine("techniques=rewrites", compiled=False)
    frame = synthetic(tiles_x=1, primitives=12, largest=16, instructions=4, texture_operations=0)
    s = gpu.run(frame)
    seen: dict[tuple[int, int], int] = {}
    for quad in frame.depth.quad:
        if quad["depth_pass"]:
            seen[int(quad["x"]), int(quad["y"])] = seen.get((int(quad["x"]), int(quad["y"])), 0) + 1
    assert s["techniques.rewrites.quads"] == sum(count - 1 for count in seen.values()) > 0
    tight = machine("techniques=rewrites", "technique.rewrites.threshold=2", compiled=False)
    assert tight.run(frame)["techniques.rewrites.quads"] == sum(max(0, count - 2) for count in seen.values())
    with pytest.raises(ConfigurationError, match="threshold"):
        load_configuration("ptr-2022", ["techniques=rewrites", "technique.rewrites.threshold=0"])


def test_a_unit_and_a_machine_from_outside_are_in_all_results(tmp_path: Path, machine: Any, plugins: None) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 64, 64), Rectangle(8, 8, 20, 20, 0.3)]]).write(tmp_path / "a")
    plain, results = (
        replay(folder, load_configuration("ptr-2022", ["raster_units=2", f"machine={name}"]), compiled=False)
        for name in ("tile_based", "delayed")
    )
    s, b = results.totals(), plain.totals()
    assert s["raster.quad_delay.tokens"] == s["raster.rasterizer.quads"] + s["tiling.tile_fetcher.tiles"]
    assert s["raster.quad_delay.busy_cycles"] == s["raster.quad_delay.tokens"]
    assert s["queues.delayed.looks"] > 0
    same = ("raster.rasterizer.quads", "fragment.processor.instructions", "raster.blending.fragments")
    assert all(s[name] == b[name] for name in same)
    assert s["raster.early_depth.mismatched_quads"] == 0
    results.write(tmp_path / "r")
    structures = {row.name for row in results.energy().structures}
    assert "quad_delay.queue" in structures and "quad_delay.queue" not in {r.name for r in plain.energy().structures}
    assert {key[:3] for key in results.spent[0]} >= {("quad_delay", 0, 0), ("quad_delay", 1, 0)}


def test_a_unit_from_outside_has_parameters(machine: Any, plugins: None, tmp_path: Path) -> None:
    frame = synthetic(tiles_x=2, primitives=2, largest=6)
    wide, narrow = (machine("machine=delayed", f"quad_delay.room={room}", compiled=False) for room in (64, 1))
    assert [m.gpu.raster_unit[0].quad_delay.queue.depth for m in (wide, narrow)] == [64, 1]
    # The Rasterizer emits up to four quads per cycle; with room for one it takes a cycle for each quad and end of tile.
    s, b = narrow.run(frame), wide.run(frame)
    assert s["raster.rasterizer.busy_cycles"] == s["raster.quad_delay.tokens"] > b["raster.rasterizer.busy_cycles"]
    with pytest.raises(ConfigurationError, match="quad_delay.room: Input should be less than or equal to 64, not 65"):
        load_configuration("ptr-2022", ["machine=delayed", "room=65"])
    (tmp_path / "mine.toml").write_text('machine = "delayed"\n[quad_delay]\nroom = 3\n', "utf-8")
    mine = load_configuration(tmp_path / "mine.toml")
    (tmp_path / "whole.toml").write_text(configuration_toml(mine), "utf-8")
    assert load_configuration(tmp_path / "whole.toml") == mine == pickle.loads(pickle.dumps(mine))
    assert mine.model_dump()["quad_delay"] == {"room": 3}


def test_the_section_of_a_unit_from_outside_is_that_of_its_machines(plugins: None) -> None:
    assert "quad_delay" not in load_configuration("ptr-2022").sections
    runs = plan(["ptr-2022"], ["quad_delay.room=3"])
    assert unused_settings(runs, ["quad_delay.room=3"]) == ["quad_delay.room has no effect: ptr-2022 does not use it"]


def test_the_unit_of_the_documentation_is_the_one_tested_here() -> None:
    text = (REPOSITORY / "docs" / "techniques.md").read_text("utf-8")
    plugins = REPOSITORY / "tests" / "timing" / "plugins"
    unit, of_machine = re.findall(r"```python\n(.*?)```", text, re.S)[1:3]
    assert unit.strip() in (plugins / "units" / "quad_delay.py").read_text("utf-8")
    assert of_machine.strip() in (plugins / "machines" / "delayed.py").read_text("utf-8")


def test_a_machine_from_outside_may_skip_idle_cycles_too(machine: Any, plugins: None) -> None:
    frame = synthetic(tiles_x=2, primitives=2, largest=6)
    skipping, ticking = (machine("machine=delayed", "raster_units=2", compiled=False) for _ in range(2))
    assert skipping.run(frame) == ticking.run(frame, every=True)


def test_engines_are_kept_apart() -> None:
    assert load() is load()
    assert load().folder.name.endswith("tile_based")
