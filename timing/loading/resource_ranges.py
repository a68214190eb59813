"""Resources by their addresses: textures by level, attachments, buffers, and the machine's own regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilegpu.functional.errors import UserError

from ..engine.work import ACCOUNTS, FIRST_DRAW
from ..instruments.resource_costs import MAX_RANGES
from ..memory import address_map as regions
from .moves import STAGING
from .resources import Resources
from .source import Activity

Row = dict[str, Any]
TEXTURE, ATTACHMENT, BUFFER, CLIENT_ARRAYS, OTHER = "texture", "attachment", "buffer", "client_arrays", "other"
_TEXTURES = "texture_"
"""Beginning of the kinds of surfaces that are textures."""
_REGIONS = {
    regions.COMMAND_REGION: "commands",
    STAGING: "uploads",
    regions.CODE_REGION: "code",
    regions.PARAMETER_REGION: "parameter_buffer",
    regions.GRAPH_REGION: "visibility_graph",
    regions.ORDER_REGION: "visibility_order",
    regions.FIRST_LIST_REGION: "visibility_lists",
    regions.COLLISION_REGION: "collisions",
    regions.COMPRESSED_REGION: "compressed_surfaces",
    regions.CPU_REGION: "cpu",
    regions.VERTEX_OUTPUT_REGION: "vertex_outputs",
    regions.LOCAL_REGION: "shared_memory",
}


@dataclass(frozen=True)
class ResourceRanges:
    """Ranges of addresses, in order, without gaps.

    Parameters
    ----------
    rows
        Identity of each resource: `kind`, `name`, `label`, `surface` or `buffer`, `level`, `format`, `width`, `height`,
        `depth`, `layers`, `samples`, `size_bytes`; None where something does not apply.
    start
        First address of each range, int64, ascending from 0.
    account
        Account of each range's resource, from `engine.work.FIRST_DRAW` on in the order of `rows`.
    """

    rows: list[Row]
    start: np.ndarray[Any, np.dtype[np.int64]]
    account: np.ndarray[Any, np.dtype[np.int64]]

    @property
    def last(self) -> int:
        """Account behind the last one."""
        return FIRST_DRAW + len(self.rows)


def resource_ranges(activity: Activity, resources: Resources) -> ResourceRanges:
    """Ranges of all resources of a recording.

    Raises
    ------
    UserError
        If there are more of them than accounts.
    """
    places = [(address, _region_row(name)) for address, name in _REGIONS.items()]
    places += _surfaces(activity, resources)
    places += _buffers(activity, resources)
    if not any(address == 0 for address, _ in places):
        places.append((0, _region_row(OTHER)))
    places.sort(key=lambda place: place[0])
    rows: list[Row] = []
    numbers: dict[tuple[Any, ...], int] = {}
    starts: list[int] = []
    accounts: list[int] = []
    for address, row in places:
        key = tuple(row.values())
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append(row)
        account = FIRST_DRAW + numbers[key]
        if not accounts or accounts[-1] != account:
            starts.append(address)
            accounts.append(account)
    if len(starts) > MAX_RANGES or FIRST_DRAW + len(rows) > ACCOUNTS:
        raise UserError(
            f"{activity.folder}: has {len(rows):,} textures by level, attachments and buffers, and costs are counted "
            f"for {ACCOUNTS - FIRST_DRAW:,} at most: replay it without --by-resource"
        )
    return ResourceRanges(rows, np.array(starts, np.int64), np.array(accounts, np.int64))


_COLUMNS = (
    "label", "surface", "buffer", "level", "format", "width", "height", "depth", "layers", "samples", "size_bytes",
)  # fmt: skip


def _row(kind: str, name: str, **columns: Any) -> Row:
    return {"kind": kind, "name": name} | {column: columns.get(column) for column in _COLUMNS}


def _region_row(name: str) -> Row:
    return _row(name, name.replace("_", " "))


def _surfaces(activity: Activity, resources: Resources) -> Iterator[tuple[int, Row]]:
    for row in activity.table("surfaces").to_pylist():
        surface = resources.surface[resources.surface_row[row["surface"]]]
        first, kind = int(surface["first_level"]), TEXTURE if row["kind"].startswith(_TEXTURES) else ATTACHMENT
        for level in range(int(surface["levels"])):
            place = resources.level[first + level]
            layers = int(surface["layers"]) * max(1, int(place["depth"]))
            name = f"{row['kind'].replace('_', ' ')} {row['surface']}" + f" level {level}" * (kind == TEXTURE)
            yield (
                int(place["address"]),
                _row(
                    kind,
                    name,
                    label=row["label"] or None,
                    surface=row["surface"],
                    level=level,
                    format=row["format"],
                    width=int(place["width"]),
                    height=int(place["height"]),
                    depth=int(place["depth"]),
                    layers=int(surface["layers"]),
                    samples=row["samples"],
                    size_bytes=int(place["layer_bytes"]) * layers,
                ),
            )


def _buffers(activity: Activity, resources: Resources) -> Iterator[tuple[int, Row]]:
    """Buffers; the arrays of clients, of which each draw has its own, are one."""
    for row in activity.table("buffers").to_pylist():
        number = row["buffer"]
        if row["usage"] == "CLIENT":
            yield resources.buffer_address[number], _region_row(CLIENT_ARRAYS)
        else:
            row_of_buffer = _row(
                BUFFER, f"buffer {number}", label=row["label"] or None, buffer=number, size_bytes=row["size_bytes"]
            )
            yield resources.buffer_address[number], row_of_buffer
