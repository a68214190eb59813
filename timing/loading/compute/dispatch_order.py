"""Order of dispatches and passes: what each waits for, and what may run at the same time.

Incoherent accesses, which are all that compute programs do to memory, are ordered by memory barriers alone (OpenGL ES
3.1, 7.11.2); what draws write to attachments is in order with what others sample (2.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ...engine import frame as f
from ...units.work_groups import WorkGroupParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
Row = dict[str, Any]


def waiting_dispatches(events: pa.Table) -> dict[int, bool]:
    """Whether a barrier lies between each dispatch and what comes before."""
    by_dispatch, waits = {}, True
    for kind, dispatch in zip(events["kind"].to_pylist(), events["dispatch"].to_pylist(), strict=True):
        if kind == "dispatch":
            by_dispatch[dispatch], waits = waits, False
        waits |= kind == "barrier"
    return by_dispatch


def place_dispatches(
    events: pa.Table, dispatches: list[Row], passes: list[Row], render_pass: Array, configuration: Hardware
) -> Array:
    """The passes with the dispatches that come before each, and what waits for what.

    Parameters
    ----------
    events, dispatches, passes
        Rows of a frame, the passes as they are laid out.
    render_pass
        Their records with their moves; behind them perhaps one that only moves.
    configuration
        Whether dispatches and draws may run at the same time.

    Returns
    -------
    Array
        `first_dispatch` to `last_dispatch` lie before the end of a pass and after that of the one before; what comes
        after the last pass gets a pass without draws. Those up to `early_dispatch` wait for nothing of the pass before;
        draws wait for the first `needed_dispatches` of the frame.
    """
    numbers = np.array([row["event"] for row in dispatches], np.int64)
    before = np.searchsorted([row["last_event"] for row in passes], numbers)
    if len(before) and len(render_pass) == len(passes) and before.max() == len(passes):
        render_pass = np.concatenate([render_pass, f.empty_pass(render_pass)])
    counts = np.bincount(before, minlength=len(render_pass))
    last = np.cumsum(counts)
    render_pass["last_dispatch"], render_pass["first_dispatch"] = last, last - counts
    render_pass["early_dispatch"], render_pass["needed_dispatches"] = last - counts, last
    if len(numbers) and configuration.of(WorkGroupParameters).synchronization == "barriers":
        order = _Order(events, dispatches, numbers, passes)
        for p, row in enumerate(render_pass):
            row["needed_dispatches"] = order.needed(p, int(row["last_dispatch"]))
            if row["first_move"] == row["last_move"]:
                row["early_dispatch"] = order.early(p, int(row["first_dispatch"]), int(row["last_dispatch"]))
    return render_pass


class _Order:
    """Events of a frame: barriers, draws of each pass, surfaces that passes draw to and dispatches access."""

    def __init__(self, events: pa.Table, dispatches: list[Row], numbers: Array, passes: list[Row]) -> None:
        self._numbers = numbers
        self._barriers: list[int] = []
        self._draws: dict[int, list[int]] = {}
        names = "event", "kind", "pass"
        for event, kind, number in zip(*(events[name].to_pylist() for name in names), strict=True):
            if kind == "barrier":
                self._barriers.append(event)
            elif kind == "draw":
                self._draws.setdefault(number, []).append(event)
        self._passes = [row["pass"] for row in passes]
        self._targets = [{attachment["surface"] for attachment in row["attachments"]} for row in passes]
        self._accessed = [
            {bound["surface"] for name in ("bindings", "images") for bound in row[name] or ()} for row in dispatches
        ]

    def needed(self, p: int, last: int) -> int:
        """Number of the dispatches, of the `last` before the end of a pass, that its draws wait for: those before a
        barrier, and those that access what it draws to."""
        if p >= len(self._passes):
            return last
        draws, first = self._draws.get(self._passes[p], []), 0
        barriers = np.searchsorted(self._barriers, draws[-1]) if draws else 0
        if barriers:
            first = int(np.searchsorted(self._numbers, self._barriers[barriers - 1]))
        return max([first, *(d + 1 for d in range(last) if self._accessed[d] & self._targets[p])])

    def early(self, p: int, first: int, last: int) -> int:
        """The end of the dispatches before a pass that need not wait for the pass before that: those before a barrier
        which follows its first draw, as long as they access nothing that it draws to."""
        if not 0 < p <= len(self._passes):
            return first
        draws = self._draws.get(self._passes[p - 1], [])
        barriers = np.searchsorted(self._barriers, draws[0]) if draws else len(self._barriers)
        end = self._barriers[barriers] if barriers < len(self._barriers) else np.inf
        for d in range(first, last):
            if self._numbers[d] > end or self._accessed[d] & self._targets[p - 1]:
                return d
        return last
