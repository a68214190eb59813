"""`tilegpu report`: what the page shows in a browser, against the tables the runs wrote."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.browser import Browser
from tests.tools.test_bad_input import refused
from tilegpu import timing
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.tools.demo import scene_folder

SETTINGS = {"two": ["raster_units=2"], "wide<b>&": ["tiles.width=48", "tiles.height=40"]}
SIDES = {"two": (32, 32), "wide<b>&": (48, 40)}
"""A name that HTML could take for something else, and tiles that do not fit 320 x 192 pixels."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an activity with pictures, and results of two runs in `runs`."""
    home = tmp_path_factory.mktemp("report")
    trace = scene_folder() / "runner.trace"
    record(trace, home / "activity", FrameRange(0, 2), groups=frozenset({"pass_images"}))
    for name, settings in SETTINGS.items():
        configuration = timing.load_configuration("ptr-2022", settings)
        timing.replay(home / "activity", configuration).write(home / "runs" / name)
    (home / "runs" / "two" / "timeline.pftrace").write_text("{}")
    return home


@pytest.fixture(scope="module")
def page(home: Path) -> Path:
    """The page of both runs."""
    from typer.testing import CliRunner

    from tilegpu.tools.main import app

    path = home / "report.html"
    done = CliRunner().invoke(
        app, ["report", str(home / "runs"), "-o", str(path), "--activity", str(home / "activity")]
    )
    assert done.exit_code == 0, done.output
    return path


@pytest.fixture(scope="module")
def opened(browser: Browser, page: Path) -> Browser:
    """The page in the browser; loaded once, as that takes seconds."""
    browser.open(page)
    return browser


def stats(home: Path, run: str) -> dict:
    return json.loads((home / "runs" / run / "stats.json").read_text())


def tiles(home: Path, run: str) -> pd.DataFrame:
    return pd.read_parquet(home / "runs" / run / "tiles.parquet")


def test_the_page_draws_without_a_network(opened: Browser, page: Path, home: Path) -> None:
    assert opened.complaints() == []
    assert opened.requests() == [page.resolve().as_uri()]
    assert opened.count(".map canvas") == len(SETTINGS)
    assert page.stat().st_size < 3e6
    assert opened.run("return [...document.querySelectorAll('#section-2 img')].map(i => i.naturalWidth)") == [320, 320]
    # GPU cycles: two bars of three parts, as long as the statistics say.
    totals = [stats(home, name)["totals"] for name in SETTINGS]
    parts = [[t["gpu.geometry_cycles"], t["gpu.raster_cycles"]] for t in totals]
    expected = [[*two, t["gpu.cycles"] - sum(two)] for t, two in zip(totals, parts, strict=True)]
    drawn = opened.lengths(0)
    scale = sum(map(sum, drawn)) / sum(map(sum, expected))
    for lengths, cycles in zip(drawn, expected, strict=True):
        assert lengths == pytest.approx([scale * value for value in cycles], abs=1)


def test_bars_are_the_cycles_of_the_units(opened: Browser, home: Path) -> None:
    for figure, name in enumerate(SETTINGS, 1):
        table = pd.read_parquet(home / "runs" / name / "units.parquet")
        spent = table.pivot_table(index="unit", columns="cause", values="cycles", aggfunc="sum", sort=False).fillna(0)
        spent = spent[spent.busy > 0]
        drawn = opened.lengths(figure)
        assert len(drawn) == len(spent)
        # Every unit's parts make up a whole bar; the first is what it was busy.
        assert [row[0] / sum(row) for row in drawn] == pytest.approx(
            (spent.busy / spent.sum(axis=1)).tolist(), abs=0.01
        )
        assert max(map(sum, drawn)) == pytest.approx(min(map(sum, drawn)), abs=1)


def test_statistics_sort_and_filter(opened: Browser, home: Path) -> None:
    one, other = (stats(home, name) for name in SETTINGS)
    table = "#section-4 tbody tr"
    assert opened.count(table) == len(one["statistics"])
    field = opened.driver.find_element(By.CSS_SELECTOR, "#section-4 input.filter")
    # A word of the name, and one that only the description has.
    field.send_keys("texture_unit.lines LOOKED")
    names = opened.texts(f"{table} td:first-child")
    described = [
        name
        for name, about in one["statistics"].items()
        if "texture_unit.lines" in name and "looked" in about["description"].lower()
    ]
    assert [name.split("\n")[0] for name in names] == described
    field.clear()
    field.send_keys("gpu.cycles")
    first = opened.texts(f"{table}:first-child td")
    a, b = one["totals"]["gpu.cycles"], other["totals"]["gpu.cycles"]
    assert first[0].startswith("gpu.cycles\n" + one["statistics"]["gpu.cycles"]["description"])
    assert first[1:] == ["cycles", f"{a:,.0f}", f"{b:,.0f}", f"{100 * (b / a - 1):+.1f} %"]
    opened.run("document.querySelector('#section-4 input.filter').value = ''")
    field.send_keys(" ")
    opened.run("document.querySelectorAll('#section-4 th')[2].click()")
    script = f"return [...document.querySelectorAll('{table} td:nth-child(3)')].map(d => Number(d.dataset.value))"
    assert opened.run(script) == sorted(one["totals"].values())


def choose(browser: Browser, frame: int, metric: str) -> None:
    """Show a frame, which has one pass, and a metric."""
    for name, text in ("view", f"frame {frame}, pass {frame}"), ("metric", metric):
        Select(browser.driver.find_element(By.ID, f"tiles-{name}")).select_by_visible_text(text)


def click(browser: Browser, run: int, x: int, y: int) -> None:
    """Click on a pixel of the pass, counted from the lower left, in the map of a run; pixels are 320 x 192."""
    area = browser.driver.find_elements(By.CSS_SELECTOR, ".map canvas")[run]
    browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", area)
    width, height = browser.run("const r = arguments[0].getBoundingClientRect(); return [r.width, r.height]", area)
    # The map is as wide as its tiles, which may reach beyond the pass.
    side, up = list(SIDES.values())[run]
    across, down = -(-320 // side) * side, -(-192 // up) * up
    right, lower = (x + 0.5) / across * width - width / 2, height / 2 - (y + 0.5) / down * height
    ActionChains(browser.driver).move_to_element_with_offset(area, round(right), round(lower)).pause(0.2).perform()
    ActionChains(browser.driver).click().perform()


def answered(browser: Browser) -> dict[str, list[str]]:
    rows = browser.run(
        "return [...document.querySelectorAll('#tiles-values tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
    )
    return {row[0]: row[2:] for row in rows}


@pytest.mark.parametrize(("frame", "x", "y"), [(0, 165, 70), (1, 319, 3), (1, 310, 190)])
def test_a_map_answers_with_the_values_of_its_tile(opened: Browser, home: Path, frame: int, x: int, y: int) -> None:
    choose(opened, frame, "overdraw")
    click(opened, 0, x, y)
    found = answered(opened)
    # The tile of each run that holds the middle of the tile clicked in the first.
    x, y = x // 32 * 32 + 16, y // 32 * 32 + 16
    for place, run in enumerate(SETTINGS):
        table = tiles(home, run)
        inside = (table.x <= x) & (x < table.x + table.width) & (table.y <= y) & (y < table.y + table.height)
        (row,) = table[(table.frame == frame) & inside].to_dict("records")
        expected = {
            "cycles": row["last_cycle"] - row["first_cycle"],
            "quads": row["quads"],
            "texture misses": row["texture_misses"],
            "raster unit": row["raster_unit"],
            "tile": row["tile"],
        }
        assert {name: found[name][place] for name in expected} == {name: f"{v:,}" for name, v in expected.items()}
        overdraw = 4 * row["shaded_quads"] / (row["width"] * row["height"])
        assert float(found["overdraw"][place]) == pytest.approx(overdraw, abs=0.001)
    assert f"frame {frame}" in opened.texts("#tiles-chosen")[0]


def test_hovering_tells_the_place_and_values(opened: Browser, home: Path) -> None:
    choose(opened, 0, "texture misses")
    click(opened, 0, 40, 10)
    text = opened.run("return document.getElementById('tiles-tip').textContent")
    (row,) = tiles(home, "two").query("frame == 0 and x == 32 and y == 0").to_dict("records")
    assert "tile 1, 0 from the lower left" in text
    assert f"texture misses: {row['texture_misses']:,}" in text


def test_a_map_is_used_by_keys(opened: Browser, home: Path) -> None:
    """From the upper left: two to the right, one down, kept."""
    choose(opened, 0, "quads")
    opened.run("document.querySelector('.map canvas').focus()")
    keys = [Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER]
    ActionChains(opened.driver).send_keys(*keys).perform()
    (row,) = tiles(home, "two").query("frame == 0 and x == 64 and y == 128").to_dict("records")
    assert answered(opened)["quads"][0] == f"{row['quads']:,}"
    assert "tile 2, 4 from the lower left" in opened.run("return document.getElementById('tiles-tip').textContent")
    assert "pixels 64 to 95 across, 128 to 159 up" in opened.texts("#tiles-chosen")[0]


def test_colours_rise_with_the_values(opened: Browser, home: Path) -> None:
    """The brightest tile of the map is one with the most quads."""
    choose(opened, 0, "quads")
    opened.run("document.querySelector('.map canvas').blur()")
    script = """
        const c = document.querySelector('.map canvas'), g = c.getContext('2d'), [w, h] = [c.width / 10, c.height / 6];
        const lights = [];
        for (let row = 0; row < 6; row++) for (let column = 0; column < 10; column++) {
            const [r, gr, b] = g.getImageData((column + 0.4) * w, (5 - row + 0.4) * h, 1, 1).data;
            lights.push(0.3 * r + 0.6 * gr + 0.1 * b);
        }
        return lights;
    """
    lights = opened.run(script)
    table = tiles(home, "two").query("frame == 0").sort_values(["y", "x"])
    assert table.quads.corr(pd.Series(lights, table.index), method="spearman") > 0.98


@pytest.mark.parametrize("width", [1300, 420])
def test_nothing_overlaps_at_any_width(opened: Browser, width: int) -> None:
    """Also when the window of a loaded page changes."""
    opened.resize(width)
    try:
        assert opened.overlaps() == []
    finally:
        opened.resize(1300)


def test_tiles_end_with_the_pass(home: Path) -> None:
    for run in SETTINGS:
        table = tiles(home, run)
        areas = (table.width * table.height).groupby([table.frame, table["pass"]]).sum()
        assert set(areas) == {320 * 192}


class Addresses(HTMLParser):
    """Everything that a page names by address, by the element that does."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, value or "") for name, value in attrs if name in ("src", "href", "srcset", "data")]


def test_the_page_names_no_address_but_links(page: Path) -> None:
    addresses = Addresses()
    addresses.feed(re.sub(r"(<script)[^>]*>.*?(</script>)", r"\1>\2", page.read_text(), flags=re.DOTALL))
    others = [(tag, value) for tag, value in addresses.found if not value.startswith(("data:", "#"))]
    assert others == [("a", "./runs/two/timeline.pftrace"), ("a", "https://ui.perfetto.dev")]


def test_the_configurations_differ_as_set(opened: Browser) -> None:
    cells = "#section-7 tbody tr:nth-child({}) td"
    rows = [opened.texts(cells.format(number)) for number in (1, 2, 3)]
    assert opened.count("#section-7 tbody tr") == 3
    found = {row[0].split("\n")[0]: row[1:] for row in rows}
    assert found["tiles.width"] == ["pixels", "32", "48"]
    assert found["tiles.height"] == ["pixels", "32", "40"]
    assert found["tiles.raster_units"] == ["units", "2", "1"]


def test_the_same_results_give_the_same_page(tilegpu, page: Path, home: Path, tmp_path: Path) -> None:
    before = page.read_bytes()
    done = tilegpu("report", home / "runs", "-o", page, "--activity", home / "activity")
    assert done.status == 0
    assert page.read_bytes() == before


def test_pictures_may_come_from_rendered_images_or_be_absent(tilegpu, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    assert tilegpu("report", home / "runs" / "two", "-o", path, "--frame", "0").status == 0
    assert "<img" not in path.read_text()
    assert "--with pass_images" in path.read_text()
    assert "0, of 2 frames; --frame picks others" in path.read_text()
    images = tmp_path / "images"
    images.mkdir()
    shutil.copy(scene_folder() / "runner" / "frame_0000.png", images)
    assert tilegpu("report", home / "runs" / "two", "-o", path, "--frame", "0", "--images", images).status == 0
    assert path.read_text().count("<img") == 1


def test_what_makes_no_report(tilegpu, home: Path, tmp_path: Path) -> None:
    out, runs, two = tmp_path / "r.html", home / "runs", home / "runs" / "two"
    refused(tilegpu("report", tmp_path / "absent", "-o", out), "absent", "no such folder")
    refused(tilegpu("report", tmp_path, "-o", out), str(tmp_path), "holds no results")
    refused(tilegpu("report", runs, "-o", out, "--frame", "7"), "--frame 7", "0 to 1")
    refused(tilegpu("report", runs, "-o", tmp_path), str(tmp_path), "is a folder")
    refused(tilegpu("report", runs, "-o", out, "--images", tmp_path), str(tmp_path), "frame_0000.png")
    refused(tilegpu("report", runs, "-o", out, "--activity", tmp_path), "manifest.json")
    other = tmp_path / "other"
    shutil.copytree(home / "activity", other)
    manifest = json.loads((other / "manifest.json").read_text())
    (other / "manifest.json").write_text(json.dumps(manifest | {"source_sha256": "0" * 64}))
    refused(tilegpu("report", two, "-o", out, "--activity", other), "another capture")
    (other / "manifest.json").write_text(json.dumps(manifest | {"groups": []}))
    notes = tmp_path / "notes.html"
    notes.write_text("notes")
    refused(tilegpu("report", runs, "-o", notes), "notes.html", "no page of tilegpu")
    assert notes.read_text() == "notes"
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("stats.json", b"{", ["not JSON"]),
        ("stats.json", b'{"totals": {}}', ["source", "replay again"]),
        ("tiles.parquet", b"PAR1", ["not a readable table"]),
        ("config.toml", b"\xff\xfe\x00", ["not a text file"]),
    ],
)
def test_damaged_results(tilegpu, home: Path, tmp_path: Path, name: str, content: bytes, words: list[str]) -> None:
    shutil.copytree(home / "runs" / "two", tmp_path / "two")
    (tmp_path / "two" / name).write_bytes(content)
    refused(tilegpu("report", tmp_path / "two", "-o", tmp_path / "r.html"), name, *words)
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"x": 2**31 - 33}, ["grid"]),
        ({"x": -32}, ["place"]),
        ({"width": 0}, ["size"]),
        ({"x": 0, "y": 0}, ["grid"]),
    ],
)
def test_tiles_that_make_no_map(tilegpu, home: Path, tmp_path: Path, change: dict, words: list[str]) -> None:
    shutil.copytree(home / "runs" / "two", tmp_path / "two")
    table = tiles(home, "two")
    table.loc[table.index if change.get("width") == 0 else [7, 8], list(change)] = list(change.values())
    table.to_parquet(tmp_path / "two" / "tiles.parquet")
    refused(tilegpu("report", tmp_path / "two", "-o", tmp_path / "r.html"), "tiles.parquet", "frame 0", *words)
    table.drop(columns="width").to_parquet(tmp_path / "two" / "tiles.parquet")
    refused(tilegpu("report", tmp_path / "two", "-o", tmp_path / "r.html"), "no column width", "replay again")
