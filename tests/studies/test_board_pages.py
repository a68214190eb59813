"""First screen of the page on accuracy, and what scenes hang on: from outcomes made up by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.quick import quick_ones
from tilegpu.timing import load_configuration
from tilegpu.tools.studies.boards.glance import clocks, glance
from tilegpu.tools.studies.boards.measurements import labels, published, read_measurements
from tilegpu.tools.studies.boards.rates import table, variants


def figure(name: str, label: str, values: list[float | None]) -> dict[str, Any]:
    return {"id": name, "workloads": ["a", "b", "c"], "series": {label: values}, "paper": {label: [1.0, 2.0, 4.0]}}


def test_a_table_of_models_by_what_was_fitted() -> None:
    figures = [
        figure("frame-times", "gpu", [0.5, 1.0, 2.0]),
        figure("frame-times-draws", "gpu", [1.0, 2.2, None]),
        figure("frame-times-naive", "gpu", [1.0, 4.0, 2.0]),
    ]
    ours, roofline, naive = list(glance({"figures": figures}))[2:5]
    # Half of each: a factor of two, in order. Two scenes: off by nothing and a tenth. What is absent is a dash.
    assert ours == "| gpu | ours | 100.0 %, 100 %, 1.00 | – | – | 4.9 %, 9 %, 1.00 |"
    assert roofline == "| gpu | roofline | – | – | – | – |"
    assert naive.endswith("| – | 100.0 %, 100 %, 0.50 | – | – |")


def test_both_readings_of_the_fixed_part() -> None:
    label = next(iter(labels(read_measurements(published())).values()))
    mhz = read_measurements(published())[0].gpu_mhz
    names = [
        (f"clock-{clock}-{reading}", value)
        for clock, value in (("half", 8.0), ("higher", 2.0))
        for reading in ("time", "cycles")
    ]
    figures = [figure("frame-times", label, [1.0, 1.0, 1.0]), *(figure(name, label, [v, v, v]) for name, v in names)]
    outcome = {"figures": figures, "conclusions": [{"id": f"{label}-fixed", "ours": 2.0}]}
    half, higher = list(clocks(outcome))[2:4]
    assert f"2.00 ms, or {2 * mhz / 1000:.2f} million cycles at {mhz} MHz | half the clock | 8.00 ms | 8.00 ms" in half
    assert "1.5 times the clock | 2.00 ms" in higher


def test_what_scenes_hang_on() -> None:
    settings = list(variants("mali-g57-mc2"))
    assert "simt_core.texture_threads=2" in settings and "simt_core.texture_threads=8" in settings
    assert "vertex_warp_launcher.fetch=central" in settings
    # A value that is as it is changes nothing.
    assert not any(setting.endswith("tile_cycles=0") for setting in settings)
    changes = {"a=1": {"x": 12.4, "y": 0.2}, "b=2": {"x": 0.4, "y": -0.9}}
    rows = list(table({"preset": "p", "cycles": {"x": 100, "y": 200}, "changes": changes}))
    assert rows[2] == "| a=1 | +12 % |  |"
    assert rows[4] == "Below 1 % everywhere: b=2."


@pytest.mark.parametrize("preset", quick_ones(("mali-t860-mp4", "mali-g52-mc1", "mali-g610-mc4"), ("mali-g52-mc1",)))
def test_variants_are_configurations(preset: str) -> None:
    settings = list(variants(preset))
    assert len(settings) > 15
    for setting in settings:
        load_configuration(preset, [setting])
