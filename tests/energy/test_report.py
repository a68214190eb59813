"""Reports: totals by hand, sums of parts, the memory's energy, and what the papers say of the whole."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.load import preset_names
from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.energy.logic import unit
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.results.energy.dram import Counts, device_energy, energy
from tilegpu.timing.results.energy.report import report, technology
from tilegpu.timing.results.statistics import statistics, structures


def values(**known: float) -> dict[str, float]:
    """Statistics, 0 but for some; dots are written as double underscores."""
    found: dict[str, float] = defaultdict(float)
    found.update({name.replace("__", "."): value for name, value in known.items()})
    return found


def structure(name: str) -> Any:
    """A declared structure of the default machine."""
    return next(s for s in structures(load_configuration("ptr-2022")) if s.name == name)


def test_every_structure_reads_statistics_that_exist() -> None:
    c = load_configuration("ptr-2022")
    names = {stat.name for stat in statistics(c)}
    declared = structures(c)
    zero = dict.fromkeys(names, 0.0)
    for structure in declared:
        assert structure.reads(zero) == structure.writes(zero) == 0
    assert len({structure.name for structure in declared}) == len(declared)


def test_a_small_run_by_hand() -> None:
    c = load_configuration("ptr-2022", ["dram=simple"])
    counted = values(gpu__cycles=800e3, fragment__processor__alu_instructions=1000)
    counted["fragment.processor.alu_operations"] = 4000.0
    run = report(c, counted)
    rows = {row.name: row for row in run.structures}
    # 1 ms; 1000 instructions that write one component of four lanes, an FPU access each:
    # 0.5 (1150 pJ / 3) / 4 / 1.69 x 22 / 90 x 3 x 1.12.
    fpu_pj = 0.5 * 1150 / 3 / 4 / 1.69 * 22 / 90 * 3 * 1.12
    assert run.seconds == pytest.approx(1e-3)
    assert rows["fragment_processor.fpu"].dynamic_pj == pytest.approx(4000 * fpu_pj)
    # McPAT's FPU at 22 nm LSTP leaks 19.2221 + 30.4224 nW x 1000 at 0.8 V; there are 16 at 1 V.
    leakage_mw = 16 * (1.92212e-5 + 3.04224e-5) * 1e3 * 1.25
    assert rows["fragment_processor.fpu"].leakage_mw == pytest.approx(leakage_mw)
    assert rows["fragment_processor.fpu"].static_pj == pytest.approx(leakage_mw * 1e-3 * 1e-3 * 1e12)
    # The L2 leaks 0.88 mW at 0.8 V.
    assert rows["l2_cache"].static_pj == pytest.approx(0.88 * 1.25 * 1e6)
    # Registers: two reads and one write per operation, of a sixteenth of a row of four lanes and components.
    registers = rows["fragment_processor.registers"]
    once = structure("fragment_processor.registers").geometry(c).figures(run.technology)
    assert registers.dynamic_pj == pytest.approx(4000 / 16 * (2 * once.read_pj + once.write_pj))
    assert sum(row.dynamic_pj for row in run.structures) == pytest.approx(
        rows["fragment_processor.fpu"].dynamic_pj
        + registers.dynamic_pj
        + rows["fragment_processor.instruction_buffer"].dynamic_pj
    )


def test_interpolation_and_the_primitive_table_are_charged_by_attributes() -> None:
    c = load_configuration("ptr-2022", ["dram=simple"])
    run = report(c, values(raster__rasterizer__interpolations=100, raster__rasterizer__attributes=10))
    rows = {row.name: row for row in run.structures}
    adder = unit("adder", run.technology)
    # Four components of four pixels each.
    assert rows["rasterizer.interpolators"].dynamic_pj == pytest.approx(100 * 16 * adder.read_pj)
    # An attribute of a primitive is three words of 16 bytes, written once and read once.
    table = structure("tile_fetcher.primitive_table").geometry(c).figures(run.technology)
    assert rows["tile_fetcher.primitive_table"].dynamic_pj == pytest.approx(30 * (table.read_pj + table.write_pj))


def test_parts_sum_up(machine_run: dict[str, float]) -> None:
    run = report(load_configuration(), machine_run)
    assert not run.missing
    assert sum(run.by_unit().values()) == pytest.approx(run.gpu_pj)
    assert run.gpu_pj + run.memory_pj == pytest.approx(run.total_pj)
    assert sum(run.split().values()) == pytest.approx(1)
    assert run.average_mw == pytest.approx(run.total_pj * 1e-9 / run.seconds)
    assert run.energy_delay_js == pytest.approx(run.total_pj * 1e-12 * run.seconds)
    assert all(row.dynamic_pj >= 0 and row.area_mm2 > 0 for row in run.structures)


def test_the_primitive_table_is_negligible(machine_run: dict[str, float]) -> None:
    run = report(load_configuration(), machine_run)
    (table,) = [row for row in run.structures if row.name == "tile_fetcher.primitive_table"]
    assert 0 < table.energy_pj < 0.02 * run.total_pj


def test_a_second_raster_unit_costs_its_structures() -> None:
    one, two = (report(load_configuration("ptr-2022", [f"raster_units={n}"])) for n in (1, 2))
    doubled = sum(row.area_mm2 for row in one.structures if row.unit in ("raster", "fragment"))
    assert two.area_mm2 == pytest.approx(one.area_mm2 + doubled)


def test_a_structure_outside_of_the_table_is_reported() -> None:
    run = report(load_configuration("ptr-2022", ["texture_cache.size_bytes=512", "texture_cache.ways=1"]))
    assert [line.partition(":")[0] for line in run.missing] == ["texture_cache"]


def test_dram_energy_by_hand() -> None:
    spec = load_specification("lpddr3-1600")
    device = device_energy(spec)
    # V x mA x ns: 1.2 (40 x 49 - 21 x 34 - 20.5 x 15) 1.25, 1.2 (250 - 21) 4 x 1.25, 1.2 (150 - 21) 168 x 1.25.
    assert device.activate_pj == pytest.approx(1407.75)
    assert device.read_pj == pytest.approx(1374.0)
    assert device.refresh_pj == pytest.approx(32508)
    assert device.idle_power_down_mw == pytest.approx(1.56)
    used = energy(spec, Counts(read_commands=10, idle_power_down_cycles=1000))
    # Two devices of 32 bits make up the bus of 64.
    assert used.total_pj == pytest.approx(2 * (10 * 1374 + 1000 * 1.25 * 1.56))
    faster = energy(spec, Counts(read_commands=10), Fraction(1600))
    assert faster.read_pj == pytest.approx(used.read_pj / 2)


def test_energy_of_bank_refreshes_by_hand() -> None:
    told = load_specification("lpddr4-2400")
    # 1.2 (140 - 47) 168 cycles x 0.8333 ns.
    assert device_energy(told).refresh_bank_pj == pytest.approx(1.2 * 93 * 140)
    # No current of a bank refresh is told, and DRAMsim3's 5 mA are below the 47 of standing by: eight bank refreshes do
    # the work of one of the rank, 1.2 (280 - 47) 392 x 0.83.
    silent = load_specification("lpddr4-2400-b32")
    assert device_energy(silent).refresh_bank_pj == pytest.approx(90970.656 / 8)
    used = energy(silent, Counts(bank_refreshes=8))
    assert used.total_pj == used.refresh_bank_pj == pytest.approx(2 * 90970.656)
    assert used.total_pj == pytest.approx(energy(silent, Counts(refreshes=1)).total_pj)


def test_current_sets() -> None:
    spec = load_specification("lpddr4-2400-b32")
    micron, with_io = (device_energy(spec, None, "lpddr4-micron", io) for io in (False, True))
    assert micron.read_pj == pytest.approx(1347.5, rel=1e-3)
    assert with_io.read_pj == pytest.approx(2168.375, rel=1e-3)
    with pytest.raises(ValueError, match="output drivers"):
        device_energy(spec, None, "dramsim3", True)
    with pytest.raises(ValueError, match="choose one of"):
        device_energy(spec, None, "nobody")


@pytest.fixture
def machine_run(machine: Any, synthetic_frame: Any) -> dict[str, float]:
    """Statistics of a synthetic frame on `ptr-2022`."""
    run: dict[str, float] = machine("dram=lpddr4-2400-dual").run(synthetic_frame)
    return run


def test_shared_structures_are_fewer() -> None:
    def count(name: str, *overrides: str) -> int:
        made = report(load_configuration("ptr-2022", ["raster_units=2", *overrides]))
        return next(row.count for row in made.structures if row.name == name)

    assert count("texture_cache") == 8
    assert count("texture_cache", "raster_units_per_texture_cache=2") == 4
    assert count("texture_cache", "processors_per_texture_cache=3") == 2 * 2
    assert count("fragment_processor.queue") == 8
    assert count("fragment_processor.queue", "fragment_stage.input_queue=shared") == 2


def test_a_processor_has_the_units_that_it_uses_in_a_cycle() -> None:
    """Four lanes in four cycles take one lane's arithmetic units; what an operation costs is the same."""

    def unit(setting: str) -> Any:
        found = report(load_configuration("ptr-2022", [setting]), None)
        return next(row for row in found.structures if row.name == "fragment_processor.fpu")

    whole, quarter, half = (unit(f"fragment_stage.issue_cycles={cycles}") for cycles in (1, 4, 3))
    assert whole.area_mm2 == pytest.approx(4 * quarter.area_mm2)
    assert whole.area_mm2 == pytest.approx(2 * half.area_mm2)


def test_lists_of_objects_on_chip_are_charged() -> None:
    """230,400 bytes in entries of 4, and an order of 8,192 objects of 16 bits; in memory they take no room."""
    own, unit_name = "technique.visibility_rendering_order", "techniques.visibility_rendering_order"
    c = load_configuration("vro-2018-vro", [f"{own}.first_primitive_list=on_chip", f"{own}.order_list=on_chip"])
    made = technology(c)
    first, order = Ram(57_600, 32).figures(made), Ram(8192, 16).figures(made)
    told = values(gpu__cycles=1) | {
        f"{unit_name}.visibility_order.present": 10.0,
        f"{unit_name}.first_list_writes": 3.0,
        f"{unit_name}.visibility_sort.sorted": 2.0,
    }
    rows = {s.name: s for s in report(c, defaultdict(float, told)).structures}
    assert rows["first_primitive_list"].area_mm2 == first.area_mm2
    assert rows["first_primitive_list"].dynamic_pj == pytest.approx(10 * first.read_pj + 3 * first.write_pj)
    assert rows["order_table"].dynamic_pj == pytest.approx(10 * order.read_pj + 2 * order.write_pj)
    in_memory = {s.name: s for s in report(load_configuration("vro-2018-vro")).structures}
    assert in_memory["first_primitive_list"].area_mm2 == in_memory["order_table"].area_mm2 == 0


def test_comparators_of_collisions_are_as_wide_as_depths() -> None:
    """Eight of 18 bits are 4.5 ALUs of 32."""
    c = load_configuration("rbcd-2018-rbcd")
    row = next(s for s in report(c).structures if s.name == "rbcd.less_than_comparators")
    assert row.area_mm2 == pytest.approx(4.5 * unit("alu", technology(c)).area_mm2)


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_counts_what_its_structures_ask_for(preset: str) -> None:
    c = load_configuration(preset)
    zero = dict.fromkeys((stat.name for stat in statistics(c)), 0.0)
    assert all(structure.reads(zero) == structure.writes(zero) == 0 for structure in structures(c))
