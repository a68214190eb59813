"""Plain Python objects in place of records: for debuggers, and for running the units without a compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import make_dataclass
from functools import cache
from keyword import iskeyword
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np


def plain(x: Any, made: dict[int, Any] | None = None) -> Any:
    """Copy of records, arrays of them and tuples of tables as objects and lists; what is shared stays so."""
    made = {} if made is None else made
    if isinstance(x, tuple) and not hasattr(x, "_fields"):
        return [plain(value, made) for value in x]
    if isinstance(x, tuple):
        return SimpleNamespace(**{name: plain(value, made) for name, value in zip(x._fields, x, strict=True)})  # type: ignore[attr-defined]
    if id(x) not in made:
        made[id(x)] = _convert(np.asarray(x))
    return made[id(x)]


def _convert(array: np.ndarray[Any, Any]) -> Any:
    """One object per element; each field is converted for all elements at once, which is many times faster."""
    if array.ndim != 1:
        return _nest(_convert(array.reshape(-1)), array.shape)
    names = array.dtype.names
    if not names:
        return array.tolist()
    columns = [_convert(array[name].view(np.ndarray)) for name in names]
    return list(map(_record(names), *columns))


@cache
def _record(names: tuple[str, ...]) -> Callable[..., Any]:
    """Maker of records with these fields. Objects with slots are made, and read, faster than namespaces, but none of
    their fields may be called `pass`."""
    if any(map(iskeyword, names)):
        return lambda *values: SimpleNamespace(**dict(zip(names, values, strict=True)))
    return make_dataclass("Record", names, slots=True, eq=False)


def _nest(flat: list[Any], shape: tuple[int, ...]) -> Any:
    """List of the elements as lists of lists."""
    if not shape:
        return flat[0]
    step = prod(shape[1:])
    return flat if len(shape) == 1 else [_nest(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def write_back(frame: Any, copy: Any) -> None:
    """Take over what a machine wrote to the plain copy of a frame's tables: depth that outlives its pass, what became
    of tiles and quads, numbers of techniques."""
    frame.depth.saved[:] = copy.depth.saved
    _write(frame.commands.log, copy.commands.log, frame.commands.log.dtype.names or ())
    _write(frame.depth.quad, copy.depth.quad, ("passed",))
    _write(frame.depth.blended, copy.depth.blended, ("order",))
    for own, copied in zip(frame.extra, copy.extra, strict=True):
        for name, array in own._asdict().items():
            if array.dtype.names is None and array.size:
                array[:] = getattr(copied, name)


def _write(table: Any, rows: list[Any], names: tuple[str, ...]) -> None:
    for name in names:
        table[name] = [getattr(row, name) for row in rows]
