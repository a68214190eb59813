"""Longer channels: which figures have them, and what they leave of leakage."""

from __future__ import annotations

import csv
from importlib import resources

import pytest

from tilegpu.timing import load_configuration
from tilegpu.timing.declare.energy.channels import OUT_OF_ORDER, REMAINING, remaining_share
from tilegpu.timing.declare.energy.geometry import CacheArray, FlipFlops, Geometry, Logic, Ram
from tilegpu.timing.declare.energy.sram import Array, look_up
from tilegpu.timing.declare.energy.technology import Technology
from tilegpu.timing.results.energy.report import technology

CURRENTS = {
    (22, "itrs-hp"): (1.90e-7 / 1.5 * 1.2, 1.81e-9),
    (22, "itrs-lstp"): (3.87e-10, 4.51e-10),
    (22, "itrs-lop"): (2.02e-7, 2.74e-9),
    (32, "itrs-hp"): (1.90e-7, 6.55e-8),
    (32, "itrs-lstp"): (1.16e-10, 3.73e-11),
    (32, "itrs-lop"): (1.22e-7, 2.93e-9),
    (45, "itrs-hp"): (5.02e-7, 3.59e-8),
    (45, "itrs-lstp"): (6.12e-11, 9.47e-12),
    (45, "itrs-lop"): (9.04e-9, 7.08e-8),
}
"""Off-current and current through the gate at 340 K, A per micron (McPAT, cacti/technology.cc)."""


@pytest.mark.parametrize("made", list(REMAINING))
def test_the_template_was_solved_with_longer_channels(made: tuple[int, str]) -> None:
    # A unit of McPAT's leaks in proportion to both currents: only below threshold with what longer channels leave.
    off, gate = CURRENTS[made]
    text = (resources.files("tilegpu.data") / "energy" / "mcpat_a9.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        if (int(row["node"]), f"itrs-{row['dev'].lower()}") == made and row["comp"] == "Floating Point Units":
            expected = off / gate * remaining_share(*made, OUT_OF_ORDER)  # type: ignore[arg-type]
            assert float(row["sub"]) / float(row["gate"]) == pytest.approx(expected, rel=1e-3)


def leakage_mw(geometry: Geometry, longer_channels: str) -> float:
    made = Technology("mcpat", 22, "itrs-hp", 0.8, 340, longer_channels)  # type: ignore[arg-type]
    return geometry.figures(made).leakage_mw


def test_units_lose_the_templates_share_or_take_that_of_a_core_in_order() -> None:
    # 1 / 3.274 of the leakage is left of a longer channel; 56 % of the template's devices have one, 80 % in order.
    fpu = Logic("fpu", 1)
    assert leakage_mw(fpu, "units") == pytest.approx(6.26518 + 0.122094)
    assert leakage_mw(fpu, "none") == pytest.approx(6.26518 / (0.44 + 0.56 / 3.274) + 0.122094)
    assert leakage_mw(fpu, "all") == pytest.approx(6.26518 / (0.44 + 0.56 / 3.274) * (0.2 + 0.8 / 3.274) + 0.122094)


@pytest.mark.parametrize(("last_level", "kept"), [(False, 0.2 + 0.8 / 3.274), (True, 1 / 3.274)])
def test_arrays_have_longer_channels_only_where_all_do(last_level: bool, kept: float) -> None:
    cache = CacheArray(8192, 2, 1, 128, False, last_level)
    whole = look_up(Array(8192, 128, "1rw", 2), 22, "itrs-hp")
    assert 0 < whole.gate_mw < 0.02 * whole.leakage_mw
    for chosen in ("units", "none"):
        assert leakage_mw(cache, chosen) == pytest.approx(whole.leakage_mw)
    below = whole.leakage_mw - whole.gate_mw
    assert leakage_mw(cache, "all") == pytest.approx(whole.gate_mw + below * kept)


@pytest.mark.parametrize("geometry", [Ram(512, 128), FlipFlops(64, 8), CacheArray(2 << 20, 8, 8, 512, True, True)])
def test_nothing_but_leakage_changes(geometry: Geometry) -> None:
    made = [Technology("mcpat", 22, "itrs-hp", 1.0, 360, chosen) for chosen in ("units", "all")]  # type: ignore[arg-type]
    before, after = (geometry.figures(one) for one in made)
    assert (after.read_pj, after.write_pj, after.area_mm2) == (before.read_pj, before.write_pj, before.area_mm2)
    assert 0.3 < after.leakage_mw / before.leakage_mw < 0.5


def test_the_configuration_tells() -> None:
    assert technology(load_configuration("ptr-2022")).longer_channels == "units"
    chosen = technology(load_configuration("ptr-2022", ["energy.longer_channels=all"]))
    assert chosen == Technology(volts=1.0, longer_channels="all")
