"""Names that are mistyped, plug-ins that are broken, names of runs, axes and numbers in words."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilegpu.timing.config.fields import short_names
from tilegpu.timing.results.drawing import tick
from tilegpu.timing.results.swept import is_power_of_two
from tilegpu.timing.runs.plan import plan
from tilegpu.tools.console import several

from .test_bad_input import refused


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (("replay", "--show-config", "--config", "mali-g52"), "mali-g52-mc1"),
        (("replay", "--show-config", "--config", "ptr-2O22"), "ptr-2022"),
        (("area", "mali-g57-mc"), "mali-g57-mc2"),
        (("replay", "--show-config", "--set", "techniques=rendering_elimnation"), "rendering_elimination"),
        (("replay", "--show-config", "--set", "l2.size=4KiB"), "l2_cache.size_bytes"),
        (("study", "ptr2022"), "ptr-2022"),
    ],
)
def test_what_was_meant(tilegpu, command: tuple[str, ...], word: str) -> None:
    done = tilegpu(*command)
    refused(done, f"did you mean {word}?")
    assert len(done.err) < 500


def with_plugins(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "tilegpu.tools.main", *command]
    return subprocess.run(run, env={**os.environ, "TILEGPU_PLUGINS": str(folder)}, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("from tilegpu.timing.engine.hooks import NO_SUCH\n", "ImportError: cannot import name 'NO_SUCH'"),
        ("print(undefined)\n", "NameError: name 'undefined'"),
        ("def f(:\n", "SyntaxError"),
    ],
)
def test_a_plugin_that_is_broken_is_no_fault_of_ours(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "techniques").mkdir()
    (tmp_path / "techniques" / "half.py").write_text(f"{text}\nTECHNIQUE = None\n")
    done = with_plugins(tmp_path, "replay", "--show-config", "--set", "techniques=half")
    assert done.returncode == 2, done.stderr
    assert words in done.stderr and "half.py" in done.stderr and "fault of tilegpu" not in done.stderr


def test_plugins_that_are_not_there(tmp_path: Path) -> None:
    done = with_plugins(tmp_path / "nowhere", "--version")
    assert done.returncode == 2 and "nowhere: no such folder" in done.stderr
    assert "has none of machines, techniques" in with_plugins(tmp_path, "--version").stderr
    (tmp_path / "techniques").mkdir()
    assert with_plugins(tmp_path, "--version").stderr == ""


def test_names_of_runs_tell_fields_apart() -> None:
    both = plan(["ptr-2022"], ["l2_cache.size_bytes=64KiB,128KiB", "texture_cache.size_bytes=4KiB,8KiB"])
    assert both[0].name == "l2_cache.size_bytes=64KiB,texture_cache.size_bytes=4KiB"
    one = plan(["ptr-2022"], ["texture_cache.size_bytes=4KiB,8KiB", "raster_units=1,2"])
    assert one[1].name == "texture_cache.size_bytes=4KiB,raster_units=2"
    several_presets = plan(["ptr-2022", "re-2019"], ["raster_units=1,2"])
    assert several_presets[2].name == "re-2019,raster_units=1"
    assert short_names(["tiles.assignment", "l2_cache.ways"]) == {
        "tiles.assignment": "assignment",
        "l2_cache.ways": "l2_cache.ways",
    }


def test_ticks_of_sizes() -> None:
    assert [tick(place, True) for place in (512, 4096, 1 << 20, 3 << 19)] == ["512", "4 KiB", "1 MiB", "1,536 KiB"]
    assert tick(4096, False) == "4,096"
    assert is_power_of_two(8) and not is_power_of_two(12) and not is_power_of_two(0.5)


def test_numbers_in_words(tilegpu, square: Path, tmp_path: Path) -> None:
    assert [several(n, "frame") for n in (0, 1, 2)] == ["0 frames", "1 frame", "2 frames"]
    tilegpu("trace", square, "-o", tmp_path / "activity", "--frames", "0")
    assert "1 frame counted" in tilegpu("replay", tmp_path / "activity").out
    assert "1 frame in" in tilegpu("characterize", square, "-o", tmp_path / "counts", "--frames", "0").out
    assert json.loads(tilegpu("replay", tmp_path / "activity", "--json").out)


@pytest.mark.parametrize("module", ["sklearn", "threadpoolctl"])
def test_sampling_without_its_packages(tilegpu, tmp_path: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    refused(tilegpu("sample", tmp_path, "-o", tmp_path / "plan.json"), module, "tilegpu[sampling]")


def test_a_plugin_without_structures_has_no_energy(tilegpu, square: Path, tmp_path: Path) -> None:
    (tmp_path / "techniques").mkdir()
    (tmp_path / "techniques" / "idle.py").write_text(
        "from tilegpu.timing.engine.technique import Technique\n\nTECHNIQUE = Technique('idle', 'Nothing')\n"
    )
    tilegpu("trace", square, "-o", tmp_path / "activity", "--frames", "0")
    done = with_plugins(tmp_path, "replay", str(tmp_path / "activity"), "--set", "techniques=idle")
    assert done.returncode == 0, done.stderr
    assert "no energy of idle: the plug-in declares no structures" in done.stderr


def test_a_compressed_timeline(tilegpu, square: Path, tmp_path: Path) -> None:
    """The same events, in a fraction of the room; the report links to it."""
    tilegpu("trace", square, "-o", tmp_path / "activity", "--frames", "0")
    run = ("replay", tmp_path / "activity", "--timeline", "0", "-o")
    assert tilegpu(*run, tmp_path / "plain").status == tilegpu(*run, tmp_path / "small", "--gzip").status == 0
    plain, small = tmp_path / "plain" / "timeline.pftrace", tmp_path / "small" / "timeline.pftrace.gz"
    assert gzip.decompress(small.read_bytes()) == plain.read_bytes()
    assert small.stat().st_size < plain.stat().st_size / 2
    assert tilegpu("report", tmp_path / "small", "-o", tmp_path / "r.html").status == 0
    assert "timeline.pftrace.gz</a>" in (tmp_path / "r.html").read_text("utf-8")
