"""Instructions that lanes execute, by lines of the shaders."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .errors import ActivityError
from .reader import Activity

Stage = tuple[int, str]
"""Program and stage."""
Counts = NDArray[np.int64]
"""Of a path or of an instruction: lanes that execute it, and how many of these are helpers, shape (2,) or (pcs, 2)."""
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
    lanes: dict[Stage, dict[int, Counts]] = defaultdict(lambda: defaultdict(lambda: np.zeros(2, np.int64)))
    for frame in activity.frames if frames is None else frames:
        _count_vertices(activity, frame, lanes)
        _count_fragments(activity, frame, lanes)
        _count_invocations(activity, frame, lanes)
    executed = _by_instruction(activity, lanes)
    programs = {row["program"]: row for row in activity.table("programs").to_pylist()}
    rows = {}
    for instruction in activity.table("instructions", ["program", "stage", "pc", "line", "calls"]).to_pylist():
        stage = instruction["program"], instruction["stage"]
        if stage not in executed:
            continue
        key = (*stage, instruction["line"], *instruction["calls"])
        if key not in rows:
            text = line_of(programs[stage[0]][f"{stage[1]}_source"], instruction["line"])
            place = {"line": key[2], "calls": list(key[3:]), "text": text}
            rows[key] = dict(zip(LINE.names, (*stage, *place.values(), 0, 0, 0), strict=True))
        row, counts = rows[key], executed[stage][instruction["pc"]]
        row["instructions"] += 1
        row["executed"] += int(counts[0] - counts[1])
        row["executed_by_helpers"] += int(counts[1])
    return pa.Table.from_pylist([rows[key] for key in sorted(rows)], LINE)


def lines_of(source: str) -> list[str]:
    """Lines of a shader, which end as GLSL ES has it (3.00, 3.3)."""
    return re.split(r"\r\n|\n\r|\n|\r", source)


def line_of(source: str, line: int) -> str:
    """A line of a shader, counted from 1; "" where it has none of this number."""
    lines = lines_of(source)
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _count_vertices(activity: Activity, frame: int, lanes: dict[Stage, dict[int, Counts]]) -> None:
    programs = _programs(activity, frame)
    vertices = activity.frame("vertices", frame, ["draw", "path"])
    paths = vertices["path"].to_numpy()
    _add(lanes, "vertex", programs(vertices["draw"].to_numpy()), paths, np.zeros(len(paths), bool))


def _count_fragments(activity: Activity, frame: int, lanes: dict[Stage, dict[int, Counts]]) -> None:
    programs = _programs(activity, frame)
    primitives = activity.frame("primitives", frame, ["primitive", "draw"])
    quads = activity.frame("quads", frame, ["primitive", "coverage", *(f"path_{lane}" for lane in range(4))])
    place = np.searchsorted(primitives["primitive"].to_numpy(), quads["primitive"].to_numpy())
    of_quad, coverage = programs(primitives["draw"].to_numpy()[place]), quads["coverage"].to_numpy()
    for lane in range(4):
        # A bit for each of four samples.
        covered = coverage & (0x1111 << lane) != 0
        _add(lanes, "fragment", of_quad, quads[f"path_{lane}"].to_numpy(), ~covered)


def _count_invocations(activity: Activity, frame: int, lanes: dict[Stage, dict[int, Counts]]) -> None:
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
    lanes: dict[Stage, dict[int, Counts]],
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


def _by_instruction(activity: Activity, lanes: dict[Stage, dict[int, Counts]]) -> dict[Stage, Counts]:
    """Lanes that execute each instruction, those that execute it several times counted as often, shape (pcs, 2)."""
    blocks: dict[Stage, list[int]] = defaultdict(list)
    for row in activity.table("instructions", ["program", "stage", "block"]).to_pylist():
        blocks[row["program"], row["stage"]].append(row["block"])
    entered = {stage: np.zeros((len(blocks[stage]), 2), np.int64) for stage in lanes}
    for row in activity.table("paths").to_pylist():
        stage = row["program"], row["stage"]
        if row["path"] not in lanes.get(stage, {}):
            continue
        for run in row["runs"]:
            if not 0 <= run["first_pc"] < len(entered[stage]):
                raise ActivityError(f"{activity.folder}: a path of program {stage[0]} leaves the code")
            entered[stage][run["first_pc"]] += run["repetitions"] * lanes[stage][row["path"]]
    return {stage: counts[blocks[stage]] for stage, counts in entered.items()}
