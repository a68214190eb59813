"""`tilegpu workloads`: list, make, check, show, clean, with a user's own twin and with those of the package."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from tests.full_disk import full_disk
from tests.tools.conftest import Done
from tests.tools.test_bad_input import refused
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing.results.workload import workload
from tilegpu.tools.workloads import cache
from tilegpu.tools.workloads.cache import cache_folder, evict
from tilegpu.tools.workloads.check import check
from tilegpu.tools.workloads.make import make
from tilegpu.tools.workloads.twin_files import find_twin, read_twin, twin_names, twin_toml

Run = Callable[..., Done]


def test_list_names_all_twins(tilegpu: Run) -> None:
    rows = json.loads(tilegpu("workloads", "list", "--json").out)
    assert list(rows) == twin_names()
    assert sum(name.startswith("000-") for name in rows) == 19
    assert sum(name.startswith("003-") for name in rows) == 9
    assert sum(name.startswith("001-") for name in rows) == 10
    assert sum(name.startswith("002-") for name in rows) == 8
    assert {rows[name]["api"] for name in ("000-crs", "003-air", "003-crazy", "002-angryfrogs")} == {"es1"}
    assert (rows["000-sus"]["width"], rows["000-sus"]["height"]) == (1920, 1080)


@pytest.mark.parametrize("name", twin_names())
def test_files_are_read_as_they_are_written(name: str, tmp_path: Path) -> None:
    twin = find_twin(name)
    (tmp_path / "again.toml").write_text(twin_toml(twin))
    assert twin_toml(read_twin(tmp_path / "again.toml")) == twin_toml(twin)
    assert twin.source and twin.title


def test_a_trace_is_the_same_every_time(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    for output in ("a.trace", "b.trace"):
        assert tilegpu("workloads", "make", small, "-o", tmp_path / output, "--frames", "3").status == 0
        assert tilegpu("workloads", "clean", "--all").status == 0
    assert (tmp_path / "a.trace").read_bytes() == (tmp_path / "b.trace").read_bytes()
    record(tmp_path / "a.trace", tmp_path / "activity")
    found = workload(tmp_path / "activity").columns()
    assert (found["draw_calls_per_frame"], found["input_primitives_per_frame"]) == (16, 200)
    labels = Activity(tmp_path / "activity").frame("draws", 1, ["object_label"])["object_label"].to_pylist()
    assert {"sky", "crate 0", "veil 0"} < set(labels)


def test_another_screen_shows_the_same_scene(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    for option in (("--size", "192x128"), ("--scale", "2")):
        assert tilegpu("workloads", "make", small, "-o", tmp_path / "large.trace", "--frames", "1", *option).status == 0
        record(tmp_path / "large.trace", tmp_path / "activity", replace=True)
        large = workload(tmp_path / "activity").columns()
        assert large["input_primitives_per_frame"] == 200
        tilegpu("workloads", "make", small, "-o", tmp_path / "own.trace", "--frames", "1")
        record(tmp_path / "own.trace", tmp_path / "own", replace=True)
        own = workload(tmp_path / "own").columns()
        ratio = large["fragments_per_assembled_primitive"] / own["fragments_per_assembled_primitive"]
        assert ratio == pytest.approx(4, rel=0.03)


def test_check_tells_what_is_off(tilegpu: Run, small: Path) -> None:
    done = tilegpu("workloads", "check", small, "--json")
    found = json.loads(done.out)["small"]
    assert (done.status, found["ok"]) == (0, True)
    assert found["columns"]["draw_calls_per_frame"] == {"target": 16, "measured": 16, "deviation": 0}
    assert found["columns"]["texels_per_fragment"]["gives_way"] == "it is not solved"
    small.write_text(small.read_text().replace("draw_calls_per_frame = 16", "draw_calls_per_frame = 20"))
    done = tilegpu("workloads", "check", small)
    assert done.status == 1
    assert "-20.0%" in done.out and "off" in done.out


def test_solve_finds_what_is_missing(tilegpu: Run, small: Path) -> None:
    text = small.read_text()
    small.write_text(text[: text.index("[gives_way]")])
    assert tilegpu("workloads", "solve", small, "--rounds", "4").status == 0
    lines = {line.column: line for line in check(read_twin(small)).lines}
    for column in ("fragments_per_assembled_primitive", "vertex_instructions_per_vertex", "texels_per_fragment"):
        assert abs(lines[column].deviation) < 0.1, column


def test_show_draws_a_contact_sheet(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    assert tilegpu("workloads", "show", small, "-o", tmp_path / "sheet.png", "--scale", "1").status == 0
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width == 600
        assert len(sheet.getcolors(1 << 20) or ()) > 50


def test_no_room(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    make = ("workloads", "make", small, "--frames", "1", "-o", tmp_path / "new" / "a.trace")
    with full_disk(100):
        refused(tilegpu(*make), f"{cache.cache_folder()}/small-", ".trace: File too large")
    assert not cache.cache_folder().exists()
    assert tilegpu("workloads", "make", small, "--frames", "1").status == 0
    with full_disk(100):
        refused(tilegpu(*make), f"{tmp_path / 'new' / 'a.trace'}: File too large")
    assert not (tmp_path / "new").exists()


def test_the_cache_is_where_the_user_keeps_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path in cache_folder().parents


def test_the_cache_keeps_to_its_limit(tilegpu: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = []
    for frames in (1, 2, 3):
        done = tilegpu("workloads", "make", small, "--frames", frames)
        paths.append(Path(done.out.strip()))
        os.utime(paths[-1], (frames, frames))
    assert all(path.is_file() for path in paths)
    assert tilegpu("workloads", "make", small, "--frames", 1).out.strip() == str(paths[0])
    # The first was used again, so the second was used longest ago.
    assert evict(sum(path.stat().st_size for path in paths) - 1) == [paths[1]]
    monkeypatch.setenv("TILEGPU_CACHE_MIB", "0")
    tilegpu("workloads", "clean")
    assert not any(path.exists() for path in paths)
    monkeypatch.setenv("TILEGPU_CACHE_MIB", "much")
    assert "TILEGPU_CACHE_MIB=much" in tilegpu("workloads", "clean").err


BAD = {
    'family = "own.py"': ('family = "absent.py"', "absent.py"),
    'theme = "plain"': ("theme = 7", "theme = 7"),
    "width = 96": ("width = 9", "width = 9"),
    "seed = 3": ('seed = "x"', "seed"),
    "draws = 16": ("draws = 100000", "solved.draws"),
    "primitives = 200": ("primitives = 10", "need 32 at least"),
    "tile = 16": ("tile = 16\nsamples = 2", "samples = 2"),
    "flat = true": ("flat = true\nmipmaps = false\nfilters = ['trilinear']", "filters"),
    "height = 64": ('height = 64\ncollisionable = ["villain"]', "collisionable"),
    "far = 0": ("fog = 1", "solved.fog"),
    "[solved]": ("[solved", "not TOML"),
    "draw_calls_per_frame = 16": ("drawcalls = 16", "targets.drawcalls"),
}


@pytest.mark.parametrize("old", sorted(BAD))
def test_bad_files_are_told_in_one_line(tilegpu: Run, small: Path, old: str) -> None:
    new, word = BAD[old]
    small.write_text(small.read_text().replace(old, new))
    done = tilegpu("workloads", "check", small)
    lines = [line for line in done.err.splitlines() if line.strip()]
    assert (done.status, len(lines)) == (2, 1), done.err
    assert lines[0].startswith("error:") and word in lines[0]


def test_bad_options_are_told(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    for arguments, word in (
        (("check",), "--all"),
        (("check", "nobody"), "nobody"),
        (("check", tmp_path / "absent.toml"), "absent.toml"),
        (("make", small, "--frames", "0"), "--frames"),
        (("make", small, "--size", "big"), "WxH"),
        (("show", small, "-o", tmp_path / "sheet.gif"), ".png"),
    ):
        done = tilegpu("workloads", *arguments)
        assert done.status == 2
        assert word in done.err, done.err
    assert not list(tmp_path.glob("*.gif"))


def test_two_twins_at_a_quarter(tmp_path: Path) -> None:
    # What does not depend on the size of the screen is met there, too; fragments are a sixteenth.
    from tilegpu.tools.workloads.measure import measure

    for name in ("000-ccs", "003-crazy"):
        twin = find_twin(name)
        small = twin.at(twin.width // 4, twin.height // 4)
        columns = measure(small, [(3.0, 41.0)]).characteristics.columns()
        for column in ("draw_calls_per_frame", "vertex_instructions_per_vertex"):
            if column not in twin.gives_way:
                assert columns[column] == pytest.approx(twin.targets[column], rel=0.1), (name, column)
        target = twin.targets["fragments_per_assembled_primitive"] / 16
        assert columns["fragments_per_assembled_primitive"] == pytest.approx(target, rel=0.15), name


def test_antialiasing_and_textures_are_as_the_file_says(small: Path, tmp_path: Path) -> None:
    twin = replace(read_twin(small), samples=4, mipmaps=False, texture_scale=0.5)
    for name, chosen in (("plain", read_twin(small)), ("other", twin)):
        make(chosen, tmp_path / "a.trace", 1)
        record(tmp_path / "a.trace", tmp_path / name)
    found = {name: Activity(tmp_path / name) for name in ("plain", "other")}
    samples = {name: set(a.frame("passes", 0, ["samples"])["samples"].to_pylist()) for name, a in found.items()}
    assert samples == {"plain": {1}, "other": {4}}
    sizes = {}
    for name, activity in found.items():
        rows = activity.table("surfaces", ["kind", "levels"]).to_pylist()
        sizes[name] = {(row["levels"][0]["width"], len(row["levels"])) for row in rows if row["kind"] == "texture_2d"}
    assert sizes["other"] == {(width // 2, 1) for width, _ in sizes["plain"]}
    assert max(sizes["plain"]) == (256, 9)


@pytest.mark.slow
@pytest.mark.parametrize("name", twin_names())
def test_every_twin_checks_out(name: str) -> None:
    off = [
        (line.column, line.deviation) for line in check(find_twin(name), jobs=2).lines if not (line.ok or line.excuse)
    ]
    assert not off


@pytest.mark.slow
def test_sixty_frames_are_made_and_recorded_in_part(tilegpu: Run, small: Path, tmp_path: Path) -> None:
    assert tilegpu("workloads", "make", "000-fo2", "-o", tmp_path / "fo2.trace", "--scale", "0.25").status == 0
    record(tmp_path / "fo2.trace", tmp_path / "activity", FrameRange(58, 60), level="summary")
    assert Activity(tmp_path / "activity").frames == (58, 59)


def test_things_that_collide_are_labelled(tmp_path: Path) -> None:
    twin = find_twin("003-temple").at(64, 48)
    trace = tmp_path / "temple.trace"
    make(twin, trace, [20])
    record(trace, tmp_path / "activity", FrameRange(0, 1))
    draws = Activity(tmp_path / "activity").frame("draws", 0, ["object_label", "collisionable"]).to_pylist()
    collides = {row["object_label"] for row in draws if row["collisionable"]}
    assert "collisionable:hero" in collides
    assert len(collides) > 4
    # What is looked at, or lies behind the eye, collides with nothing.
    others = {row["object_label"].split()[0] for row in draws if not row["collisionable"]}
    assert {"sky", "far", "veil", "road", "field"} <= others
