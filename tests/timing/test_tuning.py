"""Numba is changed only while the engine compiles, and not at all where its insides are others."""

from __future__ import annotations

import pytest

from tilegpu.timing.engine import tuning


def _insides() -> tuple[object, ...]:
    return tuning._library._optimize_final_module, tuning._arrays.fix_integer_index, tuning._config.LOOP_VECTORIZE


def test_changes_end_with_the_compilation() -> None:
    before = _insides()
    with tuning.tuned("run"):
        assert all(a is not b for a, b in zip(before, _insides(), strict=True))
    assert _insides() == before


def test_an_unknown_numba_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "TUNABLE", False)
    before = _insides()
    with tuning.tuned("run"):
        assert _insides() == before
