"""dEQP's functional cases and small programs, captured on Mesa: every picture, read, mapping and answer is Mesa's.

`TILEGPU_FUNCTIONAL` names the folder with those of OpenGL ES 2.0 and 3.0, `TILEGPU_CONFORMANCE` the one whose folders
functional31 and es31 have those of OpenGL ES 3.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .functional_cases.answers import Answer, read_answers
from .functional_cases.expected import expected_failures, is_chosen
from .functional_cases.judge import Judge
from .functional_cases.pictures import LOOSE, STRICT, mapping_difference, picture_difference, read_difference


def _traces() -> Iterator[Path]:
    folders = [os.environ.get("TILEGPU_FUNCTIONAL", "")]
    conformance = os.environ.get("TILEGPU_CONFORMANCE", "")
    folders += [f"{conformance}/{name}" for name in ("functional31", "es31")] if conformance else []
    for folder in folders:
        yield from sorted(Path(folder).glob("*.trace")) if folder else ()


LONGEST = (
    "es31_separate_shader", "es31_uniform_location", "es31_program_interface_query", "es31_vertex_attribute_binding",
    "es31_layout_binding",
)  # fmt: skip
"""The first takes as long as thirty others, each of the rest as long as eight. In quick runs
tests/gles/test_separate_objects.py has pipelines, and cases of blocks, images and attributes have locations and
bindings that programs choose."""
TRACES = [
    pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in LONGEST else ()) for path in _traces()
]


@pytest.mark.parametrize("trace", TRACES or [pytest.param(None, id="none")])
def test_cases_are_mesas(trace: Path | None) -> None:
    if trace is None:
        pytest.skip("needs captured functional cases: set TILEGPU_FUNCTIONAL and TILEGPU_CONFORMANCE to their folders")
    # Groups of lines and edges are judged as their findings were.
    allowed = LOOSE if trace.parent.name == "functional31" else STRICT
    judge = Judge(read_answers(trace.with_name(f"{trace.stem}.answers.gz")), allowed=allowed)
    judge.play(trace)
    wrong = {
        verdict.name: faults[0]
        for verdict in judge.wrong_cases()
        if (faults := [f for f in verdict.faults if not is_chosen(f) and f["kind"] != "sync"])
        and verdict.name not in expected_failures()
    }
    assert not wrong
    if any(verdict == "Pass" for _, verdict in judge.answers.cases):
        assert any(verdict.compared for verdict in judge.verdicts)


def test_a_wrong_picture_is_noticed() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (40, 40, 4), np.uint8)
    wrong = pixels.copy()
    wrong[:5, :5] ^= 0x10
    assert not picture_difference(pixels, pixels, 255.0, STRICT)
    assert not picture_difference(pixels, pixels ^ 1, 255.0, STRICT)
    assert picture_difference(pixels, wrong, 255.0, STRICT)
    assert picture_difference(pixels, pixels ^ 1, 0.0, STRICT)
    assert read_difference(None, Answer((0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 4, 0, 0, 0, 0), b"abcd", 0), STRICT)


@pytest.mark.parametrize(
    ("ours", "theirs", "differ"),
    [
        (np.array([10, 20], np.uint32), np.array([30, 20], np.uint32), True),
        (np.array([0], np.uint32), np.array([1], np.uint32), True),
        (np.array([1.0, 3.0], np.float32), np.array([1.00001, 3.0], np.float32), False),
        (np.array([1.0, 3.0], np.float32), np.array([1.01, 3.0], np.float32), True),
        (np.array([0.0], np.float32), np.array([-0.0], np.float32), False),
        (np.array([1.0], np.float32), np.array([1], np.uint32), True),
    ],
)
def test_words_of_buffers_are_bits_unless_both_are_floats(ours: np.ndarray, theirs: np.ndarray, differ: bool) -> None:
    answer = Answer((gl.SHADER_STORAGE_BUFFER, 0, ours.nbytes), theirs.tobytes(), 0)
    assert bool(mapping_difference(ours.tobytes(), answer)) == differ
