"""Logic: functional units, flip-flops, comparators, adders and XOR trees.

`mcpat` units follow McPAT's embedded formula (core/logic.cc of McPAT 1.3), area and leakage its ARM A9 template; the
`bottom-up` ones are sums of published operations (Horowitz, ISSCC 2014; Aladdin; Accelergy), scaled by node and V^2.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

from tilegpu.functional.errors import UserError

from .channels import of_template
from .sram import Figures
from .technology import Technology

MCPAT_UNITS = {"fpu": 3.0, "mul": 2.0, "alu": 1.0, "sfu": 3.0 * 2.05}
"""Energy of McPAT's units against its ALU. McPAT has no SFU: 2.05 FPUs, as GPUWattch's SFU is to its FPU."""
MCPAT_CIRCUIT_FACTOR = 1.12
"""Value of McPAT's `sckt_co_eff`, which is 1.11 to 1.13."""
MCPAT_ROWS = {
    "fpu": "Floating Point Units",
    "sfu": "Floating Point Units",
    "mul": "Complex ALUs",
    "alu": "Integer ALUs",
}
MCPAT_UNITS_PER_ROW = {"Integer ALUs": 3}
"""Units that a row of the A9 template represents: its `ALU_per_core` is 3, its FPU and its multiplier are one each."""

OPERATIONS = {
    "fpu": (("fp32 mul", 1.0), ("fp32 add", 1.0)),
    "sfu": (("fp trig (3-stage, via pm-tech-lib)", 1.0),),
    "mul": (("int32 mul", 1.0),),
    "alu": (("int32 add", 1.0),),
    "int8_multiply_add": (("int8 mul", 1.0), ("int8 add", 1.0)),
    "comparator": (("32b comparator", 1.0),),
    "adder": (("int32 add", 1.0),),
    "xor": (("32b bitwise AND/OR/XOR", 1.0),),
    "flip_flop": (("register, 1 bit access", 1.0),),
}
"""Operations that make up an access of each kind; the first source in the table that names one counts."""

AREA_ROWS = {
    "fpu": ("fp32 add (3-stage)", "fp32 mul (3-stage)"),
    "sfu": ("fp trig (3-stage, via pm-tech-lib)",),
    "mul": ("int32 mul (3-stage)",),
    "alu": ("int32 add",),
    "int8_multiply_add": ("int32 add",),
    "comparator": ("32b comparator",),
    "adder": ("int32 add",),
    "xor": ("32b bitwise AND/OR/XOR",),
    "flip_flop": ("register, 1 bit access",),
}
KINDS = tuple(OPERATIONS)
UNIT_KINDS = tuple(MCPAT_UNITS)
LEAKAGE_OF_HIGH_PERFORMANCE = {"itrs-hp": 1.0, "itrs-lop": 1.1, "itrs-lstp": 0.00307}
"""Leakage of the A9 template's FPU at 22 nm by device type, against HP; used where a source knows one type only."""


@cache
def _rows() -> tuple[dict[str, str], ...]:
    text = (resources.files("tilegpu.data") / "energy" / "logic_energy.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def _a9() -> tuple[dict[str, str], ...]:
    text = (resources.files("tilegpu.data") / "energy" / "mcpat_a9.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def unit(kind: str, technology: Technology) -> Figures:
    """Figures of one unit of a kind; an access is one operation on 32 bits (one bit for a flip-flop).

    Raises
    ------
    UserError
        If there is no such kind.
    """
    if kind not in KINDS:
        raise UserError(f"no logic {kind}: choose one of {', '.join(KINDS)}")
    if technology.profile == "mcpat" and kind in MCPAT_UNITS:
        return _mcpat_unit(kind, technology)
    energy_pj = sum(_operation_pj(name, technology) * factor for name, factor in OPERATIONS[kind])
    area, leakage = 0.0, 0.0
    for name in AREA_ROWS[kind]:
        row = next(r for r in _rows() if r["op"] == name and r["area_um2"])
        area += float(row["area_um2"]) * (technology.node_nm / float(row["node_nm"])) ** 2 * 1e-6
        leakage += float(row["leak_uW"]) * 1e-3
    # The sources' library leaks as a low-power one does; by device type as the A9 template. What goes through gates is
    # not given.
    leakage *= LEAKAGE_OF_HIGH_PERFORMANCE[technology.device] * technology.leakage_scale * technology.channels_leave()
    return Figures(energy_pj, energy_pj, leakage, area)


def _operation_pj(name: str, technology: Technology) -> float:
    row = next(r for r in _rows() if r["op"] == name)
    at_one_volt = {
        22: float(row["E_22nm_1.0V_pJ"]),
        32: float(row["E_32nm_1.0V_pJ"]),
        45: float(row["energy_pJ"]) / float(row["vdd"]) ** 2 * 45 / float(row["node_nm"]),
    }[technology.node_nm]
    return at_one_volt * technology.volts**2


def _mcpat_unit(kind: str, technology: Technology) -> Figures:
    """McPAT's closed formula: half of a third of 1.15 nJ, a quarter of it per lane, at 1.69 V^2 and 90 nm."""
    alu_pj = 0.5 * (1150 / 3) / 4 / 1.69 * technology.volts**2 * technology.node_nm / 90
    energy_pj = alu_pj * MCPAT_UNITS[kind] * MCPAT_CIRCUIT_FACTOR
    device = technology.device.removeprefix("itrs-").upper()
    row = next(
        r
        for r in _a9()
        if r["comp"] == MCPAT_ROWS[kind] and int(r["node"]) == technology.node_nm and r["dev"] == device
    )
    units = MCPAT_UNITS_PER_ROW.get(row["comp"], 1)
    kept = of_template(technology.node_nm, technology.device, technology.longer_channels)
    scale = 1e3 * technology.leakage_scale / units
    gate_mw = float(row["gate"]) * scale
    return Figures(
        energy_pj, energy_pj, float(row["sub"]) * kept * scale + gate_mw, float(row["area"]) / units, gate_mw
    )


def core_leakage_mw(technology: Technology) -> float:
    """Leakage of McPAT's ARM A9 core with its first-level caches.

    Raises
    ------
    UserError
        If the template was not solved for the node and device type.
    """
    device = technology.device.removeprefix("itrs-").upper()
    for row in _a9():
        if (row["comp"], int(row["node"]), row["dev"]) == ("Core:", technology.node_nm, device):
            return (float(row["sub"]) + float(row["gate"])) * 1e3 * technology.leakage_scale
    raise UserError(f"no Cortex-A9 core of {device} at {technology.node_nm} nm in the table")
