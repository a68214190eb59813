"""How many accesses keep a row open while others wait for its bank."""

from __future__ import annotations

import numpy as np
import pytest

from tilegpu.timing.assembly.dram import Stream, simulate

from .test_properties import variant


@pytest.mark.parametrize("scheduling", ("fr_fcfs", "priority"))
def test_a_read_of_another_row_waits_for_so_many(scheduling: str) -> None:
    """A read of a row, one of another row of the bank, and many more of the first: the second waits until that row has
    had its share, or until nobody wants it any more.

    A read keeps the bank from being closed for 4 cycles, no longer than it keeps the next one back: with a longer tRTP
    there would always be a read that is ready sooner.
    """
    address = np.array([0, 1 << 16, *range(32, 32 * 64, 32)])
    before = []
    for most in (1, 8, 16, 32, 1000):
        spec = variant("lpddr3-1333-2x32", row_accesses=most, timing={"tRTP": 4}, scheduling=scheduling, channels=1)
        run = simulate(spec, Stream(address, np.zeros(65, int), np.zeros(65, int)))
        before.append(int((run.done < run.done[1]).sum()))
    # A row stays open for tRAS = 28 cycles, in which 5 reads of 4 cycles each find it open after tRCD = 12 and tRTP.
    assert before[1:] == [8, 16, 32, 64]
    assert before[0] < 8
