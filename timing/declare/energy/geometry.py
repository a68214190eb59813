"""Geometry of a structure, and what it costs in a technology."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

from . import logic
from .sram import SLICE_BITS, Array, EnergyTableError, Figures, look_up, sliced
from .technology import Technology

LEAST_ROWS = 32
"""CACTI has no array of fewer rows: such structures are flip-flops."""
LEAST_BYTES = 256
LARGEST_BANKED_NODE = 32


@dataclass(frozen=True)
class Ram:
    """Entries that are read and written by index; flip-flops where there are few."""

    entries: int
    entry_bits: int
    ports: str = "1r1w"

    def figures(self, technology: Technology) -> Figures:
        """A read or write is one of a whole entry."""
        slices = -(-self.entry_bits // SLICE_BITS)
        column = 16
        while column < self.entry_bits / slices:
            column *= 2
        column_bytes = self.entries * column / 8
        if self.entries < LEAST_ROWS or column_bytes < LEAST_BYTES:
            return FlipFlops(self.entries * self.entry_bits, self.entry_bits).figures(technology)
        array = Array(column_bytes, column, self.ports)
        # Columns come in powers of two; energy and area go by the bits there are.
        part = self.entry_bits / (slices * column)
        return technology.scaled(look_up(array, technology.node_nm, technology.device).times(slices * part))


@dataclass(frozen=True)
class FlipFlops:
    """Registers of a number of bits, of which an access touches some."""

    bits: int
    access_bits: int

    def figures(self, technology: Technology) -> Figures:
        one = logic.unit("flip_flop", technology)
        return one.times(self.access_bits, self.bits)


@dataclass(frozen=True)
class CacheArray:
    """A cache: tags and data, in banks."""

    size_bytes: int
    ways: int
    banks: int
    width_bits: int
    sequential: bool = False
    last_level: bool = False

    def figures(self, technology: Technology) -> Figures:
        """A look-up reads the tags and the word, or writes it.

        Banks are not merely side by side: wires to them count. The table holds one banked cache (2 MB, 8 ways, 8 banks;
        22 and 32 nm, the latter is used for 45 as well); others take its ratio to its banks, per doubling of the number
        of banks. Where CACTI has no solution for so small a bank, there are half as many; where it has none for so wide
        a word, the word is read in pieces.
        """
        node, device = technology.node_nm, technology.device
        banks, one = self._bank(technology)
        if banks == 1:
            return technology.scaled(one, self.last_level)
        wires = min(node, LARGEST_BANKED_NODE)
        whole, part = _banked_row(wires, device), look_up(Array((2 << 20) / 8, 512, "1rw", 8, True), wires, device)
        doublings = (banks.bit_length() - 1) / 3
        ratio = Figures(
            (whole.read_pj / part.read_pj) ** doublings,
            (whole.write_pj / part.write_pj) ** doublings,
            (whole.leakage_mw / part.leakage_mw / 8) ** doublings,
            (whole.area_mm2 / part.area_mm2 / 8) ** doublings,
        )
        return technology.scaled(
            Figures(
                one.read_pj * ratio.read_pj,
                one.write_pj * ratio.write_pj,
                one.leakage_mw * banks * ratio.leakage_mw,
                one.area_mm2 * banks * ratio.area_mm2,
                one.gate_mw * banks * ratio.leakage_mw,
            ),
            self.last_level,
        )

    def _bank(self, technology: Technology) -> tuple[int, Figures]:
        """Number of banks as far as the table knows, and the figures of one of them."""
        banks = self.banks
        while True:
            bank = Array(self.size_bytes / banks, self.width_bits, "1rw", self.ways, self.sequential)
            solve = look_up if self.width_bits in (128, 512) else sliced
            try:
                return banks, solve(bank, technology.node_nm, technology.device)
            except EnergyTableError:
                if banks == 1 and self.width_bits <= SLICE_BITS:
                    raise
                if banks == 1:
                    return 1, self._narrow(technology)
                banks //= 2

    def _narrow(self, technology: Technology) -> Figures:
        """A word in pieces of 128 bits, each of which costs an access."""
        narrow = Array(self.size_bytes, SLICE_BITS, "1rw", self.ways, self.sequential)
        one = look_up(narrow, technology.node_nm, technology.device)
        return one.times(self.width_bits / SLICE_BITS, 1.0)


@cache
def _banked_row(node_nm: int, device: str) -> Figures:
    text = (resources.files("tilegpu.data") / "energy" / "cacti_structures.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        if row["name"].startswith("L2 2MB") and (row["tech"], row["cell"], row["peri"]) == (
            str(node_nm),
            device,
            device,
        ):
            return Figures(
                float(row["read_pJ"]), float(row["write_pJ"]), float(row["leak_total_mW"]), float(row["area_mm2"])
            )
    raise EnergyTableError(f"no banked cache at {node_nm} nm, {device} in the table")


@dataclass(frozen=True)
class Logic:
    """So many units of a kind of `logic`; an access uses `used` of them."""

    kind: str
    units: float
    used: float = 1.0

    def figures(self, technology: Technology) -> Figures:
        return logic.unit(self.kind, technology).times(self.used, self.units)


@dataclass(frozen=True)
class Together:
    """So many equal arrays side by side; an access is one of each."""

    count: int
    each: Ram

    def figures(self, technology: Technology) -> Figures:
        return self.each.figures(technology).times(self.count)


Geometry = Ram | FlipFlops | CacheArray | Logic | Together
