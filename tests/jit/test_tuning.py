"""Numba is changed only while a large program is compiled, and not at all where its insides are others."""

from __future__ import annotations

import pytest

from tilegpu.functional.jit import linking, tuning


def _insides() -> tuple[object, ...]:
    arrays, config, record = tuning.arrayobj, tuning.config, tuning.types.Record
    return (
        *(getattr(linking._library, name) for name in ("finalize", "_optimize_functions", "_finalize_final_module")),
        linking._context.get_executable,
        arrays.fix_integer_index,
        config.LOOP_VECTORIZE,
        record.__repr__,
    )


def test_changes_end_with_the_compilation() -> None:
    before = _insides()
    with tuning.tuned(_insides):
        assert not tuning.PLAIN
        assert sum(a is not b for a, b in zip(before, _insides(), strict=True)) == 6
    assert _insides() == before


def test_an_unknown_numba_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "PLAIN", "an unknown version")
    before = _insides()
    with tuning.tuned(_insides):
        assert _insides() == before
