"""DTexL: the end of a tile by hand, and what it saves where processors have unequal work."""

from __future__ import annotations

from typing import Any

import pytest
from synthetic import synthetic
from test_by_hand import A, one_primitive

from tilegpu.functional.errors import UserError
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.quad_mappings import quad_processors
from tilegpu.timing.declare.records import END_OF_TILE, QUAD
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.ring import push_token

pytestmark = pytest.mark.engine("dtexl")

DTEXL = "techniques=dtexl"
OWN = "technique.dtexl."
PROCESSORS = 4


class Bench:
    """Fragment Processors of a Raster Unit, ticked by hand."""

    def __init__(self, *overrides: str) -> None:
        chip = build(load_configuration("ptr-2022", ["dram=simple", DTEXL, *overrides])).plain()
        self.gpu: Any = chip.gpu
        self.unit = self.gpu.raster_unit[0]
        self.frame: Any = plain(one_primitive([A], quads=2))
        # The quads' programs have no instructions.
        for quad in self.frame.shading.quad:
            quad.path = -1
        self.part = load_part("units.fragment_processor", False, "tile_based", ("dtexl",))

    def tick(self, t: int) -> list[int]:
        """Let all processors do cycle t; kinds of what is in the queue before blending then."""
        for i in range(PROCESSORS):
            self.part.tick(self.gpu, self.frame.depth, self.frame.shading, 0, i, t)
        colors = self.unit.blending.queue
        return [colors.slot[k].kind for k in range(colors.count)]


def test_a_processor_goes_on_with_the_next_tile_and_its_quads_wait_for_the_others() -> None:
    """All processors have the end of tile 0 in their queues, processor 0 a quad of tile 1 behind it; processor 1 has a
    warp of tile 0 that ends in cycle 7.

    Ends are taken in cycle 3 and pass the warps in cycle 4, in which processor 0 takes its quad of tile 1; that leaves
    its warp in cycle 5 and is held. Processor 1 takes its end in cycle 3 too, behind its warp, whose quad goes to
    blending in cycle 7; the end follows in cycle 8, and with it that of the tile, as it is the last. The quad of tile 1
    goes on in cycle 9.
    """
    bench = Bench()
    for i in range(PROCESSORS):
        push_token(bench.unit.fragment_processor[i].queue, END_OF_TILE, 0, -1)
    push_token(bench.unit.fragment_processor[0].queue, QUAD, 1, 1)
    first, busy = bench.unit.fragment_processor[0], bench.unit.fragment_processor[1]
    busy.warp.count, busy.warp.slot[0].lanes, busy.done, busy.due[0] = 1, 1, 1, 7
    found = {t: bench.tick(t) for t in range(3, 7)}
    assert found == {3: [], 4: [], 5: [], 6: []}
    assert (first.items, first.held.count, first.ended, bench.unit.ended) == (1, 1, 1, 0)
    assert bench.tick(7) == [QUAD]
    assert bench.tick(8) == [QUAD, END_OF_TILE]
    assert bench.tick(9) == [QUAD, END_OF_TILE, QUAD]
    assert bench.unit.ended == 1
    assert [core.ended for core in bench.unit.fragment_processor[:PROCESSORS]] == [1] * PROCESSORS


def test_no_more_is_held_than_there_is_room_for() -> None:
    bench = Bench(f"{OWN}held_quads=1")
    core = bench.unit.fragment_processor[0]
    push_token(core.queue, END_OF_TILE, 0, -1)
    for _ in range(3):
        push_token(core.queue, QUAD, 1, 1)
    for t in range(1, 20):
        bench.tick(t)
    # The end has gone on, a quad is held, and two wait in their warps.
    assert (core.ended, core.held.count, core.warp.count) == (1, 1, 2)


def unequal() -> Any:
    """Two tiles, of which the first has quads for the first processors only, the second for the last ones only."""
    frame = synthetic(tiles_x=2, primitives=12, largest=6, texture_operations=1)
    quad = frame.depth.quad
    for n, row in enumerate(quad):
        row["y"] = n // 8 % 8 + 8 * (row["x"] >= 16)
        row["x"] = 16 * (row["x"] >= 16) + n % 16
    return frame


def test_unequal_work_takes_less_time_without_barriers(machine: Any) -> None:
    found = {
        name: machine(DTEXL, f"{OWN}barriers={name}", compiled=False).run(unequal()) for name in ("tile", "decoupled")
    }
    for name in ("fragment.processor.quads", "raster.blending.quads", "raster.tile_flush.tiles"):
        assert found["tile"][name] == found["decoupled"][name] > 0
    assert found["decoupled"]["gpu.cycles"] < found["tile"]["gpu.cycles"]
    assert found["decoupled"]["techniques.dtexl.ends"] == 2 * PROCESSORS
    assert found["tile"]["techniques.dtexl.ends"] == 0


def test_subtiles_take_the_place_of_the_mapping(machine: Any) -> None:
    table = {name: quad_processors(name, 16, 16, PROCESSORS)[0].tolist() for name in ("quadrants", "12-snake", "rows")}
    for subtiles, name in (("quadrants", "quadrants"), ("bands", "12-snake"), ("configured", "rows")):
        gpu = machine(DTEXL, "quad_mapping=rows", f"{OWN}subtiles={subtiles}", compiled=False).gpu
        assert list(gpu.quad_processor[:256]) == table[name]


def test_one_queue_for_all_is_refused() -> None:
    with pytest.raises(UserError, match="dtexl: fragment_stage.input_queue must be private"):
        build(load_configuration("ptr-2022", [DTEXL, "fragment_stage.input_queue=shared"]))
