"""Scheduling policies: which entry of a command queue goes next, and with which command.

A policy is a file here, a name in `names`, and a line of `choose`. It looks at one queue, returns the place of the
entry in the queue and sets the channel's `command`; or it returns -1 and sets the queue's `ready` to the first cycle in
which its answer can be another one, as long as no command goes to a bank of the queue and no entry is added or becomes
more urgent.
"""

from __future__ import annotations

from typing import Any

from ....engine.jit import inline
from .fr_fcfs import first_ready
from .names import DASH, FCFS, FR_FCFS, POLICIES, PRIORITY
from .priority import most_urgent

__all__ = ["DASH", "FCFS", "FR_FCFS", "POLICIES", "PRIORITY", "choose"]


@inline
def choose(channel: Any, q: int, urgency: int, t: int) -> int:
    """Entry of queue q to serve in cycle t, of a class more urgent than this one; -1 where there is none."""
    if channel.policy in (PRIORITY, DASH):
        return most_urgent(channel, q, urgency, t)
    return first_ready(channel, q, t)
