"""Energy and area of a configuration, and of what it did: per structure, per unit, of the GPU and of its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tilegpu.timing.declare.structures import Structure

from ...config.schema import Configuration
from ...declare.energy.sram import Figures
from ...declare.energy.technology import Technology
from ...memory.dram.files import load_specification
from ..statistics import structures
from .dram import Counts, DramEnergy, energy

Values = Mapping[str, float]

ACCURACY = (
    "arrays within 20 % of CACTI 7 (median 2 %); logic from published operations, good to a factor of two; "
    "wires, clocks and control not included"
)


@dataclass(frozen=True)
class StructureEnergy:
    """One row of a report; energies are of all instances, in pJ."""

    name: str
    unit: str
    count: int
    dynamic_pj: float
    static_pj: float
    leakage_mw: float
    area_mm2: float

    @property
    def energy_pj(self) -> float:
        return self.dynamic_pj + self.static_pj


@dataclass(frozen=True)
class Report:
    """Energy of a run, or of nothing at all: then only area and leakage are meaningful.

    Parameters
    ----------
    technology
        Profile, node and conditions of every figure.
    structures
        The GPU's, in the order of their declaration.
    memory
        The memory's energy by kind.
    memory_set
        Where its energy per command comes from.
    seconds
        Time that the energy was spent in.
    missing
        Structures that the tables do not cover, one line each; no figure holds them.
    """

    technology: Technology
    structures: tuple[StructureEnergy, ...]
    memory: DramEnergy
    memory_set: str
    seconds: float
    missing: tuple[str, ...] = ()

    @property
    def gpu_pj(self) -> float:
        return sum(row.energy_pj for row in self.structures)

    @property
    def memory_pj(self) -> float:
        return self.memory.total_pj

    @property
    def total_pj(self) -> float:
        return self.gpu_pj + self.memory_pj

    @property
    def area_mm2(self) -> float:
        return sum(row.area_mm2 for row in self.structures)

    @property
    def leakage_mw(self) -> float:
        return sum(row.leakage_mw for row in self.structures)

    @property
    def average_mw(self) -> float:
        """Power of GPU and memory together."""
        return self.total_pj * 1e-9 / self.seconds if self.seconds else 0.0

    @property
    def energy_delay_js(self) -> float:
        """Energy-delay product, J x s."""
        return self.total_pj * 1e-12 * self.seconds

    def by_unit(self) -> dict[str, float]:
        """Energy of each unit of the GPU in pJ."""
        values: dict[str, float] = {}
        for row in self.structures:
            values[row.unit] = values.get(row.unit, 0.0) + row.energy_pj
        return values

    def split(self) -> dict[str, float]:
        """Shares of memory (DRAM), Fragment Processors and the rest, as the papers report them; 0 without energy."""
        fragment = self.by_unit().get("fragment", 0.0)
        total = max(self.total_pj, 1e-30)
        rest = self.gpu_pj - fragment
        return {"memory": self.memory_pj / total, "fragment_processors": fragment / total, "rest": rest / total}

    def as_json(self) -> dict[str, Any]:
        """Everything, with the technology that every figure holds for."""
        return {
            "technology": asdict(self.technology),
            "accuracy": ACCURACY,
            "memory_set": self.memory_set,
            "missing": list(self.missing),
            "seconds": self.seconds,
            "total_pj": self.total_pj,
            "gpu_pj": self.gpu_pj,
            "gpu_dynamic_pj": sum(row.dynamic_pj for row in self.structures),
            "gpu_static_pj": sum(row.static_pj for row in self.structures),
            "memory_pj": self.memory_pj,
            "average_mw": self.average_mw,
            "energy_delay_js": self.energy_delay_js,
            "area_mm2": self.area_mm2,
            "leakage_mw": self.leakage_mw,
            "split": self.split(),
            "units_pj": self.by_unit(),
            "memory": asdict(self.memory) | {"background_pj": self.memory.background_pj},
            "structures": [asdict(row) | {"energy_pj": row.energy_pj} for row in self.structures],
        }


def technology(configuration: Configuration) -> Technology:
    """Technology of the configuration."""
    e = configuration.energy
    volts = e.supply_millivolts / 1000
    return Technology(e.profile, e.node_nm, e.device, volts, e.temperature_kelvin, e.longer_channels)


def report(configuration: Configuration, values: Values | None = None) -> Report:
    """Energy and area.

    Parameters
    ----------
    configuration
        Hardware.
    values
        Statistics of a run by their names, summed over its frames; None for area and leakage alone.
    """
    made = technology(configuration)
    cycles = values["gpu.cycles"] if values else 0.0
    seconds = cycles / (float(configuration.clocks.gpu) * 1e6)
    rows, missing = [], []
    for structure in structures(configuration):
        try:
            figures = structure.geometry(configuration).figures(made)
        except ValueError as error:
            missing.append(f"{structure.name}: {error}")
        else:
            rows.append(_row(structure, configuration, figures, values, seconds))
    memory = memory_energy(configuration, values) if values else DramEnergy()
    e = configuration.energy
    return Report(made, tuple(rows), memory, f"{e.dram_currents}, {e.dram_scope}", seconds, tuple(missing))


def _row(
    structure: Structure, c: Configuration, figures: Figures, values: Values | None, seconds: float
) -> StructureEnergy:
    count = structure.count(c)
    dynamic = 0.0
    if values:
        dynamic = structure.reads(values) * figures.read_pj + structure.writes(values) * figures.write_pj
    leakage = figures.leakage_mw * count
    return StructureEnergy(
        structure.name,
        structure.unit,
        count,
        dynamic,
        leakage * seconds * 1e9,
        leakage,
        figures.area_mm2 * count,
    )


def memory_energy(configuration: Configuration, values: Values) -> DramEnergy:
    """Energy of the memory: of the controller's commands; of as many as `simple` would need, with that model."""
    e, mhz = configuration.energy, configuration.clocks.memory
    spec = configuration.dram.specification
    if spec is not None:
        counts = Counts(**{name: values[f"memory.dram.{name}"] for name in Counts.__dataclass_fields__})
    else:
        spec = load_specification(configuration.dram.simple_device)
        cycles = values["gpu.cycles"] * float(mhz / configuration.clocks.gpu)
        ranks = spec.ranks * spec.system.channels
        counts = Counts(
            activates=values["memory.dram.row_misses"],
            read_commands=values["memory.dram.read_bytes"] / spec.request_bytes,
            write_commands=values["memory.dram.write_bytes"] / spec.request_bytes,
            refreshes=cycles * ranks / spec.timing.tREFI,
            active_cycles=cycles * ranks,
        )
    return energy(spec, counts, mhz, e.dram_currents, e.dram_scope == "core+io")
