"""Parts of pages, seen by a browser: what is drawn, what a click does, and that foreign text stays text."""

from pathlib import Path

import numpy as np
import pytest

from tests.browser import Browser
from tilegpu.functional.images import write_png
from tilegpu.tools.report.axes import linear, logarithmic
from tilegpu.tools.report.charts import curves, grouped_bars, scatter, stacked_bars
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
        Section("Lines", figure_html(curves(HOSTILE, HOSTILE, "mm", {HOSTILE: [(1, 2), (3, 4)]}))),
        Section("Points", figure_html(scatter(HOSTILE, "ms", {"s": {HOSTILE: (1, 10), "other": (100, 20)}}))),
        Section("Picture", image_html(picture, HOSTILE, HOSTILE)),
    ]
    write_page(tmp_path / "page.html", HOSTILE, sections, HOSTILE)
    return tmp_path / "page.html"


def test_a_page_draws_without_a_network_and_keeps_text_as_text(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == []
    assert browser.requests() == [page.resolve().as_uri()]
    assert browser.driver.title == HOSTILE
    assert browser.texts("h1") == [HOSTILE]
    assert len(browser.texts("nav a")) == 6
    assert browser.count("img") == 1
    assert browser.run("return document.querySelector('img').naturalWidth") == 4
    # Ours 1, the paper's 2 and 3: lengths as the values, and none for the one that is missing.
    (one, two), (three,) = browser.lengths(0)
    assert [two / one, three / one] == pytest.approx([2, 3], rel=0.02)
    ((low, high),) = browser.lengths(1)
    assert high / low == pytest.approx(3, rel=0.02)
    places = browser.run(
        "return [...document.querySelectorAll('circle')].map(c => [c.cx.baseVal.value, c.cy.baseVal.value])"
    )
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = places
    assert x2 > x1 and y2 < y1
    # On logarithmic axes of the same ends: two decades across, a factor of two up.
    across, up = (x4 - x3) / (760 - 76), (y3 - y4) / (380 - 56)
    assert up / across == pytest.approx(np.log10(2) / 2, rel=0.02)


@pytest.mark.parametrize("width", [1300, 420])
def test_no_text_lies_over_another(browser: Browser, page: Path, width: int) -> None:
    browser.open(page)
    browser.resize(width)
    try:
        assert browser.overlaps() == []
    finally:
        browser.resize(1300)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.3, 2.2], (0, 0.5, 1, 1.5, 2, 2.5)),
        ([95.0], (0, 20, 40, 60, 80, 100)),
        ([-3, 6], (-4, -2, 0, 2, 4, 6)),
        ([0, 0], (0, 0.2, 0.4, 0.6, 0.8, 1)),
        ([], (0, 0.2, 0.4, 0.6, 0.8, 1)),
    ],
)
def test_axes_have_round_ends(values: list[float], ticks: tuple[float, ...]) -> None:
    axis = linear(values)
    assert axis.ticks == pytest.approx(ticks)
    assert all(0 <= axis.share(value) <= 100 for value in values)


def test_logarithmic_axes_hold_their_values() -> None:
    for values in ([3.0, 400.0], [0.02], [1.0, 1e9], [7.0, 8.0]):
        axis = logarithmic(values)
        assert all(-1e-9 <= axis.share(value) <= 100 + 1e-9 for value in values), values
        assert list(axis.ticks) == sorted(axis.ticks)


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
    again = figure_html(stacked_bars("stack", "mm", ["x"], {"low": [1.0], HOSTILE: [3.0]}))
    assert again in page.read_text()
    write_page(tmp_path / "a.html", "t", [Section("s", again)])
    write_page(tmp_path / "b.html", "t", [Section("s", again)])
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


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
