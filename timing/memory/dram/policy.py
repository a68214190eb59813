"""Declaration of a scheduling policy of main memory: one `Policy` in its file or folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.records import Dtype, Record, i8
from tilegpu.timing.declare.statistics import Stat

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


class NoRegisters(Record):
    """Registers of a policy that has none."""

    none: i8


def no_set_up(owner: Any, configuration: Hardware) -> None:
    """Registers that all begin at zero."""


@dataclass(frozen=True)
class Policy:
    """A scheduling policy.

    Its module is a file or folder of `timing.memory.dram.policies`, or of a folder that is put on that package's path.
    Functions from `choose` to `computed` are compiled (`engine.jit`) and called through `scheduler`, whose functions of
    the same names have their parameters and say what holds where a policy leaves one out.

    Parameters
    ----------
    name
        Name of its module, value of `dram.scheduling`, and its section of the configuration.
    title
        What it is and where it was published.
    choose
        Entry of a command queue that goes next, and its command.
    accessed
        Notified of each access that is issued.
    urgency
        Class of a request, 0 the most urgent; without it all requests are alike.
    update, next_update
        What it does by time, and when.
    served, begin_work, end_work, computed
        Notified of what masters ask for and do.
    record
        Its registers, once in a memory: `dram.policy.<name>`.
    channel_record
        Its registers in each channel: `channel.policy.<name>`.
    parameters
        Its section of the configuration, `[<name>]`.
    set_up
        `set_up(dram, configuration)`: sets the registers, and how many classes of urgency there are (`dram.classes`).
    set_up_channel
        `set_up_channel(channel, parameters)`: sets those of a channel.
    share
        `share(dram, cores)`: so many CPU cores use the memory in addition to the GPU.
    statistics
        Counters, present where the policy is chosen: names begin with `memory.dram.<name>.`, paths are in the record
        of main memory.
    """

    name: str
    title: str
    choose: Callable[[Any, int, int, int], int]
    accessed: Callable[[Any, Any, int], None] | None = None
    urgency: Callable[[Any, int, int], int] | None = None
    update: Callable[[Any, int], bool] | None = None
    next_update: Callable[[Any], int] | None = None
    served: Callable[[Any, int, int], None] | None = None
    begin_work: Callable[[Any, int, int, int], None] | None = None
    end_work: Callable[[Any, int], None] | None = None
    computed: Callable[[Any, int, int], None] | None = None
    record: type[Record] | Dtype = NoRegisters
    channel_record: type[Record] | Dtype = NoRegisters
    parameters: type[Group] | None = None
    set_up: Callable[[Any, Any], None] = no_set_up
    set_up_channel: Callable[[Any, Any], None] = no_set_up
    share: Callable[[Any, int], None] | None = None
    statistics: tuple[Stat, ...] = ()
