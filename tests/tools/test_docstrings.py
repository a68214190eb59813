"""The examples in docstrings of the Python interface run, one after another, on a bundled capture."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

import tilegpu
from tilegpu.tools.demo import scene_folder

IN_ORDER = (
    "render", "compare", "record", "characterize", "plan", "load_config", "replay", "sweep", "share", "power_curve",
    "executed_lines", "trim", "reduce",
)  # fmt: skip


def test_every_function_has_one() -> None:
    functions = {name for name in tilegpu.__all__ if callable(getattr(tilegpu, name)) and name[0].islower()}
    assert functions - {"check_api"} == set(IN_ORDER)


def test_examples_of_docstrings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copyfile(scene_folder() / "runner.trace", tmp_path / "game.trace")
    monkeypatch.chdir(tmp_path)
    runner, finder = doctest.DocTestRunner(), doctest.DocTestFinder(recurse=False)
    for name in IN_ORDER:
        (examples,) = finder.find(getattr(tilegpu, name), name, globs={"tilegpu": tilegpu})
        assert examples.examples, name
        assert runner.run(examples).failed == 0, name
