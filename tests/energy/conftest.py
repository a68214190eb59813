"""The machine and the synthetic frames of the timing tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "timing" / "helpers"))

from synthetic import synthetic  # noqa: E402

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.variants import load
from tilegpu.timing.config import load_configuration  # noqa: E402
from tilegpu.timing.results.results import derive  # noqa: E402
from tilegpu.timing.results.statistics import snapshot, statistics  # noqa: E402


class Machine:
    """A compiled machine that runs one frame and tells its statistics."""

    def __init__(self, *overrides: str) -> None:
        self.configuration = load_configuration("ptr-2022", overrides)
        self.chip = build(self.configuration)

    def run(self, frame: Any) -> dict[str, float]:
        begin_frame(self.chip)
        assert load().run(self.chip.gpu, frame, False, 1 << 34)
        self.chip.settle()
        counted = {name: float(value) for name, value in snapshot(self.chip).items()}
        return derive(statistics(self.configuration), counted)


@pytest.fixture
def machine() -> type[Machine]:
    return Machine


@pytest.fixture
def synthetic_frame() -> Any:
    return synthetic(tiles_x=2, tiles_y=2, primitives=6, largest=8, seed=1)
