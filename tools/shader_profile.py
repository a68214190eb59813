"""`tilegpu shader --profile`: source of shaders with the cost of each line."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
from rich.table import Table
from rich.text import Text

from tilegpu.functional.activity.line_counts import lines_of
from tilegpu.functional.errors import UserError
from tilegpu.timing.results.lines import SOURCES

from .console import print_table, say

if TYPE_CHECKING:
    import pyarrow as pa

Stage = tuple[int, str]
"""Program and stage."""
REPLAYED = ("issue_cycles", "stall_cycles", "texture_misses", "executed", "executed_by_helpers")
RECORDED = ("instructions", "executed", "executed_by_helpers")
"""Columns of lines, of results and of an activity."""
TITLES = {
    "executed": "instructions executed",
    "issue_cycles": "issue cycles",
    "stall_cycles": "stall cycles",
    "texture_misses": "texture misses",
    "executed_by_helpers": "by helpers",
}


@dataclass
class Line:
    """Costs of a line.

    Attributes
    ----------
    costs
        By column.
    calls
        Lines of the calls that it was inlined for, innermost first, of each that cost anything.
    """

    costs: dict[str, int]
    calls: set[tuple[int, ...]] = field(default_factory=set)


@dataclass
class Profile:
    """Costs of shaders by line.

    Attributes
    ----------
    columns
        Of its lines.
    weights
        Those whose sum is what shares are of.
    lines
        By stage and number; 0 is for instructions that no line asks for.
    sources
        Source text by stage.
    """

    columns: tuple[str, ...]
    weights: tuple[str, ...]
    lines: dict[Stage, dict[int, Line]]
    sources: dict[Stage, str]

    def weight(self, line: Line) -> int:
        """Cost of a line of which shares are shown."""
        return sum(line.costs[name] for name in self.weights)

    def total(self, stage: Stage) -> int:
        """The same of a stage."""
        return sum(map(self.weight, self.lines[stage].values()))

    @property
    def stages(self) -> list[Stage]:
        """Stages, those that cost most first."""
        return sorted(self.lines, key=lambda stage: (-self.total(stage), stage))


def read_profile(folder: Path, frame: int | None = None) -> Profile:
    """Read the costs of lines from results, or the executed instructions from an activity.

    Parameters
    ----------
    folder
        Written by `tilegpu replay --by-line`, or by `tilegpu trace`.
    frame
        The only frame whose costs are read; all by default.

    Raises
    ------
    UserError
        If it is neither, or cannot be read.
    """
    from tilegpu.functional.activity.line_counts import LineCounter
    from tilegpu.functional.activity.reader import Activity

    file = folder / "lines.parquet"
    if file.is_file():
        try:
            table = pq.read_table(file, filters=None if frame is None else [("frame", "=", frame)])
            sources = json.loads((table.schema.metadata or {})[SOURCES])
        except (OSError, ValueError, KeyError) as error:
            raise UserError(
                f"{file}: no costs of lines ({type(error).__name__}); replay with --by-line again"
            ) from None
        by_stage = {(int(text["program"]), str(text["stage"])): str(text["source"]) for text in sources}
        return _profile(table, by_stage, REPLAYED, ("issue_cycles", "stall_cycles"))
    if (folder / "stats.parquet").is_file():
        raise UserError(f"{folder}: counts no costs of lines; replay with --by-line")
    counter = LineCounter(Activity(folder))
    table = counter.table(None if frame is None else [frame])
    return _profile(table, counter.sources, RECORDED, ("executed", "executed_by_helpers"))


def _profile(table: pa.Table, sources: dict[Stage, str], columns: tuple[str, ...], weights: tuple[str, ...]) -> Profile:
    lines: dict[Stage, dict[int, Line]] = defaultdict(dict)
    for row in table.select(["program", "stage", "line", "calls", *columns]).to_pylist():
        if row["program"] is None:
            continue
        of_stage = lines[row["program"], row["stage"]]
        line = of_stage.setdefault(row["line"], Line(dict.fromkeys(columns, 0)))
        for name in columns:
            line.costs[name] += row[name] or 0
        if row["calls"]:
            line.calls.add(tuple(row["calls"]))
    return Profile(columns, weights, dict(lines), sources)


def print_profile(profile: Profile, program: int | None) -> None:
    """Print the stages by what they cost, and the source of the dearest, or of a program's stages.

    Raises
    ------
    UserError
        If nothing was executed, or not that program.
    """
    shown = [stage for stage in profile.stages if program in (None, stage[0])]
    if not shown:
        numbers = sorted({number for number, _ in profile.lines})
        listed = ", ".join(map(str, numbers))
        raise UserError(f"program {program} was not executed; {listed} were" if numbers else "no shader was executed")
    whole = sum(map(profile.total, profile.stages)) or 1
    if program is None:
        table = Table("program", "shader", "share", *map(title_of_column, profile.columns), box=None)
        for column in table.columns[2:]:
            column.justify = "right"
        for stage in shown:
            lines = profile.lines[stage].values()
            sums = (f"{sum(line.costs[name] for line in lines):,}" for name in profile.columns)
            table.add_row(str(stage[0]), stage[1], f"{profile.total(stage) / whole:.1%}", *sums)
        print_table(table)
        shown = shown[:1]
    for stage in shown:
        _print_source(profile, stage, whole)


def _print_source(profile: Profile, stage: Stage, whole: int) -> None:
    share = profile.total(stage) / whole
    of = "instructions" if profile.columns == RECORDED else "the cycles of programmable processors"
    say(f"[bold]{stage[1]} shader of program {stage[0]}[/bold], {share:.1%} of {of}")
    table = Table("share", *map(title_of_column, profile.columns), "line", "", box=None)
    for column in table.columns[:-1]:
        column.justify = "right"
    of_stage = profile.lines[stage]
    for number, text in [*enumerate(lines_of(profile.sources[stage]), 1), (0, "(no line: end of the program)")]:
        line = of_stage.get(number)
        if line is None:
            if number:
                table.add_row(*[""] * (1 + len(profile.columns)), str(number), Text(text, style="dim"))
            continue
        costs = (f"{line.costs[name]:,}" for name in profile.columns)
        called = sorted({calls[0] for calls in line.calls})
        of_calls = f"  (called in {', '.join(map(str, called))})" if called else ""
        place = str(number) if number else ""
        table.add_row(f"{profile.weight(line) / whole:.1%}", *costs, place, Text(text + of_calls))
    print_table(table)


def title_of_column(name: str) -> str:
    """Heading of a column."""
    return TITLES.get(name, name)


def profile_json(profile: Profile, program: int | None) -> list[dict[str, Any]]:
    """Stages as JSON: program, stage, source, and lines with their costs."""
    return [
        {
            "program": stage[0],
            "stage": stage[1],
            "source": profile.sources[stage],
            "lines": [
                {"line": number, **line.costs, "calls": sorted(map(list, line.calls))}
                for number, line in sorted(profile.lines[stage].items())
            ],
        }
        for stage in profile.stages
        if program in (None, stage[0])
    ]
