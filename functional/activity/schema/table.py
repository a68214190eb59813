"""Declarations of the activity's tables: columns with a type, a unit and a description each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import pyarrow as pa

Scope = Literal["frame", "recording"]
"""`frame`: rows appended as frames end, in row groups of whole frames. `recording`: written once, at the end."""

Encoding = Literal["plain", "runs", "ascending", "repeats", "small"]
"""Pattern of the values of a column, by which they are encoded: of any kind, few with long runs, small steps up,
sequences that come again, or small numbers of both signs."""


@dataclass(frozen=True)
class Column:
    """One column.

    Parameters
    ----------
    name
        Name; includes the unit if there is one.
    type
        Arrow type.
    description
        Meaning, with unit and range; stored in the Parquet metadata.
    nullable
        Whether a row may have no value.
    encoding
        Kind of its values.
    group
        Optional group of the column, or "" if every activity has it.
    """

    name: str
    type: pa.DataType
    description: str
    nullable: bool = False
    encoding: Encoding = "plain"
    group: str = ""

    def field(self) -> pa.Field:
        """Arrow field that carries the description."""
        return pa.field(self.name, self.type, self.nullable, {"description": self.description})


@dataclass(frozen=True)
class Table:
    """One table of the activity."""

    name: str
    row: str
    """Object that a row represents, completing "one row per …"."""
    scope: Scope
    columns: tuple[Column, ...]

    def columns_with(self, groups: Collection[str]) -> tuple[Column, ...]:
        """Columns of an activity with given optional groups."""
        return tuple(c for c in self.columns if not c.group or c.group in groups)

    def schema(self, groups: Collection[str]) -> pa.Schema:
        """Arrow schema of an activity with given optional groups, with the descriptions as metadata."""
        return pa.schema([c.field() for c in self.columns_with(groups)], {"row": f"one row per {self.row}"})

    def column(self, name: str) -> Column:
        """Look up a column by name; KeyError if there is none."""
        if name not in self._by_name:
            raise KeyError(f"{self.name} has no column {name}")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}


FRAME = Column("frame", pa.int32(), "frame number in the source, from 0; one per buffer swap", encoding="runs")
