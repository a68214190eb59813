"""A characterization that finds no room leaves nothing behind, and nothing of an earlier one is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.full_disk import full_disk
from tests.tools.conftest import record_square
from tilegpu.functional.characterize.journal import Journal
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.characterize.schema import COUNTED


@pytest.mark.parametrize("limit", [0, 20, 300, 1200])
def test_nothing_is_left(tmp_path: Path, limit: int) -> None:
    square = record_square(tmp_path / "square.trace", frames=4)
    with full_disk(limit), pytest.raises(OSError, match="too large"):
        characterize(square, tmp_path / "counts")
    assert [path.name for path in tmp_path.iterdir()] == ["square.trace"]


def test_rows_of_an_interrupted_run_stay(tmp_path: Path) -> None:
    path, rows = tmp_path / "journal", {name: [] for name in COUNTED}
    with pytest.raises(KeyboardInterrupt), Journal(path, {"of": "this"}) as journal:
        for _ in range(4):
            journal.add(rows)
        raise KeyboardInterrupt
    before = path.read_bytes()
    with full_disk(10), pytest.raises(OSError, match="too large"), Journal(path, {"of": "this"}):
        pass
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with Journal(path, {"of": "this"}) as journal:
        assert len(journal) == 3
