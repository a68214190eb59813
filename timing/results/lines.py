"""Costs of each line of the shaders, with the instrument `line_costs`.

A row for each line of a program's stage, and for each call that it was inlined for, that anything was counted for; for
what instructions without a line did; and for what belongs to none (`other`). Columns are the machine's statistics,
whose sums over the rows are those of the frame, as far as it counts them by unit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.line_counts import line_counts, line_of
from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.statistics import Stat

from ..assembly.charging import Counter
from ..engine.chip import Chip
from ..engine.work import ACCOUNTS, EVICTIONS, FIRST_DRAW, IDLE
from ..instruments.line_costs import MAX_INSTRUCTIONS, NAME
from ..loading.source import Activity
from ..memory.kinds import TEXTURE_CACHE, VERTEX_CACHE
from .accounts import Array, ChargedAccounts, Derived, derive_sums

LINES = "lines"
"""Name of the table."""
SOURCES = b"sources"
"""Metadata of its schema: the shaders' sources, a JSON list of objects with `program`, `stage` and `source`."""
IDENTITY = pa.schema(
    [
        ("frame", pa.int32()),
        ("kind", pa.string()),
        ("name", pa.string()),
        ("program", pa.int32()),
        ("stage", pa.string()),
        ("line", pa.int32()),
        ("calls", pa.list_(pa.int32())),
        ("text", pa.string()),
        ("executed", pa.int64()),
        ("executed_by_helpers", pa.int64()),
        ("issue_cycles", pa.int64()),
        ("stall_cycles", pa.int64()),
        ("texture_misses", pa.int64()),
    ]
)
"""Columns before those of the statistics. `kind`: `line`, `code` for what the machine adds to programs, or `other`,
with its `name`; `line`: from 1, 0 for instructions that no line asks for; `calls`: lines of the calls that it was
inlined for, the innermost first; `executed`, `executed_by_helpers`: instructions of lanes, as of
`functional.activity.line_counts`; `issue_cycles`, `stall_cycles`: cycles of programmable processors in which one of its
instructions was issued, or was the next one of the oldest warp while none could be; `texture_misses`: misses of the
first-level caches of textures."""


def _issues(chip: Chip, counter: Counter) -> bool:
    return chip.machine.units[counter.kind].programmable and counter.path == "spent[0]"


def _stalls(chip: Chip, counter: Counter) -> bool:
    spent = counter.path.startswith("spent[") and counter.path != "spent[0]"
    return chip.machine.units[counter.kind].programmable and spent and not counter.rests


SUMS: dict[str, Callable[[Chip, Counter], bool]] = {"issue_cycles": _issues, "stall_cycles": _stalls}
"""Counters that columns are the sums of."""
TEXTURE_MISSES = f"memory.{TEXTURE_CACHE.name}.misses", f"memory.{VERTEX_CACHE.name}.misses.texture"
"""Statistics of texels that first-level caches lack."""
Key = tuple[int, str, int, tuple[int, ...]]
"""Program, stage, line and calls."""


class LineMeter:
    """Meter of the costs of lines, frame by frame.

    Parameters
    ----------
    chip
        With the instrument.
    stats
        Statistics of its configuration.
    activity
        That is replayed.

    Raises
    ------
    UserError
        If its programs have more lines than there are accounts, or more instructions than the instrument counts.
    """

    def __init__(self, chip: Chip, stats: Sequence[Stat], activity: Activity) -> None:
        self.chip, self.stats, self.activity = chip, stats, activity
        self.accounts = ChargedAccounts(chip, NAME)
        rows = activity.table("instructions", ["program", "stage", "line", "calls"]).to_pylist()
        keys = [(row["program"], row["stage"], row["line"], tuple(row["calls"])) for row in rows]
        self.lines: list[Key] = sorted(set(keys))
        self._around = FIRST_DRAW + len(self.lines)
        if self._around >= ACCOUNTS or len(rows) > MAX_INSTRUCTIONS:
            raise UserError(
                f"{activity.folder}: its programs have {len(self.lines):,} lines and {len(rows):,} instructions, and "
                f"costs are counted for {ACCOUNTS - FIRST_DRAW - 1:,} and {MAX_INSTRUCTIONS:,} at most: record fewer "
                "frames, or replay it without --by-line"
            )
        number = {key: FIRST_DRAW + i for i, key in enumerate(self.lines)}
        account = self.accounts.costs.account
        account[: len(rows)] = [number[key] for key in keys]
        account[len(rows) :] = [self._around] * (len(account) - len(rows))
        self._known = np.arange(self._around + 1)
        self._sources: dict[tuple[int, str], str] = {
            (program["program"], stage): program[f"{stage}_source"]
            for program in activity.table("programs").to_pylist()
            for stage in ("vertex", "fragment", "compute")
        }
        texts = [{"program": p, "stage": stage, "source": s} for (p, stage), s in self._sources.items() if s]
        self._texts = json.dumps(texts)

    def end_frame(self, number: int, counted: Mapping[str, float], accounts: Sequence[Any] = ()) -> dict[str, pa.Table]:
        """Table of a frame that has just ended, by its name; the next one begins.

        Parameters
        ----------
        number
            Of the frame.
        counted
            Its counted statistics.
        accounts
            Of its draws, which do not matter here.
        """
        total = self.accounts.totals(self._known)
        executed = self._executed(number)
        used = np.asarray(total.any(axis=1))
        used[[FIRST_DRAW + i for i, key in enumerate(self.lines) if key in executed]] = True
        numbers, total = self._known[used], total[used]
        self.accounts.clear(numbers)
        columns = Derived(self.accounts.columns(total, counted, LINES))
        derive_sums(columns, self.stats)
        front = {name: self._sum(total, chosen) for name, chosen in SUMS.items()}
        misses = [columns[name] for name in TEXTURE_MISSES if name in columns]
        front["texture_misses"] = np.sum([np.zeros(len(numbers), np.int64), *misses], axis=0)
        rows = [self._identity(account) for account in numbers.tolist()]
        for place, row in enumerate(rows):
            counts = executed.get((row["program"], row["stage"], row["line"], tuple(row["calls"] or ())), (0, 0))
            row |= {"frame": number, "executed": counts[0], "executed_by_helpers": counts[1]}
            row |= {name: int(sums[place]) for name, sums in front.items()}
        identity = pa.Table.from_pylist(rows, IDENTITY)
        counts_by_name = {stat.name: pa.array(columns[stat.name]) for stat in self.stats if stat.name in columns}
        table = pa.table({name: identity[name] for name in IDENTITY.names} | counts_by_name)
        return {LINES: table.replace_schema_metadata({SOURCES: self._texts})}

    def skip_frame(self, accounts: Sequence[Any] = ()) -> None:
        """Forget a frame that has just ended."""
        self.accounts.clear(self._known[self.accounts.totals(self._known).any(axis=1)])

    def _executed(self, frame: int) -> dict[Key, tuple[int, int]]:
        """Instructions that lanes of a frame execute, and those of helpers, by line."""
        rows = line_counts(self.activity, [frame]).to_pylist()
        return {
            (r["program"], r["stage"], r["line"], tuple(r["calls"])): (r["executed"], r["executed_by_helpers"])
            for r in rows
        }

    def _identity(self, account: int) -> dict[str, Any]:
        nothing = dict.fromkeys(IDENTITY.names)
        if account == self._around:
            return nothing | {"kind": "code", "name": "code around programs"}
        if account >= FIRST_DRAW:
            program, stage, line, calls = self.lines[account - FIRST_DRAW]
            place = {"program": program, "stage": stage, "line": line, "calls": list(calls)}
            return nothing | {"kind": "line", "text": line_of(self._sources[program, stage], line)} | place
        fixed = {EVICTIONS: "evictions", IDLE: "idle"}
        units = self.chip.machine.units
        return nothing | {"kind": "other", "name": fixed[account] if account in fixed else units[account].name}

    def _sum(self, total: Array, chosen: Callable[[Chip, Counter], bool]) -> Array:
        """Sum of some counters for each account."""
        columns = [counter.column for counter in self.accounts.counters if chosen(self.chip, counter)]
        return np.asarray(total[:, columns].sum(axis=1))
