"""Scenes of the tables that the benches print, and how their statistics are taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import Configuration
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import compiling, engine_of
from tilegpu.timing.engine.frame import Frame
from tilegpu.timing.replay import run_frame
from tilegpu.timing.results.results import derive
from tilegpu.timing.results.statistics import snapshot
from tilegpu.timing.results.statistics import statistics as declared
from tilegpu.tools.studies.declare import Study
from tilegpu.tools.studies.papers.ptr_2022 import STUDY as PTR
from tilegpu.tools.workloads.cache import cached_trace
from tilegpu.tools.workloads.twin_files import find_twin

from .run import traces

FRAMES = 3
"""Frames of a scene, from its second third on; the first of them warms the caches."""


@dataclass(frozen=True)
class Scene:
    """A bundled scene, a captured application, or a model of a game.

    Attributes
    ----------
    name
        As in the tables.
    trace
        Its calls; of a model those of the frames of its study.
    modelled
        Whether it is a model of a game.
    """

    name: str
    trace: Path
    modelled: bool = False


def scenes(chosen: list[str], *studies: Study) -> list[Scene]:
    """Bundled scenes, captured applications where they are, and models of the games of studies, `ptr-2022` by default;
    all or those named."""
    found = [Scene(trace.stem, trace) for trace in traces(chosen)]
    for study in studies or (PTR,):
        names = [name for name in study.workloads if not chosen or name in chosen]
        found += [Scene(name, cached_trace(find_twin(name), study.frames.times), modelled=True) for name in names]
    return found


def loaded(scene: Scene, folder: Path, configuration: Configuration) -> list[Frame]:
    """Frames of a scene for a machine; its activity is recorded into the folder the first time."""
    activity = folder / scene.name
    if not activity.exists():
        record(scene.trace, activity, FrameRange(0, 8))
    loader = Loader(activity, configuration)
    count = len(loader.frames)
    chosen = loader.frames[max(0, count * 2 // 3 - FRAMES + 1) :][:FRAMES]
    return [loader.load(number) for number in chosen]


def run(configuration: Configuration, frames: list[Frame]) -> dict[str, float]:
    """Statistics of the frames after the first, or of the only one."""
    engine, chip = engine_of(configuration), build(configuration)
    before = snapshot(chip)
    for number, frame in enumerate(frames):
        if number == min(1, len(frames) - 1):
            before = snapshot(chip)
        with compiling(engine):
            run_frame(engine, chip, frame, configuration.simulation.watchdog_cycles)
    after = snapshot(chip)
    return derive(declared(configuration), {name: float(after[name] - before[name]) for name in after})


def row(*cells: str) -> None:
    """A row of a table in Markdown."""
    print("| " + " | ".join(cells) + " |", flush=True)
