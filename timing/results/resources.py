"""Costs of each resource of a frame, with the instrument `resource_costs`.

A row for each level of a texture, attachment and buffer that anything was counted for, for the machine's own regions
of memory, and for what belongs to no address. Columns are the statistics of caches and main memory, and the cycles in
which units waited, whose sums over the rows are those of the frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import Stat

from ..engine.chip import Chip
from ..engine.work import FIRST_DRAW, MAX_UNIT_KINDS
from ..instruments.resource_costs import MAX_RANGES, NAME
from ..loading.resource_ranges import ResourceRanges
from .accounts import Array, ChargedAccounts, Derived, derive_sums, with_identity
from .resource_notes import READ_BYTES, RecordedUse

RESOURCES = "resources"
"""Name of the table."""
NEVER_REACHED = np.iinfo(np.int64).max
IDENTITY = pa.schema(
    [
        ("frame", pa.int32()),
        ("kind", pa.string()),
        ("name", pa.string()),
        ("label", pa.string()),
        ("surface", pa.int32()),
        ("buffer", pa.int32()),
        ("level", pa.int32()),
        ("format", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("depth", pa.int32()),
        ("layers", pa.int32()),
        ("samples", pa.int32()),
        ("size_bytes", pa.int64()),
        ("texels", pa.int64()),
        ("distinct_texels", pa.int64()),
        ("used_bytes", pa.int64()),
        ("notes", pa.list_(pa.string())),
        ("waiting_cycles", pa.int64()),
    ]
)
"""Columns before those of the statistics. `kind`: `texture`, `attachment`, `buffer`, `client_arrays`, a region such as
`parameter_buffer`, `code`, `commands`, or `none` for what a unit (`name`) did without an address; `label`: name that
the application gave it (KHR_debug); `size_bytes`: as stored; `texels`, `distinct_texels`: texels that fragments take of
a level, and different ones among them; `used_bytes`: different bytes of a buffer that draws take as vertices and
indices; `notes`: sentences about what its use suggests (`results.resource_notes`); `waiting_cycles`: cycles in which
units waited for it, of all units together."""


class ResourceMeter:
    """Meter of the costs of resources, frame by frame.

    Parameters
    ----------
    chip
        With the instrument.
    stats
        Statistics of its configuration.
    ranges
        Addresses of the resources.
    use
        Of the resources by the frames that are replayed.
    """

    def __init__(self, chip: Chip, stats: Sequence[Stat], ranges: ResourceRanges, use: RecordedUse) -> None:
        self.chip, self.stats, self.ranges, self.use = chip, stats, ranges, use
        self.accounts = ChargedAccounts(chip, NAME)
        costs, count = self.accounts.costs, len(ranges.start)
        costs.ranges = count
        costs.start[: MAX_RANGES + 1] = _filled(costs.start, [*ranges.start.tolist(), NEVER_REACHED], NEVER_REACHED)
        costs.account[:MAX_RANGES] = _filled(costs.account, ranges.account.tolist(), 0)
        self._known = np.concatenate([np.arange(MAX_UNIT_KINDS + 3), np.arange(FIRST_DRAW, ranges.last)])

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
        used = total.any(axis=1)
        numbers, total = self._known[used], total[used]
        self.accounts.clear(numbers)
        columns = Derived(self.accounts.columns(total, counted, RESOURCES))
        waits = [name for name in columns if not name.startswith("memory.")]
        rows = [self._identity(account) for account in numbers.tolist()]
        waiting: Array = sum((columns[name] for name in waits), np.zeros(len(rows), np.int64))
        derive_sums(columns, self.stats)
        use = self.use.of(number, rows)
        for place, (row, cycles) in enumerate(zip(rows, waiting.tolist(), strict=True)):
            notes = use.notes(row, {READ_BYTES: float(columns[READ_BYTES][place])})
            row |= {"frame": number, "waiting_cycles": cycles, "notes": notes} | use.columns(row)
        return {RESOURCES: with_identity(pa.Table.from_pylist(rows, IDENTITY), columns, self.stats)}

    def skip_frame(self, accounts: Sequence[Any] = ()) -> None:
        """Forget a frame that has just ended."""
        self.accounts.forget(self._known)

    def _identity(self, account: int) -> dict[str, Any]:
        if account >= FIRST_DRAW:
            return dict(self.ranges.rows[account - FIRST_DRAW])
        units = self.chip.machine.units
        name = units[account].name if account < len(units) else "idle"
        return dict.fromkeys(IDENTITY.names) | {"kind": "none", "name": name}


def _filled(field: Any, values: list[int], rest: int) -> Any:
    """Values of a whole field of registers."""
    whole = [*values, *[rest] * (len(field) - len(values))]
    return whole if isinstance(field, list) else np.array(whole, field.dtype)
