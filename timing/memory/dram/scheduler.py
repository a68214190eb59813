"""Questions of the controller to the scheduling policy, and reports of the masters to it.

Each function here is what holds for a policy that leaves it out. `assembly.policies` puts in its place a function that
calls the policy whose number the channel or the memory has in its register `scheduling`; all policies are compiled
together, so a choice among them compiles nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tilegpu.timing.declare.records import NEVER

from ...engine.jit import inline

if TYPE_CHECKING:
    from .state import Channel, CommandEntry
    from .unit import Dram


QUESTIONS: list[str] = []
"""Names of the functions that a policy may have."""
Function = TypeVar("Function", bound=Callable[..., Any])


def question(function: Function) -> Function:
    """Declare a function that a policy may have."""
    QUESTIONS.append(function.__name__)
    declared: Function = inline(function)
    return declared


@question
def choose(channel: Channel, q: int, standing: int, t: int) -> int:
    """Place of the entry of queue q to serve in cycle t; -1 where there is none.

    Sets the channel's `command`, and `standing`, by which choices of several queues are compared: the lowest goes
    first, and after 0 no other queue is asked. Only an entry below the given standing is of use. Where there is none,
    it sets the queue's `ready` to the first cycle in which the answer can be another one, as long as no command goes
    to a bank of the queue and no entry is added or becomes more urgent.
    """
    return -1


@question
def accessed(channel: Channel, entry: CommandEntry, t: int) -> None:
    """An entry's read or write is issued, its last command."""


@question
def urgency(dram: Dram, master: int, source: int) -> int:
    """Class of a master's requests from a source, 0 the most urgent."""
    return 0


@question
def update(dram: Dram, t: int) -> bool:
    """Do what falls due in GPU cycle t; whether urgencies have changed."""
    return False


@question
def next_update(dram: Dram) -> int:
    """GPU cycle in which something falls due next."""
    return NEVER


@question
def served(dram: Dram, master: int, size: int) -> None:
    """A request of a master was served: its data have arrived, or its write was accepted."""


@question
def begin_work(dram: Dram, master: int, work_bytes: int, t: int) -> None:
    """A master begins with work that has a deadline, and takes about this many bytes (0: unknown)."""


@question
def end_work(dram: Dram, master: int) -> None:
    """A master has done its work, or has given it up."""


@question
def computed(dram: Dram, master: int, cycles: int) -> None:
    """A CPU core has computed for this many of its cycles."""
