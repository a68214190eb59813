"""Answers of `tilegpu why`: draws, reasons, and savings that replays of the written captures have."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser import Browser
from tests.tools.conftest import Done
from tests.what_if.scenes import PLAIN, WHOLE, Scene
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.tools.why.chosen_frame import spread
from tilegpu.tools.why.outlines import Covered, outlined

SCENE = Path(__file__).parents[2] / "data" / "scenes" / "courtyard.trace"
MACHINES = ("mali-g52-mc1", "ptr-2022")
Run = Callable[..., Done]


def cycles_of(capture: Path, folder: Path, machine: str) -> float:
    """GPU cycles of the last frame of a capture of two, by the functions of `trace` and `replay`."""
    record(capture, folder, FrameRange(1, 2), groups=frozenset({"pass_images"}), replace=True)
    return float(replay(folder, load_configuration(machine), [1]).totals()["gpu.cycles"])


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Answer about a frame of the bundled scene on two machines, all changes tried; with the paths of the files."""
    from tilegpu.tools.why.answer import Question, answer
    from tilegpu.tools.why.document import document
    from tilegpu.tools.why.page import write_answer

    folder = tmp_path_factory.mktemp("why")
    asked = Question(SCENE, 3, [load_configuration(name) for name in MACHINES], 0.0)
    result = answer(asked, folder, lambda text, share: None)
    write_answer(folder / "why.html", result)
    return {"folder": folder, "page": folder / "why.html", "document": document(result)}


def test_draws_and_reasons_are_those_of_a_replay_by_draw(answered: dict[str, Any], tmp_path: Path) -> None:
    result, folder = answered["document"], answered["folder"]
    record(folder / "base.trace", tmp_path / "activity", FrameRange(1, 2), groups=frozenset({"pass_images"}))
    for number, name in enumerate(MACHINES):
        results = replay(tmp_path / "activity", load_configuration(name), [1], instrument="draw_costs")
        rows = {row["draw"]: row for row in results.own["draws"][0].to_pylist() if row["kind"] == "draw"}
        assert result["cost"][number]["cycles"] == results.totals()["gpu.cycles"]
        for draw in result["draws"]:
            entry = draw["machines"][number]
            assert entry["cycles"] == rows[draw["draw"]]["cycles"] == sum(entry["reasons"].values())
    ordered = [draw["machines"][0]["cycles"] for draw in result["draws"]]
    assert len(ordered) == 5 and ordered == sorted(ordered, reverse=True)


def test_savings_are_those_of_replays_of_the_written_captures(answered: dict[str, Any], tmp_path: Path) -> None:
    result, folder = answered["document"], answered["folder"]
    for number, name in enumerate(MACHINES):
        before = cycles_of(folder / "base.trace", tmp_path / "base", name)
        for change in result["changes"][number :: len(MACHINES)]:
            after = cycles_of(folder / change["capture"], tmp_path / "changed", name)
            assert before - after == change["saved"][number]["cycles"], (name, change["capture"])
    assert len(result["changes"]) >= 15


def test_what_keeps_the_picture_comes_first(answered: dict[str, Any]) -> None:
    result = answered["document"]
    first = result["changes"][0]
    # The floor is drawn before the columns that hide it.
    assert (first["change"], first["draw"]) == ("front_to_back", None)
    assert first["loss"]["pixels"] == 0 and first["saved"][0]["cycles"] > 0.1 * result["cost"][0]["cycles"]
    best = max(
        (each for each in result["changes"] if each["change"] != "leave_out"),
        key=lambda each: each["saved"][0]["cycles"],
    )
    assert best is first and result["headline"].startswith("Opaque draws from front to back: −14.2% of")
    losses = [each["loss"]["pixels"] for each in result["changes"] if each["saved"][0]["cycles"] > 0]
    assert losses == sorted(losses, key=bool)
    refused = {(each["change"], each["draw"]) for each in result["refused"]}
    assert ("one_sample", None) in refused and not refused & {(e["change"], e["draw"]) for e in result["changes"]}


@pytest.mark.parametrize("width", [1400, 700])
def test_the_page_is_whole_at_two_widths(answered: dict[str, Any], browser: Browser, width: int) -> None:
    browser.resize(width, 1200)
    browser.open(answered["page"])
    assert browser.complaints() == [] and browser.overlaps() == []
    assert browser.count(".draws li") == 5 and browser.count(".place") == 5
    assert browser.count("tbody tr") == len(answered["document"]["changes"])
    bars = browser.run(
        "return [...document.querySelectorAll('.share')].map(e => "
        "[...e.children].reduce((s, c) => s + c.getBoundingClientRect().width, 0) / e.getBoundingClientRect().width)"
    )
    # Bars are drawn to the scale of the frame; a border is beside them.
    shares = [entry["share"] for draw in answered["document"]["draws"] for entry in draw["machines"]]
    assert bars == pytest.approx(shares, abs=0.02)
    browser.resize(1400)


def small(path: Path, frames: int) -> Path:
    """Frames of which the third shades the window six times, the others once."""
    scene = Scene(path, PLAIN)
    for number in range(frames):
        scene.clear()
        for layer in range(6 if number == 2 else 1):
            scene.box(WHOLE, 0.5 - 0.1 * layer, (1.0, 0.0, 0.1 * layer, 1.0))
        scene.gl.swap()
    scene.gl.close()
    return path


def test_the_dearest_frame_is_chosen(tilegpu: Run, tmp_path: Path) -> None:
    scene = small(tmp_path / "a.trace", 5)
    done = tilegpu("why", scene, "--config", "ptr-2022", "-o", tmp_path / "a.html", "--budget", "0")
    assert done.status == 0, done.err
    result = json.loads((tmp_path / "a.json").read_text())
    assert result["frame"] == 2 and set(result["among"]) == set("01234")
    assert result["among"]["2"] == max(result["among"].values())
    # The last layer hides all others: in the other order their fragments are not shaded.
    assert result["changes"][0]["change"] == "front_to_back"


def test_the_same_question_has_the_same_answer(tilegpu: Run, tmp_path: Path) -> None:
    scene = small(tmp_path / "a.trace", 3)
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        arguments = "--config", "ptr-2022", "--frame", "2", "--budget", "0", "--captures", folder / "captures"
        assert tilegpu("why", scene, "-o", folder / "a.html", *arguments).status == 0
    for name in ("a.html", "a.json", "captures/front_to_back.trace", "captures/base.trace"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_budget_that_lasts_leaves_no_change_out(tilegpu: Run, tmp_path: Path) -> None:
    """Changes that no reason suggests are tried, too, where time is left."""
    scene = small(tmp_path / "a.trace", 3)
    tried = []
    for budget in ("0", "1000"):
        arguments = "--config", "ptr-2022", "--frame", "2", "--budget", budget, "-o", tmp_path / f"{budget}.html"
        assert tilegpu("why", scene, *arguments).status == 0
        result = json.loads((tmp_path / f"{budget}.json").read_text())
        tried.append({(each["change"], each["draw"]) for each in result["changes"]})
    assert tried[0] == tried[1] and len(tried[0]) > 1


def test_bad_questions_end_with_a_line(tilegpu: Run, tmp_path: Path) -> None:
    scene = small(tmp_path / "a.trace", 2)
    page = tmp_path / "a.html"
    for arguments, said in (
        ((scene, "--frame", "7"), "frame"),
        ((scene, "--config", "mali-g52"), "mali-g52"),
        ((tmp_path / "none.trace",), "none.trace"),
        ((scene, *("--config", "ptr-2022") * 5), "4 at most"),
    ):
        done = tilegpu("why", *arguments, "-o", page)
        assert done.status == 2 and said in done.err and "Traceback" not in done.err
        assert not page.exists() and not page.with_suffix(".json").exists()
    (tmp_path / "a.json").write_text("{}")
    done = tilegpu("why", scene, "--config", "ptr-2022", "-o", page)
    assert done.status == 2 and "a.json" in done.err
    (tmp_path / "caps").mkdir()
    (tmp_path / "caps" / "note.txt").write_text("mine")
    done = tilegpu("why", scene, "-o", tmp_path / "b.html", "--captures", tmp_path / "caps")
    assert done.status == 2 and "note.txt" in done.err


def test_a_frame_without_draws_is_refused(tilegpu: Run, tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", PLAIN)
    scene.end()
    done = tilegpu("why", scene.path, "--config", "ptr-2022", "--frame", "0", "-o", tmp_path / "a.html")
    assert done.status == 2 and "no draw" in done.err


def test_changes_that_break_the_picture_are_refused(tilegpu: Run, tmp_path: Path) -> None:
    scene = Scene(tmp_path / "a.trace", PLAIN)
    scene.gl.glEnable(gl.BLEND)
    scene.gl.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    scene.box(WHOLE, 0.0, (1.0, 1.0, 1.0, 0.5))
    scene.end()
    done = tilegpu("why", scene.path, "--config", "ptr-2022", "-o", tmp_path / "a.html", "--budget", "0", "--json")
    refused = {each["change"]: each["reason"] for each in json.loads(done.out)["refused"]}
    assert refused["blend_off"] == "the picture changes, in 256 pixels"


def test_precision_is_not_called_free_of_loss(tilegpu: Run, tmp_path: Path) -> None:
    scene = small(tmp_path / "a.trace", 1)
    done = tilegpu("why", scene, "--config", "mali-g52-mc1", "-o", tmp_path / "a.html", "--budget", "0", "--json")
    (change,) = (each for each in json.loads(done.out)["changes"] if each["change"] == "mediump")
    assert change["loss"]["pixels"] == 0 and not change["loss"]["measured"]
    assert "to be seen on a device" in (tmp_path / "a.html").read_text()


def test_frames_lie_as_far_apart_as_they_can() -> None:
    assert spread(80) == [9, 19, 29, 39, 49, 59, 69, 79]
    assert spread(11) == [0, 1, 3, 4, 5, 7, 8, 10]
    assert spread(3) == [0, 1, 2] and spread(1) == [0]


def test_outlines_are_two_pixels_wide() -> None:
    mask = np.zeros((8, 8), bool)
    mask[1:7, 1:7] = True
    picture = outlined(np.zeros((8, 8, 3), np.uint8), [Covered(4, mask)], [(9, 8, 7)])
    line = mask.copy()
    line[3:5, 3:5] = False
    assert ((picture == (9, 8, 7)).all(axis=-1) == line).all()
    assert Covered(4, mask).centre == (4 / 8, 1 / 8) and math.isclose(picture.sum(), 24 * 32)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["applications/web_maplibre", "qtquick", "game_etr_720p"])
def test_captured_applications(captures: Path, tmp_path: Path, name: str) -> None:
    from tilegpu.tools.why.answer import Question, answer

    asked = Question(captures / f"{name}.trace", None, [load_configuration("mali-g52-mc1")], 0.0)
    result = answer(asked, tmp_path, lambda text, share: None)
    frame = result.chosen.place
    applied = [trial for trial in result.trials if not trial.refused]
    assert applied
    for trial in applied:
        record(tmp_path / trial.capture, tmp_path / "again", FrameRange(frame, frame + 1), replace=True,
               groups=frozenset({"pass_images"}))  # fmt: skip
        after = replay(tmp_path / "again", load_configuration("mali-g52-mc1"), [frame]).totals()["gpu.cycles"]
        assert result.base.costs[0].cycles - after == trial.saved[0].cycles
