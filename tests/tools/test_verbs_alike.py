"""Options of one name mean one thing in all verbs, and exist where siblings have them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilegpu.tools.verbs import VERBS, _Commands

META = {
    "--frames": "A:B",
    "--frame": "N",
    "--calls": "A:B",
    "--jobs": "N",
    "--config": "NAME|FILE",
    "--size": "WxH",
    "--tile": "WxH",
}
"""What the value of an option is, wherever it has one."""
SWITCHES = "--force", "--json", "--strict", "--by-frame", "--by-draw", "--allow-truncated"
NOT_ALIKE = {("study", "--json")}
"""Where a switch takes a value."""
NO_JSON = {"inspect", "report", "plot", "demo", "workloads"}
"""Verbs whose output is a page, pictures or files of JSON."""


def options() -> Iterator[tuple[str, str, Any]]:
    commands = _Commands()
    for verb in VERBS:
        for option in getattr(commands[verb], "params", []):
            for name in option.opts:
                if name.startswith("--"):
                    yield verb, name, option


def test_an_option_takes_one_kind_of_value() -> None:
    wrong = []
    for verb, name, option in options():
        if name in SWITCHES and not option.is_flag:
            wrong.append(f"{verb} {name} is no switch")
        if name in META and (option.is_flag or option.metavar != META[name]):
            wrong.append(f"{verb} {name} takes {option.metavar}")
    assert wrong == []


def test_help_shows_no_type_of_switches(tilegpu, monkeypatch: pytest.MonkeyPatch) -> None:
    for verb in VERBS:
        if verb == "workloads":
            continue
        lines = [line for line in tilegpu(verb, "--help").out.splitlines() if "--help" not in line]
        assert not any("<bool>" in line for line in lines), verb
    # Choices are not broken in the middle of a word on narrow terminals.
    monkeypatch.setenv("COLUMNS", "80")
    for verb in ("demo", "share"):
        assert not [
            line for line in tilegpu(verb, "--help").out.splitlines() if line.split()[1:2] in (["er"], ["icture"])
        ]


def test_verbs_that_write_have_force_and_others_json() -> None:
    found: dict[str, set[str]] = {}
    for verb, name, _ in options():
        found.setdefault(verb, set()).add(name)
    assert [verb for verb, names in found.items() if "--output" in names and "--force" not in names] == []
    assert {verb for verb in VERBS if "--json" not in found.get(verb, set())} == NO_JSON
    rendering = [verb for verb, names in found.items() if "--frames-at" in names and verb not in ("dump",)]
    assert [verb for verb in rendering if "--strict" not in found[verb]] == []


def test_what_verbs_did_as_json(tilegpu, square: Path, tmp_path: Path) -> None:
    def told(*command: object) -> Any:
        done = tilegpu(*command, "--json")
        assert done.status == 0, done.err
        return json.loads(done.out)

    assert [frame["frame"] for frame in told("render", square, "-o", tmp_path / "images")["frames"]] == [0, 1]
    assert told("trace", square, "-o", tmp_path / "activity")["rows"]["draws"] == 2
    assert told("characterize", square, "-o", tmp_path / "counts")["frames"] == 2
    trimmed = told("trim", square, "--frames", "1", "-o", tmp_path / "t.trace")
    assert trimmed["frames"] == 1 and trimmed["calls"][1] < trimmed["calls"][0]
    plan = told("sample", tmp_path / "counts", "-o", tmp_path / "plan.json")
    assert plan["frames"] == 2 and sum(cluster["frames"] for cluster in plan["clusters"]) == 2
    lines = tilegpu("dump", square, "--name", "glDraw*", "--json").out.splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["glDrawArrays"] * 2


def test_frames_are_a_range_everywhere(tilegpu, square: Path, tmp_path: Path) -> None:
    tilegpu("trace", square, "-o", tmp_path / "activity")
    one = json.loads(tilegpu("stats", tmp_path / "activity", "--frames", "1", "--json").out)
    assert [frame["frame"] for frame in one["frames"]] == [1]
    every = tilegpu("stats", tmp_path / "activity", "--by-frame")
    assert every.status == 0 and [line for line in every.out.splitlines() if line.split()[:3] == ["frame", "0", "1"]]
    assert "--frames" in tilegpu("stats", tmp_path / "activity", "--frames", "7").err
    tilegpu("replay", tmp_path / "activity", "-o", tmp_path / "results")
    page = tmp_path / "r.html"
    assert tilegpu("report", tmp_path / "results", "-o", page, "--frames", "1:").status == 0
    assert "1, of 2 frames; --frame picks others" in page.read_text("utf-8")
    assert tilegpu("report", tmp_path / "results", "-o", page, "--frames", "7").status == 2


@pytest.mark.parametrize("verb", ["characterize", "replay"])
def test_no_number_of_jobs_is_one_per_processor(tilegpu, square: Path, tmp_path: Path, verb: str) -> None:
    source: Path = square
    if verb == "replay":
        source = tmp_path / "activity"
        tilegpu("trace", square, "-o", source)
    values = ("--set", "raster_units=1,2") if verb == "replay" else ()
    assert tilegpu(verb, source, "-o", tmp_path / "out", "--jobs", "0", *values).status == 0
    assert tilegpu(verb, source, "-o", tmp_path / "out", "--jobs", "-1", *values).status == 2


def test_strict_ends_with_1(tilegpu, square: Path, tmp_path: Path) -> None:
    assert tilegpu("info", square, "--check", "--strict").status == 0
    tilegpu("trace", square, "-o", tmp_path / "activity")
    unused = ("--set", "depth_cache.ways=4")
    assert tilegpu("replay", tmp_path / "activity", *unused).status == 0
    assert tilegpu("replay", tmp_path / "activity", *unused, "--strict").status == 1
