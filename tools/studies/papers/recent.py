"""Recent techniques after their abstracts: the published headline beside ours, with what the best machine could gain
and other readings, and pairs with Parallel Tile Rendering, Rendering Elimination and Visibility Rendering Order.

The full texts were not at hand, so the published figures are illustrations: workloads, machine and much of each
mechanism are assumed. A rule says only which way the technique goes. Pairs are judged as in `combined`: where gains are
independent, speed-ups multiply. All rules were written before anything was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..declare import Cause, Conclusion, Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from .combined import COMPUTE_BYTES

ONE, TWO = "ptr-2022", "ptr-2022-2ru"
BASE, PTR, RE, VRO, DR = "baseline", "PTR", "RE", "VRO", "DR"
TCOR, LIBRA, DTEXL, EVR, OMEGA, WASP = "TCOR", "LIBRA", "DTexL", "EVR", "Omega-Test", "WaSP"
CYCLES, ENERGY, L2 = "gpu.cycles", "energy.total", "memory.l2_cache.accesses"
READ_CYCLES, READS = "memory.dram.read_cycles", "memory.dram.reads"
PERFECT = "technique.prefetching.prefetcher=perfect"

SETTINGS = {
    RE: (
        "techniques=rendering_elimination",
        f"technique.rendering_elimination.compute_bytes_per_cycle={COMPUTE_BYTES}",
    ),
    VRO: ("techniques=visibility_rendering_order",),
    DR: ("techniques=deferred_rendering",),
    TCOR: ("techniques=tcor",),
    LIBRA: ("techniques=libra",),
    DTEXL: ("techniques=dtexl",),
    EVR: ("techniques=evr",),
    OMEGA: ("techniques=omega_test",),
    WASP: ("techniques=none", "fragment_stage.scheduler=wasp"),
}
"""Settings that switch each technique on; the first of them names what is compiled."""

BOUNDS = {
    "Tile Cache of 1 MiB": Machine(ONE, ("tile_cache.size_bytes=1MiB",)),
    "perfect texture caches": Machine(ONE, ("techniques=prefetching", PERFECT)),
    "PTR, perfect texture caches": Machine(TWO, ("techniques=prefetching", PERFECT)),
    DR: Machine(ONE, SETTINGS[DR]),
}
"""Machines that no technique of its kind can beat."""

READINGS = {
    "TCOR, dead lines written": Machine(ONE, (*SETTINGS[TCOR], "technique.tcor.dead_lines=written")),
    "LIBRA, single tiles": Machine(
        TWO, (*SETTINGS[LIBRA], "technique.libra.adapt=off", "technique.libra.supertile_side=0")
    ),
    "DTexL, bands": Machine(ONE, (*SETTINGS[DTEXL], "technique.dtexl.subtiles=bands")),
    "DTexL, barriers": Machine(ONE, (*SETTINGS[DTEXL], "technique.dtexl.barriers=tile")),
    "Omega-Test, depths on chip": Machine(ONE, (*SETTINGS[OMEGA], "technique.omega_test.depths=on_chip")),
    "Omega-Test, slack": Machine(ONE, (*SETTINGS[OMEGA], "technique.omega_test.slack=65536")),
    "WaSP, single quads": Machine(ONE, (*SETTINGS[WASP], "wasp.mesh=0")),
    "greedy, then oldest": Machine(ONE, ("fragment_stage.scheduler=greedy_oldest",)),
}
"""Other readings of what is assumed."""

ALONE = {
    BASE: Machine(ONE),
    PTR: Machine(TWO),
    **{name: Machine(ONE, SETTINGS[name]) for name in (TCOR, DTEXL, EVR, OMEGA, WASP)},
    LIBRA: Machine(TWO, SETTINGS[LIBRA]),
}


def name_of(*parts: str) -> str:
    return " + ".join(parts)


def _pair(first: str, second: str) -> Machine:
    if first == PTR:
        return Machine(TWO, SETTINGS[second])
    (of_first, *more), (of_second, *others) = SETTINGS[first], SETTINGS[second]
    names = [text.removeprefix("techniques=") for text in (of_first, of_second) if text != "techniques=none"]
    return Machine(ONE, (f"techniques={'+'.join(names)}", *more, *others))


PAIRS = (
    *((PTR, name) for name in (TCOR, DTEXL, EVR, OMEGA, WASP)),
    *((RE, name) for name in (TCOR, DTEXL, EVR, OMEGA)),
    *((VRO, name) for name in (TCOR, DTEXL, OMEGA, WASP)),
)
TOGETHER = {
    RE: Machine(ONE, SETTINGS[RE]),
    VRO: Machine(ONE, SETTINGS[VRO]),
    **{name_of(*pair): _pair(*pair) for pair in PAIRS},
}

TWINS = ("000-s3d", "000-cra")
PAIRED = TWINS[:1]
CAPTURES = ("capture:game_etr_720p@5:8", "capture:game_chromiumbsu_480p@5:8")


def base_of(machine: str) -> str:
    """Machine that a technique is compared with."""
    return PTR if machine.startswith((LIBRA, "PTR,")) else BASE


def speedups(m: Measured, machine: str) -> dict[str, float]:
    """Speed-up over the machine without the technique, of the workloads that ran on both."""
    return m.with_machine(base_of(machine), machine).ratios(CYCLES, base_of(machine), machine)


def faster_percent(m: Measured, machine: str) -> float:
    """Mean of the speed-ups."""
    return 100 * (m.mean(speedups(m, machine).values()) - 1)


def change_percent(m: Measured, machine: str, statistic: str) -> float:
    """Change of a statistic, mean over the workloads."""
    return m.mean(m.change_percent(statistic, machine, base_of(machine)).values())


def latency(m: Measured, machine: str) -> dict[str, float]:
    """Time of a read of main memory from its queue to its data, by workload."""
    return m.shares(machine, READ_CYCLES, READS)


def latency_percent(m: Measured, machine: str) -> float:
    before, after = latency(m, base_of(machine)), latency(m, machine)
    return m.mean(100 * (after[name] / before[name] - 1) for name in after)


def energy_delay_percent(m: Measured, machine: str) -> float:
    energy, cycles = m.ratios(ENERGY, machine, base_of(machine)), m.ratios(CYCLES, machine, base_of(machine))
    return m.mean(100 * (energy[name] * cycles[name] - 1) for name in energy)


def product(first: str, second: str) -> Callable[[Measured], float]:
    """Speed-up of two together over the product of each one's, mean over the twins that both ran on."""

    def ours(m: Measured) -> float:
        chosen = m.with_machine(name_of(first, second))
        one, other, both = (chosen.ratios(CYCLES, BASE, name) for name in (first, second, name_of(first, second)))
        return chosen.mean(both[name] / one[name] / other[name] for name in both)

    return ours


def _speed(machine: str, paper: float, text: str, bound: str) -> Conclusion:
    return Conclusion(
        f"{machine}-speed".lower(), text, paper, "%", "> 0", lambda m: faster_percent(m, machine),
        bound=lambda m: faster_percent(m, bound),
    )  # fmt: skip


def _less(machine: str, which: str, paper: float, text: str, ours: Callable[[Measured], float]) -> Conclusion:
    return Conclusion(f"{machine}-{which}".lower(), text, paper, "%", "< 0", ours)


CONCLUSIONS = (
    _speed(TCOR, 3.7, "TCOR gives 3.7 % more frames per second.", "Tile Cache of 1 MiB"),
    _less(TCOR, "energy", -5.5, "TCOR takes 5.5 % less energy.", lambda m: change_percent(m, TCOR, ENERGY)),
    _speed(LIBRA, 20.9, "LIBRA is 20.9 % faster; here, than tiles in turn.", "PTR, perfect texture caches"),
    _less(LIBRA, "latency", -13.5, "LIBRA's memory latency is 13.5 % lower.", lambda m: latency_percent(m, LIBRA)),
    _less(LIBRA, "energy", -9.2, "LIBRA takes 9.2 % less energy.", lambda m: change_percent(m, LIBRA, ENERGY)),
    _speed(DTEXL, 19.3, "DTexL is 19.3 % faster.", "perfect texture caches"),
    _less(DTEXL, "l2", -46.8, "DTexL accesses the L2 46.8 % less often.", lambda m: change_percent(m, DTEXL, L2)),
    _less(DTEXL, "energy", -6.3, "DTexL takes 6.3 % less energy.", lambda m: change_percent(m, DTEXL, ENERGY)),
    _speed(EVR, 39, "EVR is 39 % faster, with the tiles that it lets Rendering Elimination leave out.", DR),
    _less(EVR, "energy", -43, "EVR takes 43 % less energy, with these.", lambda m: change_percent(m, EVR, ENERGY)),
    _speed(OMEGA, 16.3, "The Omega-Test is 16.3 % faster.", DR),
    _less(
        OMEGA, "edp", -26.4, "The Omega-Test's energy-delay product is 26.4 % lower.",
        lambda m: energy_delay_percent(m, OMEGA),
    ),
    _speed(WASP, 3.9, "WaSP is 3.9 % faster.", "perfect texture caches"),
    _less(WASP, "latency", -9, "WaSP's memory latency is 9 % lower.", lambda m: latency_percent(m, WASP)),
    Conclusion(
        "wasp-energy", "WaSP takes 0.5 % more energy.", 0.5, "%", "-2 to 2", lambda m: change_percent(m, WASP, ENERGY)
    ),
    *(
        Conclusion(
            f"{first}-{second}".lower(), f"The gains of {first} and {second} multiply.",
            1, "of the product", "0.9 to 1.1", product(first, second),
        )
        for first, second in PAIRS
    ),
    Conclusion(
        "pictures", "Nothing that RE leaves out has changed, whatever it is combined with.", 0, "tiles", "<= 0",
        lambda m: sum(
            value
            for name in TOGETHER if RE in name.split(" + ")
            for value in m.with_machine(name).each(name, "techniques.rendering_elimination.false_positives").values()
        ),
    ),
)  # fmt: skip


def _speedups(machines: Mapping[str, Machine]) -> Callable[[Measured], dict[str, dict[str, float]]]:
    """Series of a figure."""
    return lambda m: {name: speedups(m, name) for name in machines if name not in (BASE, PTR)}


FIGURES = (
    Figure("speed-up", "Speed-up of each technique", "times the machine without", _speedups(ALONE)),
    Figure("bounds", "Speed-up that is left to gain", "times the machine without", _speedups(BOUNDS)),
    Figure("readings", "Speed-up under other readings", "times the machine without", _speedups(READINGS)),
    Figure("energy", "Energy of each technique", "of the machine without", lambda m: {
        name: m.ratios(ENERGY, name, base_of(name)) for name in ALONE if name not in (BASE, PTR)
    }),
)  # fmt: skip

CAUSES = (
    Cause(
        ("libra-speed", "libra-energy"),
        "Tiles of one temperature do not lie together, and what is gained in time is lost in the caches",
        "Of S3D's bytes of main memory, single tiles by temperature cost 13 % more, adaptive supertiles 3 %, and it "
        "has 0.88 and 0.92 times the speed of tiles in turn.",
    ),
    Cause(
        ("omega-test-speed", "omega-test-edp"),
        "Little is hidden here, and depths that are kept in main memory nearly double its traffic",
        "Removing all hidden surfaces gains 1.8 % in the mean of the twins. S3D's bytes of main memory rise by 72 %; "
        "it has 0.92 times the speed with depths on the chip, or with a slack of 65,536 steps, as well.",
    ),
    Cause(
        ("wasp-speed",),
        "Priority is among the eight warps that a processor has, and brings no other misses",
        "S3D's misses of texture caches rise by 1.2 %; greedy-then-oldest is 2.2 % faster there.",
    ),
)

STUDY = Study(
    name="recent",
    title="Recent techniques after their abstracts",
    source=(
        "TCOR (HPCA 2022), LIBRA (MICRO 2024), DTexL (MICRO 2022), EVR (HPCA 2019), Omega-Test (TVCG 2022), WaSP "
        "(arXiv 2404.06156): abstracts only; the machine is that of Tomás, Master's thesis, UPC 2022"
    ),
    workloads=TWINS,
    applications=CAPTURES,
    screen=None,
    frames=Frames((20, 21, 22), (23, 24, 25)),
    quick_frames=Frames((20, 21), (22,)),
    experiments=(
        Experiment(ALONE),
        Experiment(BOUNDS | READINGS, TWINS, PAIRED, with_applications=False, few=True),
        Experiment(TOGETHER, PAIRED, PAIRED, with_applications=False, few=True),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    causes=CAUSES,
    level="all",
    groups=frozenset({"pass_images"}),
    check_images=True,
)
