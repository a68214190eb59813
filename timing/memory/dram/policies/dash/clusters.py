"""Thread Cluster Memory scheduling (TCM; Kim et al., MICRO 2010): clusters of CPU threads by use of memory, and ranks.

At the end of each quantum the threads with the fewest misses per cycle of computing make the latency-sensitive cluster,
as long as they have used no more than a share of the bandwidth; the fewer misses, the earlier their turn. The others
take turns that change every shuffling interval. TCM shuffles by niceness, for which the parallelism and locality of
threads are measured; here turns go round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....engine.jit import inline, unit
from ....masters import FIRST_CPU_CORE, MASTERS

if TYPE_CHECKING:
    from .registers import JudgedMaster, Ranking


@unit
def cluster(dash: Ranking) -> None:
    """Rank the threads by their misses in the quantum that has ended, and mark the intensive ones."""
    total = 0
    for m in range(MASTERS):
        if dash.system_bandwidth != 0 or FIRST_CPU_CORE <= m <= dash.cores:
            total += dash.master[m].bytes
    for m in range(FIRST_CPU_CORE, dash.cores + 1):
        turn = 0
        for other in range(FIRST_CPU_CORE, dash.cores + 1):
            turn += before(dash, other, m)
        dash.master[m].turn = turn
    used = 0
    for turn in range(dash.cores):
        thread = dash.master[of_turn(dash, turn)]
        used += thread.bytes
        # Once a thread is in the other cluster, so are all that come after it.
        thread.intensive = 1 if used * 1000 > total * dash.clustering else 0
    for m in range(MASTERS):
        dash.master[m].requests = dash.master[m].bytes = dash.master[m].retired_cycles = 0


@inline
def misses_per_cycle(thread: JudgedMaster) -> float:
    """Requests to main memory per cycle of computing in this quantum."""
    return float(thread.requests / max(1, thread.retired_cycles))


@inline
def before(dash: Ranking, other: int, m: int) -> bool:
    """Whether another thread ranks before thread `m`: fewer misses, or as many and a lower number."""
    rate, of_other = misses_per_cycle(dash.master[m]), misses_per_cycle(dash.master[other])
    return bool(of_other < rate or (of_other == rate and other < m))


@inline
def of_turn(dash: Ranking, turn: int) -> int:
    """Thread that has a turn; turns are all different."""
    owner = FIRST_CPU_CORE
    for m in range(FIRST_CPU_CORE, dash.cores + 1):
        if dash.master[m].turn == turn:
            owner = m
    return owner


@unit
def shuffle(dash: Ranking) -> None:
    """Make the last of the intensive threads their first."""
    lowest, highest = MASTERS, -1
    for m in range(FIRST_CPU_CORE, dash.cores + 1):
        if dash.master[m].intensive != 0:
            lowest = min(lowest, dash.master[m].turn)
            highest = max(highest, dash.master[m].turn)
    for m in range(FIRST_CPU_CORE, dash.cores + 1):
        thread = dash.master[m]
        if thread.intensive != 0:
            thread.turn = lowest if thread.turn == highest else thread.turn + 1
