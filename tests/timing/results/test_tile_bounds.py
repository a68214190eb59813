"""What bounded a tile, against a count of what every unit does in every cycle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.engine.chip import Chip
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.instruments.draw_costs import NAME
from tilegpu.timing.results.results import Results

PROCESSOR = {"fragment_processor": 0, ".texel_stall": 1, ".code_stall": 2, ".result_stall": 3}
OF_RASTER_UNIT = {
    "blending": {"blending": 0, ".waiting": 1},
    "fragment_processor": PROCESSOR,
    "early_depth": {"early_depth": 0},
    "rasterizer": {"rasterizer": 0},
}
SHARED = {
    "tile_flush": {"tile_flush": 0, ".waiting": 1},
    "texture_unit": {"texture_unit": 0},
    "tile_fetcher": {"tile_fetcher": 0, ".waiting": 1},
}
"""Numbers of the causes that may bound a tile on machines of the kind `tile_based`."""


def configured(*changes: str) -> Configuration:
    """Tiles of 16x16 pixels."""
    return load_configuration("ptr-2022", ["techniques=none", "tiles.width=16", "tiles.height=16", *changes])


def written(tmp_path: Path, *rectangles: Rectangle) -> Path:
    """Activity of a frame of six tiles."""
    return Scene(width=48, height=32, frames=[list(rectangles)]).write(tmp_path / "activity")


def causes(chip: Chip, r: int) -> Counter[str]:
    """Parts of the units of a Raster Unit that do each of what may bound a tile."""
    found: Counter[str] = Counter()
    for owners, scope in ((OF_RASTER_UNIT, chip.gpu.raster_unit[r]), (SHARED, chip.gpu)):
        for unit, numbers in owners.items():
            count = getattr(chip.gpu.instances, unit)
            records = getattr(scope, unit)
            for record in records[:count] if isinstance(records, list) else [records]:
                for name, number in numbers.items():
                    found[name if name == unit else unit + name] += (record.cause == number) / count
    return found


def bounds_by_cycle(activity: Path, configuration: Configuration) -> dict[int, Counter[str]]:
    """Mean cycles of what may bound each tile, since the one before in its Raster Unit was written."""
    chip, engine = build(configuration, NAME).plain(), engine_of(configuration, False, NAME)
    begin_frame(chip)
    frame = plain(Loader(activity, configuration).load(0))
    log = frame.commands.log
    spent: dict[int, Counter[str]] = {r: Counter() for r in range(chip.gpu.raster_units)}
    found: dict[int, Counter[str]] = {}
    done = False
    while not done:
        done = engine.run(chip.gpu, frame, True, 1)
        for tile, row in enumerate(log):
            if row.bound and tile not in found:
                found[tile] = spent[row.raster_unit]
                spent[row.raster_unit] = Counter()
        for r in spent:
            spent[r].update(causes(chip, r))
    return found


def bounded_by(results: Results) -> list[Any]:
    column: list[Any] = results.tiles[0]["bounded_by"].to_pylist()
    return column


WHOLE = Rectangle(0, 0, 48, 32)
SCENES = {
    "three layers": [WHOLE, Rectangle(0, 0, 40, 32, 0.4), Rectangle(8, 0, 40, 20, 0.3)],
    "hidden layers": [Rectangle(0, 0, 48, 32, 0.1, textured=False)] + [Rectangle(0, 0, 48, 32, 0.9)] * 12,
    "half": [Rectangle(0, 0, 20, 32, textured=False)],
}


@pytest.mark.parametrize(("scene", "raster_units"), [("three layers", 2), ("hidden layers", 1), ("half", 2)])
def test_bounds_are_those_of_a_count_by_cycle(tmp_path: Path, scene: str, raster_units: int) -> None:
    activity, configuration = written(tmp_path, *SCENES[scene]), configured(f"tiles.raster_units={raster_units}")
    bounds = bounded_by(replay(activity, configuration, compiled=False, instrument=NAME))
    counted = bounds_by_cycle(activity, configuration)
    assert len(bounds) == len(counted) == 6
    for tile, name in enumerate(bounds):
        assert counted[tile][name] == pytest.approx(max(counted[tile].values()), abs=2), counted[tile]


@pytest.mark.parametrize(
    ("change", "scene", "bound"),
    [
        # A line of memory in each cycle in which it may be sent; 256 pixels at one per cycle.
        ("tile_flush.pixels_per_cycle=1", "half", "tile_flush"),
        # Twelve layers of 64 quads that the depth test kills one by one.
        ("early_depth.quads_per_cycle=1", "hidden layers", "early_depth"),
    ],
)
def test_a_narrow_unit_bounds_tiles(tmp_path: Path, change: str, scene: str, bound: str) -> None:
    activity = written(tmp_path, *SCENES[scene])
    bounds = bounded_by(replay(activity, configured(change), compiled=False, instrument=NAME))
    assert Counter(bounds).most_common(1)[0][0] == bound


def test_tiles_are_bounded_by_nothing_where_costs_are_not_asked_for(tmp_path: Path) -> None:
    results = replay(written(tmp_path, WHOLE), configured(), compiled=False)
    assert bounded_by(results) == [None] * 6
