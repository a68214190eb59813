"""Energy of a frame, split among its draws.

Each structure's energy is split as its accesses are, those that follow from what was counted for a draw; main memory's
as the bytes that were read and written. Refresh stays with main memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tilegpu.timing.declare.hardware import Hardware
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import Structure

from ..declare.energy.sram import Figures
from .energy.report import report
from .statistics import structures

Array = np.ndarray[Any, Any]


class _Columns(Mapping[str, Array]):
    """Statistics of some accounts, shape (accounts,) each; what derives from others is computed when it is asked for.

    Raises
    ------
    ValueError
        Where a statistic is derived from one number only, and there are several accounts.
    """

    def __init__(self, derived: Mapping[str, Stat], counted: Mapping[str, Array]) -> None:
        self.derived, self.counted = derived, counted

    def __getitem__(self, name: str) -> Array:
        column = self.counted.get(name)
        if column is not None:
            return column
        stat = self.derived[name]
        return np.asarray(stat.derive(self) if stat.derive is not None else 0.0)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[str]:
        return iter(self.derived)

    def __len__(self) -> int:
        return len(self.derived)

    def rows(self) -> list[_Columns]:
        """The same of one account each."""
        accounts = len(next(iter(self.counted.values())))
        return [
            _Columns(self.derived, {name: column[row] for name, column in self.counted.items()})
            for row in range(accounts)
        ]


def split_energy(
    configuration: Hardware, stats: Sequence[Stat], counted: Mapping[str, float], values: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Dynamic and static energy of each account, in pJ.

    Parameters
    ----------
    configuration
        Hardware.
    stats
        Its statistics.
    counted
        Counted statistics of the frame.
    values
        The same by account, shape (accounts,) each; the last account is the machine as a whole.

    Returns
    -------
    tuple of numpy.ndarray
        Shape (accounts,) each; their sums are the frame's. The machine has all of the static energy: leakage, and main
        memory's in the background.
    """
    named = {stat.name: stat for stat in stats}
    frame = report(configuration, _Columns(named, dict(counted)))  # type: ignore[arg-type]
    spent = {row.name: row for row in frame.structures}
    columns = _Columns(named, values)
    accounts = len(next(iter(values.values())))
    dynamic, static = np.zeros(accounts), np.zeros(accounts)
    for structure in structures(configuration):
        if structure.name in spent:
            figures = structure.geometry(configuration).figures(frame.technology)
            dynamic += _split(spent[structure.name].dynamic_pj, _by_account(structure, figures, columns))
    memory = frame.memory
    read_bytes, write_bytes = (_bytes(values, way) for way in ("read", "write"))
    dynamic += _split(memory.activate_pj, read_bytes + write_bytes)
    dynamic += _split(memory.read_pj, read_bytes) + _split(memory.write_pj, write_bytes)
    dynamic[-1] += memory.refresh_pj + memory.refresh_bank_pj
    static[-1] = sum(row.static_pj for row in frame.structures) + memory.background_pj
    return dynamic, static


def _dynamic(structure: Structure, figures: Figures, values: Any) -> Any:
    return structure.reads(values) * figures.read_pj + structure.writes(values) * figures.write_pj


def _by_account(structure: Structure, figures: Figures, columns: _Columns) -> Array:
    """Energy of a structure by account."""
    try:
        return np.asarray(_dynamic(structure, figures, columns), np.float64)
    except (TypeError, ValueError):
        return np.array([_dynamic(structure, figures, row) for row in columns.rows()], np.float64)


def _bytes(values: Mapping[str, Array], way: str) -> Array:
    parts = [value for name, value in values.items() if name.startswith(f"memory.dram.{way}_bytes.")]
    return np.asarray(sum(parts), np.float64)


def _split(energy_pj: float, weights: Array) -> Array:
    """Parts of an energy; all of it on the machine as a whole where no account has a weight."""
    weights = np.maximum(np.broadcast_to(weights, np.shape(weights) or (1,)), 0.0)
    if weights.sum() <= 0.0:
        weights = np.zeros(len(weights))
        weights[-1] = 1.0
    return np.asarray(energy_pj * weights / weights.sum())
