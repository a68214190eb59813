"""Static instruction counts of captured applications are Mesa softpipe's, nearly."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ..conftest import missing
from ..reference.instruction_counts import Counts, is_off, mesa_counts, our_counts, programs


@pytest.mark.slow
def test_captures(captures: Path) -> None:
    pairs = list(dict.fromkeys(pair for trace in sorted(captures.glob("*.trace")) for pair in programs(trace)))
    try:
        theirs = mesa_counts(pairs)
    except subprocess.CalledProcessError:
        missing("needs Mesa's software drivers and moderngl")
    ours = [our_counts(*pair) for pair in pairs]

    def total(counts: list[Counts], field: str) -> int:
        return sum(getattr(count, field) for count in counts)

    for field in ("vertex", "fragment"):
        assert total(ours, field) == pytest.approx(total(theirs, field), rel=0.05)
    for our, their in zip(ours, theirs, strict=True):
        assert (our.vertex_textures, our.fragment_textures) == (their.vertex_textures, their.fragment_textures)
        assert not is_off(our.vertex, their.vertex) and not is_off(our.fragment, their.fragment)


@pytest.mark.slow  # Quick runs draw most of these captures in tests/reference/test_captures.py.
def test_every_captured_program_compiles(captures: Path) -> None:
    found = [our_counts(*pair) for trace in sorted(captures.glob("*.trace")) for pair in programs(trace)]
    assert len(found) >= 30
