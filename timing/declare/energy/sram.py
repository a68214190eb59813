"""SRAM arrays and caches: energy, leakage and area by interpolation in a table of CACTI 7 solutions.

One table per kind of array, node, device type and ports. Between its points the logarithms are interpolated linearly in
the logarithms of the number of rows and of the word width, which is within a few percent of CACTI (see the tests);
outside of the table, or next to points for which CACTI has no solution, there is no answer.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import astuple, dataclass, replace
from functools import cache
from importlib import resources
from itertools import product
from math import exp2, log2
from typing import Literal, get_args

from tilegpu.functional.errors import UserError

Device = Literal["itrs-hp", "itrs-lstp", "itrs-lop"]
DEVICES: tuple[Device, ...] = get_args(Device)
NODES = (22, 32, 45)
SLICE_BITS = 128
"""Wider words are cut into columns of this width: CACTI's energy grows with the square of the width beyond it."""


class EnergyTableError(UserError):
    """A structure that the table does not cover."""


@dataclass(frozen=True)
class Array:
    """One bank of SRAM.

    Parameters
    ----------
    size_bytes
        Capacity.
    width_bits
        Bits per access.
    ports
        `1rw`, `1r1w` or `2r1w`.
    ways
        Ways of a cache; 0 for a RAM without tags.
    sequential
        Tags are looked up before data (caches).
    """

    size_bytes: float
    width_bits: float
    ports: str = "1rw"
    ways: int = 0
    sequential: bool = False


@dataclass(frozen=True)
class Figures:
    """Figures of a structure: pJ per read and write, mW of leakage, mm2; and the part of the leakage that is through
    gates."""

    read_pj: float
    write_pj: float
    leakage_mw: float
    area_mm2: float
    gate_mw: float = 0.0

    def times(self, energy: float, static: float | None = None) -> Figures:
        """Energy times one factor, leakage and area times another (the same by default)."""
        static = energy if static is None else static
        return Figures(
            self.read_pj * energy,
            self.write_pj * energy,
            self.leakage_mw * static,
            self.area_mm2 * static,
            self.gate_mw * static,
        )

    def leaking(self, share: float) -> Figures:
        """The same where some of the leakage below threshold is left; that through gates stays."""
        if share == 1:
            return self
        return replace(self, leakage_mw=self.gate_mw + (self.leakage_mw - self.gate_mw) * share)


Key = tuple[str, int, str, str, int, bool]
Table = dict[Key, dict[tuple[float, float], Figures]]
PORTS = {("1", "0", "0"): "1rw", ("0", "1", "1"): "1r1w", ("0", "2", "1"): "2r1w"}


def read_table(lines: list[str]) -> list[tuple[Key, float, float, Figures]]:
    """Rows of a table in CACTI's terms that hold a solution: key, capacity in bytes, width in bits, figures."""
    rows = []
    for row in csv.DictReader(lines):
        if not row["read_nj"]:
            continue
        cached = row["ctype"] == "cache"
        ports = "1rw" if cached else PORTS[row["rw"], row["er"], row["ew"]]
        ways = int(row["assoc"]) if cached else 0
        key = (row["ctype"], int(row["tech"]), row["cell"], ports, ways, row["mode"] == "sequential")
        gate = float(row["gate_leak_bank_mw"])
        leakage = float(row["leak_bank_mw"]) + gate
        read_pj, write_pj = float(row["read_nj"]) * 1e3, float(row["write_nj"]) * 1e3
        figures = Figures(read_pj, write_pj, leakage, float(row["area_mm2"]), gate)
        rows.append((key, float(row["size"]), float(row["width"]), figures))
    return rows


@cache
def _table() -> Table:
    data = (resources.files("tilegpu.data") / "energy" / "cacti_grid.csv.gz").read_bytes()
    table: Table = {}
    for key, size, width, figures in read_table(gzip.decompress(data).decode("utf-8").splitlines()):
        table.setdefault(key, {})[log2(size) - log2(width), log2(width)] = figures
    return table


def look_up(array: Array, node_nm: int, device: Device) -> Figures:
    """Figures of an array of at most 512 bits width as CACTI would solve it, at 340 K and the node's own voltage.

    Raises
    ------
    EnergyTableError
        If the table has no points around it.
    """
    kind = "cache" if array.ways else "ram"
    points = _table().get((kind, node_nm, device, array.ports, array.ways, array.sequential))
    if not points:
        raise EnergyTableError(
            f"no {kind} of {array.ports} ports and {array.ways} ways at {node_nm} nm, {device} in the table"
        )
    width = log2(array.width_bits)
    rows = log2(array.size_bytes) - width
    sizes = _around({s for s, _ in points}, rows)
    widths = _around({w for _, w in points}, width)
    corners = list(product(sizes, widths))
    if not sizes or not widths or any((s, w) not in points for (s, _), (w, _) in corners):
        raise EnergyTableError(
            f"no points around {array.size_bytes:g} bytes x {array.width_bits:g} bits ({kind}, {array.ports}, "
            f"{array.ways} ways) at {node_nm} nm, {device} in the table"
        )
    logs = [0.0] * 5
    for (s, a), (w, b) in corners:
        point = points[s, w]
        for i, value in enumerate(astuple(point)):
            logs[i] += a * b * log2(value)
    return Figures(*(exp2(value) for value in logs))


def _around(values: set[float], x: float) -> list[tuple[float, float]]:
    """The values next to x with their weights; one where x is a value, none where x is outside."""
    if x in values:
        return [(x, 1.0)]
    below = [v for v in values if v < x]
    above = [v for v in values if v > x]
    if not below or not above:
        return []
    low, high = max(below), min(above)
    return [(low, (high - x) / (high - low)), (high, (x - low) / (high - low))]


def sliced(array: Array, node_nm: int, device: Device) -> Figures:
    """Figures of an array of any width, in columns of at most 128 bits that are read side by side."""
    slices = -(-int(array.width_bits) // SLICE_BITS)
    if slices <= 1:
        return look_up(array, node_nm, device)
    column = Array(array.size_bytes / slices, array.width_bits / slices, array.ports, array.ways, array.sequential)
    return look_up(column, node_nm, device).times(slices)
