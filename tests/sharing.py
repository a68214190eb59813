"""How several processes share the tests out: those of an engine, or of a file, go to one. A plugin of pytest."""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

TESTS = Path(__file__).parent
TIMING = TESTS / "timing"


FIRST = "tools/test_wheel", "compile", "gles/test_fixed_effects", "glsl", "dram", "capture", "tools/test_wraps"
"""Files and folders that need no kernels of the renderer: one process runs them while the other compiles these."""
COMPILING = "test_dispatch_order", "test_own_pictures"
"""Files of the other process that need most of the kernels: where both needed them, one would only wait."""
LONG = "tools/test_recipes", "studies/test_papers", "reference/test_captures"
"""The longest files that need several engines: after those of one, and before the short files, which end together."""
MARK = re.compile(r'^pytestmark = pytest\.mark\.engine\("(\w+)"\)$', re.MULTILINE)


@cache
def _group(path: Path) -> str:
    """Name of what one process runs: the tests of an engine, since two processes that need it at the same time would
    both compile it; elsewhere those of a file. Read from the text: the process that shares tests out has none."""
    engine = MARK.search(path.read_text("utf-8"))
    if engine is not None:
        return engine[1]
    # Captures run on all machines: last, when their engines are compiled.
    in_timing = TIMING in path.parents and path.stem != "test_captures"
    return "tile_based" if in_timing else str(path)


class ByEngine(LoadScopeScheduling):  # type: ignore[misc]
    """Tests of a file go to one process, and so do files that need the same timing engine."""

    def _split_scope(self, nodeid: str) -> str:
        return _group(self.config.rootpath / nodeid.partition("::")[0])

    def remove_node(self, node: Any) -> str | None:
        """Hand out again what a process that died had not begun; the test that ended it, if one did."""
        left = {
            group: {name: done for name, done in tests.items() if not done}
            for group, tests in self.assigned_work.pop(node).items()
        }
        crashed = next((name for tests in left.values() for name in tests), None)
        if crashed is not None:
            # As it is the first one, its group comes first: its engine is wanted soon, and takes longest.
            del left[self._split_scope(crashed)][crashed]
            again = {group: tests for group, tests in left.items() if tests}
            self.workqueue = OrderedDict({**again, **self.workqueue})
            for other in self.assigned_work:
                self._reschedule(other)
        return crashed

    def _reschedule(self, node: Any) -> None:
        """Give a process more when it needs it: it begins a test when it has the next one, or none is to come."""
        # The successor of one that died collects first.
        if node not in self.registered_collections:
            return
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> ByEngine:
    """How tests are shared out, in the order in which they are collected."""
    config.option.loadscopereorder = False
    return ByEngine(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that compile kernels or an engine go before others, as they take longest."""
    engines = {_group(item.path) for item in items if item.get_closest_marker("engine")}
    # Every part comes last, when the engines of most are compiled.
    order = sorted(engines - {"tile_based"}, key=lambda group: (group == "every_part", group))
    first, long = ([str(TESTS / name) for name in names] for names in (FIRST, LONG))
    rank = {group: place for place, group in enumerate(("tile_based", *first, *order, *long))}

    def place(path: Path) -> tuple[int, bool]:
        names = (_group(path), str(path.with_suffix("")), *map(str, path.parents))
        return next((rank[name] for name in names if name in rank), len(rank)), path.stem not in COMPILING

    items.sort(key=lambda item: place(item.path))
