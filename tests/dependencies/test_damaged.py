"""Damaged streams: what an invalid call leaves out is left out here, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tilegpu.functional.capture import Trace, TraceWriter
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.trimming import trim

from ..fuzz.test_mutated_traces import mutate
from .streams import record_random
from .test_dependencies import pictures


@pytest.mark.parametrize("seed", range(6))
def test_last_frames_of_damaged_streams(tmp_path: Path, seed: int) -> None:
    record_random(tmp_path / "a.trace", seed, 5)
    with TraceWriter(tmp_path / "b.trace") as writer:
        for call in mutate(list(Trace(tmp_path / "a.trace")), random.Random(seed)):
            writer.write(call)
    whole = pictures(tmp_path / "b.trace")
    last = max(whole)
    assert pictures(tmp_path / "b.trace", FrameRange(last, last + 1)) == {last: whole[last]}
    trim(tmp_path / "b.trace", tmp_path / "c.trace", FrameRange(last, last + 1))
    assert pictures(tmp_path / "c.trace") == {0: whole[last]}
