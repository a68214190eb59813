"""Presets of real GPUs: a source for each value, bases that no paper's preset shares, published rates."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from tilegpu.timing import load_configuration
from tilegpu.timing.config.fields import is_used, known_fields
from tilegpu.timing.config.load import preset_text
from tilegpu.timing.declare.tiles import Tiles
from tilegpu.timing.loading.issue.unified_issue import LANES
from tilegpu.timing.units.fragment_warp_launcher import FragmentWarpLauncherParameters
from tilegpu.timing.units.simt_core import SimtCoreParameters
from tilegpu.timing.units.tile_flush import TileFlushParameters

BOARDS = {
    "mali-450-mp2": "mali-utgard",
    "mali-450-mp3": "mali-utgard",
    "mali-t860-mp4": "mali-midgard",
    "mali-g52-mc1": "mali-bifrost",
    "mali-g52-mc2": "mali-bifrost",
    "mali-g57-mc2": "mali-valhall",
    "mali-g78ae-mc2": "mali-valhall",
    "mali-g610-mc4": "mali-valhall",
}
ROOTS = {"mali-utgard", "mali-unified"}
FILES = sorted({*BOARDS, *BOARDS.values(), *ROOTS})
NOT_HARDWARE = ("simulation.", "clocks.gpu_divisor", "clocks.memory_divisor")
A_BOARDS_OWN = {
    "counters",
    "clocks",
    "tiles",
    "simt_core",
    "fragment_warp_launcher",
    "tile_flush",
    "l2_cache",
    "dram",
    "power",
}


def chain(name: str) -> list[dict[str, Any]]:
    """A preset's file, and those that it builds on."""
    values = tomllib.loads(preset_text(name))
    return [values, *(chain(values["base"]) if "base" in values else [])]


@pytest.mark.parametrize("name", BOARDS)
def test_everything_used_is_given_by_real_gpus_alone(name: str) -> None:
    files = chain(name)
    assert files[1]["name"] == BOARDS[name] and files[-1]["name"] in ROOTS
    given = {f"{section}.{field}" for file in files for section, table in file.items() if isinstance(table, dict)
             for field in table}  # fmt: skip
    configuration = load_configuration(name)
    used = [full for full, _ in known_fields() if "." in full and is_used(configuration, full)]
    lacking = [full for full in used if full not in given and not full.startswith(NOT_HARDWARE)]
    assert [full for full in lacking if not full.startswith("technique.")] == []


@pytest.mark.parametrize("name", FILES)
def test_every_value_has_a_source_or_is_assumed(name: str) -> None:
    lines = [line for line in preset_text(name).splitlines() if " = " in line and not line.startswith("#")]
    bare = [line for line in lines if "#" not in line and not re.match(r"(base|name|machine) = ", line)]
    assert bare == []


LINE = re.compile(r"(\w+) = (.+?)  # (.*)")


@pytest.mark.parametrize("name", FILES)
def test_values_lie_in_their_ranges(name: str) -> None:
    outside, read = [], 0
    for line in preset_text(name).splitlines():
        match = LINE.fullmatch(line)
        if not match:
            continue
        value, comment = match[2].strip('"'), match[3]
        if numbers := re.search(r"\((\d+) to (\d+)", comment):
            read += 1
            if not float(numbers[1]) <= float(value) <= float(numbers[2]):
                outside.append(line)
        elif (others := re.search(r"assumed \(([^)]*)\)", comment)) and value in others[1].split(", "):
            outside.append(line)
    assert outside == []
    assert read > 0 or name in BOARDS


@pytest.mark.parametrize("name", BOARDS)
def test_boards_change_cores_clocks_caches_and_memory_only(name: str) -> None:
    # The G610 has streams of commands in the place of jobs.
    own = A_BOARDS_OWN | ({"job_manager"} if name == "mali-g610-mc4" else set())
    assert {key for key, value in chain(name)[0].items() if isinstance(value, dict)} <= own


@pytest.mark.parametrize(
    ("name", "multiply_adds", "texels", "pixels"),
    [
        # Arm's data sheet: 48 operations of 32 bits, two each; Mesa's table of models.
        ("mali-g52-mc1", 24, 2, 2),
        ("mali-g52-mc2", 16, 2, 2),
        ("mali-g57-mc2", 32, 4, 2),
        ("mali-g78ae-mc2", 32, 4, 2),
        ("mali-g610-mc4", 64, 8, 4),
        # Two pipes, each with a product of four components for one thread.
        ("mali-t860-mp4", 2 * 4, 1, 1),
    ],
)
def test_rates_per_clock_and_core(name: str, multiply_adds: int, texels: int, pixels: int) -> None:
    c = load_configuration(name)
    core = c.of(SimtCoreParameters)
    lanes = 4 if core.issue == "bundles" else LANES[core.issue]
    assert core.schedulers * lanes == multiply_adds
    assert core.texture_threads == texels
    assert c.of(TileFlushParameters).pixels_per_cycle == pixels * core.clusters
    raster_units_per_core = c.of(Tiles).raster_units / core.clusters
    assert 4 * raster_units_per_core / c.of(FragmentWarpLauncherParameters).quad_cycles == pixels
