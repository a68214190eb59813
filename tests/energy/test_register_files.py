"""Register files by name: which structures there are, how large, and what an access to each costs."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.results.energy.report import report, technology
from tilegpu.timing.results.statistics import statistics, structures

BY_NAME = "energy.register_files=by_name"
FILES = ("constant", "input", "temporal", "output")


def names(*overrides: str) -> list[str]:
    """Structures of registers."""
    declared = structures(load_configuration("ptr-2022", overrides))
    return [s.name for s in declared if s.name.endswith("registers")]


def test_one_file_or_four_of_each_kind_of_processor() -> None:
    assert sorted(names()) == ["fragment_processor.registers", "vertex_processor.registers"]
    expected = [f"{unit}_processor.{file}_registers" for unit in ("fragment", "vertex") for file in FILES]
    assert sorted(names(BY_NAME)) == sorted(expected)


def test_sizes_are_those_of_table_1() -> None:
    c = load_configuration("dae-2012-baseline")
    found = {s.name: (s.count(c), s.geometry(c)) for s in structures(c) if s.name.endswith("registers")}
    for unit in ("fragment", "vertex"):
        # Four processors; of each, four threads in four banks; a row for each register of four warps in a bank.
        assert found[f"{unit}_processor.constant_registers"] == (4, Ram(96, 128))
        assert found[f"{unit}_processor.input_registers"] == (64, Ram(4 * 64 // 4, 128))
        assert found[f"{unit}_processor.temporal_registers"] == (64, Ram(4 * 48 // 4, 128))
        assert found[f"{unit}_processor.output_registers"] == (64, Ram(4 * 32 // 4, 128))
    many = load_configuration("dae-2012-baseline", ["fragment_stage.warps=16", "vertex_stage.threads=1"])
    of = {s.name: s for s in structures(many)}
    assert of["fragment_processor.temporal_registers"].geometry(many) == Ram(16 * 48 // 4, 128)
    assert of["vertex_processor.temporal_registers"].count(many) == 16


@pytest.mark.parametrize("stage", ["fragment.processor", "geometry.vertex_processor"])
def test_accesses_are_charged_by_lane_and_constants_by_warp(stage: str) -> None:
    c = load_configuration("ptr-2022", ["dram=simple", BY_NAME])
    values: dict[str, float] = defaultdict(float)
    # Two warps of four lanes: three constants, two inputs, five temporal registers and an output of each lane.
    lanes = 8.0
    values |= {"gpu.cycles": 0.0, "geometry.vertex_processor.vertices": lanes, "geometry.vertex_processor.warps": 2.0}
    values |= {"fragment.processor.quads": 2.0, "fragment.processor.warps": 2.0}
    values[f"{stage}.constant_reads"] = 3 * lanes
    values[f"{stage}.input_reads"], values[f"{stage}.input_writes"] = 2 * lanes, 1 * lanes
    values[f"{stage}.temporal_reads"], values[f"{stage}.temporal_writes"] = 5 * lanes, 4 * lanes
    values[f"{stage}.output_reads"], values[f"{stage}.output_writes"] = 1 * lanes, 2 * lanes
    rows = {row.name: row.dynamic_pj for row in report(c, values).structures}
    unit = stage.rpartition(".")[2] if "vertex" in stage else "fragment_processor"
    one = {s.name: s.geometry(c).figures(technology(c)) for s in structures(c)}
    constant = one[f"{unit}.constant_registers"]
    assert rows[f"{unit}.constant_registers"] == pytest.approx(3 * 2 * constant.read_pj)
    for file, reads, writes in (("input", 2, 1), ("temporal", 5, 4), ("output", 1, 2)):
        figures = one[f"{unit}.{file}_registers"]
        assert rows[f"{unit}.{file}_registers"] == pytest.approx(
            lanes * (reads * figures.read_pj + writes * figures.write_pj)
        )


def test_a_row_of_four_lanes_costs_as_much_as_its_columns() -> None:
    made = technology(load_configuration("dae-2012-baseline"))
    row, column = Ram(64, 512).figures(made), Ram(64, 128).figures(made)
    assert row.read_pj == pytest.approx(4 * column.read_pj)
    assert row.leakage_mw == pytest.approx(4 * column.leakage_mw)


def test_structures_read_statistics_that_exist() -> None:
    c = load_configuration("dae-2012-baseline")
    zero = dict.fromkeys((stat.name for stat in statistics(c)), 0.0)
    for structure in structures(c):
        assert structure.reads(zero) == structure.writes(zero) == 0
