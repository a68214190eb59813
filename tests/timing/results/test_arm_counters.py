"""Arm's counters: equations, coverage, and amounts worked out by hand on small scenes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.config.load import preset_names
from tilegpu.timing.results.arm.expressions import EquationError, names, value_of
from tilegpu.timing.results.arm.specification import specification
from tilegpu.timing.results.arm.tile_amounts import tile_amounts
from tilegpu.timing.results.arm.values import counters_of, coverage, sources
from tilegpu.timing.results.counters import CounterInputs, counter_table
from tilegpu.timing.results.tiles import SCHEMA

ARM_PRESETS = [name for name in preset_names() if counters_of(load_configuration(name))]


def test_equations() -> None:
    amounts = {"a": 6.0, "b.c": 4.0, "zero": 0.0}
    assert value_of("(a - b.c) / 2 * 100", amounts.get) == 100
    assert value_of("max(a, b.c, 7 * 1.5) + min(a, 2)", amounts.get) == 12.5
    assert value_of("a / zero", amounts.get) is None and value_of("a + missing", amounts.get) is None
    assert names("max(a, b.c) / a") == ["a", "b.c"]
    for text in ("a ** 9", "a if a else 1", "f(a)", "a.b()", "__import__('os')", "a[0]", "'a'", "a +", "-a", "True"):
        with pytest.raises(EquationError):
            value_of(text, amounts.get)
    with pytest.raises(EquationError):
        names("(" * 400 + "a" + ")" * 400)


def test_every_equation_of_the_specification_can_be_read() -> None:
    given = {"MALI_CONFIG_EXT_BUS_BYTE_SIZE", "MALI_CONFIG_L2_CACHE_COUNT", "MALI_CONFIG_SHADER_CORE_COUNT"}
    for counters in specification().values():
        for counter in counters.values():
            known = set(names(counter.equation)) if counter.equation else set()
            assert known <= {*counters, *given, "MALI_CONFIG_TIME_SPAN"}, counter.name


@pytest.mark.parametrize("name", ARM_PRESETS)
def test_most_counters_of_a_gpu_have_a_value_and_the_others_a_reason(name: str) -> None:
    found = list(sources(load_configuration(name)))
    assert {source.counter.name for source in found} == set(counters_of(load_configuration(name)))
    assert coverage(found) >= 0.6
    assert all(bool(source.amount) != bool(source.reason) for source in found)


def test_presets_of_gpus_that_the_specification_has() -> None:
    assert ARM_PRESETS == ["mali-g52-mc1", "mali-g52-mc2", "mali-g57-mc2", "mali-g610-mc4", "mali-g78ae-mc2"]


def test_regions_and_cycles_with_fragments() -> None:
    """Two cores with two Raster Units each: spans overlap, follow each other and leave a gap."""
    configuration = load_configuration("mali-g52-mc2")
    rows = [
        {"frame": 0, "pass": 1, "tile": i, "x": x, "y": y, "raster_unit": r, "first_cycle": a, "last_cycle": b}
        for i, (x, y, r, a, b) in enumerate(
            [(0, 0, 0, 10, 30), (16, 0, 1, 20, 50), (32, 0, 0, 60, 70), (32, 16, 2, 0, 100), (48, 48, 3, 40, 50)]
        )
    ]
    skipped = rows[0] | {"tile": 9, "x": 96, "raster_unit": -1}
    table = pa.Table.from_pylist([*rows, skipped, rows[0] | {"frame": 1}], SCHEMA)
    found = tile_amounts(configuration, table, 0, 16)
    # Core 0: 10 to 50 and 60 to 70; core 1: 0 to 100.
    assert found == {"tiles.regions_32": 3, "tiles.regions": 5, "tiles.fragment_cycles": 40 + 10 + 100}


QUADS = (8 * 8 + 8) + (4 * 4 + 4)
"""Of two squares; quads on the diagonal are of both of their triangles."""


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # The second one is in front.
    frame = [Rectangle(0, 0, 16, 16, 0.7), Rectangle(4, 0, 8, 8, 0.2)]
    return Scene(40, 24, frames=[frame]).write(tmp_path_factory.mktemp("arm") / "activity")


@pytest.mark.engine("unified")
@pytest.mark.parametrize("preset", ["mali-g52-mc2", "mali-g610-mc4"])
def test_amounts_by_hand(activity: Path, preset: str) -> None:
    configuration = load_configuration(preset, ["techniques=none", "counters.bus_bytes=32"])
    results = replay(activity, configuration)
    frame = results.frame(0)
    (row,) = counter_table(CounterInputs(configuration, results.by_frame(), results.tile_table())).to_pylist()
    lanes = configuration.simt_core.warp_threads  # type: ignore[attr-defined]

    assert row["MaliFragRastQd"] == QUADS
    assert row["MaliFragQueueJob"] == 1 and row["MaliFragQueueTask"] == 2
    assert row["MaliGPUPix"] == 2 * 32 * 32
    # 72 and 20 quads of four threads fill 36 and 10 warps of 8 lanes, 18 and 5 of 16.
    assert row["MaliFragWarp"] == QUADS * 4 / lanes
    assert row["MaliFragThread"] == row["MaliFragShadedQd"] * 4 == QUADS * 4
    # Each quad is textured once; two rectangles have two tasks of four vertices.
    assert row["MaliTexQuads"] == QUADS and row["MaliTexSample"] == QUADS * 4
    assert row["MaliGeomPosShadTask"] == 2 and row["MaliGeomPosShadThread"] == 8
    assert row["MaliCoreFullWarp"] == row["MaliFragWarp"] and row["MaliNonFragWarp"] == 2
    assert row["MaliFragEZSTestQd"] == row["MaliFragEZSUpdateQd"] == QUADS and row["MaliFragEZSKillQd"] == 0
    assert row["MaliGeomTotalPrim"] == row["MaliGeomTrianglePrim"] == row["MaliGeomVisiblePrim"]
    # Requests of 64 bytes are two beats of 32, and no beat is half a beat.
    assert row["MaliExtBusRd"] == frame["memory.dram.reads"]
    assert row["MaliExtBusRdBt"] == frame["memory.dram.read_bytes"] / 32 == 2 * row["MaliExtBusRd"]
    assert row["MaliExtBusRdBy"] == frame["memory.dram.read_bytes"]
    latencies = [row[f"MaliExtBusRdLat{least}"] for least in (0, 128, 192, 256, 320, 384)]
    assert sum(latencies) == row["MaliExtBusRdBt"]
    assert row["MaliExtBusWrBt"] >= frame["memory.dram.write_bytes"] / 32
    # 40x24 pixels of four bytes leave in beats of 16.
    assert row["MaliSCBusTileWrBt"] == 40 * 24 * 4 / 16
    assert row["MaliFragActiveCy"] <= row["MaliConfigCoreCount"] * row["MaliGPUActiveCy"]
    assert row["MaliCoreActiveCy"] + frame["simt.core.empty_cycles"] == pytest.approx(
        row["MaliConfigCoreCount"] * row["MaliGPUActiveCy"], rel=0.01
    )
    if preset == "mali-g610-mc4":
        assert row["MaliFragTile"] == 2 and row["MaliGPUTileSize"] == 32
    else:
        assert row["MaliFragTile"] == 3 * 2 and row["MaliGPUTileSize"] == 16


def test_other_machines_have_the_names_that_fit_best(activity: Path) -> None:
    configuration = load_configuration("ptr-2022")
    results = replay(activity, configuration)
    (row,) = counter_table(CounterInputs(configuration, results.by_frame(), results.tile_table())).to_pylist()
    frame = results.frame(0)
    assert row["MaliFragShadedQd"] == frame["fragment.processor.quads"]
    assert row["MaliExtBusRd"] == frame["memory.dram.reads"]
    assert "MaliFragWarp" not in row and "MaliExtBusRdBt" not in row
