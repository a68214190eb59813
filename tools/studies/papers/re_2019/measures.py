"""Rendering Elimination: machines and workloads, and what is measured of them."""

from __future__ import annotations

from collections.abc import Sequence

from tilegpu.timing.results.energy.report import Report, report

from ...declare import Machine
from ...measured import Measured
from ...selection import configuration_of

GAMES = ("ccs", "cde", "coc", "ctr", "hop", "mst", "abi", "csn", "ter", "tib")

TWINS = tuple(f"001-{game}" for game in GAMES)

APPLICATIONS = (
    "scene:board", "scene:sprites", "scene:runner", "scene:courtyard",
    "capture:game_etr_720p", "capture:game_chromiumbsu_480p", "capture:qtquick", "capture:gtk4_factory",
)  # fmt: skip

READ = ("001-ccs", "001-cde", "001-coc", "001-mst", "001-abi", "001-tib")
"""Twins that other readings of the text are judged on."""
HEADLINE = ("speedup", "raster-speedup", "energy", "mst-time", "geometry")

BASE, RE, TE, MEMO, ALL = "baseline", "re", "te", "memoization", "memoization-unbounded"
UNLIMITED = "re-unlimited"
"""Rendering Elimination whose Signature Unit stalls nothing."""

RE_NAME, MEMO_NAME = "techniques.rendering_elimination", "techniques.fragment_memoization"

PARAMETER = "technique.fragment_memoization"
PAPERS_SETS = "technique.rendering_elimination.signature=paper"

MACHINES = {
    BASE: Machine("re-2019"),
    RE: Machine("re-2019", ("techniques=rendering_elimination",)),
    UNLIMITED: Machine(
        "re-2019",
        (
            "techniques=rendering_elimination",
            "technique.rendering_elimination.compute_bytes_per_cycle=64",
            "technique.rendering_elimination.ot_queue=4096",
        ),
    ),
    TE: Machine("re-2019", ("techniques=transaction_elimination",)),
}

PAIRED = {
    MEMO: Machine("re-2019", ("techniques=fragment_memoization",)),
    ALL: Machine("re-2019", ("techniques=fragment_memoization", f"{PARAMETER}.entries=0")),
}

CYCLES, RASTER, GEOMETRY = "gpu.cycles", "gpu.raster_cycles", "gpu.geometry_cycles"

ENERGY, GPU, MEMORY = "energy.total", "energy.gpu", "energy.dram"

STRUCTURES = (
    "signature_buffer", "signature_unit.bitmap", "signature_unit.ot_queue", "signature_unit.compute_tables",
    "signature_unit.factor_tables", "signature_unit.shifter", "signature_unit.comparator",
)  # fmt: skip

RASTER_TRAFFIC = {
    "primitives": ("read_bytes.primitive_list", "read_bytes.primitive_attributes"),
    "texels": ("read_bytes.texture",),
    "colors": ("read_bytes.color", "write_bytes.color"),
}


def area(*settings: str) -> Report:
    """Area of the study's machine, with settings of the technique if any are told."""
    return report(configuration_of(Machine("re-2019", settings)))


def papers_area_percent(_: Measured) -> float:
    """Area that Rendering Elimination adds with as many sets of signatures as the paper counts."""
    return 100 * (area(*MACHINES[RE].settings, PAPERS_SETS).area_mm2 / area().area_mm2 - 1)


def mean_change(m: Measured, statistic: str, machine: str) -> float:
    return m.mean(m.change_percent(statistic, machine, BASE).values())


def mean_speedup(m: Measured, statistic: str) -> float:
    """Inverse of the mean of normalized times: the paper's reduction of 42 % is its 1.74x."""
    return 1 / m.mean(m.ratios(statistic, RE, BASE).values())


def normalized(m: Measured, statistic: str, *machines: str) -> dict[str, dict[str, float]]:
    return {machine: m.ratios(statistic, machine, BASE) for machine in machines}


def tile_shares(m: Measured) -> dict[str, dict[str, float]]:
    """Shares of tiles: left out; equal in colour, with other inputs; different."""
    kinds = "skipped_tiles", "equal_color_tiles"
    left_out, equal = (m.shares(RE, f"{RE_NAME}.{kind}", f"{RE_NAME}.checked_tiles") for kind in kinds)
    return {
        "equal inputs": left_out,
        "equal colours, other inputs": equal,
        "different": {name: 1 - left_out[name] - equal[name] for name in m.workloads},
    }


def mean_tiles_percent(m: Measured, kind: str) -> float:
    return 100 * m.mean(tile_shares(m)[kind].values())


def found_percent(m: Measured) -> float:
    """Of the tiles of equal colours those that are left out, from the means of both, as the paper has it."""
    tiles = tile_shares(m)
    left_out, equal = (m.mean(tiles[kind].values()) for kind in ("equal inputs", "equal colours, other inputs"))
    return 100 * left_out / (left_out + equal)


def false_positives(m: Measured) -> float:
    return sum(m.each(RE, f"{RE_NAME}.false_positives").values())


def traffic(m: Measured, machine: str) -> dict[str, float]:
    """Main memory traffic of the raster stage per workload."""
    parts = [_traffic_of(m, machine, kinds) for kinds in RASTER_TRAFFIC.values()]
    return {name: sum(part[name] for part in parts) for name in m.workloads}


def _traffic_of(m: Measured, machine: str, kinds: Sequence[str]) -> dict[str, float]:
    parts = [m.each(machine, f"memory.dram.{kind}") for kind in kinds]
    return {name: sum(values[name] for values in parts) for name in m.workloads}


def traffic_parts(m: Measured) -> dict[str, dict[str, float]]:
    whole = traffic(m, BASE)
    parts = {words: _traffic_of(m, RE, kinds) for words, kinds in RASTER_TRAFFIC.items()}
    return {words: {name: part[name] / whole[name] for name in m.workloads} for words, part in parts.items()}


def traffic_change(m: Measured) -> float:
    before, after = traffic(m, BASE), traffic(m, RE)
    return 100 * m.mean(after[name] / before[name] - 1 for name in m.workloads)


def shaded_fragments(m: Measured) -> dict[str, dict[str, float]]:
    """Fragments shaded over those of the baseline (Fig. 16)."""
    tested, killed = "raster.early_depth.fragments", "raster.early_depth.killed_fragments"
    before, after = (m.differences(machine, tested, killed) for machine in (BASE, RE))
    eliminated = {name: after[name] / before[name] for name in m.workloads}
    own, bound = (m.shares(kind, f"{MEMO_NAME}.shaded_fragments", f"{MEMO_NAME}.fragments") for kind in (MEMO, ALL))
    return {"Rendering Elimination": eliminated, "memoization": own, "memoization, unbounded table": bound}


def ahead_of_memoization(m: Measured) -> dict[str, float]:
    shaded = shaded_fragments(m)
    return {name: shaded["Rendering Elimination"][name] - shaded["memoization"][name] for name in m.workloads}


def potential_percent(m: Measured) -> float:
    shaded = shaded_fragments(m)
    pairs = [(shaded["memoization"][n], shaded["memoization, unbounded table"][n]) for n in m.workloads]
    return 100 * m.mean((1 - own) / (1 - bound) for own, bound in pairs if bound < 1)


def overhead_percent(m: Measured) -> float:
    return 100 * m.mean(
        sum(m.value(name, RE, f"energy.structure.{structure}") for structure in STRUCTURES) / m.value(name, BASE, GPU)
        for name in m.workloads
    )
