"""Scenes of random state beside Mesa's drivers: see `random_state`, and CONTRIBUTING.md on how to look at one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.examples import examples

from .random_state.batch import CELL, KINDS, Result, compare, describe, distance, ours, record, scene_of, within
from .random_state.chunks import differing, summary

QUICK = range(examples(60, 200))
THOROUGH = range(20_000)


def _report(results: Sequence[Result]) -> str:
    lines = [result.line() for result in results]
    seeds = " ".join(str(result.seed) for result in results[:5])
    advice = f"look at them: python -m tests.reference.random_state {seeds}"
    return "\n".join([f"{len(results)} scenes differ:", *lines, advice])


def test_some_scenes_equal_mesas(tmp_path: Path, eglretrace: str) -> None:
    results = compare(tmp_path / "scenes.trace", QUICK, eglretrace)
    wrong = [result for result in results if not result.right and result.rule is None]
    assert not wrong, _report(wrong)
    kinds = {scene_of(result.seed)[0] for result in results if result.right}
    assert kinds == set(KINDS)


def test_back_ends_equal(tmp_path: Path) -> None:
    """Compiled or with numpy, each scene has the same picture to the last bit."""
    trace = tmp_path / "scenes.trace"
    record(trace, QUICK)
    one, other = ours(trace, QUICK, "llvm"), ours(trace, QUICK, "numpy")
    wrong = [describe(seed) for seed in QUICK if not np.array_equal(one.pictures[seed], other.pictures[seed])]
    assert not wrong, "\n".join(wrong)
    assert one.errors == other.errors


def test_a_wrong_picture_is_seen() -> None:
    """A scene in which eleven pixels of a thousand are off is wrong, and one that is off everywhere by two."""
    right = np.full((CELL, CELL, 3), 100, np.uint8)
    spots = right.copy()
    spots.reshape(-1, 3)[:11] = 103
    result = Result(0, *[distance(spots, right)] * 3, distance(right, right), 3, "")
    assert not result.right
    assert not within(distance(right + np.uint8(2), right))
    assert within(distance(right + np.uint8(1), right))


@pytest.mark.slow
def test_twenty_thousand_scenes_equal_mesas(
    tmp_path: Path, eglretrace: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def notice(line: str) -> None:
        with capsys.disabled():
            print(line, flush=True)

    found = differing(tmp_path, THOROUGH, eglretrace, notice)
    wrong = [result for result in found if result.rule is None]
    notice(summary(THOROUGH, found))
    assert not wrong, _report(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(20_000, 24_000, 1000))
def test_back_ends_equal_in_many_scenes(start: int, tmp_path: Path) -> None:
    seeds = range(start, start + 1000)
    record(tmp_path / "scenes.trace", seeds)
    one, other = (ours(tmp_path / "scenes.trace", seeds, name) for name in ("llvm", "numpy"))
    wrong = [describe(seed) for seed in seeds if not np.array_equal(one.pictures[seed], other.pictures[seed])]
    assert not wrong, "\n".join(wrong)
