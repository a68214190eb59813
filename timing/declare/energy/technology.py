"""Node, device type, voltage and temperature: how the tables' figures scale to those of a configuration."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log
from typing import Literal, get_args

from tilegpu.functional.errors import UserError

from . import channels
from .sram import Device, Figures

Profile = Literal["mcpat", "bottom-up"]
PROFILES: tuple[Profile, ...] = get_args(Profile)

NOMINAL_VOLTS = {
    (22, "itrs-hp"): 0.8,
    (22, "itrs-lstp"): 0.8,
    (22, "itrs-lop"): 0.6,
    (32, "itrs-hp"): 0.9,
    (32, "itrs-lstp"): 1.0,
    (32, "itrs-lop"): 0.6,
    (45, "itrs-hp"): 1.0,
    (45, "itrs-lstp"): 1.1,
    (45, "itrs-lop"): 0.7,
}
"""Supply that CACTI 7 solves each node and device type for (its technology files, after ITRS)."""

TABLE_KELVIN = 340
ODD_POINTS = {(22, "lstp"): (360,)}
"""Temperatures at which the source's off-current is plainly wrong: it falls where it must rise."""


@dataclass(frozen=True)
class Technology:
    """Technology of the hardware.

    Parameters
    ----------
    profile
        Where functional units come from: `mcpat`, as TEAPOT has it, or `bottom-up`, from published operations.
    node_nm
        22, 32 or 45.
    device
        Device type of cells and logic.
    volts
        Supply.
    kelvin
        Temperature, 300 to 400.
    longer_channels
        Where devices with longer channels leak less: in McPAT's units, as its template was solved; nowhere; or
        everywhere.
    """

    profile: Profile = "mcpat"
    node_nm: int = 22
    device: Device = "itrs-lstp"
    volts: float = 1.0
    kelvin: int = 340
    longer_channels: channels.LongerChannels = "units"

    @property
    def energy_scale(self) -> float:
        """Factor of switching energy, against the table: (V / V of the table) squared."""
        return (self.volts / NOMINAL_VOLTS[self.node_nm, self.device]) ** 2

    @property
    def leakage_scale(self) -> float:
        """Factor of leakage, against the table: V / V of the table, and the off-current's ratio of temperatures."""
        return (
            self.volts / NOMINAL_VOLTS[self.node_nm, self.device] * off_current(self.node_nm, self.device, self.kelvin)
        )

    def scaled(self, figures: Figures, last_level: bool = False) -> Figures:
        """Figures of CACTI's table, which has no longer channels, at this voltage and temperature."""
        figures = figures.leaking(self.channels_leave(channels.LAST_LEVEL if last_level else channels.IN_ORDER))
        return Figures(
            figures.read_pj * self.energy_scale,
            figures.write_pj * self.energy_scale,
            figures.leakage_mw * self.leakage_scale,
            figures.area_mm2,
            figures.gate_mw * self.leakage_scale,
        )

    def channels_leave(self, share: float = channels.IN_ORDER) -> float:
        """Fraction that remains of leakage below threshold that was given without longer channels."""
        return channels.remaining_share(self.node_nm, self.device, share) if self.longer_channels == "all" else 1.0


@cache
def off_current(node_nm: int, device: str, kelvin: int) -> float:
    """Off-current against that at 340 K, between the points of the table as an exponential.

    Raises
    ------
    UserError
        Outside of 300 to 400 K.
    """
    kind = device.removeprefix("itrs-")
    text = (resources.files("tilegpu.data") / "energy" / "ioff_vs_temp.csv").read_text("utf-8")
    points = {
        int(row["temp_K"]): float(row[f"rel_{kind}_340K"])
        for row in csv.DictReader(text.splitlines())
        if int(row["node_nm"]) == node_nm and int(row["temp_K"]) not in ODD_POINTS.get((node_nm, kind), ())
    }
    if not points or not min(points) <= kelvin <= max(points):
        raise UserError(f"no off-current of {device} at {node_nm} nm and {kelvin} K: 300 to 400 K at 22, 32 or 45 nm")
    if kelvin in points:
        return points[kelvin]
    low, high = max(k for k in points if k < kelvin), min(k for k in points if k > kelvin)
    part = (kelvin - low) / (high - low)
    return exp((1 - part) * log(points[low]) + part * log(points[high]))
