"""Columns of a recording in the making."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

from tilegpu.functional.compile.blocks import Flags, IntegerRows
from tilegpu.functional.pipeline.fragments.fragment_shading import ShadedQuads
from tilegpu.functional.pipeline.fragments.rasterization import Quads
from tilegpu.functional.pipeline.fused import noted_reads
from tilegpu.functional.pipeline.texturing.reads import Reads
from tilegpu.functional.record import record
from tilegpu.functional.recording import columns as module
from tilegpu.functional.recording.columns import FIRST_ROWS, Columns
from tilegpu.functional.recording.recorded_state import Detail, RecordedStates
from tilegpu.functional.recording.resources import Resources
from tilegpu.functional.recording.row_group import RowGroup
from tilegpu.functional.recording.sink import DrawSink

from .conftest import record_scene


class _Rows(NamedTuple):
    numbers: IntegerRows
    flag: Flags


def test_columns_keep_their_rows_as_they_grow_and_begin_again() -> None:
    columns = Columns(_Rows, numbers=("first", "second"))
    for rows in (3, FIRST_ROWS, 5):
        start = columns.grow(rows)
        numbers, flags = columns.arrays
        numbers[0, start : start + rows] = np.arange(start, start + rows)
        numbers[1, start : start + rows] = 7
        flags[start : start + rows] = start == 0
    found = columns.columns()
    assert columns.count == FIRST_ROWS + 8
    np.testing.assert_array_equal(found["first"], np.arange(FIRST_ROWS + 8))
    assert set(found["second"].tolist()) == {7}
    assert found["flag"].sum() == 3
    columns.clear()
    assert columns.grow(2) == 0
    assert len(columns.columns()["first"]) == 2


@pytest.mark.parametrize("rows", [1, 50, 700])
def test_tables_are_the_same_wherever_they_have_to_grow(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_scene(tmp_path / "scene.trace")
    groups = frozenset(("inputs", "colors"))
    record(tmp_path / "scene.trace", tmp_path / "roomy", groups=groups)
    monkeypatch.setattr(module, "FIRST_ROWS", rows)
    record(tmp_path / "scene.trace", tmp_path / "growing", groups=groups)
    for name in ("vertices", "primitives", "quads", "texture_reads"):
        roomy, growing = (tmp_path / folder / f"{name}.parquet" for folder in ("roomy", "growing"))
        assert roomy.read_bytes() == growing.read_bytes(), name


def test_texture_reads_are_the_same_however_little_is_noted_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_scene(tmp_path / "scene.trace")
    record(tmp_path / "scene.trace", tmp_path / "whole")
    monkeypatch.setattr(noted_reads, "NOTE_BYTES", 1)
    monkeypatch.setattr(noted_reads, "CHUNK_QUADS", 16)
    record(tmp_path / "scene.trace", tmp_path / "parts")
    for name in ("quads", "texture_reads"):
        whole, parts = (tmp_path / folder / f"{name}.parquet" for folder in ("whole", "parts"))
        assert whole.read_bytes() == parts.read_bytes(), name


def test_nothing_is_recorded_of_a_batch_that_fails() -> None:
    rows = RowGroup()
    detail = Detail(rows=True, shade_occluded=False, inputs=False, colors=False)
    sink = DrawSink(rows, RecordedStates(Resources(), detail), cast(Any, None), 0, 0)
    reads = dataclasses.replace(Reads.blank((0, 0), 4, 0), levels=np.zeros((2, 4), np.int8))
    masks = np.full(1, 15, np.uint16)
    sink.begin_batch(Quads(np.zeros(1, np.int32), masks, masks, masks))
    sink.add_part(ShadedQuads(np.zeros(1, np.int64), {}, None, None, np.zeros(4, np.int32), [reads]))
    assert rows.texture_reads.count == 2
    sink.drop_batch()
    assert rows.quads.count == rows.texture_reads.count == 0
