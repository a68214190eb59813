"""Columns of a recording in the making."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.record import record
from tilegpu.functional.recording import columns as module
from tilegpu.functional.recording.columns import FIRST_ROWS, Columns
from tilegpu.functional.recording.row_group import list_column

from .conftest import record_scene


def test_columns_keep_their_rows_as_they_grow_and_begin_again() -> None:
    columns = Columns(numbers=(np.int32, ("first", "second")), flags=(np.bool_, ("flag",)))
    for rows in (3, FIRST_ROWS, 5):
        start = columns.grow(rows)
        numbers, flags = columns.blocks
        numbers[0, start : start + rows] = np.arange(start, start + rows)
        numbers[1, start : start + rows] = 7
        flags[0, start : start + rows] = start == 0
    found = columns.columns()
    assert columns.count == FIRST_ROWS + 8
    np.testing.assert_array_equal(found["first"], np.arange(FIRST_ROWS + 8))
    assert set(found["second"].tolist()) == {7}
    assert found["flag"].sum() == 3
    columns.clear()
    assert columns.grow(2) == 0
    assert len(columns.columns()["first"]) == 2


def test_list_columns_of_parts() -> None:
    values = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert list_column([], 3) is None
    column = list_column([(slice(0, 3), values), (slice(5, 6), values[:1, :0]), (np.array([6]), values[:1])], 7)
    assert column is not None
    assert column.to_pylist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], None, None, [], [0.0, 1.0]]


@pytest.mark.parametrize("rows", [1, 50, 700])
def test_tables_are_the_same_wherever_they_have_to_grow(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_scene(tmp_path / "scene.trace")
    record(tmp_path / "scene.trace", tmp_path / "roomy")
    monkeypatch.setattr(module, "FIRST_ROWS", rows)
    record(tmp_path / "scene.trace", tmp_path / "growing")
    for name in ("vertices", "primitives", "quads", "texture_reads"):
        roomy, growing = (tmp_path / folder / f"{name}.parquet" for folder in ("roomy", "growing"))
        assert roomy.read_bytes() == growing.read_bytes(), name
