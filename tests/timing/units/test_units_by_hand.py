"""More cycle counts by hand: tile fetcher, queues, ports, barrier, flush, transfers; each test shows its arithmetic.

`one_primitive` and the 94 cycles of one quad are those of `test_by_hand`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from synthetic import rows, synthetic
from test_by_hand import A, T, one_primitive, raster_cycles

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.records import END_OF_TILE, PRIMITIVE, QUAD
from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.ring import push, push_token
from tilegpu.timing.units import processor

blending, early_depth, fragment_processor, rasterizer, tile_flush, tile_scheduler = (
    load_part(f"units.{name}", compiled=False)
    for name in ("blending", "early_depth", "fragment_processor", "rasterizer", "tile_flush", "tile_scheduler")
)

PER_TILE = 64
"""Lines of a tile of 32 x 32 pixels of 4 bytes."""


def many_primitives(count: int, attributes: int = 1, quads: int = 0) -> f.Frame:
    """One tile of `count` primitives; the first has `quads` quads, the others cover nothing."""
    frame = synthetic(tiles_x=1, primitives=count, largest=1, texture_operations=0, instructions=4)
    frame.tiling.entry["first_quad"] = frame.tiling.entry["last_quad"] = 0
    frame.tiling.entry["last_quad"][0] = quads
    frame.tiling.entry["first_quad"][1:] = frame.tiling.entry["last_quad"][1:] = quads
    primitive = frame.binning.primitive
    primitive["attributes"], primitive["record_bytes"] = attributes, 48 * attributes
    # A line of its own for every attribute's start, so that none straddles two.
    primitive["record"] = (1 << 28) + np.arange(count) * 64 * attributes
    frame.tiling.entry["primitive"] = np.arange(count)
    return frame


def cold_and_warm(machine: Any, frame: f.Frame, *overrides: str) -> tuple[float, float]:
    gpu = machine(*overrides)
    return gpu.run(frame)["gpu.raster_cycles"], gpu.run(frame)["gpu.raster_cycles"]


# --- the Tile Fetcher


def test_sixteen_entries_keep_the_tile_cache_busy(machine: Any) -> None:
    # With 1 entry: pointer asked in 1, here in 4, attribute asked in 4, here in 7, delivered in 7; the entry is free
    # for the next pointer in the same cycle: 6 cycles per primitive. With 16: three pointers go before the first is
    # here, then their three attributes, and so on: 6 cycles for every three primitives, one access in each.
    one = raster_cycles(machine, many_primitives(9), "primitive_table=1")
    more = raster_cycles(machine, many_primitives(17), "primitive_table=1")
    assert more - one == 8 * 6
    one = raster_cycles(machine, many_primitives(9))
    more = raster_cycles(machine, many_primitives(18))
    assert more - one == 9 * 2


def test_a_cold_tile_cache_costs_what_the_l2_takes(machine: Any) -> None:
    # The Polygon List Builder writes through the Tile Cache, so after the geometry stage the tile's list is warm,
    # unless the cache is too small: 1 KB has 16 lines for 34 (32 records, 2 of pointers).
    frame = many_primitives(32)
    small = "tile_cache.size_bytes=1024"
    s = machine(small).run(frame)
    big = machine().run(frame)
    assert big["tiling.tile_fetcher.waiting_cycles"] < s["tiling.tile_fetcher.waiting_cycles"]
    assert s["memory.tile_cache.read_misses"] > 0 == big["memory.tile_cache.read_misses"]
    # Every miss is a hit in the L2, which the write-backs went to: nothing of it comes from the DRAM.
    assert s["memory.dram.read_bytes.primitive_attributes"] == 0


def test_the_old_tile_fetcher_takes_one_access_at_a_time(machine: Any) -> None:
    # Pointer asked in 1, here in 4; attribute k asked in 4 + 3 k, here 3 later: 3 cycles each.
    old = "primitive_table=1", "attribute_requests=answered"
    few = raster_cycles(machine, many_primitives(4, attributes=2), *old)
    more = raster_cycles(machine, many_primitives(4, attributes=5), *old)
    # 2 attributes of 48 bytes from the start of a line: 48, then 16 + 32: 3 accesses; 5: 0-48, 48-64-96, 96-128-144,
    # 144-192, 192-240: 7 accesses. 4 more for each of 4 primitives, 3 cycles each.
    assert more - few == 4 * 4 * 3


def test_requests_of_one_primitive_go_out_one_a_cycle(machine: Any) -> None:
    # As above without a Primitive Table, but the accesses of a primitive queue: asked in 4, 5, 6, ..., the last here
    # 3 cycles after it was asked for. 4 more accesses for each of 4 primitives, a cycle each.
    queued = "primitive_table=1", "attribute_requests=queued"
    few = raster_cycles(machine, many_primitives(4, attributes=2), *queued)
    more = raster_cycles(machine, many_primitives(4, attributes=5), *queued)
    assert more - few == 4 * 4 * 1


@pytest.mark.parametrize(("requests", "cycles"), [("queued", 1), ("answered", 3)])
def test_an_attribute_within_a_line_takes_one_access(machine: Any, requests: str, cycles: int) -> None:
    # Three attributes of 48 bytes from the start of a line: 0-48, 48-64-96, 96-128-144: 5 accesses. Aligned, 3. So two
    # fewer for each of 8 primitives, a cycle each where they queue, three where each waits for the last.
    old = "primitive_table=1", f"attribute_requests={requests}"
    packed, aligned = many_primitives(8, attributes=3), many_primitives(8, attributes=3)
    aligned.binning.primitive["record_bytes"] = 3 * 64
    straddling = raster_cycles(machine, packed, *old)
    assert straddling - raster_cycles(machine, aligned, *old, "attribute_alignment=line") == 8 * 2 * cycles


def test_dead_lines_of_the_parameter_buffer_are_written_back_or_dropped(machine: Any) -> None:
    # Eight records, a line each, stay in the Tile Cache behind their frame. The records of the next one, four times as
    # many lines as it has, push them out: eight lines are written back, or none of them. The line of their pointers is
    # that of the next frame's first ones.
    write_backs = {}
    for dropped in (False, True):
        gpu, few, many = machine(), many_primitives(8), many_primitives(2048)
        many.binning.primitive["record"] += 1 << 20
        if dropped:
            few.commands.render_pass["dead_address"], few.commands.render_pass["dead_bytes"] = 1 << 28, 1 << 29
        assert gpu.run(few)["memory.tile_cache.write_backs"] == 0
        write_backs[dropped] = gpu.run(many)["memory.tile_cache.write_backs"]
    assert write_backs[False] - write_backs[True] == 8


def test_the_old_tile_fetcher_waits_for_the_tile_before(machine: Any) -> None:
    # Two equal tiles of one quad. The flush of the first is over in cycle 94, and the next pointer is asked for in that
    # cycle, which was cycle 1 for the first tile: all is over at 94 + 93. The pipelined one does the second tile's
    # fetching, depth test and shading (cycles 1 to 23) meanwhile.
    frame = synthetic(tiles_x=2, primitives=1, largest=1, texture_operations=0, instructions=1, seed=3)
    assert len(set(frame.tiling.tile["last_entry"] - frame.tiling.tile["first_entry"])) == 1
    primitive = frame.binning.primitive
    primitive["attributes"], primitive["record_bytes"], primitive["record"] = 1, 48, (1 << 28) + 64 * np.arange(2)
    fast = "dram.row_hit_latency=1", "bytes_per_memory_cycle=1024"
    old = raster_cycles(machine, frame, "primitive_table=1", "attribute_requests=answered", "next_tile=rendered", *fast)
    new = raster_cycles(machine, frame, *fast)
    assert old == 94 + 93
    assert old - new >= 20


# --- queues of depth 1


def test_a_tile_queue_of_one_holds_the_fetcher_back(machine: Any) -> None:
    # Eight primitives of many quads, one per cycle. Behind the one at work one waits in the queue, the fetcher keeps
    # the others; with room for 32 all eight go in.
    frame = synthetic(tiles_x=1, primitives=8, texture_operations=0)
    for depth, blocked in ((1, True), (32, False)):
        s = machine(f"tile_queue={depth}", "rasterizer.quads_per_cycle=1").run(frame)
        assert (s["tiling.tile_fetcher.blocked_cycles"] > 0) == blocked, depth
        assert s["queues.tile.entries"] <= depth * s["queues.tile.looks"]


@pytest.mark.parametrize(("field", "stage"), [("color_queue", "output"), ("fragment_stage.queue", "blocked")])
def test_a_queue_of_one_changes_the_time_not_the_work(machine: Any, field: str, stage: str) -> None:
    frame = one_primitive([A], quads=64)
    wide, tight = machine().run(frame), machine(f"{field}=1").run(frame)
    for name in ("fragment.processor.quads", "raster.blending.quads", "fragment.processor.alu_instructions"):
        assert wide[name] == tight[name] == 64
    assert tight["gpu.raster_cycles"] >= wide["gpu.raster_cycles"]
    if stage == "output":
        assert tight["fragment.processor.output_cycles"] > wide["fragment.processor.output_cycles"]
    else:
        assert tight["raster.early_depth.blocked_cycles"] > wide["raster.early_depth.blocked_cycles"]


def test_an_output_queue_of_one_lets_vertices_out_one_by_one(machine: Any) -> None:
    frame = synthetic(tiles_x=1, primitives=20, largest=1, texture_operations=0)
    wide, tight = machine().run(frame), machine("output_queue=1").run(frame)
    assert wide["geometry.vertex_processor.vertices"] == tight["geometry.vertex_processor.vertices"] > 20
    waits = "geometry.vertex_processor.output_cycles"
    assert tight[waits] > wide[waits]
    assert tight["gpu.geometry_cycles"] >= wide["gpu.geometry_cycles"]


# --- single units, ticked by hand


class Bench:
    """Units of a plain machine, ticked one by one."""

    def __init__(self, frame: f.Frame, *overrides: str) -> None:
        self.gpu: Any = build(load_configuration("ptr-2022", ["dram=simple", *overrides])).plain().gpu
        self.frame: Any = plain(frame)
        self.unit = self.gpu.raster_unit[0]


def in_tile(bench: Bench) -> None:
    bench.unit.early_depth.tile = bench.unit.blending.tile = 0
    buffer = bench.unit.early_depth.buffer
    buffer.samples = 1
    buffer.depth = [(1 << 24) - 1] * len(buffer.depth)


@pytest.mark.parametrize(
    ("overrides", "cycles"),
    [
        # 40 quads at 4 per cycle: the last four enter in cycle 9 and leave 5 later.
        ((), 9 + 5),
        # One read port: one quad per cycle that tests; the last enters in cycle 39.
        (("early_depth.read_ports=1",), 39 + 5),
        # One write port: all pass and write; the first leaves in 5, the last 39 later.
        (("early_depth.write_ports=1",), 5 + 39),
        # Two of each: two per cycle.
        (("early_depth.read_ports=2", "early_depth.write_ports=2"), 19 + 5),
        # 4 in flight, 5 cycles each: entered in 0, 5, 10, ... 45 (an entry is free in the cycle it leaves).
        (("early_depth.in_flight=4", "early_depth.latency=5"), 45 + 5),
        # Left to itself, the pipeline is as long as what is in flight needs at 4 per cycle: 8 of 8 in 2 cycles.
        (("early_depth.in_flight=8",), 9 + 2),
    ],
)
def test_early_depth_by_its_ports(overrides: tuple[str, ...], cycles: int) -> None:
    bench = Bench(one_primitive([A], quads=40), *overrides)
    in_tile(bench)
    for q in range(40):
        push_token(bench.unit.early_depth.queue, QUAD, 0, q)
    t = 0
    while bench.unit.early_depth.survived_quads < 40:
        early_depth.tick(bench.gpu, bench.frame.commands, bench.frame.depth, 0, t)
        t += 1
    assert t - 1 == cycles


@pytest.mark.parametrize(
    ("blends", "overrides", "cycles"),
    [
        # 40 quads at 4 per cycle, 5 cycles each.
        (0, (), 9 + 5),
        # Without blending nothing is read: one read port changes nothing.
        (0, ("blending.read_ports=1",), 9 + 5),
        (1, ("blending.read_ports=1",), 39 + 5),
        (0, ("blending.write_ports=1",), 5 + 39),
        (1, ("blending.read_ports=2", "blending.write_ports=2"), 19 + 5),
    ],
)
def test_blending_by_its_ports(blends: int, overrides: tuple[str, ...], cycles: int) -> None:
    frame = one_primitive([A], quads=40)
    frame.depth.state["blends"] = blends
    frame.depth.quad["passed"] = 15
    bench = Bench(frame, *overrides)
    in_tile(bench)
    stage = bench.unit.blending
    for q in range(40):
        push_token(stage.queue, QUAD, 0, q)
    t = 0
    while stage.quads < 40 or stage.flight.count > 0:
        blending.tick(bench.gpu, bench.frame.commands, bench.frame.depth, 0, t)
        t += 1
    assert t - 1 == cycles
    assert stage.reads == 40 * blends


def test_the_flush_arbiter_takes_the_older_tile_first() -> None:
    # Raster Unit 0 has tile 3, Raster Unit 1 tile 2: both ready in the same cycle.
    frame = synthetic(tiles_x=2, tiles_y=2, primitives=1)
    bench = Bench(frame, "raster_units=2")
    for r, tile in ((0, 3), (1, 2)):
        bench.gpu.raster_unit[r].blending.tile = tile
        bench.gpu.raster_unit[r].blending.flushing = 1
    served, t = [], 0
    while bench.gpu.tile_flush.done < 2:
        before = bench.gpu.tile_flush.done
        tile_flush.tick(bench.gpu, bench.frame.commands, t)
        if bench.gpu.tile_flush.raster_unit >= 0 and (not served or served[-1] != bench.gpu.tile_flush.raster_unit):
            served.append(bench.gpu.tile_flush.raster_unit)
        if bench.gpu.tile_flush.done > before:
            served.append(-t)
        port = bench.gpu.port[bench.gpu.tile_flush.transfer.port]
        port.request.count = 0
        bench.gpu.waiting[port.number] = 0
        t += 1
    # 64 lines in cycles 0 to 63, the end in 64; then the other: 65 to 128, 129.
    assert served == [1, -PER_TILE, 0, -(2 * PER_TILE + 1)]


@pytest.mark.parametrize(
    ("policy", "queued", "number", "last", "chosen"),
    [
        ("static", (9, 0, 0), 4, 0, 1),
        ("static", (0, 9, 0), 6, 2, 0),
        ("dynamic", (3, 1, 2), 0, 1, 1),
        ("dynamic", (1, 1, 1), 5, 0, 0),
        ("mixed", (1, 1, 1), 5, 0, 1),
        ("mixed", (1, 1, 1), 5, 2, 0),
        ("mixed", (2, 1, 1), 5, 1, 2),
        ("mixed", (0, 1, 1), 5, 0, 0),
    ],
)
def test_which_raster_unit_gets_a_tile(
    policy: str, queued: tuple[int, ...], number: int, last: int, chosen: int
) -> None:
    bench = Bench(one_primitive([A]), "raster_units=3", f"assignment={policy}")
    for r, count in enumerate(queued):
        for _ in range(count):
            push_token(bench.gpu.raster_unit[r].rasterizer.queue, PRIMITIVE, 0, 0)
    assert tile_scheduler.choose(bench.gpu, number, last) == chosen


def test_a_tile_ends_when_the_last_processor_has_emptied() -> None:
    # Processor 1 still has a warp when the others are at the barrier: nobody goes on; then all do at once.
    bench = Bench(one_primitive([A]))
    for i in range(4):
        push_token(bench.unit.fragment_processor[i].queue, END_OF_TILE, 0, -1)
    busy = bench.unit.fragment_processor[1]
    busy.warp.count, busy.warp.slot[0].lanes, busy.done, busy.due[0] = 1, 1, 1, 7
    for i in (0, 1, 2, 3):
        fragment_processor.tick(bench.gpu, bench.frame.depth, bench.frame.shading, 0, i, 3)
    assert (bench.unit.arrived, bench.unit.blending.queue.count) == (3, 0)
    fragment_processor.tick(bench.gpu, bench.frame.depth, bench.frame.shading, 0, 1, 7)
    # Its quad has gone to blending in that cycle, and the end of the tile right behind it.
    kinds = [bench.unit.blending.queue.slot[k].kind for k in range(bench.unit.blending.queue.count)]
    assert kinds == [QUAD, END_OF_TILE]
    assert [bench.unit.fragment_processor[i].queue.count for i in range(4)] == [0, 0, 0, 0]


def hand_on(bench: Bench, quad: int, processor: int) -> bool:
    """Put a quad into the queue of its processor, or into the one all share."""
    private = bench.unit.fragment_processor[processor].queue
    return bool(early_depth.hand_on(bench.gpu, private, bench.unit.input, QUAD, 0, quad, processor))


def test_a_shared_queue_is_held_by_its_first_quad() -> None:
    # Quads for processors 0, 0, 1: processor 0 has one warp, so its second quad blocks that of idle processor 1.
    for queue, started in (("shared", (1, 0)), ("private", (1, 1))):
        frame = one_primitive([A] * 4, quads=3)
        bench = Bench(frame, f"fragment_stage.input_queue={queue}", "fragment_stage.warps=1")
        for quad, place in enumerate((0, 0, 1)):
            assert hand_on(bench, quad, place)
        for t in range(1, 3):
            for i in range(2):
                fragment_processor.tick(bench.gpu, bench.frame.depth, bench.frame.shading, 0, i, t)
        assert tuple(bench.unit.fragment_processor[i].items for i in range(2)) == started


def test_a_shared_queue_gives_one_quad_a_cycle() -> None:
    # Four quads for four processors with free warps: all in cycle 1 from private queues, one in each of cycles 1 to 4
    # from a shared one.
    for queue, by_cycle in (("private", [4, 4, 4, 4]), ("shared", [1, 2, 3, 4])):
        bench = Bench(one_primitive([A], quads=4), f"fragment_stage.input_queue={queue}")
        for quad in range(4):
            hand_on(bench, quad, quad)
        taken = []
        for t in range(1, 5):
            for i in range(4):
                fragment_processor.tick(bench.gpu, bench.frame.depth, bench.frame.shading, 0, i, t)
            taken.append(sum(bench.unit.fragment_processor[i].items for i in range(4)))
        assert taken == by_cycle


def test_the_imbalance_of_a_tile_is_deviation_over_mean() -> None:
    # Issuing cycles 8, 4, 4, 0: mean 4, deviations 4, 0, 0, -4: standard deviation sqrt(32 / 4); over the mean 0.7071.
    # With the waits for texels, code and results and for room behind: 10, 10, 10, 2: mean 8, deviations 2, 2, 2, -6:
    # sqrt(48 / 4) / 8 = 0.4330. Empty cycles are not active ones.
    bench = Bench(one_primitive([A]))
    waits = {processor.TEXELS: (1, 6, 0, 0), processor.CODE: (1, 0, 3, 0), processor.RESULTS: (0, 0, 1, 2)}
    waits |= {processor.OUTPUT: (0, 0, 2, 0), processor.EMPTY: (5, 9, 7, 100), processor.BUSY: (8, 4, 4, 0)}
    for i in range(4):
        for cause, cycles in waits.items():
            bench.unit.fragment_processor[i].spent[cause] = cycles[i]
        push_token(bench.unit.fragment_processor[i].queue, END_OF_TILE, 0, -1)
    for i in range(4):
        fragment_processor.tick(bench.gpu, bench.frame.depth, bench.frame.shading, 0, i, 1)
    assert bench.unit.busy_tiles == 1
    assert bench.unit.issue_imbalance_ppm == 707106
    assert bench.unit.imbalance_ppm == 433012


def test_a_full_post_rasterization_queue_stops_the_rasterizer() -> None:
    # Room for 5 quads, 4 per cycle: 4 in the first, 1 in the second, then none until one has left.
    bench = Bench(one_primitive([A], quads=12), "rasterizer.queue=5")
    push_token(bench.unit.rasterizer.queue, PRIMITIVE, 0, 0)
    made = []
    for t in range(4):
        rasterizer.tick(bench.gpu, bench.frame.tiling, 0, t)
        made.append(bench.unit.rasterizer.quads)
    assert made == [4, 5, 5, 5]
    bench.unit.early_depth.queue.count -= 2
    rasterizer.tick(bench.gpu, bench.frame.tiling, 0, 4)
    assert bench.unit.rasterizer.quads == 7


# --- processors and texture units


@pytest.mark.parametrize(("processors", "cycles"), [(1, 40), (2, 20), (4, 10)])
def test_work_divides_among_processors(machine: Any, processors: int, cycles: int) -> None:
    # 40 quads of one instruction: a processor takes one per cycle. `columns` deals them out in turn, and early depth
    # hands on 4 per cycle, so nobody waits: the last is taken `cycles` after the first.
    overrides = (
        f"fragment_stage.processors={processors}",
        "fragment_stage.processors_per_instruction_cache=1",
        "quad_mapping=columns",
        "fragment_stage.warps=32",
    )
    frame = one_primitive([A], quads=40)
    frame.tiling.quad["x"], frame.tiling.quad["y"] = np.arange(40) % 8, np.arange(40) // 8
    assert raster_cycles(machine, frame, *overrides) == 94 + cycles - 1


@pytest.mark.parametrize(("probe_cycles", "probes", "more"), [(1, 2, 0), (2, 2, 2), (3, 4, 8)])
def test_filtering_takes_its_time(machine: Any, probe_cycles: int, probes: int, more: int) -> None:
    # probes x probe_cycles instead of probes.
    frame = one_primitive([T, A], True, probes=probes)
    base = raster_cycles(machine, frame)
    assert raster_cycles(machine, frame, f"probe_cycles={probe_cycles}") == base + more
    assert more == probes * (probe_cycles - 1)


def test_two_raster_units_share_the_lines_of_a_shared_texture_cache(machine: Any) -> None:
    # The same quad and texels in two tiles, one for each Raster Unit: private caches miss in both, a shared one once,
    # whether the second request finds the line or joins the miss.
    frame = synthetic(tiles_x=2, primitives=1, largest=1, instructions=6, texture_operations=1, seed=3)
    count = len(frame.tiling.quad)
    frame.tiling.quad["x"], frame.tiling.quad["y"] = frame.tiling.tile["x"] // 2, frame.tiling.tile["y"] // 2
    frame.texturing.operation["first_line"], frame.texturing.operation["lines"] = 0, 1
    frame.tiling.quad["operation"] = np.arange(count)
    private = machine("raster_units=2").run(frame)
    shared = machine("raster_units=2", "raster_units_per_texture_cache=2").run(frame)
    assert count == 2
    assert private["memory.texture_cache.misses"] == 2
    assert (shared["memory.texture_cache.misses"], shared["memory.texture_cache.accesses"]) == (1, 2)


# --- moves


def test_a_copy_reads_and_writes_line_by_line(machine: Any) -> None:
    # 4 lines, asked for in four cycles in a row. The first takes 1 into the DRAM's queue and 100 to its data; then the
    # bus brings all four in 4 x 10 2/3, so 43; 1 back.
    frame = one_primitive([A])
    plain_cycles = machine().run(frame)["gpu.cycles"]
    frame.commands.render_pass["last_move"] = 1
    move = rows(f.Move.dtype, 1, read_address=1 << 30, read_bytes=256, write_address=1 << 31, write_bytes=256)
    moved = frame._replace(work=frame.work._replace(move=move))
    s = machine().run(moved)
    assert s["memory.dram.read_bytes.transfer"] == s["memory.dram.write_bytes.transfer"] == 256
    assert s["gpu.transfer_unit.moves"] == 1
    # Set in 0, first request in 1; the last line is back in 1 + 1 + 100 + 43 + 1, is written, the Transfer Unit sees
    # the end in the next cycle, the Command Processor in the one after.
    assert s["gpu.transfer_cycles"] == pytest.approx(1 + 1 + 100 + 43 + 1 + 1 + 1, abs=2)
    assert s["gpu.cycles"] > plain_cycles


def test_memory_that_was_written_is_forgotten_by_all_caches(machine: Any) -> None:
    frame = one_primitive([T], lines=2)
    gpu = machine()
    gpu.run(frame)
    assert gpu.run(frame)["memory.texture_cache.misses"] == 0
    frame.commands.render_pass["last_move"] = 1
    move = rows(f.Move.dtype, 1, changed_address=3 << 28, changed_bytes=64)
    s = gpu.run(frame._replace(work=frame.work._replace(move=move)))
    # One of the two lines: from the texture cache and from the L2, so it comes from the DRAM again; no time, no bytes.
    assert (s["memory.texture_cache.forgotten"], s["memory.l2_cache.forgotten"]) == (1, 1)
    assert s["memory.texture_cache.misses"] == 1
    assert s["memory.dram.read_bytes.texture"] == 64
    assert s["memory.dram.read_bytes.transfer"] == s["memory.dram.write_bytes.transfer"] == 0


def test_push_is_first_in_first_out() -> None:
    bench = Bench(one_primitive([A]))
    queue = bench.gpu.polygon_list_builder.queue
    queue.depth = 3
    for x in (5, 6, 7):
        push(queue, x)
    assert [queue.slot[(queue.head + k) % 3] for k in range(3)] == [5, 6, 7]
