"""The study of boards, made from a file of measurements: a machine per board, a workload per scene."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tilegpu.timing.config import preset_names

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study, StudyError
from .explanations import largest_errors, left_out
from .measurements import Measurement, labels, published, read_measurements
from .measures import Board, agreement, bound_outside, frame_ms, occupation, phases, scaled_frame_ms

NAME = "boards"
CAPTURES = "TILEGPU_BOARDS"
PRESETS = {"Mali-450 MP3": "mali-450-mp3", "Mali-G52 r1 MC1": "mali-g52-mc1"}
"""Preset of a GPU by its name in the file."""
OVERLAPS = frozenset({"mali-450-mp3"})
"""GPUs with processors of their own for vertices, which work on the next frame beside the fragments of the last."""
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
    return Experiment(
        {board.label: machine}, scenes, tuple(n for n in scenes if n.partition(":")[2] in QUICK) or scenes
    )


def _figures(boards: Sequence[Board]) -> tuple[Figure, ...]:
    measured = {board.label: board.measured_ms for board in boards}
    return (
        Figure(
            "frame-times",
            "Frame times, predicted at the board's clock",
            "ms",
            lambda m: {board.label: frame_ms(m, board) for board in boards},
            measured,
            scatter=True,
        ),
        Figure(
            "frame-times-scaled",
            "Frame times after one factor per board",
            "ms",
            lambda m: {board.label: scaled_frame_ms(m, board) for board in boards},
            measured,
            scatter=True,
        ),
        Figure("phases", "Where the cycles go", "share of the cycles", lambda m: phases(m, boards), stacked=True),
        Figure("occupation", "What is busy", "share of the cycles", lambda m: occupation(m, boards)),
    )


def _conclusions(board: Board) -> tuple[Conclusion, ...]:
    correlation, error = BOUNDS.get(board.preset, EMERALD)
    gpu = next(iter(board.scenes.values())).gpu

    def conclusion(kind: str, text: str, paper: float | None, unit: str, rule: str, *asked: bool) -> Conclusion:
        field = kind.removesuffix("-inside").removesuffix("-scaled").replace("-", "_")
        return Conclusion(
            f"{board.label}-{kind}",
            f"{gpu}: {text}.",
            paper,
            unit,
            rule,
            lambda m: getattr(agreement(m, board, *asked), field),
            lambda m: left_out(m, board) if kind.endswith("-inside") else largest_errors(m, board),
        )

    inside = "of scenes that nothing outside of the GPU bounds"
    return (
        conclusion(
            "pearson", "predicted frame times correlate with measured ones", EMERALD[0], "", f">= {correlation}"
        ),
        conclusion("rank", "scenes are in the measured order", None, "", ">= 0.9"),
        conclusion("mean-error-percent", "frame times are right on average", EMERALD[1], "%", f"<= {error}"),
        conclusion("signed-error-percent", "neither too fast nor too slow", None, "%", f"{-error} to {error}"),
        conclusion("mean-error-percent-scaled", "… after one factor", None, "%", f"<= {error}", True),
        conclusion(
            "pearson-inside", f"frame times {inside} correlate", EMERALD[0], "", f">= {correlation}", False, True
        ),
        conclusion(
            "mean-error-percent-inside", f"frame times {inside} are right", EMERALD[1], "%", f"<= {error}", False, True
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
    )
