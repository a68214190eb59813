"""Raster speed-ups beside those of the Parallel Tile Rendering thesis: `python -m tests.bench.sanity [scene ...]`.

For every bundled scene, captured application and model of a game of the thesis: two Raster Units under the three
assignments, and one with doubled resources, over the baseline; then a synthetic scene bound by fragment processing,
with memory that costs nothing.
Prints the tables of docs/model/sanity.md.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tilegpu.timing import load_configuration

from .scenes import Scene, loaded, row, run, scenes

sys.path.insert(0, str(Path(__file__).parent.parent / "timing" / "helpers"))
from synthetic import synthetic  # noqa: E402

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


def on_every_machine(scene: Scene, folder: Path) -> dict[str, dict[str, float]]:
    """Statistics of a scene on every machine; the same loaded frames serve all of them, tiles being equal."""
    frames = loaded(scene, folder, MACHINES["baseline"])
    return {name: run(c, frames) for name, c in MACHINES.items()}


def speed_ups(found: dict[str, dict[str, float]]) -> dict[str, float]:
    """Raster speed-up of every machine over the baseline."""
    base = found["baseline"]["gpu.raster_cycles"]
    return {name: base / found[name]["gpu.raster_cycles"] for name in MACHINES if name != "baseline"}


def share(s: dict[str, float], name: str) -> float:
    """Share of the raster stage in which a unit that all Raster Units share works, or waits for memory."""
    return (s[f"{name}.busy_cycles"] + s[f"{name}.waiting_cycles"]) / s["gpu.raster_cycles"]


def bound_by_fragments() -> None:
    """The synthetic scene: long shaders without textures, so that only fragment processing counts."""
    frame = synthetic(tiles_x=20, tiles_y=10, primitives=6, largest=16, instructions=60, texture_operations=0, seed=4)
    found = {
        name: run(load_configuration(c, FREE_MEMORY), [frame, frame])
        for name, c in (("one", "ptr-2022"), ("two", "ptr-2022-2ru"), ("doubled", "ptr-2022-doubled"))
    }
    base = found["one"]["gpu.raster_cycles"]
    for name in ("two", "doubled"):
        s = found[name]
        active = s["fragment.processor.busy_cycles"] / (8 * s["gpu.raster_cycles"])
        row(name, f"{base / s['gpu.raster_cycles']:.3f}", f"{active:.0%}", f"{s['fragment.imbalance']:.3f}")


def line(scene: Scene, folder: Path) -> dict[str, float]:
    """Print a scene's row; its speed-ups."""
    found = on_every_machine(scene, folder)
    gains, two = speed_ups(found), found["static"]
    row(
        scene.name,
        *(f"{gain:.2f}" for gain in gains.values()),
        f"{two['fragment.processor.memory_share']:.0%}",
        *(f"{share(two, name):.0%}" for name in ("tiling.tile_fetcher", "raster.tile_flush")),
        f"{two['tiling.primitives_per_tile']:.0f}",
        f"{two['fragment.quads_per_tile']:.0f}",
    )
    return gains


def mean(what: str, rows: list[dict[str, float]]) -> None:
    """Print the geometric mean of rows."""
    if rows:
        row(what, *(f"{statistics.geometric_mean(r[m] for r in rows):.2f}" for m in rows[0]), *[""] * 5)


def main(chosen: list[str]) -> None:
    machines = [name for name in MACHINES if name != "baseline"]
    row("scene", *machines, "waits for memory", "fetching", "flushing", "primitives per tile", "quads per tile")
    row(*["---"] * 10)
    with tempfile.TemporaryDirectory() as name:
        gains = [(scene, line(scene, Path(name))) for scene in scenes(chosen)]
    mean("scenes and captures", [g for scene, g in gains if not scene.modelled])
    mean("models of games", [g for scene, g in gains if scene.modelled])
    print()
    row("bound by fragments, free memory", "speed-up", "issuing", "imbalance")
    row(*["---"] * 4)
    bound_by_fragments()


if __name__ == "__main__":
    main(sys.argv[1:])
