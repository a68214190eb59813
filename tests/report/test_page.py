"""Parts of pages, seen by a browser: what is drawn, what a click does, and that foreign text stays text."""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.browser import Browser
from tilegpu.functional.images import write_png
from tilegpu.tools.report.charts import grouped_bars, stacked_bars, tile_map
from tilegpu.tools.report.page import (
    Cell,
    PageError,
    Section,
    figure_html,
    image_html,
    number_text,
    sortable_table,
    write_page,
)

HOSTILE = '</script><img src=x onerror="document.title=1"><script>document.title=2</script>&lt;b&gt;%{x}'


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """4x3 pixels."""
    write_png(np.full((3, 4, 4), 200, np.uint8), tmp_path / "picture.png")
    return tmp_path / "picture.png"


@pytest.fixture
def page(tmp_path: Path, picture: Path) -> Path:
    """A page with each part, full of hostile names."""
    rows = [["b", 10, 0.5], [Cell("a", None, "tip of a"), 9, None], [HOSTILE, 100, 2.5]]
    bars = grouped_bars(HOSTILE, HOSTILE, ["1", HOSTILE], {"ours": [1, None]}, {"ours": [2, 3]})
    sections = [
        Section("Table " + HOSTILE, sortable_table(["name", "count", HOSTILE], rows, filter_hint="filter " + HOSTILE)),
        Section("Bars", figure_html(bars)),
        Section("Stack", figure_html(stacked_bars("stack", "mm", ["x"], {"low": [1.0], HOSTILE: [3.0]}))),
        Section("Map", figure_html(tile_map("map", "cycles", [[1, 2, 3], [4, float("nan"), 6]]))),
        Section("Own", figure_html(go.Figure(go.Bar(x=["one"], y=[7]))) + image_html(picture, HOSTILE, HOSTILE)),
    ]
    write_page(tmp_path / "page.html", HOSTILE, sections, HOSTILE)
    return tmp_path / "page.html"


def test_a_page_draws_without_a_network_and_keeps_text_as_text(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == []
    assert browser.requests() == [page.resolve().as_uri()]
    assert browser.driver.title == HOSTILE
    assert browser.texts("h1") == [HOSTILE]
    assert len(browser.texts("nav a")) == 5
    assert browser.count("img") == 1
    assert browser.run("return document.querySelector('img').naturalWidth") == 4
    assert browser.count(".main-svg") > 0
    # Ours 1, the paper's 2 and 3: heights as the values, and none for the one that is missing.
    drawn = browser.heights(0)
    assert [height / drawn[0] for height in drawn if height] == pytest.approx([1, 2, 3], rel=0.02)
    low, high = browser.heights(1)
    assert high / low == pytest.approx(3, rel=0.02)
    assert len(browser.heights(3)) == 1


def test_the_browser_runs_no_script_but_ours(browser: Browser, page: Path, tmp_path: Path) -> None:
    inserted = page.read_text().replace("</main>", "<script>document.title = 'taken'</script></main>")
    (tmp_path / "inserted.html").write_text(inserted)
    browser.open(tmp_path / "inserted.html")
    assert browser.driver.title == HOSTILE
    assert any("Content Security Policy" in line for line in browser.complaints())


def test_a_click_sorts_and_words_filter(browser: Browser, page: Path) -> None:
    browser.open(page)
    column = "tbody td:nth-child({})".format
    click = "document.querySelectorAll('th')[arguments[0]].click()"
    browser.run(click, 1)
    assert browser.texts(column(2)) == ["9", "10", "100"]
    browser.run(click, 1)
    assert browser.texts(column(2)) == ["100", "10", "9"]
    # The empty place stays last both ways.
    browser.run(click, 2)
    assert browser.texts(column(1)) == ["b", HOSTILE, "a"]
    browser.run(click, 2)
    assert browser.texts(column(1)) == [HOSTILE, "b", "a"]
    field = browser.driver.find_element("css selector", "input.filter")
    field.send_keys("tip A")
    assert browser.texts(column(1)) == ["a"]
    field.clear()
    field.send_keys("nothing like it")
    assert browser.texts(column(1)) == []


def test_the_same_parts_give_the_same_bytes(page: Path, tmp_path: Path) -> None:
    again = figure_html(tile_map("map", "cycles", [[1, 2, 3], [4, float("nan"), 6]]))
    assert again in page.read_text()
    write_page(tmp_path / "a.html", "t", [Section("s", again)])
    write_page(tmp_path / "b.html", "t", [Section("s", again)])
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_what_plotly_knows(page: Path) -> None:
    """Plotly's own figure refuses unknown fields."""
    for figure in (
        grouped_bars("t", "u", ["a"], {"x": [1]}, {"x": [2], "y": [None]}),
        stacked_bars("t", "u", ["a"], {"x": [1]}),
        tile_map("t", "u", [[1, 2]], [["one", "two"]]),
    ):
        go.Figure(figure)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (0.123456, "0.1235"),
        (12.3456, "12.35"),
        (1.83, "1.83"),
        (-1999.96, "-2,000"),
        (3.2e-9, "3.200e-09"),
        (None, ""),
    ],
)
def test_numbers_for_readers(value: float | None, text: str) -> None:
    assert number_text(value) == text


def test_what_is_no_page_of_ours_stays(page: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.html"
    notes.write_text("<p>notes</p>")
    with pytest.raises(PageError, match="notes.html"):
        write_page(notes, "t", [])
    assert notes.read_text() == "<p>notes</p>"
    with pytest.raises(PageError, match="folder"):
        write_page(tmp_path, "t", [])
    write_page(page, "new", [])
    assert "<title>new</title>" in page.read_text()
    with pytest.raises(PageError, match="neither PNG nor JPEG"):
        image_html(notes, "x")
    with pytest.raises(ValueError, match="2 values for 1"):
        stacked_bars("t", "u", ["a"], {"x": [1, 2]})
