"""A fault of tilegpu's own is told as that: one line, a status of its own, no traceback."""

from pathlib import Path

import pytest

from tilegpu.functional.glsl import link
from tilegpu.tools import main


@pytest.mark.parametrize("verb", ["render", "trace"])
def test_a_fault_of_the_compiler(tilegpu, square: Path, tmp_path: Path, monkeypatch, verb: str) -> None:
    def broken(*_: object) -> None:
        raise KeyError("no home for a value")

    link.compile_shader.cache_clear()
    monkeypatch.setattr(link, "lower_shader", broken)
    done = tilegpu(verb, square, "-o", tmp_path / "out")
    link.compile_shader.cache_clear()
    assert done.status == 3
    lines = done.err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: a fault of tilegpu, not of its input: vertex shader 2: the compiler failed")
    assert "no home for a value" in lines[0]
    assert "GL error" not in done.err


def test_any_other_fault(tilegpu, square: Path, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError("never so")

    monkeypatch.setattr(main, "app", broken)
    done = tilegpu("info", square)
    assert done.status == 3
    assert done.err.strip().splitlines() == [
        "error: a fault of tilegpu, not of its input: AssertionError: never so (set TILEGPU_TRACEBACK=1 to see where)"
    ]
