"""Raster speed-ups beside those of the Parallel Tile Rendering thesis: `python -m tests.bench.sanity [scene ...]`.

For every bundled scene and captured application: two Raster Units under the three assignments, and one with doubled
resources, over the baseline; then a synthetic scene bound by fragment processing, with memory that costs nothing.
Prints the tables of docs/model/sanity.md.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tilegpu.functional.player import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import Configuration, load_configuration
from tilegpu.timing.engine.build import build
from tilegpu.timing.engine.frame import Frame
from tilegpu.timing.engine.variants import compiling, engine_of
from tilegpu.timing.loading.load import Loader
from tilegpu.timing.replay import run_frame
from tilegpu.timing.results.results import derive
from tilegpu.timing.results.statistics import snapshot
from tilegpu.timing.results.statistics import statistics as declared

from .run import traces

sys.path.insert(0, str(Path(__file__).parent.parent / "timing"))
from synthetic import synthetic  # noqa: E402

FRAMES = 3
"""Frames per scene, from its second third on; the first of them warms the caches."""
MACHINES = {
    "baseline": load_configuration("ptr-2022"),
    "static": load_configuration("ptr-2022-2ru"),
    "dynamic": load_configuration("ptr-2022-2ru", ["assignment=dynamic"]),
    "mixed": load_configuration("ptr-2022-2ru", ["assignment=mixed"]),
    "doubled": load_configuration("ptr-2022-doubled"),
}
FREE_MEMORY = (
    "dram=simple",
    "row_hit_latency=1",
    "row_miss_latency=1",
    "bytes_per_memory_cycle=1024",
    "l2_cache.latency=1",
    "texture_cache.size_bytes=1048576",
)
"""Memory as good as free: latencies of a cycle, any bandwidth, texture caches that hold everything."""


def run(configuration: Configuration, frames: list[Frame], warm_up: int) -> dict[str, float]:
    """Statistics of the frames after the first `warm_up`."""
    engine, chip = engine_of(configuration), build(configuration)
    before = snapshot(chip)
    for number, frame in enumerate(frames):
        if number == warm_up:
            before = snapshot(chip)
        with compiling(engine):
            run_frame(engine, chip, frame, configuration.simulation.watchdog_cycles)
    after = snapshot(chip)
    return derive(declared(configuration), {name: float(after[name] - before[name]) for name in after})


def loaded(trace: Path, folder: Path, configuration: Configuration) -> list[Frame]:
    """Frames of a scene for a machine; its activity is recorded into the folder the first time."""
    activity = folder / trace.stem
    if not activity.exists():
        record(trace, activity, FrameRange(0, 8))
    loader = Loader(activity, configuration)
    count = len(loader.frames)
    chosen = loader.frames[max(0, count * 2 // 3 - FRAMES + 1) :][:FRAMES]
    return [loader.load(number) for number in chosen]


def scene(trace: Path, folder: Path) -> dict[str, dict[str, float]]:
    """Statistics of a scene on every machine; the same loaded frames serve all of them, tiles being equal."""
    frames = loaded(trace, folder, MACHINES["baseline"])
    return {name: run(c, frames, min(1, len(frames) - 1)) for name, c in MACHINES.items()}


def speed_ups(found: dict[str, dict[str, float]]) -> dict[str, float]:
    """Raster speed-up of every machine over the baseline."""
    base = found["baseline"]["gpu.raster_cycles"]
    return {name: base / found[name]["gpu.raster_cycles"] for name in MACHINES if name != "baseline"}


def share(s: dict[str, float], name: str) -> float:
    """Share of the raster stage in which a unit that all Raster Units share works, or waits for memory."""
    return (s[f"{name}.busy_cycles"] + s[f"{name}.waiting_cycles"]) / s["gpu.raster_cycles"]


def row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def bound_by_fragments() -> None:
    """The synthetic scene: long shaders without textures, so that only fragment processing counts."""
    frame = synthetic(tiles_x=20, tiles_y=10, primitives=6, largest=16, instructions=60, texture_operations=0, seed=4)
    found = {
        name: run(load_configuration(c, FREE_MEMORY), [frame, frame], 1)
        for name, c in (("one", "ptr-2022"), ("two", "ptr-2022-2ru"), ("doubled", "ptr-2022-doubled"))
    }
    base = found["one"]["gpu.raster_cycles"]
    for name in ("two", "doubled"):
        s = found[name]
        active = s["fragment.processor.busy_cycles"] / (8 * s["gpu.raster_cycles"])
        row(name, f"{base / s['gpu.raster_cycles']:.3f}", f"{active:.0%}", f"{s['fragment.imbalance']:.3f}")


def main(chosen: list[str]) -> None:
    machines = "static", "dynamic", "mixed", "doubled"
    row("scene", *machines, "waits for memory", "fetching", "flushing", "primitives per tile", "quads per tile")
    row(*["---"] * 10)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for trace in traces(chosen):
            found = scene(trace, Path(name))
            gains = speed_ups(found)
            rows.append(gains)
            two = found["static"]
            row(
                trace.stem,
                *(f"{gains[machine]:.2f}" for machine in machines),
                f"{two['fragment.processor.memory_share']:.0%}",
                *(f"{share(two, name):.0%}" for name in ("tiling.tile_fetcher", "raster.tile_flush")),
                f"{two['tiling.primitives_per_tile']:.0f}",
                f"{two['fragment.quads_per_tile']:.0f}",
            )
    means = [f"{statistics.geometric_mean(r[m] for r in rows):.2f}" for m in machines]
    row("geometric mean", *means, "", "", "", "", "")
    print()
    row("bound by fragments, free memory", "speed-up", "issuing", "imbalance")
    row(*["---"] * 4)
    bound_by_fragments()


if __name__ == "__main__":
    main(sys.argv[1:])
