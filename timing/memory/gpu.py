"""The registers that every machine has, those of memory among them, as units see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_PORTS, Rows, i4, room

from ..engine import gpu
from .lines import Lines
from .network import Network
from .request import Port

if TYPE_CHECKING:
    from .cache import Cache
    from .dram.unit import Dram


class Gpu(gpu.Gpu):
    """Registers of a machine, as of `engine.gpu`.

    `waiting`: requests in each port; `line`: the lines of all caches.
    """

    waiting: Rows[i4] = room(MAX_PORTS)
    port: Rows[Port] = room(MAX_PORTS)
    network: Network
    line: Lines

    if TYPE_CHECKING:
        cache: Rows[Cache]
        dram: Dram
