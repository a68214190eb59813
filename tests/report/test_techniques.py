"""The page says what the techniques of its runs are, whether or not they have tables of their own."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tilegpu.timing.registry import find_technique
from tilegpu.tools.report.runs import Run
from tilegpu.tools.report.techniques import techniques_section


def _run(folder: Path, *techniques: str) -> Run:
    figures: dict[str, Any] = {"stats": {"configuration": {"techniques": list(techniques)}}}
    return cast(Run, SimpleNamespace(name="a run", folder=folder, figures=figures))


def test_techniques_are_described(tmp_path: Path) -> None:
    section = techniques_section(
        [_run(tmp_path, "forward_pixel_kill"), _run(tmp_path, "of_a_plug_in_that_is_gone")], [0]
    )
    assert section is not None
    assert "forward_pixel_kill" in section.html and find_technique("forward_pixel_kill").title in section.html
    assert "gone" not in section.html


def test_runs_without_techniques_have_no_section(tmp_path: Path) -> None:
    assert techniques_section([_run(tmp_path)], [0]) is None
