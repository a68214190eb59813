"""Whatever a capture holds, `info`, `render` and `trace` end soon, in little memory, and well or in one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import Cases, record_captures
from .verbs_in_processes import Verbs

QUICK, ALL = 12, 2000
PARTS = 10


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cases, Verbs]]:
    """The cases, and the command."""
    folder = tmp_path_factory.mktemp("changed")
    captures = record_captures(folder)
    with Verbs(captures, folder) as verbs:
        yield Cases(captures, folder), verbs


def _play(played: tuple[Cases, Verbs], numbers: range) -> None:
    cases, verbs = played
    wrong = [str(each) for each in cases.play(verbs, numbers)]
    assert not wrong, "\n".join(wrong)


def test_some(played: tuple[Cases, Verbs]) -> None:
    _play(played, range(QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_two_thousand(played: tuple[Cases, Verbs], part: int) -> None:
    size = ALL // PARTS
    _play(played, range(part * size, (part + 1) * size))


def test_what_is_wrong_is_seen(played: tuple[Cases, Verbs], tmp_path: Path) -> None:
    """A process that takes too long, too much memory, ends with a signal or as a fault."""
    _, verbs = played
    assert not verbs.run("--version").wrong
    assert not verbs.run("info", tmp_path / "absent.trace").wrong
    assert verbs.run("info", tmp_path / "absent.trace").status == 2
