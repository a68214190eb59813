"""Interpolation against CACTI's own answers, and how figures scale."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from tilegpu.timing.declare.energy.geometry import CacheArray, FlipFlops, Logic, Ram
from tilegpu.timing.declare.energy.logic import unit
from tilegpu.timing.declare.energy.sram import Array, EnergyTableError, look_up, read_table, sliced
from tilegpu.timing.declare.energy.technology import Technology, off_current

OFF_GRID = Path(__file__).parent / "cacti_offgrid.csv"
PLAIN = Technology(volts=0.8)
"""At the voltage and temperature of the table."""


@pytest.mark.parametrize(
    ("figure", "median", "p95"), (("read_pj", 0.03, 0.2), ("leakage_mw", 0.03, 0.2), ("area_mm2", 0.03, 0.2))
)
def test_points_between_those_of_the_table(figure: str, median: float, p95: float) -> None:
    errors, without = [], 0
    for key, size, width, figures in read_table(OFF_GRID.read_text().splitlines()):
        try:
            found = look_up(Array(size, width, key[3], key[4], key[5]), key[1], key[2])  # type: ignore[arg-type]
        except EnergyTableError:
            without += 1
            continue
        errors.append(abs(getattr(found, figure) / getattr(figures, figure) - 1))
    assert without == 6
    assert np.median(errors) <= median
    assert np.percentile(errors, 95) <= p95


STRUCTURES = {
    "8KB 2w out512": Array(8192, 512, ways=2),
    "8KB 2w out128": Array(8192, 128, ways=2),
    "32KB 4w out512": Array(32768, 512, ways=4),
    "32KB 4w out128": Array(32768, 128, ways=4),
    "SRAM 4KB 4B": Array(4096, 32),
    "SRAM 4KB 16B": Array(4096, 128),
    "SRAM 4KB 64B": Array(4096, 512),
    "FIFO slice 64x16B 1r1w": Array(1024, 128, "1r1w"),
}


def test_the_papers_structures() -> None:
    text = (resources.files("tilegpu.data") / "energy" / "cacti_structures.csv").read_text()
    checked = 0
    for row in csv.DictReader(text.splitlines()):
        if row["name"] in STRUCTURES and row["cell"] == row["peri"]:
            found = look_up(STRUCTURES[row["name"]], int(row["tech"]), row["cell"])  # type: ignore[arg-type]
            for name, column in (("read_pj", "read_pJ"), ("leakage_mw", "leak_total_mW"), ("area_mm2", "area_mm2")):
                assert getattr(found, name) == pytest.approx(float(row[column]), rel=0.12), (row["name"], name)
            checked += 1
    assert checked == len(STRUCTURES) * 2 * 3


def test_the_l2_cache_is_the_tables_row() -> None:
    figures = CacheArray(2 << 20, 8, 8, 512, sequential=True).figures(PLAIN)
    assert figures.read_pj == pytest.approx(167.528)
    assert figures.leakage_mw == pytest.approx(0.88)
    assert figures.area_mm2 == pytest.approx(2.1988)


def test_outside_of_the_table_there_is_no_answer() -> None:
    for array in (
        Array(128, 32),
        Array(8 << 20, 128),
        Array(4096, 1024),
        Array(4096, 128, "3r2w"),
        Array(8192, 128, ways=3),
    ):
        with pytest.raises(EnergyTableError):
            look_up(array, 22, "itrs-hp")


def test_wide_words_are_slices() -> None:
    column = look_up(Array(2048, 128, "2r1w"), 22, "itrs-lstp")
    wide = sliced(Array(8192, 512, "2r1w"), 22, "itrs-lstp")
    assert wide.read_pj == pytest.approx(4 * column.read_pj)
    assert wide.area_mm2 == pytest.approx(4 * column.area_mm2)


def test_few_entries_are_flip_flops() -> None:
    bit = unit("flip_flop", PLAIN)
    assert Ram(16, 100).figures(PLAIN).read_pj == pytest.approx(100 * bit.read_pj)
    assert Ram(16, 100).figures(PLAIN).area_mm2 == pytest.approx(1600 * bit.area_mm2)
    assert FlipFlops(64, 8).figures(PLAIN).leakage_mw == pytest.approx(64 * bit.leakage_mw)
    assert Ram(512, 128).figures(PLAIN).area_mm2 < 512 * 128 * bit.area_mm2


def test_mcpat_units_follow_its_formula() -> None:
    # 0.5 (1.15 nJ / 3) / 4 / 1.69 V^2 F / 90 at 32 nm and 1 V is 10.081 pJ; FPU x3, MUL x2; circuit factor 1.12.
    made = Technology("mcpat", 32, "itrs-lstp", 1.0)
    assert unit("alu", made).read_pj == pytest.approx(10.081 * 1.12, rel=1e-4)
    assert unit("fpu", made).read_pj == pytest.approx(30.243 * 1.12, rel=1e-4)
    assert unit("mul", made).read_pj == pytest.approx(20.162 * 1.12, rel=1e-4)
    assert unit("fpu", Technology("mcpat", 22, "itrs-lstp", 0.8)).read_pj == pytest.approx(13.307 * 1.12, rel=1e-4)


def test_the_template_has_three_alus_and_one_fpu() -> None:
    # McPAT's A9: 0.0576816 mm2 and 0.0000150945 + 0.0000238908 W for its integer ALUs at 22 nm LSTP, which are three.
    made = unit("alu", Technology("mcpat", 22, "itrs-lstp", 0.8))
    assert made.area_mm2 == pytest.approx(0.0576816 / 3)
    assert made.leakage_mw == pytest.approx((1.50945e-5 + 2.38908e-5) * 1e3 / 3)


def test_bottom_up_units_are_published_operations() -> None:
    # Horowitz at 22 nm, 1 V: fp32 multiplication 1.40507 pJ, addition 0.34177 pJ.
    made = Technology("bottom-up", 22, "itrs-lstp", 1.0)
    assert unit("fpu", made).read_pj == pytest.approx(1.40507 + 0.34177)
    assert Logic("int8_multiply_add", 4, 2).figures(made).read_pj == pytest.approx(2 * (0.07595 + 0.01139))


def test_voltage_and_temperature() -> None:
    low, high = Technology(volts=0.8), Technology(volts=1.0)
    cache = CacheArray(8192, 2, 1, 128)
    assert cache.figures(high).read_pj == pytest.approx(cache.figures(low).read_pj * 1.5625)
    assert cache.figures(high).leakage_mw == pytest.approx(cache.figures(low).leakage_mw * 1.25)
    assert off_current(32, "itrs-hp", 340) == 1.0
    assert off_current(32, "itrs-hp", 390) == 14.368
    # The 360 K point of 22 nm LSTP falls where it must rise: its neighbours are believed instead.
    assert 1.997 < off_current(22, "itrs-lstp", 360) < 7.984
    with pytest.raises(ValueError, match="300 to 400 K"):
        off_current(22, "itrs-hp", 500)


def test_caches_too_small_for_the_table_have_fewer_banks_and_narrower_words() -> None:
    plain = Technology("mcpat", 45, "itrs-hp", 1000, 340)
    # Banks of 512 bytes are not in the table: two of 1 KB are.
    assert CacheArray(2048, 2, 4, 128).figures(plain) == CacheArray(2048, 2, 2, 128).figures(plain)
    # Two ways of 512 bits in 2 KB have no solution either: four accesses of 128 bits to one bank.
    wide, narrow = CacheArray(2048, 2, 1, 512).figures(plain), CacheArray(2048, 2, 1, 128).figures(plain)
    assert wide.read_pj == pytest.approx(4 * narrow.read_pj)
    assert wide.leakage_mw == narrow.leakage_mw
