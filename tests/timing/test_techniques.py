"""Techniques: modules that fill hook points, with registers of their own, compiled for each set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from synthetic import synthetic

from tilegpu.timing import techniques
from tilegpu.timing.engine.variants import load

PROBE = """
from typing import Any
from ..engine.jit import inline
from ..engine.records import record

STATE = record(tiles="i8", survivors="i8", step="i8")

def setup(state: Any, configuration: Any) -> None:
    state.step = configuration.tiles.raster_units

@inline
def tile_flush(gpu: Any, commands: Any, r: int, tile: int, t: int) -> bool:
    gpu.technique.probe_of_tests.tiles += gpu.technique.probe_of_tests.step
    return tile % 2 == 0

@inline
def depth_compared(gpu: Any, depth: Any, r: int, quad: int, passed: int, t: int) -> None:
    if passed != 0:
        gpu.technique.probe_of_tests.survivors += 1
"""


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A technique that writes every other tile only, as a module beside the package's own."""
    (tmp_path / "probe_of_tests.py").write_text(PROBE, "utf-8")
    monkeypatch.setattr(techniques, "__path__", [*techniques.__path__, str(tmp_path)])
    yield "probe_of_tests"
    load.cache_clear()


@pytest.mark.parametrize("compiled", (False, True))
def test_a_technique_fills_hook_points_and_leaves_the_rest(machine: Any, probe: str, compiled: bool) -> None:
    frame = synthetic(tiles_x=4, primitives=2, largest=6)
    gpu, baseline = machine(f"techniques={probe}", compiled=compiled), machine(compiled=compiled)
    s, b = gpu.run(frame), baseline.run(frame)
    assert s["memory.dram.write_bytes.color"] == b["memory.dram.write_bytes.color"] / 2
    assert s["raster.tile_flush.tiles"] == b["raster.tile_flush.tiles"] == gpu.gpu.technique.probe_of_tests.tiles == 4
    assert gpu.gpu.technique.probe_of_tests.survivors == s["raster.early_depth.survived_quads"]
    assert s["raster.early_depth.killed_quads"] == b["raster.early_depth.killed_quads"]


def test_there_is_only_what_there_is() -> None:
    for name in ("hooks", "magic", "../units/blending", "__init__"):
        with pytest.raises(ValueError, match="there is no technique"):
            load((name,))
