"""Energy of the memory from what a channel counted.

Currents give power; distances and bursts in nanoseconds give energy, in picojoules (V x mA x ns). Two sets: `dramsim3`,
from the currents of the specification; and `lpddr4-micron`, energies of a 6 Gb LPDDR4-3200 x16 device by DRAMSys, with
the output drivers (VDDQ) as an option.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from tilegpu.functional.errors import UserError

from ...memory.dram.specification import Specification

CURRENT_SETS = ("dramsim3", "lpddr4-micron")


@dataclass(frozen=True)
class DeviceEnergy:
    """Energy of one device, in pJ per command and in mW while in a state."""

    activate_pj: float
    read_pj: float
    write_pj: float
    refresh_pj: float
    refresh_bank_pj: float
    active_mw: float
    idle_mw: float
    active_power_down_mw: float
    idle_power_down_mw: float
    self_refresh_mw: float


@dataclass(frozen=True)
class DramEnergy:
    """Energy of a channel or of all of them over a run, in pJ; `activate` holds the precharges too."""

    activate_pj: float = 0.0
    read_pj: float = 0.0
    write_pj: float = 0.0
    refresh_pj: float = 0.0
    refresh_bank_pj: float = 0.0
    active_pj: float = 0.0
    idle_pj: float = 0.0
    active_power_down_pj: float = 0.0
    idle_power_down_pj: float = 0.0
    self_refresh_pj: float = 0.0

    @property
    def background_pj(self) -> float:
        """Energy that the ranks draw whether anything happens or not."""
        return (
            self.active_pj + self.idle_pj + self.active_power_down_pj + self.idle_power_down_pj + self.self_refresh_pj
        )

    @property
    def total_pj(self) -> float:
        total: float = sum(getattr(self, field.name) for field in fields(self))
        return total

    def __add__(self, other: DramEnergy) -> DramEnergy:
        return DramEnergy(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def device_energy(
    spec: Specification, clock_ns: float | None = None, current_set: str = "dramsim3", io: bool = False
) -> DeviceEnergy:
    """Energy of one device of a memory.

    Parameters
    ----------
    spec
        The memory.
    clock_ns
        Clock period; by default tCK of the specification.
    current_set
        `dramsim3` or `lpddr4-micron`.
    io
        Count the output drivers too; only `lpddr4-micron` knows them.

    Raises
    ------
    UserError
        If there is no such set, or it does not say what the drivers take.
    """
    if current_set == "lpddr4-micron":
        return _micron(spec, io)
    if current_set != "dramsim3":
        raise UserError(f"no set of DRAM currents {current_set}: choose one of {', '.join(CURRENT_SETS)}")
    if io:
        raise UserError("the set dramsim3 lacks the power of the output drivers: choose lpddr4-micron")
    ns = spec.timing.tCK if clock_ns is None else clock_ns
    t, p = spec.timing, spec.power
    refresh_pj = p.VDD * (p.IDD5AB - p.IDD3N) * t.tRFC * ns
    row_cycles = p.IDD0 * (t.tRAS + t.tRP) - (p.IDD3N * t.tRAS + p.IDD2N * t.tRP)
    return DeviceEnergy(
        activate_pj=p.VDD * row_cycles * ns,
        read_pj=p.VDD * (p.IDD4R - p.IDD3N) * spec.burst_cycles * ns,
        write_pj=p.VDD * (p.IDD4W - p.IDD3N) * spec.burst_cycles * ns,
        refresh_pj=refresh_pj,
        # A current below that of standing by is none while a bank refreshes, as DRAMsim3's default of 5 mA. As many
        # refreshes as a rank has banks do the work of one of the rank.
        refresh_bank_pj=(
            p.VDD * (p.IDD5PB - p.IDD3N) * t.tRFCb * ns if p.IDD5PB > p.IDD3N else refresh_pj / spec.banks_per_rank
        ),
        active_mw=p.VDD * p.IDD3N,
        idle_mw=p.VDD * p.IDD2N,
        active_power_down_mw=p.VDD * p.IDD3P,
        idle_power_down_mw=p.VDD * p.IDD2P,
        self_refresh_mw=p.VDD * p.IDD6x,
    )


@cache
def _table() -> tuple[dict[str, str], ...]:
    text = (resources.files("tilegpu.data") / "energy" / "dram_energy.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _micron(spec: Specification, io: bool) -> DeviceEnergy:
    kind = "core+VDDQ" if io else "core (VDD1+VDD2)"
    row = next(r for r in _table() if r["name"].startswith("Micron") and r["name"].endswith(kind))
    burst_bits = spec.dram_structure.BL * spec.dram_structure.device_width
    refresh_pj = float(row["ref_ab_nJ"]) * 1000
    return DeviceEnergy(
        activate_pj=float(row["act_pre_pJ"]),
        read_pj=float(row["read_pJ_per_bit"]) * burst_bits,
        write_pj=float(row["write_pJ_per_bit"]) * burst_bits,
        refresh_pj=refresh_pj,
        # A refresh of one bank refreshes its share of the rows.
        refresh_bank_pj=refresh_pj / spec.banks_per_rank,
        active_mw=float(row["act_standby_mW"]),
        idle_mw=float(row["pre_standby_mW"]),
        active_power_down_mw=float(row["powerdown_mW"]),
        idle_power_down_mw=float(row["powerdown_mW"]),
        self_refresh_mw=float(row["selfref_mW"]),
    )


@dataclass(frozen=True)
class Counts:
    """Inputs of the energy model: commands, and cycles of all ranks together by state."""

    activates: float = 0
    read_commands: float = 0
    write_commands: float = 0
    refreshes: float = 0
    bank_refreshes: float = 0
    active_cycles: float = 0
    idle_cycles: float = 0
    active_power_down_cycles: float = 0
    idle_power_down_cycles: float = 0
    self_refresh_cycles: float = 0

    @classmethod
    def of(cls, channel: Any) -> Counts:
        """Counts of a channel (`memory.dram.state.CHANNEL`)."""
        values = {}
        for field in fields(cls):
            value = channel[field.name] if hasattr(channel, "dtype") else getattr(channel, field.name)
            values[field.name] = float(sum(value)) if field.name.endswith("cycles") else float(value)
        return cls(**values)


def energy(
    spec: Specification,
    counts: Counts,
    clock_mhz: Fraction | None = None,
    current_set: str = "dramsim3",
    io: bool = False,
) -> DramEnergy:
    """Energy of what was counted; see `device_energy`. `clock_mhz` is by default that of the specification."""
    ns = spec.timing.tCK if clock_mhz is None else float(1000 / clock_mhz)
    device = device_energy(spec, ns, current_set, io)
    devices = spec.devices_per_rank
    return DramEnergy(
        activate_pj=counts.activates * device.activate_pj * devices,
        read_pj=counts.read_commands * device.read_pj * devices,
        write_pj=counts.write_commands * device.write_pj * devices,
        refresh_pj=counts.refreshes * device.refresh_pj * devices,
        refresh_bank_pj=counts.bank_refreshes * device.refresh_bank_pj * devices,
        active_pj=counts.active_cycles * ns * device.active_mw * devices,
        idle_pj=counts.idle_cycles * ns * device.idle_mw * devices,
        active_power_down_pj=counts.active_power_down_cycles * ns * device.active_power_down_mw * devices,
        idle_power_down_pj=counts.idle_power_down_cycles * ns * device.idle_power_down_mw * devices,
        self_refresh_pj=counts.self_refresh_cycles * ns * device.self_refresh_mw * devices,
    )
