"""Accounts that an instrument charges counters to, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import Stat

from ..assembly.charging import counters
from ..engine.chip import Chip
from ..engine.work import ACCOUNTS
from ..instruments.charged import MAX_COUNTERS

Array = np.ndarray[Any, Any]


class ChargedAccounts:
    """Accounts of a chip.

    Parameters
    ----------
    chip
        With the instrument.
    instrument
        Its name.
    """

    def __init__(self, chip: Chip, instrument: str) -> None:
        self.chip, self.costs = chip, getattr(chip.gpu.technique, instrument)
        self.counters = counters(chip.machine, instrument)
        for _, _, owner in chip.owners:
            self.work_for_none(int(owner.id))

    def work_for_none(self, u: int) -> None:
        """Let a unit work for its own account."""
        self.costs.at[u] = self.chip.gpu.unit[u].kind

    def totals(self, accounts: Array) -> Array:
        """Counters of some accounts, shape (accounts, counters)."""
        return np.asarray(self.costs.total).reshape(ACCOUNTS, MAX_COUNTERS)[accounts, : len(self.counters)]

    def columns(self, total: Array, counted: Mapping[str, float], of: str) -> dict[str, Array]:
        """Each counter's column of `totals`, by the name of its statistic.

        Parameters
        ----------
        total
            As of `totals`.
        counted
            Statistics of the frame.
        of
            What has the accounts, for the message.

        Raises
        ------
        RuntimeError
            If something is on no account, or counted twice.
        """
        columns = {counter.name: total[:, counter.column] for counter in self.counters}
        for name, column in columns.items():
            if name in counted and column.sum() != counted[name]:
                raise RuntimeError(
                    f"costs of {of}: {name} is {counted[name]} in the frame and {column.sum()} in all {of}"
                )
        return columns

    def clear(self, accounts: Array) -> None:
        """Empty some accounts."""
        nothing = [0] * MAX_COUNTERS if isinstance(self.costs.total, list) else np.zeros(MAX_COUNTERS, np.int64)
        for account in accounts.tolist():
            first = account * MAX_COUNTERS
            self.costs.total[first : first + MAX_COUNTERS] = nothing

    def forget(self, accounts: Array) -> None:
        """Empty those of some accounts that anything was charged to."""
        self.clear(accounts[self.totals(accounts).any(axis=1)])


class Derived(dict[str, Array]):
    """Columns by name, which note which of them were asked for."""

    def __init__(self, columns: Mapping[str, Array]) -> None:
        super().__init__(columns)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Array:
        self.asked.add(name)
        return super().__getitem__(name)


def derive_sums(columns: Derived, stats: Sequence[Stat]) -> None:
    """Add the statistics that are sums of others, as far as there are columns of all of these."""
    for stat in stats:
        if stat.sums and stat.derive is not None and stat.name not in columns:
            try:
                columns[stat.name] = np.asarray(stat.derive(columns))  # type: ignore[arg-type]
            except KeyError:
                continue


def with_identity(identity: pa.Table, columns: Mapping[str, Array], stats: Sequence[Stat]) -> pa.Table:
    """Table of costs: who has them, and then their statistics in the order in which these are declared."""
    counts = {stat.name: pa.array(columns[stat.name]) for stat in stats if stat.name in columns}
    return pa.table({name: identity[name] for name in identity.schema.names} | counts)
