"""Operations of a stream as tables of a characterization, so that frames of a plan are recorded without executing the
calls once more to find what they depend on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..dependencies import Access, Operations
from .manifest import CharacterizationError

_MEMORY = "reads", "writes", "replaces", "steers"


def rows_of(operations: Operations) -> dict[str, list[dict[str, Any]]]:
    """Rows of the tables, by name."""
    found = zip(operations.frames, operations.calls, operations.accesses, strict=True)
    accesses = [
        {"access": place, "kind": one.kind, **{name: sorted(getattr(one, name)) for name in _MEMORY}}
        for place, one in enumerate(operations.distinct)
    ]
    return {
        "operations": [{"frame": frame, "call": call, "access": access} for frame, call, access in found],
        "accesses": accesses,
    }


def operations_of(operations: pa.Table, accesses: pa.Table) -> Operations:
    """The operations that tables hold.

    Raises
    ------
    CharacterizationError
        Rows contradict each other.
    """
    columns = [np.asarray(pc.fill_null(operations[name], -2).to_numpy()) for name in ("frame", "call", "access")]
    frames, calls, places = columns
    ordered = bool((np.diff(frames, prepend=0) >= 0).all() and (calls >= -1).all())
    if not ordered or (len(places) and not 0 <= places.min() <= places.max() < len(accesses)):
        raise CharacterizationError("operations.parquet: is not in the order of frames; characterize the capture again")
    sets = zip(accesses["kind"].to_pylist(), *(_sets(accesses[name]) for name in _MEMORY), strict=True)
    rows = zip(frames.tolist(), calls.tolist(), places.tolist(), strict=True)
    return Operations.of(rows, (Access(kind, *memory) for kind, *memory in sets))


def _sets(column: pa.ChunkedArray) -> list[frozenset[int]]:
    lists = column.combine_chunks()
    flat, ends = np.asarray(lists.values).tolist(), np.asarray(lists.offsets).tolist()
    return [frozenset(flat[first:last]) for first, last in pairwise(ends)]
