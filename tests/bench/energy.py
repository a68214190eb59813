"""Where the energy goes, beside the papers: `python -m tests.bench.energy [scene ...]`.

For every captured application, two frames after one that warms the caches: the split into memory, Fragment Processors
and the rest on `ptr-2022` under several assumptions, and for games and models of games on the machine of the thesis of
2018 (Fig. 1.6a); what two Raster Units save; then the area of the second one. Prints the tables of docs/energy.md.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tilegpu.timing import Configuration, load_configuration
from tilegpu.timing.results.energy.report import Report, report
from tilegpu.tools.demo import SCENES
from tilegpu.tools.studies.papers.ptr_2022 import STUDY as PTR
from tilegpu.tools.studies.papers.vro_2018 import STUDY as VRO

from .scenes import Scene, loaded, row, run, scenes

ASSUMPTIONS = {
    "default (LSTP, `mcpat`)": (),
    "`profile=bottom-up`": ("profile=bottom-up",),
    "`dram_currents=lpddr4-micron`": ("dram_currents=lpddr4-micron",),
    "`device=itrs-lop`": ("device=itrs-lop",),
    "`device=itrs-hp`": ("device=itrs-hp",),
}
GAMES = ("game_etr_720p", "game_chromiumbsu_480p", *SCENES)


def measured(scene: Scene, folder: Path, configuration: Configuration) -> dict[str, float]:
    """Statistics of two frames of a scene."""
    return run(configuration, loaded(scene, folder, configuration))


def split(reports: list[Report]) -> list[str]:
    """Mean shares and power."""
    shares = [r.split() for r in reports]
    means = [statistics.fmean(s[part] for s in shares) for part in ("memory", "fragment_processors", "rest")]
    return [*(f"{mean:.0%}" for mean in means), f"{statistics.fmean(r.average_mw for r in reports):,.0f} mW"]


def assumptions(found: list[dict[str, float]]) -> None:
    """The split under each assumption; the run is the same."""
    row("ptr-2022", "memory", "Fragment Processors", "rest", "power")
    row(*["---"] * 5)
    for name, overrides in ASSUMPTIONS.items():
        row(name, *split([report(load_configuration("ptr-2022", overrides), s) for s in found]))
    tables = []
    for s in found:
        whole = report(load_configuration("ptr-2022"), s)
        table = sum(r.energy_pj for r in whole.structures if r.name == "tile_fetcher.primitive_table")
        tables.append(table / whole.total_pj)
    print(f"\nPrimitive Table: {statistics.fmean(tables):.2%} of the energy on average, {max(tables):.2%} at most\n")


def games(chosen: list[Scene], folder: Path) -> None:
    """Games and scenes like games: the split on the machine of 2018, the saving of two Raster Units."""
    row("scene", "memory", "Fragment Processors", "rest", "power", "two Raster Units")
    row(*["---"] * 6)
    for scene in chosen:
        old = load_configuration("vro-2018")
        one, two = load_configuration("ptr-2022"), load_configuration("ptr-2022-2ru")
        energies = [report(c, measured(scene, folder, c)).total_pj for c in (one, two)]
        saved = f"{energies[1] / energies[0] - 1:+.1%}"
        row(scene.name, *split([report(old, measured(scene, folder, old))]), saved)


def areas() -> None:
    """Area of the structures with one and two Raster Units."""
    print()
    for profile in ("mcpat", "bottom-up"):
        one, two = (
            report(load_configuration("ptr-2022", [f"raster_units={n}", f"profile={profile}"])).area_mm2 for n in (1, 2)
        )
        print(f"area, {profile}: {one:.1f} mm2, with a second Raster Unit {two:.1f} mm2, {two / one - 1:+.0%}")


def main(chosen: list[str]) -> None:
    found = scenes(chosen, PTR, VRO)
    baseline = load_configuration("ptr-2022")
    with tempfile.TemporaryDirectory() as name:
        captures = [scene for scene in found if scene.name not in SCENES and not scene.modelled]
        if captures:
            assumptions([measured(scene, Path(name), baseline) for scene in captures])
        games([scene for scene in found if scene.modelled or scene.name in GAMES], Path(name))
    areas()


if __name__ == "__main__":
    main(sys.argv[1:])
