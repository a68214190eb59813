"""Operations of a stream as tables of a characterization, so that frames of a plan are recorded without executing the
calls once more to find what they depend on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..dependencies.operations import Access, Operations
from .manifest import CharacterizationError

MAX_CALLS = 1 << 28
"""Of a stream; those to skip take a byte each."""
_MEMORY = "reads", "writes", "replaces", "steers"


def rows_of(operations: Operations) -> dict[str, list[dict[str, Any]]]:
    """Rows of the tables, by name."""
    rows = zip(operations.frames, operations.calls, operations.accesses, strict=True)
    accesses = [
        {"access": place, "kind": one.kind, **{name: sorted(getattr(one, name)) for name in _MEMORY}}
        for place, one in enumerate(operations.distinct)
    ]
    return {
        "operations": [{"frame": frame, "call": call, "access": access} for frame, call, access in rows],
        "accesses": accesses,
    }


def operations_of(operations: pa.Table, accesses: pa.Table, frames_before: int) -> Operations:
    """The operations that tables hold.

    Parameters
    ----------
    operations, accesses
        The tables.
    frames_before
        Number of the frame at which they end.

    Raises
    ------
    CharacterizationError
        Rows contradict each other.
    """
    columns = [np.asarray(pc.fill_null(operations[name], -2).to_numpy()) for name in ("frame", "call", "access")]
    frames, calls, places = columns
    ordered = bool((np.diff(frames, prepend=0) >= 0).all() and (frames <= frames_before).all())
    in_bounds = bool(((calls >= -1) & (calls < MAX_CALLS)).all())
    if not ordered or not in_bounds or (len(places) and not 0 <= places.min() <= places.max() < len(accesses)):
        raise CharacterizationError("operations.parquet: rows contradict each other; characterize the capture again")
    sets = zip(accesses["kind"].to_pylist(), *(_sets(accesses[name]) for name in _MEMORY), strict=True)
    rows = zip(frames.tolist(), calls.tolist(), places.tolist(), strict=True)
    return Operations.of(rows, (Access(kind, *memory) for kind, *memory in sets))


def _sets(column: pa.ChunkedArray) -> list[frozenset[int]]:
    lists = column.combine_chunks()
    flat, ends = np.asarray(lists.values).tolist(), np.asarray(lists.offsets).tolist()
    return [frozenset(flat[first:last]) for first, last in pairwise(ends)]
