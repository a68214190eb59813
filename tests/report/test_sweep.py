"""`tilegpu report` of a sweep: what the section of the sweep says, against the runs' statistics."""

import json
from pathlib import Path

import pytest
from selenium.webdriver.support.ui import Select
from typer.testing import CliRunner

from tests.browser import Browser
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.tools.demo import scene_folder
from tilegpu.tools.main import app

SIZES, UNITS = ("16KiB", "32KiB", "64KiB"), (1, 2)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of six runs in `runs`, and its page."""
    home = tmp_path_factory.mktemp("sweep")
    record(scene_folder() / "sprites.trace", home / "activity", FrameRange(0, 1))
    settings = ["--set", f"l2_cache.size_bytes={','.join(SIZES)}", "--set", "raster_units=1,2"]
    for command in (
        ["replay", str(home / "activity"), *settings, "-o", str(home / "runs")],
        ["report", str(home / "runs"), "-o", str(home / "r.html")],
    ):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    return home


@pytest.fixture(scope="module")
def opened(browser: Browser, home: Path) -> Browser:
    browser.open(home / "r.html")
    return browser


def totals(home: Path, size: str, units: int) -> dict:
    folder = home / "runs" / f"l2_cache.size_bytes={size},raster_units={units}"
    return json.loads((folder / "stats.json").read_text())["totals"]


def test_the_headline_names_the_fastest_run(opened: Browser, home: Path) -> None:
    cycles = {(size, units): totals(home, size, units)["gpu.cycles"] for size in SIZES for units in UNITS}
    fastest = min(cycles, key=lambda run: cycles[run])
    told = opened.texts("#section-1 p strong")[0]
    assert told.startswith(f"{cycles['16KiB', 1] / cycles[fastest]:.2f} times as fast as")
    assert f"raster_units={fastest[1]}" in told
    assert opened.complaints() == []
    assert opened.texts(".subtitle")[0].endswith("6 runs over l2_cache.size_bytes, raster_units")
    # A curve for each number of Raster Units, over sizes in words.
    assert opened.count("#section-1 polyline") == 2
    words = opened.run("return [...document.querySelectorAll('#section-1 svg text')].map(text => text.textContent)")
    assert [text for text in words if "KiB" in text] == ["16 KiB", "32 KiB", "64 KiB"]


def test_any_statistic_is_a_matrix(opened: Browser, home: Path) -> None:
    name = "memory.dram.read_bytes"
    Select(opened.driver.find_element("id", "sweep-statistic")).select_by_visible_text(f"{name} (bytes)")
    cells = (
        "return [...document.querySelectorAll('#sweep-matrix tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
    )
    values = {size: [totals(home, size, units)[name] for units in UNITS] for size in SIZES}
    words = [f"{size[:-3]} KiB" for size in SIZES]
    assert opened.run(cells) == [
        [word, *(f"{value:,.0f}" for value in of_size)] for word, of_size in zip(words, values.values(), strict=True)
    ]
    opened.driver.find_element("id", "sweep-percent").click()
    first = values["16KiB"][0]
    assert opened.run(cells)[2][1] == f"{100 * (values['64KiB'][0] / first - 1):+.1f} %"


def test_tables_do_not_grow_with_the_runs(opened: Browser) -> None:
    heads = opened.texts("#section-5 th")
    assert heads[3:] == ["least", "most", "largest difference", "in run"]
    assert opened.count(".map canvas") == 6
    assert opened.overlaps() == []
