"""`tilegpu inspect -o page.html`: what the page shows in a browser, against a plain reading of the scene."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser import Browser
from tests.frame_view.scenes import HOSTILE, SIDE, TRIANGLES, histories, record
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.frame_view.outcomes import NAMES
from tilegpu.functional.player import Player
from tilegpu.functional.record import record as record_activity

CHOSEN = "return [...document.querySelectorAll('.operation')].findIndex((item) => item.ariaSelected === 'true')"
COLOUR, DEPTH = 0, 2
"""Places of the window's planes; alpha, which the clear alone changes, is between them."""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("page") / "scene.trace")


@pytest.fixture(scope="module")
def page(trace: Path) -> Path:
    from typer.testing import CliRunner

    from tilegpu.tools.main import app

    path = trace.with_name("frame.html")
    done = CliRunner().invoke(app, ["inspect", str(trace), "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert "6 operations on one page" in done.output
    return path


@pytest.fixture
def opened(browser: Browser, page: Path) -> Iterator[Browser]:
    """The page in the browser, after its first picture."""
    browser.resize(1400, 900)
    browser.open(page)
    wait(browser, 5)
    yield browser
    assert browser.complaints() == []
    assert browser.requests() == [page.resolve().as_uri()]


def wait(browser: Browser, operation: int, plane: int = COLOUR) -> None:
    """Wait until an operation is shown."""
    script = """const [wanted, done] = arguments;
    const look = () => document.body.dataset.shown === wanted ? done(true) : setTimeout(look, 10); look();"""
    assert browser.driver.execute_async_script(script, f"{operation} {plane}")


def answer(browser: Browser, expression: str, *arguments: object) -> Any:
    """What a promise of the page gives."""
    script = f"const done = arguments[arguments.length - 1]; ({expression}).then(done, (error) => done(String(error)));"
    return browser.driver.execute_async_script(script, *arguments)


def press(browser: Browser, *keys: str) -> None:
    ActionChains(browser.driver).send_keys(*keys).perform()


def test_composed_pictures_equal_the_rendered_ones_bit_for_bit(opened: Browser, tmp_path: Path) -> None:
    pixels = """frameStore.after(0, arguments[0]).then((canvas) =>
        [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data])"""
    # Not in order, so that some are composed anew and others from what is there.
    for operation in (5, 1, 0, 4, 2, 3):
        path = record(tmp_path / "part.trace", draws=operation)
        (rendered,) = Player(path, FrameRange(0, 1)).run()
        composed = np.array(answer(opened, pixels, operation), np.uint8).reshape(SIDE, SIDE, 4)
        np.testing.assert_array_equal(composed[..., :3], rendered.pixels)
        assert (composed[..., 3] == 255).all()


def test_the_history_of_every_kind_of_pixel_is_right(opened: Browser) -> None:
    expected, shown = histories(), set()
    for (x, y), history in expected.items():
        outcomes = tuple(outcome for outcome, _ in history)
        if outcomes in shown:
            continue
        shown.add(outcomes)
        found = answer(opened, "frameDetails.historyOf(0, arguments[0], arguments[1])", x, y)
        assert found["planes"] == [COLOUR, DEPTH]
        lines = {line["place"]: line for line in found["lines"]}
        assert set(lines) == {0, *(number + 1 for number, outcome in enumerate(outcomes) if outcome)}
        before = ((0, 0, 128), 1.0)
        for number, (outcome, pixel) in enumerate(history):
            if not outcome:
                continue
            line = lines[number + 1]
            assert line["told"] == [NAMES[outcome.bit_length() - 1]]
            (old_colour, new_colour), (old_depth, new_depth) = line["changes"]
            assert (old_colour, old_depth) == (value(before[0]), round(before[1] * 0xFFFFFF))
            changes = outcome == 1
            assert new_colour == (value(pixel.colour) if changes else None)
            assert new_depth == (round(pixel.depth * 0xFFFFFF) if changes else None)
            before = (pixel.colour, pixel.depth)
    assert len(shown) > 8


def value(colour: tuple[int, int, int]) -> int:
    red, green, blue = colour
    return red | green << 8 | blue << 16


def test_a_click_tells_the_history_and_leads_to_a_draw(opened: Browser) -> None:
    overlay = opened.driver.find_element(By.ID, "frame-overlay")
    size = overlay.size["width"] / SIDE
    at = round(-12.5 * size), round(10.5 * size)
    ActionChains(opened.driver).move_to_element_with_offset(overlay, *at).click().perform()
    wait_for = """const done = arguments[0], look = () =>
        document.querySelector(".history tbody tr") ? done(true) : setTimeout(look, 10); look();"""
    opened.driver.execute_async_script(wait_for)
    assert [opened.run(f"return document.getElementById('frame-{axis}').value") for axis in "xy"] == ["3", "26"]
    outcomes = [outcome for outcome, _ in histories()[3, 26]]
    told = ["glClear", *(NAMES[outcome.bit_length() - 1] for outcome in outcomes if outcome)]
    assert opened.texts(".history .outcome") == told
    assert opened.texts(".history tbody tr:nth-child(2) td:nth-child(2)") == ["#000080\n→ #ff0000"]
    opened.driver.find_element(By.CSS_SELECTOR, ".history tbody tr:nth-child(2)").click()
    wait(opened, 1)
    assert opened.texts(".operation[aria-selected=true] b") == ["draw 0"]


def test_keys_lead_through_the_operations(opened: Browser) -> None:
    for key, operation in (
        (Keys.HOME, 0),
        (Keys.ARROW_DOWN, 1),
        (Keys.ARROW_DOWN, 2),
        (Keys.ARROW_UP, 1),
        (Keys.PAGE_DOWN, 5),
        (Keys.ARROW_DOWN, 5),
        (Keys.ARROW_UP, 4),
        (Keys.PAGE_UP, 0),
    ):
        press(opened, key)
        wait(opened, operation)
        assert (
            opened.run("return [...document.querySelectorAll('.operation')].findIndex(o => o.ariaSelected === 'true')")
            == operation
        )
    press(opened, Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_DOWN, "2")
    assert opened.texts("#frame-side td.value") == ["0", "0, 1, 0, 1", "100"]
    # Of the uniforms, depth and colour differ from the draw before.
    assert opened.count("#frame-side tr.differs") == 2
    press(opened, "1")
    assert "stencil\nfront" not in opened.texts("#frame-side")[0]
    assert any(text.startswith("front\tEQUAL 0") for text in opened.texts("#frame-side tr.differs"))
    press(opened, "c", "w")
    # Changes darken the rest, so that nobody sees them unasked.
    checked = "return ['marks', 'wire'].map((name) => document.getElementById(`frame-${name}`).checked)"
    assert opened.run(checked) == [True, True]
    press(opened, "/", "collisionable:3", Keys.ARROW_DOWN, Keys.ESCAPE)
    wait(opened, 4)
    assert opened.texts(".operation b") == ["draw 3"]
    assert opened.texts("#frame-count") == ["1 of 6 operations"]


def test_changes_and_wireframe_lie_where_the_draw_is(opened: Browser) -> None:
    press(opened, Keys.HOME, Keys.ARROW_DOWN)
    wait(opened, 1)
    press(opened, "c", "w")
    opened.run("document.body.dataset.shown = ''; dispatchEvent(new Event('resize'))")
    wait(opened, 1)
    painted = """const canvas = document.getElementById("frame-overlay"), k = canvas.width / 32;
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return arguments[0].map(([x, y]) => [...data.slice(4 * (Math.floor(y * k) * canvas.width + Math.floor(x * k)))
        .slice(0, 4)]);"""
    inside, outside, edge = opened.run(painted, [[5.5, 25.5], [28.5, 4.5], [2.25, 15]])
    assert inside[3] == 0
    assert outside[3] > 100 and outside[:3] == [0, 0, 0]
    assert edge[1] > 100 and edge[3] > 100


def test_text_of_the_stream_stays_text(opened: Browser) -> None:
    assert opened.driver.title == "scene.trace, frame 0"
    assert f"{HOSTILE} 1" in opened.run("return [...document.querySelectorAll('.group')].map((g) => g.textContent)")
    press(opened, Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_DOWN, "7")
    wait(opened, 2)
    assert "A comment with </script> in it." in opened.run("return document.getElementById('frame-under').textContent")
    press(opened, "5")
    seen = opened.texts(".calls li")
    assert not any(" glGet" in text for text in seen)
    opened.driver.find_element(By.CSS_SELECTOR, "#frame-under input[type=checkbox]").click()
    every = opened.texts(".calls li")
    assert set(seen) <= set(every)
    opened.driver.find_element(By.CSS_SELECTOR, "#frame-under input[type=search]").send_keys("pushgroupm")
    assert all("PushGroup" in text for text in opened.texts(".calls li:not(.own)"))
    opened.run(
        "const f = document.querySelector('#frame-under input[type=search]'); f.value = '';"
        "f.dispatchEvent(new Event('input'))"
    )
    texts = opened.run("return [...document.querySelectorAll('.calls li')].map((item) => item.textContent)")
    shown = HOSTILE.replace('"', '\\"')
    assert any(f'glPushGroupMarkerEXT(length = 0, marker = "{shown} 1")' in text for text in texts)
    assert texts[-1].endswith("glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)")
    assert opened.count("#frame-list b b, #frame-list script, .calls script") == 0


def test_groups_fold(opened: Browser) -> None:
    seen = "return [...document.querySelectorAll('.operation')].map((item) => !item.hidden)"
    operations = opened.run(seen)
    groups = opened.run("return frameStore.data.operations.map(({groups}) => groups.length > 0)")
    assert all(operations) and any(groups)
    opened.run("document.querySelectorAll('.group')[1].click()")
    folded = opened.run(seen)
    assert sum(folded) == len(operations) - 1 and groups[folded.index(False)]
    press(opened, "f")
    assert opened.run(seen) == [not grouped for grouped in groups]
    # What a filter finds is shown, folded or not.
    opened.run(
        "const f = document.getElementById('frame-filter'); f.value = 'draw'; f.dispatchEvent(new Event('input'))"
    )
    kinds = opened.run("return frameStore.data.operations.map(({kind}) => kind === 'draw')")
    assert opened.run(seen) == kinds
    opened.run("const f = document.getElementById('frame-filter'); f.value = ''; f.dispatchEvent(new Event('input'))")
    press(opened, "f")
    assert opened.run(seen) == operations


@pytest.mark.parametrize("width", [1400, 1000, 480])
def test_the_page_is_no_wider_than_the_window(opened: Browser, width: int) -> None:
    opened.resize(width, 900)
    try:
        for key in "1234567":
            press(opened, key)
            assert opened.run("return document.documentElement.scrollWidth") <= width
        boxes = opened.run(
            "return ['aside', '#frame-view', '#frame-details', '#frame-stage'].map((name) => {"
            "const {left, top, right, bottom} = document.querySelector(name).getBoundingClientRect();"
            "return [left, top, right, bottom]; })"
        )
        for left, _, right, _ in boxes:
            assert left >= 0 and right <= width
        for i, one in enumerate(boxes[:3]):
            for other in boxes[:i]:
                across = min(one[2], other[2]) - max(one[0], other[0])
                down = min(one[3], other[3]) - max(one[1], other[1])
                assert across <= 0 or down <= 0
    finally:
        opened.resize(1400, 900)


def test_results_colour_tiles_and_name_colliding_objects(
    tilegpu, browser: Browser, trace: Path, tmp_path: Path
) -> None:
    record_activity(trace, tmp_path / "activity", FrameRange(0, 1))
    settings = ("--set", "tiles.width=16", "--set", "tiles.height=16")
    assert tilegpu("replay", tmp_path / "activity", "-o", tmp_path / "results", *settings).status == 0
    # What a replay with an RBCD unit writes beside; labels that no draw has are of other frames' objects.
    pairs = [("collisionable:0", "collisionable:3", x, 4, False) for x in (3, 4, 4)] + [("a", "b", 1, 1, False)]
    columns = dict(zip(("label_a", "label_b", "x", "y", "overflow"), map(list, zip(*pairs, strict=True)), strict=True))
    pq.write_table(pa.table({"frame": [0] * 4, **columns}), tmp_path / "results" / "collisions.parquet")
    page = tmp_path / "tiles.html"
    assert tilegpu("inspect", trace, "-o", page, "--results", tmp_path / "results").status == 0
    browser.open(page)
    wait(browser, 5)
    quads = browser.run("return frameStore.data.tiles.passes[0].values.quads")
    counts = np.zeros((2, 2), int)
    for triangle_number in range(len(TRIANGLES)):
        met = {(x // 2, (SIDE - 1 - y) // 2) for (x, y), h in histories().items() if h[triangle_number][0] & ~0b110000}
        for x, y in met:
            counts[y // 8, x // 8] += 1
    # Triangles that clipping splits have quads on their seams twice.
    assert all(most >= least for most, least in zip(quads, counts.ravel().tolist(), strict=True))
    assert quads[0] <= 1.3 * counts[0, 0]
    press(browser, Keys.HOME, Keys.ARROW_DOWN, "1")
    assert "collides with\tcollisionable:3 at 2 pixels" in browser.texts("#frame-side tr")
    chips = ["collides", "collisionable", "collides", "collisionable", "no change"]
    assert browser.texts("#frame-list .chip") == chips
    overlay = browser.driver.find_element(By.ID, "frame-overlay")
    size = overlay.size["width"] / SIDE
    # In the upper right tile, the last one from the bottom.
    at = round(7.5 * size), round(-10.5 * size)
    ActionChains(browser.driver).move_to_element_with_offset(overlay, *at).click().perform()
    cycles = browser.run("return frameStore.data.tiles.passes[0].values.cycles[3]")
    wait_for = """const done = arguments[0], look = () =>
        /Its tile/.test(document.getElementById("frame-side").innerText) ? done(true) : setTimeout(look, 10); look();"""
    browser.driver.execute_async_script(wait_for)
    (told,) = [text for text in browser.texts("#frame-side .note") if text.startswith("Its tile")]
    assert f"; quads {quads[3]:,};" in told and f"; cycles {cycles:,}." in told
    other = record(tmp_path / "other.trace", draws=2)
    wrong = tilegpu("inspect", other, "-o", tmp_path / "wrong.html", "--results", tmp_path / "results")
    assert wrong.status == 2 and "are results of scene.trace" in wrong.err
    assert not (tmp_path / "wrong.html").exists()


def test_costs_of_draws_are_in_list_table_and_map(tilegpu, browser: Browser, trace: Path, tmp_path: Path) -> None:
    record_activity(trace, tmp_path / "activity", FrameRange(0, 1))
    options = ("--plain", "--by-draw", "-o", tmp_path / "results")
    printed = tilegpu("replay", tmp_path / "activity", *options)
    assert printed.status == 0 and "cost of" in printed.out
    costs = pq.read_table(tmp_path / "results" / "draws.parquet").to_pylist()
    draws = {row["call"]: row for row in costs if row["kind"] == "draw"}
    assert len(draws) == len(TRIANGLES) and sum(row["share"] for row in costs) == pytest.approx(1.0)
    page = tmp_path / "costs.html"
    assert tilegpu("inspect", trace, "-o", page, "--results", tmp_path / "results").status == 0
    browser.open(page)
    # It opens on the draw that costs most, with the map of costs.
    ordered = [0.0, *(draws[call]["share"] for call in sorted(draws))]
    wait(browser, ordered.index(max(ordered)))
    assert browser.run("return document.getElementById('frame-tiles').value") == "draws"
    calls = browser.run("return frameStore.data.operations.filter(({draw}) => draw).map(({call}) => call)")
    assert calls == sorted(draws)
    assert len(browser.texts("#frame-list .cost")) == len(draws)
    press(browser, "8")
    told = browser.texts("#frame-under tbody tr")
    shares = [float(line.partition("\t")[2].split(" %")[0]) for line in told]
    assert shares == sorted(shares, reverse=True) and len(told) >= len(draws)
    vertices = "geometry.vertex_processor.vertices"
    for number, call in enumerate(calls):
        (line,) = [line for line in told if line.startswith(f"draw {number} (call {call})")]
        assert line.split("\t")[5] == str(draws[call][vertices])
        reasons = {name: draws[call][name] for name in draws[call] if name.startswith("cycles.")}
        most = max(reasons, key=lambda name: reasons[name])
        assert line.split("\t")[2].startswith(most.removeprefix("cycles.").replace("_", " "))
    # The map holds the cycles of all draws that cover pixels.
    total = browser.run("return frameCosts.map(0).then((map) => map.reduce((sum, number) => sum + number, 0))")
    covering = browser.run(
        "return frameStore.data.operations.map((o) => o.draw && o.draw.outcomes ? o.call : -1).filter((c) => c >= 0)"
    )
    assert total == pytest.approx(sum(draws[call]["cycles"] for call in covering), rel=1e-4)
    bounded = browser.run("return frameStore.data.tiles.passes[0].bounded")
    tiles = pq.read_table(tmp_path / "results" / "tiles.parquet")["bounded_by"].to_pylist()
    assert sorted(bounded.values()) == sorted(tiles) and None not in tiles
    report = tmp_path / "report.html"
    assert tilegpu("report", tmp_path / "results", "-o", report).status == 0
    browser.open(report)
    section = browser.run(
        "return [...document.querySelectorAll('section')].find((s) => s.querySelector('h2').textContent === "
        "'What draws cost').querySelectorAll('tbody tr').length"
    )
    # One more has the totals.
    assert section == len(costs) + 1
    assert any("by what bounded them: " in text and tiles[0] in text for text in browser.texts("p.note"))


def test_costs_of_resources_lead_to_the_draws_that_use_them(
    tilegpu, browser: Browser, trace: Path, tmp_path: Path
) -> None:
    record_activity(trace, tmp_path / "activity", FrameRange(0, 1))
    printed = tilegpu("replay", tmp_path / "activity", "--plain", "--by-resource", "-o", tmp_path / "results")
    assert printed.status == 0 and "default color" in printed.out
    rows = pq.read_table(tmp_path / "results" / "resources.parquet").to_pylist()
    rows.sort(key=lambda row: (-row["memory.dram.bytes"], -row["waiting_cycles"]))
    page = tmp_path / "resources.html"
    assert tilegpu("inspect", trace, "-o", page, "--results", tmp_path / "results").status == 0
    browser.open(page)
    press(browser, "9")
    lines = browser.driver.find_elements(By.CSS_SELECTOR, "#frame-under tbody tr")
    assert [line.text.partition("\n")[0].split(" 0")[0] for line in lines[:1]] == ["default color"]
    assert len(lines) == len(rows)
    lines[0].click()
    users = browser.texts("#frame-under .users button")
    drawing = browser.run(
        "return frameStore.data.operations.filter((o) => o.planes.some((p) => frameStore.data.planes[p].surface === "
        f"{rows[0]['surface']})).map((o) => o.name)"
    )
    assert users == drawing and users
    browser.driver.find_elements(By.CSS_SELECTOR, "#frame-under .users button")[0].click()
    assert drawing[0] in browser.run("return document.getElementById('frame-title').textContent")
    report = tmp_path / "report.html"
    assert tilegpu("report", tmp_path / "results", "-o", report).status == 0
    browser.open(report)
    section = browser.run(
        "return [...document.querySelectorAll('section')].find((s) => s.querySelector('h2').textContent === "
        "'What resources cost').querySelectorAll('tbody tr').length"
    )
    assert section == len(rows)


def test_costs_of_lines_are_beside_the_source(tilegpu, browser: Browser, trace: Path, tmp_path: Path) -> None:
    record_activity(trace, tmp_path / "activity", FrameRange(0, 1))
    assert tilegpu("replay", tmp_path / "activity", "--plain", "--by-line", "-o", tmp_path / "results").status == 0
    page = tmp_path / "lines.html"
    assert tilegpu("inspect", trace, "-o", page, "--results", tmp_path / "results").status == 0
    browser.open(page)
    wait(browser, 5)
    browser.run("document.querySelector('[data-tab=shaders]').click()")
    shown = browser.run(
        "return [...document.querySelectorAll('#frame-under table.lines')]"
        ".map((t) => [...t.querySelectorAll('tbody tr')].map((r) => [...r.cells].map((c) => c.textContent)))"
    )
    rows = [r for r in pq.read_table(tmp_path / "results" / "lines.parquet").to_pylist() if r["kind"] == "line"]
    total = sum(row["issue_cycles"] + row["stall_cycles"] for row in rows)
    assert len(shown) == 2
    by_text = {row["text"]: row for row in rows if row["line"]}
    costs = [line for lines in shown for line in lines if line[0] and line[1]]
    assert costs
    for share, _, text, issues, *_ in costs:
        row = by_text[text]
        assert share == f"{100 * (row['issue_cycles'] + row['stall_cycles']) / total:.1f} %"
        assert int(issues.replace(",", "")) == row["issue_cycles"]


def test_options_of_folders_and_pages_do_not_mix(tilegpu, trace: Path, tmp_path: Path) -> None:
    done = tilegpu("inspect", trace, "-o", tmp_path / "frame.html", "--overdraw")
    assert done.status == 2 and "name a folder" in done.err
    done = tilegpu("inspect", trace, "-o", tmp_path / "folder", "--results", tmp_path)
    assert done.status == 2 and "is for pages" in done.err
    (tmp_path / "mine.html").write_text("not ours")
    done = tilegpu("inspect", trace, "-o", tmp_path / "mine.html")
    assert done.status == 2 and "no page of tilegpu" in done.err
    first, second = (tmp_path / f"{name}.html" for name in "ab")
    for page in (first, second):
        assert tilegpu("inspect", trace, "-o", page).status == 0
    assert first.read_bytes() == second.read_bytes()
