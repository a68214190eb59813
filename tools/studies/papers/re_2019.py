"""Rendering Elimination: HPCA 2019, section V.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study
from ..measured import Measured

GAMES = ("ccs", "cde", "coc", "ctr", "hop", "mst", "abi", "csn", "ter", "tib")
TWINS = tuple(f"001-{game}" for game in GAMES)
APPLICATIONS = (
    "scene:board", "scene:sprites", "scene:runner", "scene:courtyard",
    "capture:game_etr_720p", "capture:game_chromiumbsu_480p", "capture:qtquick", "capture:gtk4_factory",
)  # fmt: skip

BASE, RE, TE, MEMO, ALL = "baseline", "re", "te", "memoization", "memoization-unbounded"
RE_NAME, MEMO_NAME = "techniques.rendering_elimination", "techniques.fragment_memoization"
PARAMETER = "technique.fragment_memoization"
MACHINES = {
    BASE: Machine("re-2019"),
    RE: Machine("re-2019", ("techniques=rendering_elimination",)),
    TE: Machine("re-2019", ("techniques=transaction_elimination",)),
    MEMO: Machine("re-2019", ("techniques=fragment_memoization",)),
    ALL: Machine(
        "re-2019", ("techniques=fragment_memoization", f"{PARAMETER}.entries=1048576", f"{PARAMETER}.ways=64")
    ),
}
CYCLES, RASTER, GEOMETRY = "gpu.cycles", "gpu.raster_cycles", "gpu.geometry_cycles"
ENERGY, GPU, MEMORY = "energy.total", "energy.gpu", "energy.dram"
STRUCTURES = (
    "signature_buffer", "signature_unit.bitmap", "signature_unit.ot_queue", "signature_unit.compute_tables",
    "signature_unit.accumulate_tables", "signature_unit.comparator",
)  # fmt: skip
RASTER_SOURCES = {
    "primitives": ("primitive_list", "primitive_attributes"),
    "texels": ("texture",),
    "colors": ("color",),
}


def _change_percent(m: Measured, statistic: str, machine: str) -> dict[str, float]:
    return {name: 100 * (ratio - 1) for name, ratio in m.ratios(statistic, machine, BASE).items()}


def _mean_change(m: Measured, statistic: str, machine: str) -> float:
    return m.mean(_change_percent(m, statistic, machine).values())


def _mean_speedup(m: Measured, statistic: str) -> float:
    return m.mean(m.ratios(statistic, BASE, RE).values())


def _normalized(m: Measured, statistic: str, *machines: str) -> dict[str, dict[str, float]]:
    return {machine: m.ratios(statistic, machine, BASE) for machine in machines}


def _tiles(m: Measured) -> dict[str, dict[str, float]]:
    """Shares of tiles: left out; equal in colour, with other inputs; different."""
    kinds = "skipped_tiles", "equal_color_tiles"
    left_out, equal = (m.shares(RE, f"{RE_NAME}.{kind}", f"{RE_NAME}.checked_tiles") for kind in kinds)
    return {
        "equal inputs": left_out,
        "equal colours, other inputs": equal,
        "different": {name: 1 - left_out[name] - equal[name] for name in m.workloads},
    }


def _mean_tiles_percent(m: Measured, kind: str) -> float:
    return 100 * m.mean(_tiles(m)[kind].values())


def _found_percent(m: Measured) -> float:
    """Of the tiles of equal colours those that are left out, from the means of both, as the paper has it."""
    tiles = _tiles(m)
    left_out, equal = (m.mean(tiles[kind].values()) for kind in ("equal inputs", "equal colours, other inputs"))
    return 100 * left_out / (left_out + equal)


def _false_positives(m: Measured) -> float:
    return sum(m.each(RE, f"{RE_NAME}.false_positives").values())


def _traffic(m: Measured, machine: str) -> dict[str, float]:
    """Main memory traffic of the raster stage per workload."""
    found = dict.fromkeys(m.workloads, 0.0)
    for kinds in RASTER_SOURCES.values():
        for kind in kinds:
            for name in m.workloads:
                found[name] += m.value(name, machine, f"memory.dram.read_bytes.{kind}")
    for name in m.workloads:
        found[name] += m.value(name, machine, "memory.dram.write_bytes.color")
    return found


def _traffic_parts(m: Measured) -> dict[str, dict[str, float]]:
    whole = _traffic(m, BASE)
    parts = {}
    for told, kinds in RASTER_SOURCES.items():
        writes = ("color",) if told == "colors" else ()
        parts[told] = {
            name: (
                sum(m.value(name, RE, f"memory.dram.read_bytes.{kind}") for kind in kinds)
                + sum(m.value(name, RE, f"memory.dram.write_bytes.{kind}") for kind in writes)
            )
            / whole[name]
            for name in m.workloads
        }
    return parts


def _traffic_change(m: Measured) -> float:
    before, after = _traffic(m, BASE), _traffic(m, RE)
    return 100 * m.mean(after[name] / before[name] - 1 for name in m.workloads)


def _shaded(m: Measured) -> dict[str, dict[str, float]]:
    """Fragments shaded over those of the baseline (Fig. 16)."""
    tested, killed = "raster.early_depth.fragments", "raster.early_depth.killed_fragments"
    eliminated = {
        name: (m.value(name, RE, tested) - m.value(name, RE, killed))
        / (m.value(name, BASE, tested) - m.value(name, BASE, killed))
        for name in m.workloads
    }
    own, bound = (m.shares(kind, f"{MEMO_NAME}.shaded_fragments", f"{MEMO_NAME}.fragments") for kind in (MEMO, ALL))
    return {"Rendering Elimination": eliminated, "memoization": own, "memoization, unbounded table": bound}


def _ahead_of_memoization(m: Measured) -> dict[str, float]:
    shaded = _shaded(m)
    return {name: shaded["Rendering Elimination"][name] - shaded["memoization"][name] for name in m.workloads}


def _potential_percent(m: Measured) -> float:
    shaded = _shaded(m)
    pairs = [(shaded["memoization"][n], shaded["memoization, unbounded table"][n]) for n in m.workloads]
    return 100 * m.mean((1 - own) / (1 - bound) for own, bound in pairs if bound < 1)


def _overhead_percent(m: Measured) -> float:
    return 100 * m.mean(
        sum(m.value(name, RE, f"energy.structure.{structure}") for structure in STRUCTURES) / m.value(name, BASE, GPU)
        for name in m.workloads
    )


def _area_percent(m: Measured) -> float:
    return 100 * (m.area_mm2(RE) / m.area_mm2(BASE) - 1)


def _games(m: Measured) -> str:
    """What every game comes to."""
    tiles, cycles = _tiles(m)["equal inputs"], _change_percent(m, CYCLES, RE)
    share = m.shares(BASE, GEOMETRY, CYCLES)
    return "; ".join(
        f"{n}: {tiles[n]:.0%} of the tiles left out, cycles {cycles[n]:+.0f} %, geometry {share[n]:.0%} of them before"
        for n in m.workloads
    )


def _signing(m: Measured) -> str:
    """Why geometry takes longer."""
    busy = m.shares(RE, f"{RE_NAME}.signature_unit.busy_cycles", GEOMETRY)
    full = m.each(RE, "queues.overlapped_tiles.full_share")
    cycles = _change_percent(m, GEOMETRY, RE)
    return "; ".join(
        f"{n}: geometry {cycles[n]:+.1f} %, the Signature Unit busy in {busy[n]:.0%} of it, "
        f"the OT Queue full in {full[n]:.0%}"
        for n in m.workloads
    )


def _parts_of_energy(m: Measured) -> str:
    memory = m.shares(BASE, MEMORY, ENERGY)
    gpu, dram = _change_percent(m, GPU, RE), _change_percent(m, MEMORY, RE)
    return "; ".join(
        f"{n}: GPU {gpu[n]:+.0f} %, memory {dram[n]:+.0f} % ({memory[n]:.0%} of the baseline's)" for n in m.workloads
    )


FIGURES = (
    Figure("14a", "Execution cycles, geometry", "of the baseline's cycles", lambda m: {
        machine: {n: m.value(n, machine, GEOMETRY) / m.value(n, BASE, CYCLES) for n in m.workloads}
        for machine in (BASE, RE)
    }),
    Figure("14a-raster", "Execution cycles, raster", "of the baseline's cycles", lambda m: {
        machine: {n: m.value(n, machine, RASTER) / m.value(n, BASE, CYCLES) for n in m.workloads}
        for machine in (BASE, RE)
    }),
    Figure("14b", "Energy of Rendering Elimination", "of the baseline's", lambda m: {
        "GPU": {n: m.value(n, RE, GPU) / m.value(n, BASE, ENERGY) for n in m.workloads},
        "memory": {n: m.value(n, RE, MEMORY) / m.value(n, BASE, ENERGY) for n in m.workloads},
    }, stacked=True),
    Figure("15a", "Tiles of neighbouring frames", "share of the tiles", _tiles, stacked=True),
    Figure("15b", "Main memory traffic of the raster stage", "of the baseline's", _traffic_parts, stacked=True),
    Figure("16", "Fragments shaded", "of the baseline's", _shaded),
    Figure("17a", "Execution cycles", "of the baseline's", lambda m: _normalized(m, CYCLES, RE, TE)),
    Figure("17b", "Energy", "of the baseline's", lambda m: _normalized(m, ENERGY, RE, TE)),
)  # fmt: skip

CONCLUSIONS = (
    Conclusion(
        "speedup", "Rendering Elimination is 1.74 times as fast on average (V).",
        1.74, "x", "within 25 % of 1.74", lambda m: _mean_speedup(m, CYCLES), _games,
    ),
    Conclusion(
        "raster-speedup", "The raster stage is twice as fast on average (V).",
        2, "x", "within 25 % of 2", lambda m: _mean_speedup(m, RASTER), _games,
    ),
    Conclusion(
        "raster-speedup-most", "The raster stage is more than ten times as fast at most (V).",
        10, "x", "> 10", lambda m: max(m.ratios(RASTER, BASE, RE).values()), _games,
    ),
    Conclusion(
        "speedup-most", "The largest speed-up is 6.9 (VII).",
        6.9, "x", "within 25 % of 6.9", lambda m: max(m.ratios(CYCLES, BASE, RE).values()), _games,
    ),
    Conclusion(
        "cycles-cde", "cde takes 86 % fewer cycles, the most of all (V).",
        -86, "%", "001-cde among the lowest 1", lambda m: _change_percent(m, CYCLES, RE), _games,
    ),
    Conclusion(
        "energy", "Energy of GPU and memory falls by 43 % on average (V).",
        -43, "%", "within 25 % of -43", lambda m: _mean_change(m, ENERGY, RE), _parts_of_energy,
    ),
    Conclusion(
        "energy-gpu", "The GPU's energy falls by 38 % on average (V).",
        -38, "%", "within 25 % of -38", lambda m: _mean_change(m, GPU, RE), _parts_of_energy,
    ),
    Conclusion(
        "energy-memory", "The memory's energy falls by 48 % on average (V).",
        -48, "%", "within 25 % of -48", lambda m: _mean_change(m, MEMORY, RE), _parts_of_energy,
    ),
    Conclusion(
        "energy-ccs-cde", "ccs and cde save 90 % of their energy (V).",
        -90, "%", "within 10 % of -90",
        lambda m: _mean_change(m.of("001-ccs", "001-cde"), ENERGY, RE), _parts_of_energy,
    ),
    Conclusion(
        "geometry", "Signing adds 0.64 % of geometry cycles on average (V).",
        0.64, "%", "< 1", lambda m: _mean_change(m, GEOMETRY, RE), _signing,
    ),
    Conclusion(
        "mst-time", "mst, which has nothing redundant, loses less than 1 % of time (V).",
        1, "%", "< 1", lambda m: _mean_change(m.of("001-mst"), CYCLES, RE), lambda m: _signing(m.of("001-mst")),
    ),
    Conclusion(
        "mst-energy", "mst loses less than 1 % of energy (V).",
        1, "%", "< 1", lambda m: _mean_change(m.of("001-mst"), ENERGY, RE), lambda m: _parts_of_energy(m.of("001-mst")),
    ),
    Conclusion(
        "tiles-skipped", "Half of the tiles are left out on average (Fig. 15a).",
        50, "%", "within 20 % of 50", lambda m: _mean_tiles_percent(m, "equal inputs"), _games,
    ),
    Conclusion(
        "redundant-found", "These are 81 % of the redundant ones (V).",
        81, "%", "within 10 % of 81", _found_percent, _games,
    ),
    Conclusion(
        "equal-colors", "12 % of the tiles have equal colours and other inputs (Fig. 15a).",
        12, "%", "within 50 % of 12", lambda m: _mean_tiles_percent(m, "equal colours, other inputs"), _games,
    ),
    Conclusion(
        "false-positives", "No tile that is left out has changed (V).", 0, "tiles", "<= 0", _false_positives,
    ),
    Conclusion(
        "traffic", "Main memory traffic of the raster stage falls by 48 % on average (Fig. 15b).",
        -48, "%", "within 25 % of -48", _traffic_change,
    ),
    Conclusion(
        "overhead", "The hardware takes less than 0.5 % of the GPU's energy (VII).",
        0.5, "%", "< 0.5", _overhead_percent,
    ),
    Conclusion("area", "It takes less than 1 % of the area (V).", 1, "%", "< 1", _area_percent),
    Conclusion(
        "te-energy", "Transaction Elimination saves 9 % of the energy on average (V-A).",
        -9, "%", "within 50 % of -9", lambda m: _mean_change(m, ENERGY, TE),
        lambda m: _colors(m),
    ),
    Conclusion(
        "te-abi", "On abi Transaction Elimination may save slightly more than Rendering Elimination (Fig. 17b).",
        None, "% of the baseline's energy that TE is ahead", "> 0",
        lambda m: _mean_change(m.of("001-abi"), ENERGY, RE) - _mean_change(m.of("001-abi"), ENERGY, TE),
        lambda m: _parts_of_energy(m.of("001-abi")),
    ),
    Conclusion(
        "te-cde", "On cde Rendering Elimination saves 65 % more than Transaction Elimination (V-A).",
        65, "% of TE's energy", "within 30 % of 65",
        lambda m: 100 * (1 - m.of("001-cde").ratio("001-cde", ENERGY, RE, TE)), _parts_of_energy,
    ),
    Conclusion(
        "memoization-behind", "Memoization reuses fewer fragments in most games (Fig. 16).",
        None, "games of ten", "> 5",
        lambda m: float(sum(ahead < 0 for ahead in _ahead_of_memoization(m).values())),
        lambda m: _reuse(m),
    ),
    Conclusion(
        "memoization-hop", "The only notable exception is hop (V-A).",
        "hop", "fragments shaded more than memoization, share", "001-hop among the highest 1", _ahead_of_memoization,
        lambda m: _reuse(m),
    ),
    Conclusion(
        "memoization-potential", "A table of limited size catches 60 % of the potential on average (V-A).",
        60, "%", "within 25 % of 60", _potential_percent, lambda m: _reuse(m),
    ),
)  # fmt: skip


def _colors(m: Measured) -> str:
    written = "memory.dram.write_bytes.color"
    share = m.mean(m.shares(BASE, written, "memory.dram.bytes").values())
    left = m.mean(1 - ratio for ratio in m.ratios(written, TE, BASE).values())
    return f"colours are {share:.0%} of the baseline's traffic, and {left:.0%} of them are not written"


def _reuse(m: Measured) -> str:
    shaded = _shaded(m)
    return "fragments shaded by RE / memoization / with an unbounded table: " + "; ".join(
        f"{n} " + " / ".join(f"{series[n]:.0%}" for series in shaded.values()) for n in m.workloads
    )


STUDY = Study(
    name="re-2019",
    title="Rendering Elimination, beside Transaction Elimination and Fragment Memoization",
    source="Anglada et al., HPCA 2019",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=None,
    # One whole phase of standing still and moving.
    frames=Frames((18, 19), tuple(range(20, 40))),
    quick_frames=Frames((32, 33), (34, 35)),
    experiments=(Experiment(MACHINES),),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    groups=frozenset({"pass_images"}),
    check_images=True,
)
