"""Each technique on captured applications, at their own screens: no text says what they should come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..declare import Experiment, Figure, Frames, Machine, Study
from ..measured import Measured

CAPTURES = (
    "capture:game_etr_720p@5:10",
    "capture:game_chromiumbsu_480p@5:10",
    "capture:applications/web_babylon@6:11",
    "capture:applications/web_playcanvas@3:8",
    "capture:applications/web_maplibre@12:17",
    "capture:applications/web_fluid@6:11",
    "capture:qtquick@4:9",
    "capture:gtk4_factory@6:11",
    "capture:imgui_es2@5:10",
    "capture:nanovg_es3@3:8",
)


@dataclass(frozen=True)
class Technique:
    """A technique beside the machine without it.

    Attributes
    ----------
    page, study
        File of docs/model, and study, that show its table.
    base, machine
        Machines of this study.
    """

    page: str
    study: str
    base: str
    machine: str


MALI = "mali-t860-mp4"
MACHINES = {
    "ptr-2022": Machine("ptr-2022"),
    "two Raster Units": Machine("ptr-2022-2ru"),
    "re-2019": Machine("re-2019"),
    "rendering elimination": Machine("re-2019", ("techniques=rendering_elimination",)),
    "transaction elimination": Machine("re-2019", ("techniques=transaction_elimination",)),
    "vro-2018": Machine("vro-2018"),
    "visibility rendering order": Machine("vro-2018-vro"),
    "deferred rendering": Machine("vro-2018-dr"),
    "imr-2018": Machine("imr-2018"),
    "visibility rendering order, immediate": Machine("imr-2018-vro"),
    "z-prepass": Machine("imr-2018-z-prepass"),
    "dae-2012-baseline": Machine("dae-2012-baseline"),
    "decoupled access": Machine("dae-2012"),
    MALI: Machine(MALI, ("techniques=none",)),
    "forward pixel kill": Machine(MALI, ("techniques=forward_pixel_kill",)),
    "frame buffer compression": Machine(MALI, ("techniques=frame_buffer_compression",)),
}

TECHNIQUES = (
    Technique("teapot", "ptr-2022", "ptr-2022", "two Raster Units"),
    Technique("rendering_elimination", "re-2019", "re-2019", "rendering elimination"),
    Technique("transaction_elimination", "re-2019", "re-2019", "transaction elimination"),
    Technique("visibility_rendering_order", "vro-2018", "vro-2018", "visibility rendering order"),
    Technique("visibility_rendering_order", "vro-2018", "imr-2018", "visibility rendering order, immediate"),
    Technique("deferred_rendering", "vro-2018", "vro-2018", "deferred rendering"),
    Technique("z_prepass", "vro-2018", "imr-2018", "z-prepass"),
    Technique("decoupled_access", "dae-2012", "dae-2012-baseline", "decoupled access"),
    Technique("forward_pixel_kill", "", MALI, "forward pixel kill"),
    Technique("frame_buffer_compression", "", MALI, "frame buffer compression"),
)

QUANTITIES = {"cycles": "gpu.cycles", "energy": "energy.total", "DRAM bytes": "memory.dram.bytes"}
"""Quantities of each table, of the machine without the technique."""


def over_base(m: Measured, technique: Technique) -> dict[str, Mapping[str, float]]:
    """Each quantity over that of the machine without the technique, by capture."""
    some = m.with_machine(technique.base, technique.machine)
    return {words: some.ratios(name, technique.machine, technique.base) for words, name in QUANTITIES.items()}


def _figure(technique: Technique) -> Figure:
    title = technique.machine[0].upper() + technique.machine[1:]
    return Figure(technique.machine, title, f"of {technique.base}", lambda m: over_base(m, technique))


STUDY = Study(
    name="captured",
    title="Techniques on captured applications",
    source="captures of games, browsers and toolkits; no figures are published for them",
    workloads=CAPTURES,
    applications=(),
    screen=None,
    frames=Frames((), (1, 2, 3, 4, 5), before=2),
    quick_frames=Frames((), (1, 2), before=1),
    experiments=(Experiment(MACHINES),),
    figures=tuple(map(_figure, TECHNIQUES)),
    conclusions=(),
    level="all",
    groups=frozenset({"pass_images"}),
)
