"""First come, first served: the oldest entry of each command queue alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.jit import inline
from ..policy import Policy
from .fr_fcfs import first_ready

if TYPE_CHECKING:
    from ..state import Channel


@inline
def choose(channel: Channel, q: int, standing: int, t: int) -> int:
    return first_ready(channel, q, min(channel.queue[q].count, 1), t)


POLICY = Policy("fcfs", "first come, first served", choose)
