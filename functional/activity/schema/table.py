"""How a table of the activity is declared: columns with a type, a unit and a sentence each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

Scope = Literal["frame", "recording"]
"""`frame`: one row group per frame, rows appended as frames end. `recording`: written once, at the end."""

Encoding = Literal["plain", "runs", "ascending"]
"""How a column is laid out in the file: as it is, as a dictionary (few values, long runs), or as small steps up."""


@dataclass(frozen=True)
class Column:
    """One column.

    Parameters
    ----------
    name
        Name; carries the unit where there is one.
    type
        Arrow type.
    description
        What it means, with its unit and range; stored in the Parquet metadata.
    nullable
        Whether a row may have no value.
    encoding
        Layout in the file; chosen by measuring sizes on recorded frames.
    group
        Optional group that fills the column (null without it), or "".
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
    """What a row stands for, completing "one row per …"."""
    scope: Scope
    columns: tuple[Column, ...]

    def schema(self) -> pa.Schema:
        """Arrow schema with the descriptions as metadata."""
        return pa.schema([c.field() for c in self.columns], {"row": f"one row per {self.row}"})

    def column(self, name: str) -> Column:
        """Look a column up by name; KeyError where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"{self.name} has no column {name}")


FRAME = Column("frame", pa.int32(), "frame number in the source, from 0; one per buffer swap", encoding="runs")
