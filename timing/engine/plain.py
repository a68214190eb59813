"""Plain Python objects in place of records: for debuggers, and for running the units without a compiler."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


def plain(x: Any) -> Any:
    """Copy of records, arrays of them and tuples of tables as namespaces and lists."""
    if isinstance(x, tuple):
        return SimpleNamespace(**{name: plain(value) for name, value in zip(x._fields, x, strict=True)})  # type: ignore[attr-defined]
    if x.dtype.names and x.ndim == 0:
        return SimpleNamespace(**{name: plain(x[name]) for name in x.dtype.names})
    if x.ndim:
        return [plain(element) for element in x] if x.dtype.names else x.tolist()
    return x.item()
