"""DASH, the deadline-aware scheduler (Usui et al., TACO 2016; as in Gubran and Aamodt, ISCA 2019, 5.1.1).

Urgent IPs come first, then CPU threads that use little memory, then other IPs, then threads that use much. The last two
change places with a probability that balances how much of both is served. Among the threads of a level TCM decides
(`clusters`); among requests of one rank, as in `fr_fcfs`.

Ranks are decided here for each master (`ranks`); requests are served in their order as by `priority`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.statistics import Stat

from .....engine.jit import inline
from ...policy import Policy
from ..priority import most_urgent
from .parameters import Dash
from .ranks import decide, next_decision, serve
from .registers import Ranking
from .setup import set_up, share

if TYPE_CHECKING:
    from ...unit import Dram


NAME = "memory.dram.dash"


@inline
def urgency(dram: Dram, master: int, source: int) -> int:
    return int(dram.policy.dash.master[master].urgency)


@inline
def update(dram: Dram, t: int) -> bool:
    return decide(dram.policy.dash, t)


@inline
def next_update(dram: Dram) -> int:
    return next_decision(dram.policy.dash)


@inline
def served(dram: Dram, master: int, size: int) -> None:
    serve(dram.policy.dash, master, size)


@inline
def begin_work(dram: Dram, ip: int, work_bytes: int, t: int) -> None:
    """Begin to judge an IP's progress; its deadline is a parameter."""
    master = dram.policy.dash.master[ip]
    master.working, master.began = 1, t
    master.work_bytes, master.done_bytes = work_bytes, 0


@inline
def end_work(dram: Dram, ip: int) -> None:
    dram.policy.dash.master[ip].working = 0


@inline
def computed(dram: Dram, master: int, cycles: int) -> None:
    dram.policy.dash.master[master].retired_cycles += cycles


POLICY = Policy(
    "dash",
    "DASH, by deadlines and bandwidth (Usui et al., TACO 2016; Gubran and Aamodt, ISCA 2019)",
    most_urgent,
    urgency=urgency,
    update=update,
    next_update=next_update,
    served=served,
    begin_work=begin_work,
    end_work=end_work,
    computed=computed,
    record=Ranking,
    parameters=Dash,
    set_up=set_up,
    share=share,
    statistics=(
        Stat(
            f"{NAME}.switches",
            "switches",
            "times that intensive threads and IPs that are not urgent changed places",
            "policy.dash.switches",
        ),
        Stat(
            f"{NAME}.urgent_cycles",
            "cycles",
            "GPU cycles in which GPU or display were urgent, summed",
            "policy.dash.urgent_cycles",
        ),
    ),
)
