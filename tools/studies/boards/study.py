"""The study of boards, made from a file of measurements: a machine per board, a workload per scene."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilegpu.timing.config import preset_names

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study, StudyError
from ..measured import Measured
from .explanations import largest_errors, left_out
from .measurements import Measurement, labels, published, read_measurements
from .measures import Board, Fit, agreement, bound_outside, frame_ms, occupation, phases, rest_ms


@dataclass(frozen=True)
class Reference:
    """Another machine for a board: its name behind the board's, what it is, its preset and settings."""

    name: str
    words: str
    preset: str
    settings: tuple[str, ...]


NAME = "boards"
CAPTURES = "TILEGPU_BOARDS"
PRESETS = {"Mali-450 MP3": "mali-450-mp3", "Mali-G52 r1 MC1": "mali-g52-mc1"}
"""Preset of a GPU by its name in the file."""
OVERLAPS = frozenset({"mali-450-mp3"})
"""GPUs with processors of their own for vertices, which work on the next frame beside the fragments of the last."""
REFERENCES = {
    "mali-450-mp3": Reference(
        "re-2019", "the papers' GPU after it, re-2019", "re-2019", ("fragment_stage.processors=3",)
    ),
    "mali-g52-mc1": Reference(
        "without-te", "no Transaction Elimination", "mali-g52-mc1", ("techniques=frame_buffer_compression",)
    ),
}
"""What a preset is set beside."""
QUICK = "pulsar", "shading_phong", "effect2d_edge", "texture_linear"
"""Captures, by the name of their files, that are enough for a first look."""
EMERALD = 0.98, 32.2
"""Correlation, and mean error in percent, of Emerald's draw times beside a Tegra K1's (Gubran and Aamodt, 3.4)."""
BOUNDS = {"mali-450-mp3": (0.98, 15.0), "mali-g52-mc1": (0.97, 25.0)}
"""Least correlation and largest mean error in percent that are asked for; Emerald's for other boards."""


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
    found = read_measurements(path)
    folder = captures or Path(os.environ.get(CAPTURES, ""))
    if captures is not None and not captures.is_dir():
        raise StudyError(f"--captures {captures}: there is no such folder")
    named = {key: [m for m in found if (m.board, m.gpu) == key] for key in labels(found)}
    boards: list[Board] = []
    machines: dict[str, Machine] = {}
    traces: dict[str, Path] = {}
    for key, label in labels(found).items():
        chosen = _preset(key[1], preset, path)
        clocks = {m.gpu_mhz for m in named[key]}
        if len(clocks) > 1:
            raise StudyError(f"{path}: {key[0]!r} has several clocks; call it by another name for each")
        machines[label] = Machine(chosen, (f"clocks.gpu_mhz={clocks.pop()}",))
        scenes = {_workload(label, m): m for m in named[key]}
        if len(scenes) < len(named[key]):
            raise StudyError(f"{path}: two scenes of {key[0]!r} have the same capture; keep one of them")
        boards.append(Board(label, chosen, scenes, chosen in OVERLAPS))
        # A scene without a capture is named as one that is not at hand.
        traces |= {
            name: folder / m.capture if captures or CAPTURES in os.environ else Path() for name, m in scenes.items()
        }
    return Study(
        name=NAME,
        title="Real GPUs: predicted and measured frame times",
        source=str(path) if measurements else "results that owners of boards have published (data/boards/measured.csv)",
        workloads=tuple(traces),
        applications=(),
        screen=None,
        frames=Frames((0,), (1, 2)),
        quick_frames=Frames((0,), (1,)),
        experiments=tuple(_experiment(board, machines[board.label]) for board in boards),
        figures=_figures(boards),
        conclusions=tuple(conclusion for board in boards for conclusion in _conclusions(board)),
        groups=frozenset({"pass_images"}),
        traces=traces,
        hint=f"{CAPTURES} or --captures names the folder of the boards' captures",
    )


def _preset(gpu: str, preset: str, path: Path) -> str:
    if preset:
        if preset not in preset_names() and not Path(preset).is_file():
            raise StudyError(f"--preset {preset}: there is no such preset; `tilegpu configs` lists them")
        return preset
    if gpu not in PRESETS:
        raise StudyError(f"{path}: GPU {gpu!r} has no preset of its own; name one with --preset")
    return PRESETS[gpu]


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

    def frame_times(name: str, title: str, fit: Fit) -> Figure:
        def series(m: Measured) -> dict[str, dict[str, float]]:
            return {board.label: frame_ms(m, board, fit) for board in boards if board.here(m)}

        return Figure(name, title, "ms", series, measured, scatter=True)

    return (
        frame_times("frame-times", "Frame times, nothing fitted", ""),
        frame_times("frame-times-factor", "Frame times after one factor per board", "factor"),
        frame_times("frame-times-rest", "Frame times with the time in which the GPU rests", "rest"),
        Figure("phases", "Where the cycles go", "share of the cycles", lambda m: phases(m, boards), stacked=True),
        Figure("occupation", "What is busy", "share of the cycles", lambda m: occupation(m, boards)),
    )


def _conclusions(board: Board) -> tuple[Conclusion, ...]:
    correlation, error = BOUNDS.get(board.preset, EMERALD)
    gpu = next(iter(board.scenes.values())).gpu
    near, right, even = f">= {correlation}", f"<= {error}", f"{-error} to {error}"

    def conclusion(
        kind: str, text: str, field: str, rule: str, fit: Fit = "", inside: bool = False, machine: str = ""
    ) -> Conclusion:
        emerald = {"pearson": EMERALD[0], "mean_error_percent": EMERALD[1]}.get(field)
        return Conclusion(
            f"{board.label}-{kind}",
            f"{gpu}: {text}.",
            emerald,
            "%" if field.endswith("percent") else "",
            rule,
            lambda m: float(getattr(agreement(m, board, fit, inside, machine), field)),
            lambda m: left_out(m, board) if inside else largest_errors(m, board, fit, machine),
        )

    r, mean, signed = "pearson", "mean_error_percent", "signed_error_percent"
    rest = "with the time in which the GPU rests, fitted on scenes at the ceiling,"
    found = [
        conclusion("correlation", "predicted frame times correlate with measured ones", r, near),
        conclusion("rank", "scenes are in the measured order", "rank", ">= 0.9"),
        conclusion("error", "nothing fitted, frame times are right", mean, right),
        conclusion("signed", "nothing fitted, they are neither too short nor too long", signed, even),
        conclusion("error-factor", "after one factor, fitted on all, they are right", mean, right, "factor"),
        conclusion("error-rest", f"{rest} they are right", mean, right, "rest"),
        conclusion("correlation-inside", "of scenes that the GPU bounds they correlate", r, near, "", True),
        conclusion(
            "error-inside", "nothing fitted, those of scenes that the GPU bounds are right", mean, right, "", True
        ),
        conclusion(
            "error-rest-inside",
            f"{rest} those of other scenes that the GPU bounds are right",
            mean,
            right,
            "rest",
            True,
        ),
        Conclusion(
            f"{board.label}-outside",
            f"{gpu}: few scenes are bound by something outside of the GPU.",
            None,
            "scenes",
            "<= 5",
            lambda m: float(len(bound_outside(m, board))),
            lambda m: left_out(m, board),
        ),
        Conclusion(
            f"{board.label}-rest",
            f"{gpu}: the GPU rests for a small part of the fastest scene's frame.",
            None,
            "ms",
            f"<= {500 / board.highest_fps:.3f}",
            lambda m: rest_ms(m, board),
        ),
    ]
    if board.preset in REFERENCES:
        name, other = _reference(board), f"with {REFERENCES[board.preset].words}, nothing fitted,"
        found += [
            conclusion("correlation-beside", f"{other} frame times correlate", r, near, machine=name),
            conclusion("error-beside", f"{other} they are right", mean, right, machine=name),
            conclusion(
                "correlation-inside-beside",
                f"{other} those of scenes that the GPU bounds correlate",
                r,
                near,
                "",
                True,
                name,
            ),
            conclusion(
                "error-inside-beside",
                f"{other} those of scenes that the GPU bounds are right",
                mean,
                right,
                "",
                True,
                name,
            ),
        ]
    return tuple(found)
