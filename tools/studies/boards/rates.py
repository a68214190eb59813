"""Sensitivity of scenes: cycles of a Mali GPU if one rate or cost at a time has another value.

    python -m tilegpu.tools.studies.boards.rates mali-g57-mc2 CAPTURE.trace ... -o rates.json

prints a table and writes it as JSON; docs/accuracy.md has those of `data/boards/rates.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.config import Configuration

FRAMES = 3
"""Of each capture: the first two warm up, the last one counts."""
FACTORS: dict[str, tuple[float, ...]] = {
    "simt_core.schedulers": (0.5, 2),
    "simt_core.texture_threads": (0.5, 2),
    "simt_core.varying_channels": (0.5, 2),
    "fragment_warp_launcher.quad_cycles": (2, 0.5),
    "tile_flush.pixels_per_cycle": (0.5, 2),
    "memory.network_bytes_per_cycle": (0.5, 4),
    "dram.bus_bytes_per_cycle": (0.5,),
    "dram.bytes_per_memory_cycle": (0.5, 2),
    "dram.row_miss_latency": (2,),
    "l2_cache.latency": (0.5, 2),
    "l2_cache.banks": (0.25,),
    "l2_cache.size_bytes": (0.5, 2),
    "texture_cache.size_bytes": (0.5, 2),
    "primitive_assembly.primitives_per_cycle": (2,),
    "vertex_fetcher.queue": (2,),
}
"""Factors of the preset's value."""
VALUES: dict[str, tuple[object, ...]] = {
    "vertex_warp_launcher.fetch": ("central",),
    "job_manager.job_cycles": (0, 1000),
    "job_manager.chain_cycles": (20000,),
    "job_manager.chain_ends": ("keep",),
    "tile_fetcher.tile_cycles": (8, 64),
}
"""Other values."""
SEEN_PERCENT = 1.0
"""Changes below are not shown."""
CYCLES = "gpu.cycles"
Json = dict[str, Any]


def variants(preset: str) -> Iterator[str]:
    """Settings of one field each that differ from a preset, without those that the model has no room for."""
    for setting in _candidates(load_configuration(preset)):
        with suppress(UserError):
            load_configuration(preset, [setting])
            yield setting


def _candidates(configuration: Configuration) -> Iterator[str]:
    for full, factors in FACTORS.items():
        section, _, name = full.partition(".")
        value = getattr(getattr(configuration, section), name)
        for factor in factors:
            changed = max(1, round(value * factor))
            if value and changed != value:
                yield f"{full}={changed}"
    for full, values in VALUES.items():
        section, _, name = full.partition(".")
        yield from (f"{full}={v}" for v in values if v != getattr(getattr(configuration, section), name))


def stored_rates() -> list[Json]:
    """The committed outcomes; none where there are none yet."""
    path = files("tilegpu.data").joinpath("boards", "rates.json")
    outcomes: list[Json] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return outcomes


def measure(preset: str, activities: Mapping[str, Path]) -> Json:
    """Change of the cycles of each scene, in percent, by setting.

    Parameters
    ----------
    preset
        Name of the preset.
    activities
        Recordings by scene; the last frame of each counts.
    """
    usual = {name: _cycles(folder, load_configuration(preset)) for name, folder in activities.items()}
    changes: dict[str, dict[str, float]] = {}
    for setting in variants(preset):
        configuration = load_configuration(preset, [setting])
        changes[setting] = {
            name: round(100 * (_cycles(folder, configuration) / usual[name] - 1), 2)
            for name, folder in activities.items()
        }
        print(f"{preset} {setting}: {changes[setting]}", file=sys.stderr)
    return {"preset": preset, "cycles": usual, "changes": changes}


def table(measured: Json) -> Iterator[str]:
    """A row per setting that changes any scene, a column per scene."""
    scenes = list(measured["cycles"])
    yield f"| {measured['preset']} | {' | '.join(scenes)} |"
    yield "| --- |" + " --- |" * len(scenes)
    silent = []
    for setting, changes in measured["changes"].items():
        if max(abs(change) for change in changes.values()) < SEEN_PERCENT:
            silent.append(setting)
            continue
        cells = (f"{changes[s]:+.0f} %" if abs(changes[s]) >= SEEN_PERCENT else "" for s in scenes)
        yield f"| {setting} | {' | '.join(cells)} |"
    if silent:
        yield ""
        yield f"Below {SEEN_PERCENT:g} % everywhere: {', '.join(silent)}."
    yield ""


def _cycles(activity: Path, configuration: Configuration) -> float:
    results = replay(activity, configuration, range(FRAMES), FRAMES - 1)
    return float(results.totals()[CYCLES])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure presets on captures."""
    parser = argparse.ArgumentParser(prog="rates", description=__doc__.partition("\n")[0])
    parser.add_argument("preset", help="names of presets, with commas between them")
    parser.add_argument("captures", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            activities = {}
            for capture in given.captures:
                activities[capture.stem] = Path(folder) / capture.stem
                record(capture, activities[capture.stem], FrameRange(0, FRAMES), "visible", frozenset({"pass_images"}))
            measured = [measure(preset, activities) for preset in given.preset.split(",")]
    except UserError as error:
        parser.exit(2, f"rates: {error}\n")
    given.output.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print("\n".join(line for each in measured for line in table(each)))


if __name__ == "__main__":
    main()
