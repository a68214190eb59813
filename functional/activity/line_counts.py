"""Instructions that lanes execute, by lines of the shaders."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .errors import ActivityError
from .reader import Activity

Stage = tuple[int, str]
"""Program and stage."""
Counts = NDArray[np.int64]
"""Of a path or of an instruction: lanes that execute it, and how many of these are helpers, shape (2,) or (pcs, 2)."""
Lanes = dict[Stage, dict[int, Counts]]
"""Lanes by stage and path."""
Run = tuple[int, int]
"""First instruction of a block, and how often it is executed in a row."""
LINE = pa.schema(
    [
        ("program", pa.int32()),
        ("stage", pa.string()),
        ("line", pa.int32()),
        ("calls", pa.list_(pa.int32())),
        ("text", pa.string()),
        ("instructions", pa.int32()),
        ("executed", pa.int64()),
        ("executed_by_helpers", pa.int64()),
    ]
)
"""`line`: from 1, 0 for what no line asks for; `calls`: lines of the calls that it was inlined for, the innermost
first; `text`: the line; `instructions`: of the compiled shader; `executed`: by vertices, fragments or invocations;
`executed_by_helpers`: by lanes that no fragment covers, not among them."""


class Place(NamedTuple):
    """Line of a program's stage, and the lines of the calls that it was inlined for, the innermost first."""

    program: int
    stage: str
    line: int
    calls: tuple[int, ...]


class LineCounter:
    """Counts the instructions that lanes of an activity execute, by line of the shaders.

    Parameters
    ----------
    activity
        Of any level.

    Attributes
    ----------
    places
        Place of each instruction, in the order of the table of instructions.
    sources
        Source of each stage of the programs.
    """

    def __init__(self, activity: Activity) -> None:
        self.activity = activity
        self.places: list[Place] = []
        self._blocks: dict[Stage, list[int]] = defaultdict(list)
        for row in activity.table("instructions", ["program", "stage", "line", "calls", "block"]).to_pylist():
            self.places.append(Place(row["program"], row["stage"], row["line"], tuple(row["calls"])))
            self._blocks[row["program"], row["stage"]].append(row["block"])
        self._runs: dict[Stage, dict[int, list[Run]]] = defaultdict(dict)
        for row in activity.table("paths").to_pylist():
            runs = [(run["first_pc"], run["repetitions"]) for run in row["runs"]]
            self._runs[row["program"], row["stage"]][row["path"]] = runs
        self.sources: dict[Stage, str] = {
            (row["program"], stage): row[f"{stage}_source"]
            for row in activity.table("programs").to_pylist()
            for stage in ("vertex", "fragment", "compute")
        }

    def count(self, frames: Iterable[int]) -> dict[Place, list[int]]:
        """Instructions of each line whose stage was executed in some frames, how often lanes executed them, and how
        often helpers did."""
        lanes: Lanes = defaultdict(lambda: defaultdict(lambda: np.zeros(2, np.int64)))
        for frame in frames:
            _count_vertices(self.activity, frame, lanes)
            _count_fragments(self.activity, frame, lanes)
            _count_invocations(self.activity, frame, lanes)
        executed = {stage: iter(self._by_instruction(stage, paths)) for stage, paths in lanes.items()}
        counts: dict[Place, list[int]] = {}
        for place in self.places:
            if place[:2] in executed:
                total, helpers = next(executed[place[:2]]).tolist()
                line = counts.setdefault(place, [0, 0, 0])
                line[:] = line[0] + 1, line[1] + total - helpers, line[2] + helpers
        return counts

    def _by_instruction(self, stage: Stage, paths: Mapping[int, Counts]) -> Counts:
        """Lanes that execute each instruction, those that execute it several times counted as often, shape (pcs, 2)."""
        entered = np.zeros((len(self._blocks[stage]), 2), np.int64)
        for path, lanes in paths.items():
            for first_pc, repetitions in self._runs[stage].get(path, ()):
                if not 0 <= first_pc < len(entered):
                    raise ActivityError(f"{self.activity.folder}: a path of program {stage[0]} leaves the code")
                entered[first_pc] += repetitions * lanes
        return entered[self._blocks[stage]]

    def table(self, frames: Iterable[int] | None = None) -> pa.Table:
        """The same as a table, of all frames by default; see `line_counts`."""
        counts = self.count(self.activity.frames if frames is None else frames)
        rows = ((*place, self.text(place), *counts[place]) for place in sorted(counts))
        return pa.Table.from_pylist([dict(zip(LINE.names, row, strict=True)) for row in rows], LINE)

    def text(self, place: Place) -> str:
        """Text of a line; "" where the source has none of this number."""
        lines = lines_of(self.sources[place.program, place.stage])
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def line_counts(activity: Activity, frames: Iterable[int] | None = None) -> pa.Table:
    """Instructions that the lanes of some frames execute, by line.

    Parameters
    ----------
    activity
        Of any level.
    frames
        Their numbers; all of the activity by default.

    Returns
    -------
    pa.Table
        Of the schema `LINE`: the lines that have instructions of every program's stages that were executed.
    """
    return LineCounter(activity).table(frames)


@lru_cache(256)
def lines_of(source: str) -> list[str]:
    """Lines of a shader, which end as GLSL ES has it (3.00, 3.3)."""
    return re.split(r"\r\n|\n\r|\n|\r", source)


def _count_vertices(activity: Activity, frame: int, lanes: Lanes) -> None:
    programs = _programs(activity, frame)
    vertices = activity.frame("vertices", frame, ["draw", "path"])
    paths = vertices["path"].to_numpy()
    _add(lanes, "vertex", programs(vertices["draw"].to_numpy()), paths, np.zeros(len(paths), bool))


def _count_fragments(activity: Activity, frame: int, lanes: Lanes) -> None:
    programs = _programs(activity, frame)
    primitives = activity.frame("primitives", frame, ["primitive", "draw"])
    quads = activity.frame("quads", frame, ["primitive", "coverage", *(f"path_{lane}" for lane in range(4))])
    place = np.searchsorted(primitives["primitive"].to_numpy(), quads["primitive"].to_numpy())
    of_quad, coverage = programs(primitives["draw"].to_numpy()[place]), quads["coverage"].to_numpy()
    for lane in range(4):
        # A bit for each of four samples.
        covered = coverage & (0x1111 << lane) != 0
        _add(lanes, "fragment", of_quad, quads[f"path_{lane}"].to_numpy(), ~covered)


def _count_invocations(activity: Activity, frame: int, lanes: Lanes) -> None:
    dispatches = activity.frame("dispatches", frame, ["dispatch", "program"])
    program = dict(zip(dispatches["dispatch"].to_pylist(), dispatches["program"].to_pylist(), strict=True))
    for row in activity.frame("invocations", frame, ["dispatch", "count", "path"]).to_pylist():
        lanes[program[row["dispatch"]], "compute"][row["path"]] += (row["count"], 0)


def _programs(activity: Activity, frame: int) -> Callable[[NDArray[np.int32]], NDArray[np.int32]]:
    """Programs of draws of a frame."""
    draws = activity.frame("draws", frame, ["draw", "program"])
    numbers, programs = draws["draw"].to_numpy(), draws["program"].to_numpy()
    return lambda wanted: programs[np.searchsorted(numbers, wanted)]


def _add(
    lanes: Lanes,
    stage: str,
    programs: NDArray[np.int32],
    paths: NDArray[np.int32],
    helpers: NDArray[np.bool_],
) -> None:
    """Add lanes, those that are executed."""
    shaded = paths >= 0
    keys = np.stack([programs[shaded], paths[shaded]], 1)
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.reshape(-1)
    total = np.bincount(place, minlength=len(distinct))
    of_helpers = np.bincount(place[helpers[shaded]], minlength=len(distinct))
    for (program, path), counts in zip(distinct.tolist(), np.stack([total, of_helpers], 1), strict=True):
        lanes[program, stage][path] += counts
