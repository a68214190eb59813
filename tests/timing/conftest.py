"""Machines and frames for the tests of the timing pass."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tilegpu.timing.config import Configuration, load_configuration
from tilegpu.timing.engine.build import begin_frame, build, settle
from tilegpu.timing.engine.frame import Frame
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.variants import load
from tilegpu.timing.results.results import derive, snapshot
from tilegpu.timing.results.reuse import measure

sys.path.insert(0, str(Path(__file__).parent))

LIMIT_CYCLES = 1 << 34


class Machine:
    """A machine that runs frames one after the other and tells its statistics."""

    def __init__(self, configuration: Configuration, compiled: bool) -> None:
        self.engine = load(configuration.techniques, compiled)
        self.gpu: Any = build(configuration)
        if not compiled:
            self.gpu = plain(self.gpu)

    def run(self, frame: Frame, every: bool = False) -> dict[str, float]:
        """Statistics of one frame."""
        before = snapshot(self.gpu)
        begin_frame(self.gpu)
        tables: Any = frame if self.engine.compiled else plain(frame)
        assert self.engine.run(self.gpu, tables, every, LIMIT_CYCLES), "the machine stands still"
        settle(self.gpu)
        after = snapshot(self.gpu)
        return derive({name: float(after[name] - before[name]) for name in after} | measure(frame))


@pytest.fixture
def machine() -> Any:
    """Function that makes a machine from overrides, with the simple DRAM; compiled unless told otherwise."""

    def make(*overrides: str, compiled: bool = True) -> Machine:
        return Machine(load_configuration("ptr-2022", ["dram=simple", *overrides]), compiled)

    return make
