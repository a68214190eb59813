"""Machines and frames for the tests of the timing pass."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.frame_starts import begin_frame, wants_next_frame
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.config import Configuration, load_configuration
from tilegpu.timing.engine.frame import Frame
from tilegpu.timing.engine.plain import plain, write_back
from tilegpu.timing.registry import add_plugins
from tilegpu.timing.replay import hand_over
from tilegpu.timing.results.results import derive
from tilegpu.timing.results.reuse import measure
from tilegpu.timing.results.statistics import snapshot, statistics

HERE = Path(__file__).parent
sys.path[:0] = [str(folder) for folder in sorted(HERE.iterdir()) if folder.is_dir()]

LIMIT_CYCLES = 1 << 34


class Machine:
    """A machine that runs frames one after the other and tells its statistics."""

    def __init__(self, configuration: Configuration, compiled: bool) -> None:
        self.engine = engine_of(configuration, compiled)
        self.chip = build(configuration) if compiled else build(configuration).plain()
        self.gpu: Any = self.chip.gpu
        self.stats = statistics(configuration)

    def run(self, frame: Frame, every: bool = False, following: Frame | None = None) -> dict[str, float]:
        """Statistics of one frame; with overlap, the next one's geometry begins beside it."""
        before = snapshot(self.chip)
        begin_frame(self.chip)
        frame.depth.blended["order"] = 0
        tables: Any = frame if self.engine.compiled else plain(frame)
        assert self.engine.run(self.gpu, tables, every, LIMIT_CYCLES), "the machine stands still"
        if wants_next_frame(self.chip):
            tables = hand_over(self.chip, tables, following)
            assert self.engine.run(self.gpu, tables, every, LIMIT_CYCLES), "the machine stands still"
        if not self.engine.compiled:
            write_back(frame, tables)
        self.chip.settle()
        after = snapshot(self.chip)
        return derive(self.stats, {name: float(after[name] - before[name]) for name in after} | measure(frame))


@pytest.fixture(scope="session")
def plugins() -> None:
    """Units, machines and techniques that do not come with the package are found too. Not its scheduling policy, with
    which all engines would be others than those of tests that ran before."""
    add_plugins(HERE / "plugins", ("machines", "techniques", "units"))


@pytest.fixture
def machine(make_machine: Any) -> Any:
    """Function that makes a machine from overrides, with the simple DRAM; compiled unless told otherwise."""
    return make_machine


@pytest.fixture(scope="session")
def new_machine() -> type[Machine]:
    """Class of machines of a configuration."""
    return Machine


@pytest.fixture(scope="session")
def make_machine() -> Any:
    """The same for fixtures that live longer than a test."""

    def make(*overrides: str, compiled: bool = True) -> Machine:
        return Machine(load_configuration("ptr-2022", ["dram=simple", *overrides]), compiled)

    return make
