"""Images depend neither on the back end nor on how many threads share a draw."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.activity import TABLES, Activity, ActivityWriter
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.pipeline.fused import native_raster
from tilegpu.functional.pipeline.fused.workers import Workers
from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.functional.recording import row_group

from ...reference.test_scenes import SUITES
from ...reference.test_scenes import record as record_suite


def images(trace: Path, backend: str = "", jobs: int = 1) -> list[np.ndarray]:
    """All frames of a trace."""
    return [frame.pixels for frame in Player(trace, backend=choose_backend(backend)[0], jobs=jobs).run()]


@pytest.fixture
def small_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even small draws are shared."""
    monkeypatch.setattr(native_raster, "LEAST_PIXELS", 1)


@pytest.mark.parametrize("suite", SUITES)
def test_feature_scenes_are_the_same(suite: str, tmp_path: Path, small_bands: None) -> None:
    trace = tmp_path / "suite.trace"
    record_suite(trace, suite)
    alone, shared = images(trace), images(trace, jobs=3)
    for name, a, b, reference in zip(SUITES[suite][1], alone, shared, images(trace, "numpy"), strict=True):
        np.testing.assert_array_equal(a, b, name)
        # The last place of a transcendental function may decide how a colour is rounded.
        difference = np.abs(a.astype(np.int32) - reference).max(axis=-1)
        assert difference.max() <= 1, name
        assert (difference > 0).mean() <= 1e-3, name


def test_activity_is_the_same_for_any_number_of_threads(
    scenes: Path, tmp_path: Path, small_bands: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_group, "ROWS", 1)
    for jobs in (1, 3):
        record(scenes / "sprites.trace", tmp_path / str(jobs), jobs=jobs)
    assert len(Activity(tmp_path / "3").manifest.row_groups) > 2
    for table in sorted((tmp_path / "1").iterdir()):
        assert table.read_bytes() == (tmp_path / "3" / table.name).read_bytes(), table.name


def test_tables_are_written_beside_the_rest(scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writers: set[threading.Thread] = set()
    inner = ActivityWriter.write

    def noting(self: ActivityWriter, name: str, columns: Mapping[str, Any]) -> None:
        if TABLES[name].scope == "frame":
            writers.add(threading.current_thread())
        inner(self, name, columns)

    monkeypatch.setattr(ActivityWriter, "write", noting)
    record(scenes / "sprites.trace", tmp_path / "activity", jobs=2)
    assert writers and threading.main_thread() not in writers


def test_a_table_that_cannot_be_written_fails_the_recording(
    scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: ActivityWriter, name: str, columns: Mapping[str, Any]) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(ActivityWriter, "write", full)
    for jobs in (1, 2):
        with pytest.raises(OSError, match="no space left"):
            record(scenes / "sprites.trace", tmp_path / "activity", jobs=jobs)
        assert not list(tmp_path.iterdir())


def test_several_threads_really_work(scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    inner = native_raster.raster

    def noting(*arguments: int) -> int:
        seen.add(threading.current_thread().name)
        return inner(*arguments)

    monkeypatch.setattr(native_raster, "raster", noting)
    images(scenes / "courtyard.trace", jobs=3)
    assert len(seen) > 1


def test_no_threads_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Workers(0)
