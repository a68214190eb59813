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

from tilegpu.functional.activity.line_counts import LineCounter, Place
from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.statistics import Stat

from ..assembly.charging import Counter
from ..engine.chip import Chip
from ..engine.work import ACCOUNTS, EVICTIONS, FIRST_DRAW, IDLE
from ..instruments.line_costs import MAX_INSTRUCTIONS, NAME
from ..loading.source import Activity
from ..memory.kinds import TEXTURE_CACHE, VERTEX_CACHE
from .accounts import Array, ChargedAccounts, Derived, derive_sums, with_identity

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
        self.chip, self.stats = chip, stats
        self.accounts, self.counter = ChargedAccounts(chip, NAME), LineCounter(activity)
        places = self.counter.places
        self.lines: list[Place] = sorted(set(places))
        self._around = FIRST_DRAW + len(self.lines)
        if self._around >= ACCOUNTS or len(places) > MAX_INSTRUCTIONS:
            raise UserError(
                f"{activity.folder}: its programs have {len(self.lines):,} lines and {len(places):,} instructions, and "
                f"costs are counted for {ACCOUNTS - FIRST_DRAW - 1:,} and {MAX_INSTRUCTIONS:,} at most: record fewer "
                "frames, or replay it without --by-line"
            )
        number = {place: FIRST_DRAW + i for i, place in enumerate(self.lines)}
        account = self.accounts.costs.account
        account[: len(places)] = [number[place] for place in places]
        account[len(places) :] = [self._around] * (len(account) - len(places))
        self._numbers = np.arange(self._around + 1)
        sources = [{"program": p, "stage": stage, "source": s} for (p, stage), s in self.counter.sources.items() if s]
        self._sources = json.dumps(sources)

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
        total, executed = self.accounts.totals(self._numbers), self.counter.count([number])
        used = np.asarray(total.any(axis=1))
        used[[FIRST_DRAW + i for i, place in enumerate(self.lines) if place in executed]] = True
        numbers, total = self._numbers[used], total[used]
        self.accounts.clear(numbers)
        columns = Derived(self.accounts.columns(total, counted, LINES))
        derive_sums(columns, self.stats)
        front = {name: self._sum(total, chosen) for name, chosen in SUMS.items()}
        misses = [columns[name] for name in TEXTURE_MISSES if name in columns]
        front["texture_misses"] = np.sum([np.zeros(len(numbers), np.int64), *misses], axis=0)
        rows = [self._identity(account) for account in numbers.tolist()]
        for row, account in enumerate(numbers.tolist()):
            place = self._place(account)
            _, by_lanes, by_helpers = executed.get(place, (0, 0, 0)) if place is not None else (0, 0, 0)
            rows[row] |= {"frame": number, "executed": by_lanes, "executed_by_helpers": by_helpers}
            rows[row] |= {name: int(sums[row]) for name, sums in front.items()}
        table = with_identity(pa.Table.from_pylist(rows, IDENTITY), columns, self.stats)
        return {LINES: table.replace_schema_metadata({SOURCES: self._sources})}

    def skip_frame(self, accounts: Sequence[Any] = ()) -> None:
        """Forget a frame that has just ended."""
        self.accounts.forget(self._numbers)

    def _place(self, account: int) -> Place | None:
        return self.lines[account - FIRST_DRAW] if FIRST_DRAW <= account < self._around else None

    def _identity(self, account: int) -> dict[str, Any]:
        nothing, place = dict.fromkeys(IDENTITY.names), self._place(account)
        if place is not None:
            return nothing | {"kind": "line", "text": self.counter.text(place)} | place._asdict()
        if account == self._around:
            return nothing | {"kind": "code", "name": "code around programs"}
        fixed = {EVICTIONS: "evictions", IDLE: "idle"}
        units = self.chip.machine.units
        return nothing | {"kind": "other", "name": fixed[account] if account in fixed else units[account].name}

    def _sum(self, total: Array, chosen: Callable[[Chip, Counter], bool]) -> Array:
        """Sum of some counters for each account."""
        columns = [counter.column for counter in self.accounts.counters if chosen(self.chip, counter)]
        return np.asarray(total[:, columns].sum(axis=1))
