"""Time and energy of what was counted, in closed form."""

import pytest

from tilegpu.collisions.caches import Misses
from tilegpu.collisions.core import Work, operation_cycles, time, work_energy
from tilegpu.collisions.cpu import Core, Cpu, load_cpu
from tilegpu.collisions.detect import Detector
from tilegpu.collisions.detection import Detection, Options
from tilegpu.collisions.instructions import Operation
from tilegpu.collisions.sensitivity import plausible
from tilegpu.timing.config.load import ConfigurationError

from .scenes import cube

OBJECT, VERTEX, PAIR, COMPARISON, OVERLAP = 48, 21, 7, 4, 31.5
"""Cycles of operations, by hand: 36 and 12 instructions on the shared port, beside 40 others; 3 + 18; half of 14; two
loads and two of the compare; half of 63."""


def test_cycles_of_an_operation() -> None:
    core = Core()
    # Four on the shared port are longer than half of all six; the chain is longer, until it is shared by four.
    operation = Operation(loads=2, multiplies=1, adds=1, others=2, chain_multiplies=1, chain_adds=2, chain_compares=1)
    assert operation_cycles(operation, core) == 4 + 2 * 4 + 3
    assert operation_cycles(operation, core, 4) == 4
    assert operation_cycles(operation.model_copy(update={"others": 10}), core, 4) == 7
    # Nothing overlaps a division, which takes the port for one of its fifteen cycles.
    assert operation_cycles(Operation(divides=1, scale_percent=200), core) == 30


def test_time_of_two_objects_in_closed_form() -> None:
    found = Detector(Options(narrow=False)).frame(0, (cube("a", 0), cube("b", 1)))
    issue = 2 * OBJECT + 16 * VERTEX + PAIR + 6 * COMPARISON + OVERLAP
    # Two vertex arrays of four lines and two proxies of two lines, none of them in a cache; 110 ns are 165 cycles.
    stall = 12 * (19 + 165)
    assert found.broad.time.issue_cycles == pytest.approx(issue)
    assert found.broad.time.stall_cycles == pytest.approx(stall)
    assert found.broad_seconds == pytest.approx((issue + stall) / 1.5e9)
    assert found.narrow_seconds == found.narrow_joules == 0
    assert [(p.object_a, p.object_b, p.broad, p.narrow) for p in found.pairs] == [("a", "b", True, None)]


def test_energy_of_two_objects_in_closed_form() -> None:
    overrides = ["power.integer_pj=1", "power.float_pj=10", "power.memory_pj=100", "power.clock_pj=1000"]
    found = Detector(Options(narrow=False, cpu=load_cpu(overrides))).frame(0, (cube("a", 0), cube("b", 1)))
    energy = found.broad.energy
    memory = 2 * 36 + 16 * 3 + 4 + 6 * 2 + 23
    floats = 2 * 12 + 16 * 18 + 6 * 2
    others = 2 * 40 + 16 * 2 + 10 + 6 + 40
    assert energy.instructions_pj == pytest.approx(100 * memory + 10 * floats + others)
    assert energy.clock_pj == pytest.approx(1000 * found.broad.time.cycles)
    # Nothing but leakage and standby goes by time; all 12 lines came from memory, in two bursts of 16 bytes each.
    # lpddr3-800: 687 pJ per burst, 1437 per activation, two ranks of 25.2 mW, a refresh of 20124 pJ per 3.9 us.
    ns = found.broad_seconds * 1e9
    assert energy.dram_pj == pytest.approx(24 * 687 + 3 * 1437 + 2 * ns * (25.2 + 20124 / 3900), rel=1e-3)
    # Two cores of McPAT's template at 32 nm and low standby power, 81 uW each, and the L2.
    assert energy.static_pj / ns == pytest.approx(2 * 0.0811 + 0.169, rel=1e-2)
    assert found.broad_joules == pytest.approx(
        1e-12 * (energy.instructions_pj + energy.clock_pj + energy.caches_pj + energy.dram_pj + energy.static_pj)
    )


def test_cores_share_the_work_and_prefetching_hides_stalls() -> None:
    work = Work({"aabb_vertex": 1000, "gjk_iteration": 10}, Misses(100, 50))
    one, two = (time(work, load_cpu([f"core.cores_used={n}"])) for n in (1, 2))
    assert two.cycles == pytest.approx(one.cycles / 2)
    assert time(work, load_cpu(["memory.hidden_percent=70"])).stall_cycles == pytest.approx(0.3 * one.stall_cycles)
    # Ten iterations of three mispredicted branches.
    assert one.issue_cycles - time(work, load_cpu(["core.branch_miss_cycles=0"])).issue_cycles == pytest.approx(270)
    energies = [work_energy(work, time(work, cpu), cpu) for cpu in (Cpu(), load_cpu(["core.cores_used=2"]))]
    assert energies[0].clock_pj == pytest.approx(energies[1].clock_pj)
    assert energies[0].static_pj == pytest.approx(2 * energies[1].static_pj)


def test_the_narrow_phase_adds_to_the_broad_one() -> None:
    objects = (cube("a", 0), cube("b", 1.5, 0.5), cube("c", 9))
    detector = Detector(Options())
    found = [detector.frame(number, objects) for number in range(2)]
    assert [pair.narrow for pair in found[0].pairs] == [True]
    counts = found[0].counts
    assert counts["narrow_support_evaluations"] == 2 * counts["narrow_iterations"]
    assert counts["narrow_vertices_read"] == 16 * counts["narrow_iterations"]
    # Two hulls of eight vertices, which are there again in the next frame.
    assert (counts["narrow_l1_misses"], found[1].counts["narrow_l1_misses"]) == (8, 0)
    assert found[0].narrow_seconds > found[1].narrow_seconds > 0


def test_every_plausible_value_moves_something_the_right_way() -> None:
    detector = Detector(Options())
    frames = tuple(
        detector.frame(i, tuple(cube(f"{k}", 0.5 * k + 0.1 * i, 0.3 * k, 0.2 * k) for k in range(4))) for i in range(2)
    )
    found = Detection("scene", Options(), frames)
    costs = {name: found.total(name) for name in ("broad_seconds", "narrow_seconds", "broad_joules", "narrow_joules")}
    tried = [(n, v) for n, v in plausible(Cpu()) if n.startswith("operations.") and n.split(".")[1] != "sort_move"]
    assert len(tried) == 22
    for name, percent in tried:
        redone = found.on(load_cpu([f"{name}={percent}"]))
        more = {key: redone.total(key) > cost for key, cost in costs.items() if redone.total(key) != cost}
        assert more and all(value == (int(percent) > 100) for value in more.values()), name


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("core.clock=3", "core.clock=3: expected field=value"),
        ("core.clock_mhz", "expected field=value"),
        ("core.clock_mhz=fast", "core.clock_mhz"),
        ("core.cores_used=3", "there are 2 cores"),
        ("memory.l1_ways=3", "power of two"),
        ("gjk_points=some", "gjk_points"),
    ],
)
def test_bad_constants_end_in_one_line(override: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told) as error:
        load_cpu([override])
    assert "\n" not in str(error.value)
