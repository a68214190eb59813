"""The registers that every machine has, as the engine sees them. `memory.gpu` adds those of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import MAX_MAPPINGS, MAX_TILE_QUADS, Record, Rows, i4, i8, room

from .calendar import MAX_UNITS, Calendar, Page

if TYPE_CHECKING:
    from .account import Occupancy


class UnitPlace(Record):
    """Unit as the clock knows it; a and b say which of its kind (Raster Unit and processor)."""

    kind: i4
    a: i4
    b: i4


class Signals(Record):
    """Units that wait for something in addition to their queues: a stage to move on; the colours of a tile to be
    written."""

    progress: Page
    tile_done: Page


class Gpu(Record):
    """Registers of a machine.

    Those of its units are fields of the units' names, and what techniques have is in `technique`: both are added when
    a machine is put together, and so are the fields below that depend on what it is made of.
    """

    cycle: i8
    stuck: i8
    ticks: i8
    calendar: Calendar
    unit: Rows[UnitPlace] = room(MAX_UNITS)
    signal: Signals
    line_bytes: i8
    line_shift: i8
    tile_width: i8
    tile_height: i8
    raster_units: i8
    tile_assignment: i8
    fragment_processors: i8
    vertex_processors: i8
    quad_processor: Rows[i4] = room(MAX_MAPPINGS * MAX_TILE_QUADS)
    shared_input: i8
    caches: i8
    looks: i8

    if TYPE_CHECKING:
        technique: Any
        warp_scheduler: Any
        caller: Callers
        instances: Instances
        occupancy: Rows[Occupancy]

        def __getattr__(self, name: str) -> Any: ...


if TYPE_CHECKING:

    class Callers:
        """Units that each hook may stall, by the hook's name."""

        def __getattr__(self, name: str) -> Page: ...

    class Instances:
        """Number of instances (in each scope) of each unit, by its name."""

        def __getattr__(self, name: str) -> int: ...
