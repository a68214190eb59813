"""Images depend neither on the back end nor on how many threads share a draw."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.pipeline import native_raster
from tilegpu.functional.pipeline.workers import Workers
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from ..reference.test_scenes import SUITES
from ..reference.test_scenes import record as record_suite


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


def test_activity_is_the_same_for_any_number_of_threads(scenes: Path, tmp_path: Path, small_bands: None) -> None:
    for jobs in (1, 3):
        record(scenes / "sprites.trace", tmp_path / str(jobs), jobs=jobs)
    for table in sorted((tmp_path / "1").glob("*.parquet")):
        assert table.read_bytes() == (tmp_path / "3" / table.name).read_bytes(), table.name


def test_several_threads_really_work(scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    inner = native_raster.raster

    def noting(*arguments: object) -> tuple[bool, bool]:
        seen.add(threading.current_thread().name)
        return inner(*arguments)

    monkeypatch.setattr(native_raster, "raster", noting)
    images(scenes / "courtyard.trace", jobs=3)
    assert len(seen) > 1


def test_no_threads_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Workers(0)
