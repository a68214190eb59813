"""dEQP's functional cases, captured on Mesa softpipe: every picture, read and mapping is Mesa's.

`TILEGPU_FUNCTIONAL` names the folder with the captures and answers.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.gles import enums as gl

from .functional_cases.answers import Answer, read_answers
from .functional_cases.judge import Judge, mapping_fault, picture_fault, read_fault

EXPECTED = {
    "dEQP-GLES3.functional.fragment_ops.scissor.partial_lines": (
        "softpipe draws lines between whole pixels; the frame is llvmpipe's to 0.03 % of the pixels"
    ),
}
"""Cases that differ from softpipe, and why."""


def _folder() -> Path | None:
    named = os.environ.get("TILEGPU_FUNCTIONAL")
    return Path(named) if named and Path(named).is_dir() else None


def _groups() -> list[str]:
    folder = _folder()
    return sorted(path.stem for path in folder.glob("*.trace")) if folder else []


def _judged(group: str) -> Judge:
    folder = _folder()
    if folder is None:
        pytest.skip("needs captured functional cases: set TILEGPU_FUNCTIONAL to their folder")
    judge = Judge(read_answers(folder / f"{group}.answers.gz"))
    judge.play(folder / f"{group}.trace")
    return judge


@pytest.mark.parametrize("group", _groups() or ["none"])
def test_cases_are_mesas(group: str) -> None:
    judge = _judged(group)
    wrong = {name: fault for name, fault in judge.wrong_cases() if name not in EXPECTED}
    assert not wrong
    if any(verdict == "Pass" for _, verdict in judge.answers.cases):
        assert judge.compared


def test_a_wrong_answer_is_noticed() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (40, 40, 4), np.uint8)
    wrong = pixels.copy()
    wrong[:5, :5] ^= 0x10
    assert not picture_fault(pixels, pixels, 255.0)
    assert not picture_fault(pixels, pixels ^ 1, 255.0)
    assert picture_fault(pixels, wrong, 255.0) and picture_fault(pixels, pixels ^ 1, 0.0)
    assert mapping_fault(b"abcd", Answer((gl.ARRAY_BUFFER, 0, 4), b"abce", 0))
    assert read_fault(None, Answer((0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 4, 0, 0, 0, 0), b"abcd", 0))
