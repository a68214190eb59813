"""What dispatches and passes wait for, worked out by hand for frames of a few steps."""

from __future__ import annotations

import pytest
from ordered_work import ordered_work

from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader


def order(steps: str, *settings: str) -> list[tuple[int, ...]]:
    """Of each pass: the first dispatch before it, the end of those that begin early, the end of them, and how many of
    the frame its draws wait for."""
    configuration = load_configuration("emerald-case2", ["dram=simple", *settings])
    passes = Loader(ordered_work(*steps.split(", ")), configuration).load(1).commands.render_pass
    names = (f"{which}_dispatch" for which in ("first", "early", "last"))
    columns = [*(passes[name].tolist() for name in names), passes["needed_dispatches"].tolist()]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(
    ("steps", "passes"),
    [
        # Draws wait for dispatches before a barrier only.
        ("dispatch, draw", [(0, 0, 1, 0)]),
        ("dispatch, barrier, draw", [(0, 0, 1, 1)]),
        ("dispatch, barrier, dispatch, draw", [(0, 0, 2, 1)]),
        ("dispatch, draw, barrier, draw", [(0, 0, 1, 1)]),
        ("dispatch, draw, barrier", [(0, 0, 1, 0)]),
        # Later passes, too.
        ("dispatch, target 1, draw, barrier, window, draw", [(0, 0, 1, 0), (1, 1, 1, 1)]),
        ("dispatch, target 1, draw, dispatch, barrier, window, draw", [(0, 0, 1, 0), (1, 2, 2, 2)]),
        # Dispatches begin early unless a barrier lies between them and the pass before.
        ("target 1, draw, window, dispatch, draw", [(0, 0, 0, 0), (0, 1, 1, 0)]),
        ("target 1, draw, barrier, window, dispatch, draw", [(0, 0, 0, 0), (0, 0, 1, 0)]),
        ("barrier, target 1, draw, window, dispatch, barrier, dispatch, draw", [(0, 0, 0, 0), (0, 1, 2, 1)]),
        ("target 1, draw, window, upload, dispatch, draw", [(0, 0, 0, 0), (0, 0, 1, 0)]),
        # What samples a target waits for its pass; what draws to what was sampled waits for the dispatch.
        ("target 0, draw, window, sample", [(0, 0, 0, 0), (0, 0, 1, 1)]),
        ("sample, target 0, draw, window, draw", [(0, 0, 1, 1), (1, 1, 1, 0)]),
        ("sample, target 1, draw, target 0, draw", [(0, 0, 1, 0), (1, 1, 1, 1)]),
    ],
)
def test_order_of_dispatches_and_passes(steps: str, passes: list[tuple[int, ...]]) -> None:
    assert order(steps) == passes


def test_in_turn_everything_waits() -> None:
    assert order("dispatch, draw", "work_groups.synchronization=in_turn") == [(0, 0, 1, 1)]
