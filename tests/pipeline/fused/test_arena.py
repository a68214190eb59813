"""The memory of a draw: rooms do not overlap, and what an arena has no room for is found elsewhere and freed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.compile import COMPILED
from tilegpu.functional.pipeline.fused import arena as memory
from tilegpu.functional.player import Player

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels are Python")


def test_rooms_do_not_overlap() -> None:
    """An arena of 32 words, of which the first line is its own: three lines, then memory of the C library."""
    words = np.zeros(32, np.int64)
    memory.clear(words)
    sizes = (1, 64, 40, 1000, 8)
    places = [int(memory.room(words, size)) for size in sizes]
    first = words.ctypes.data
    assert [place - first for place in places[:3]] == [64, 128, 192]
    inside = [first <= place < first + words.nbytes for place in places]
    assert inside == [True, True, True, False, False]
    ends = sorted((place, place + size) for place, size in zip(places, sizes, strict=True))
    assert all(end <= begin for (_, end), (begin, _) in zip(ends, ends[1:], strict=False))
    assert words[1] == places[4] - 64
    memory.clear(words)
    assert words[1] == 0 and memory.room(words, 8) == first + 64


def test_draws_without_room_are_the_same(scenes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pixels() -> list[Any]:
        return [frame.pixels for frame in Player(scenes / "courtyard.trace").run()]

    before = pixels()
    monkeypatch.setattr(memory.Arena, "grown", lambda arena, size: arena.words[:16])
    assert all(map(np.array_equal, pixels(), before))
