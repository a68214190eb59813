"""The study of boards, made from a file of measurements: a machine per board, a workload per scene."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from tilegpu.timing.config import preset_names

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study, StudyError
from ..measured import Measured
from .board import Board
from .conclusions import conclusions_of
from .frame_time import Reading, at_other_clock, frame_ms
from .measurements import Measurement, labels, published, read_measurements, slug
from .measures import parts_ms, predicted_ms
from .motion import RUN, motion_of, write_moments


@dataclass(frozen=True)
class Reference:
    """Another machine for a board: its name behind the board's, what it is, its preset and settings."""

    name: str
    words: str
    preset: str
    settings: tuple[str, ...]


NAME = "boards"
CAPTURES = "TILEGPU_BOARDS"
SEPARATE = frozenset({"mali-450-mp2", "mali-450-mp3"})
"""GPUs with processors of their own for vertices, which work on the next frame beside the fragments of the last."""
REFERENCES = {
    "mali-450-mp3": Reference(
        "re-2019", "the papers' GPU after it, re-2019", "re-2019", ("fragment_stage.processors=3",)
    ),
}
"""Rivals of a preset."""
CLOCKS = {"half": 0.5, "higher": 1.5}
"""Other clocks of a GPU, times the measured one, for which the readings of the fixed part are told apart."""
Predict = Callable[[Measured, Board], dict[str, float]]
STILL = Frames((0, 1), (2,))
"""Of scenes that hardly move, and in short. A window has two buffers in turns: tiles of the third frame are the first
that a frame before may have written into the same one."""
QUICK = "pulsar", "shading_phong", "effect2d_edge", "texture_linear"
"""Captures, by the name of their files, that are enough for a first look."""


def board_study(measurements: Path | None = None, preset: str = "", captures: Path | None = None) -> Study:
    """The study of the boards in a file.

    Parameters
    ----------
    measurements
        CSV file; the published ones without it.
    preset
        Preset or TOML file for all of its boards; by the GPU's name without it.
    captures
        Folder of captures; the one that TILEGPU_BOARDS names without it.

    Raises
    ------
    StudyError
        If the file cannot be read, or a GPU has no preset.
    """
    path = measurements or published()
    measured = read_measurements(path)
    folder = captures or Path(os.environ.get(CAPTURES, ""))
    if captures is not None and not captures.is_dir():
        raise StudyError(f"--captures {captures}: there is no such folder")
    named = {key: [m for m in measured if (m.board, m.gpu) == key] for key in labels(measured)}
    boards: list[Board] = []
    machines: dict[str, Machine] = {}
    traces: dict[str, Path] = {}
    for key, label in labels(measured).items():
        chosen = _preset(named[key][0], preset, path)
        clocks = {m.gpu_mhz for m in named[key]}
        if len(clocks) > 1:
            raise StudyError(f"{path}: {key[0]!r} has several clocks; call it by another name for each")
        machines[label] = Machine(chosen, (f"clocks.gpu_mhz={clocks.pop()}",))
        scenes = {_workload(label, m): m for m in named[key]}
        if len(scenes) < len(named[key]):
            raise StudyError(f"{path}: two scenes of {key[0]!r} have the same capture; keep one of them")
        boards.append(Board(label, chosen, scenes, chosen in SEPARATE))
        # A scene without a capture is named as one that is not at hand.
        traces |= {
            name: folder / m.capture if captures or CAPTURES in os.environ else Path() for name, m in scenes.items()
        }
    moving = {name: motion for board in boards for name, m in board.scenes.items() if (motion := motion_of(m.scene))}
    return Study(
        name=NAME,
        title="Real GPUs: predicted and measured frame times",
        source=str(path) if measurements else "results that owners of boards have published (data/boards/measured.csv)",
        workloads=tuple(traces),
        applications=(),
        screen=None,
        frames=STILL,
        quick_frames=STILL,
        experiments=tuple(_experiment(board, machines[board.label]) for board in boards),
        figures=_figures(boards),
        conclusions=tuple(conclusion for board in boards for conclusion in _conclusions(board)),
        groups=frozenset({"pass_images"}),
        traces=traces,
        at_times={name: partial(write_moments, motion) for name, motion in moving.items()},
        moments=dict.fromkeys(moving, RUN),
        hint=f"{CAPTURES} or --captures names the folder of the boards' captures",
    )


def _preset(first: Measurement, preset: str, path: Path) -> str:
    if preset:
        if preset not in preset_names() and not Path(preset).is_file():
            raise StudyError(f"--preset {preset}: there is no such preset; `tilegpu configs` lists them")
        return preset
    name = preset_of(first.gpu, first.cores)
    if not name:
        raise StudyError(f"{path}: GPU {first.gpu!r} has no preset of its own; name one with --preset")
    return name


def preset_of(gpu: str, cores: str) -> str:
    """Preset of a GPU by its name and number of cores, as "Mali-G52 r1 MC1"; an empty string if there is none."""
    words = re.sub(r"(?<=[0-9e])(?=m[pc][0-9])", "-", slug(gpu)).split("-")
    counts = [word[2:] for word in words if re.fullmatch(r"m[pc]\d+", word)] or [cores]
    for name in preset_names():
        mine = re.fullmatch(r"mali-(\w+)-m[pc](\d+)", name)
        if mine and mine[1] in words and mine[2] == counts[0]:
            return name
    return ""


def _workload(label: str, measurement: Measurement) -> str:
    stem = Path(measurement.capture).stem if measurement.capture else measurement.scene
    return f"{label}:{stem}"


def _experiment(board: Board, machine: Machine) -> Experiment:
    scenes = tuple(board.scenes)
    machines = {board.label: machine}
    if board.preset in REFERENCES:
        other = REFERENCES[board.preset]
        machines[_reference(board)] = Machine(other.preset, (*other.settings, *machine.settings))
    quick = tuple(name for name in scenes if name.partition(":")[2] in QUICK)
    return Experiment(machines, scenes, quick or scenes)


def _reference(board: Board) -> str:
    return f"{board.label}@{REFERENCES[board.preset].name}"


def _figures(boards: Sequence[Board]) -> tuple[Figure, ...]:
    measured = {board.label: board.measured_ms for board in boards}

    def frame_times(name: str, title: str, predict: Predict) -> Figure:
        def series(m: Measured) -> dict[str, dict[str, float]]:
            return {board.label: predict(m, board) for board in boards if board.here(m)}

        return Figure(name, title, "ms", series, measured, scatter=True)

    def parts(m: Measured) -> dict[str, dict[str, float]]:
        by_part: dict[str, dict[str, float]] = {}
        for board in boards:
            for name in board.here(m):
                for part, value in parts_ms(m, board, name).items():
                    by_part.setdefault(part, {})[name] = value
        return by_part

    return (
        frame_times("frame-times", "Frame times, nothing fitted", predicted_ms),
        frame_times(
            "frame-times-constants",
            "Frame times with constants from the other scenes",
            lambda m, board: predicted_ms(m, board, "left out"),
        ),
        frame_times(
            "frame-times-fixed",
            "Frame times with one constant, the fixed part, from the other scenes",
            lambda m, board: predicted_ms(m, board, "fixed"),
        ),
        frame_times(
            "frame-times-draws",
            "The same with a cost per draw, without the scenes that it is from",
            lambda m, board: predicted_ms(m, board, "draws"),
        ),
        frame_times(
            "frame-times-lowest-clock",
            "The same at the lowest clock that the board may have had",
            lambda m, board: frame_ms(m, board, "left out", mhz=board.lowest_mhz),
        ),
        frame_times(
            "frame-times-roofline",
            "Frame times by a roofline, with constants likewise",
            lambda m, board: predicted_ms(m, board, "left out", model="roofline"),
        ),
        frame_times(
            "frame-times-naive",
            "Frame times in proportion to instructions",
            lambda m, board: predicted_ms(m, board, model="naive"),
        ),
        frame_times(
            "frame-times-roofline-nothing",
            "Frame times by a roofline, nothing fitted",
            lambda m, board: predicted_ms(m, board, model="roofline"),
        ),
        frame_times(
            "frame-times-roofline-fixed",
            "Frame times by a roofline, with one constant, the fixed part, likewise",
            lambda m, board: predicted_ms(m, board, "fixed", model="roofline"),
        ),
        frame_times(
            "frame-times-roofline-draws",
            "Frame times by a roofline, with a cost per draw likewise",
            lambda m, board: predicted_ms(m, board, "draws", model="roofline"),
        ),
        *(
            _other_clock(boards, f"{words}-{reading}", factor, reading)
            for words, factor in CLOCKS.items()
            for reading in get_args(Reading)
        ),
        Figure("parts", "Time of each part by itself", "ms", parts),
    )


def _other_clock(boards: Sequence[Board], name: str, factor: float, reading: Reading) -> Figure:
    def series(m: Measured) -> dict[str, dict[str, float]]:
        return {board.label: at_other_clock(m, board, factor, reading) for board in boards if board.here(m)}

    read_as = "a time" if reading == "time" else "the GPU's cycles"
    return Figure(f"clock-{name}", f"At {factor:g} times the clock, the fixed part read as {read_as}", "ms", series)


def _conclusions(board: Board) -> tuple[Conclusion, ...]:
    if board.preset not in REFERENCES:
        return conclusions_of(board)
    return conclusions_of(board, _reference(board), REFERENCES[board.preset].words)
