"""Costs of each draw and each dispatch of a frame, with the instrument `draw_costs`.

A row for each draw and each dispatch that anything was counted for, and for what belongs to none: what units did for
the frame as a whole (by their names), clears between draws, lines that gave way, cycles in which units had nothing to
do, and what the machine counts as a whole. Each statistic that can be added is a column: its sum over the rows is that
of the frame. What the machine does not count by draw is null but in the row that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.reasons import MAX_REASONS, NUMBERS, REASONS
from tilegpu.timing.declare.statistics import Stat

from ..engine.chip import Chip
from ..engine.work import ACCOUNTS, CLEARS, EVICTIONS, FIRST_DRAW, IDLE, MAX_DRAWS
from ..instruments.draw_costs import NAME
from ..loading.work import Accounts
from .accounts import ChargedAccounts, Derived
from .draw_energy import split_energy
from .held_cycles import held_cycles

Array = np.ndarray[Any, Any]

DRAWS, PROGRAMS = "draws", "programs"
"""Names of the tables."""
WHOLE = -1
"""In the place of an account: the machine as a whole."""
FIXED = {CLEARS: "clears", EVICTIONS: "evictions", IDLE: "idle", WHOLE: "machine"}
OTHER = "other"
HELD = tuple(f"cycles.{name}" for name in REASONS)
"""Columns of the cycles in which a row held the frame for each reason."""
IDENTITY = pa.schema(
    [
        ("frame", pa.int32()),
        ("kind", pa.string()),
        ("name", pa.string()),
        ("label", pa.string()),
        ("drawn_frame", pa.int32()),
        ("draw", pa.int32()),
        ("call", pa.int64()),
        ("pass", pa.int32()),
        ("program", pa.int32()),
        ("shaders", pa.string()),
        ("share", pa.float64()),
        ("cycles", pa.float64()),
        *((name, pa.int64()) for name in HELD),
        ("dynamic_pj", pa.float64()),
        ("static_pj", pa.float64()),
    ]
)
"""Columns before those of the statistics. `kind`: `draw`, `dispatch` or `other`, with its `name`; `draw`: number of the
draw or dispatch in its frame, `drawn_frame`, which may be the next one where the geometry stage is ahead; `shaders`:
hash of the sources of its program's shaders, whose number other recordings may give to another one. `share` of the
frame's time, and what that is in `cycles`, whole ones, whose sum is the frame's; the same by reason in
`cycles.<reason>`; `dynamic_pj`: energy that follows from what was done; `static_pj`: leakage and main memory's
background, which the machine as a whole has."""


class Holders(Protocol):
    """Those who have accounts in a frame: draws and dispatches, or applications."""

    @property
    def frame(self) -> int:
        """Its number."""

    @property
    def first(self) -> int:
        """Account of the first of them."""

    @property
    def last(self) -> int:
        """Account behind theirs."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Identity of each."""


def check_room(accounts: Accounts) -> None:
    """UserError where a frame has more draws than there are accounts."""
    if len(accounts) > MAX_DRAWS:
        raise UserError(
            f"frame {accounts.frame} has {len(accounts):,} draws and dispatches, and costs are counted for "
            f"{MAX_DRAWS:,} at most: replay it without --by-draw"
        )


class DrawMeter:
    """Meter of the costs of draws, frame by frame.

    Parameters
    ----------
    chip
        With the instrument.
    stats
        Statistics of its configuration.
    """

    def __init__(self, chip: Chip, stats: Sequence[Stat]) -> None:
        self.chip, self.stats = chip, stats
        self.accounts = ChargedAccounts(chip, NAME)
        self._last = {0: FIRST_DRAW}

    def end_frame(self, number: int, counted: Mapping[str, float], accounts: Sequence[Holders]) -> dict[str, pa.Table]:
        """Tables of a frame that has just ended, by their names; the next one begins.

        Parameters
        ----------
        number
            Of the frame.
        counted
            Its counted statistics.
        accounts
            Of the frame, and of the one whose geometry has begun.
        """
        used, total, time = self._used(accounts)
        table = self._table(number, counted, used, total, time, accounts)
        self._begin(used, accounts[0])
        return {DRAWS: table, PROGRAMS: by_program(table)}

    def skip_frame(self, accounts: Sequence[Holders]) -> None:
        """Forget a frame that has just ended, and begin with the next one."""
        self._begin(self._used(accounts[:1])[0], accounts[0])

    def _used(self, accounts: Sequence[Holders]) -> tuple[Array, Array, Array]:
        """Accounts that something was charged to, with their counters, shape (accounts, counters), and time, shape
        (accounts, reasons)."""
        for frame in accounts:
            # Those of frames before may still get something.
            self._last[frame.first] = max(self._last.get(frame.first, 0), frame.last)
        rows = np.concatenate([np.arange(first, last) for first, last in sorted(self._last.items())])
        time = np.asarray(self.accounts.costs.time).reshape(ACCOUNTS, MAX_REASONS)[rows, : len(REASONS)]
        total = self.accounts.totals(rows)
        used = total.any(axis=1) | time.any(axis=1)
        return rows[used], total[used], time[used]

    def _begin(self, used: Array, ended: Holders) -> None:
        """Empty accounts; units that worked for the frame that has ended work for none of its draws any more."""
        self.accounts.clear(used)
        costs = self.accounts.costs
        for account in used.tolist():
            costs.time[account * MAX_REASONS : (account + 1) * MAX_REASONS] = [0.0] * MAX_REASONS
        for _, _, owner in self.chip.owners:
            if ended.first <= costs.at[int(owner.id)] < ended.last:
                self.accounts.work_for_none(int(owner.id))

    def _table(
        self,
        number: int,
        counted: Mapping[str, float],
        used: Array,
        total: Array,
        time: Array,
        accounts: Sequence[Holders],
    ) -> pa.Table:
        rows = list(_identities(self.chip, [*used.tolist(), WHOLE], accounts))
        charged = self.accounts.columns(total, counted, DRAWS)
        values = {name: np.append(column, 0) for name, column in charged.items()}
        for name, value in counted.items():
            if name not in values:
                values[name] = np.append(np.zeros(len(used), np.asarray(value).dtype), value)
        for stat in self.stats:
            if stat.measured and stat.name not in values:
                values[stat.name] = np.zeros(len(used) + 1)
        columns, holders = Derived(values), self._holders(used)
        for stat in self.stats:
            if stat.sums and stat.derive is not None:
                columns.asked.clear()
                made = np.asarray(stat.derive(columns))  # type: ignore[arg-type]
                parts = [holders.get(name, holders[stat.name]) for name in sorted(columns.asked)]
                columns[stat.name], holders[stat.name] = made, np.logical_or.reduce([holders[stat.name], *parts])
        share = np.append(time.sum(axis=1), 0.0) / max(1e-30, float(time.sum()))
        held = _held(time, int(counted["gpu.cycles"]))
        energy = split_energy(self.chip.configuration, self.stats, counted, values)
        for row, part, cycles, dynamic, static in zip(rows, share, held, *energy, strict=True):
            row |= {"frame": number, "share": part, "cycles": cycles.sum(), "dynamic_pj": dynamic, "static_pj": static}
            row |= dict(zip(HELD, cycles.tolist(), strict=True))
        identity = pa.Table.from_pylist(rows, IDENTITY)
        counts = {
            stat.name: pa.array(columns[stat.name], mask=~holders[stat.name])
            for stat in self.stats
            if stat.name in columns
        }
        return pa.table({name: identity[name] for name in IDENTITY.names} | counts)

    def _holders(self, used: Array) -> dict[str, Array]:
        """Rows, those of accounts and the last one, that can have something of each statistic."""
        accounts = np.append(used, WHOLE)
        counted = {counter.name: counter.rests for counter in self.accounts.counters}
        anyone, idle, whole = np.ones(len(accounts), bool), accounts == IDLE, accounts == WHOLE
        by_statistic = {name: idle | whole if rests else anyone for name, rests in counted.items()}
        return {stat.name: whole for stat in self.stats} | by_statistic


def _held(time: Array, cycles: int) -> Array:
    """Cycles that each row holds the frame, by reason; those of a frame that is too short for a sample are the
    machine's."""
    held = np.vstack([held_cycles(time, cycles), np.zeros(len(REASONS), np.int64)])
    held[-1, NUMBERS["other"]] = cycles - held.sum()
    return held


def _identities(chip: Chip, used: Sequence[int], accounts: Sequence[Holders]) -> Iterator[dict[str, Any]]:
    """Identity of each account."""
    for account in used:
        frame = next((each for each in accounts if each.first <= account < each.last), None)
        if frame is not None:
            row = frame.rows[account - frame.first] | {"drawn_frame": frame.frame}
            if frame is not accounts[0]:
                row["name"] += f" of frame {frame.frame}"
            yield row
        elif account >= FIRST_DRAW:
            yield {"kind": OTHER, "name": "earlier frames"}
        else:
            yield {"kind": OTHER, "name": FIXED[account] if account in FIXED else chip.machine.units[account].name}


KEYS = ("frame", "kind", "program", "name")


def by_program(draws: pa.Table) -> pa.Table:
    """Costs of programs, of all their draws or dispatches; what belongs to no draw stays as it is."""
    names = pc.if_else(pc.equal(draws["kind"], OTHER), draws["name"], pa.scalar("", pa.string()))
    named = draws.set_column(draws.schema.get_field_index("name"), "name", names)
    sums = draws.schema.names[draws.schema.get_field_index("share") :]
    asked = [(name, "sum") for name in sums]
    grouped = named.group_by(list(KEYS), use_threads=False).aggregate([*asked, ([], "count_all")])
    order = [*KEYS, "count_all", *(f"{name}_sum" for name in sums)]
    return grouped.select(order).rename_columns([*KEYS, "count", *sums])
