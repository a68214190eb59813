"""Caches and DRAM by themselves: latencies by hand, contents against a plain LRU cache, traffic that adds up."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.records import MAX_OUTSTANDING, NEVER
from tilegpu.timing.engine import calendar
from tilegpu.timing.memory import parameter_buffer, texture_layout
from tilegpu.timing.memory.network import take_bus
from tilegpu.timing.memory.request import (
    COLOR,
    PREFETCH,
    READ,
    TEXTURE,
    VERTEX,
    WRITE,
    can_send,
    has_reply,
    replies_due,
    send,
    take_reply,
)

NOBODY = 62
"""Number of a unit that does nothing when it is ticked."""


class Bench:
    """The memory side of a machine, with the test in the place of the Vertex Fetcher; the Vertex Cache is
    what it talks to."""

    def __init__(self, *overrides: str) -> None:
        self.gpu: Any = build(load_configuration("ptr-2022", ["dram=simple", *overrides])).plain().gpu
        self.clock = load_part("engine.clock", compiled=False)
        self.port = self.gpu.port[self.gpu.vertex_fetcher.lane[0].port]
        self.port.client = NOBODY
        self.gpu.unit[NOBODY].kind = -1
        self.cache, self.l2 = self.gpu.cache[1], self.gpu.cache[0]
        self.t = 0

    def tick(self) -> None:
        """Let DRAM, L2 and Vertex Cache do this cycle."""
        calendar.open_page(self.gpu, self.t)
        self.clock.tick_called(self.gpu, None, 0, self.t)

    def send(self, address: int, kind: int = READ, size: int = 4, slot: int = 0, source: int = VERTEX) -> None:
        assert can_send(self.port)
        send(self.gpu, self.port, self.t, address, size, kind, source, -1).slot = slot

    def replies(self) -> list[int]:
        """Slots answered by now."""
        slots = []
        while has_reply(self.port, self.t):
            replies = replies_due(self.port, self.t)
            slots.append(replies.slot[replies.head].slot)
            take_reply(self.gpu, self.port, replies)
        return slots

    def settle(self) -> None:
        """Run until nothing happens any more, answers included."""
        while (wake := calendar.next_call(self.gpu, self.t)) < NEVER:
            self.t = wake
            self.tick()

    def latency(self, address: int) -> int:
        """Cycles from a request to its answer."""
        began = self.t
        self.send(address)
        while True:
            self.t += 1
            self.tick()
            if self.replies():
                return self.t - began


def test_latencies_of_hits_and_misses() -> None:
    bench = Bench()
    # 1 to the Vertex Cache and 1 in it; 18 in the L2; 1 to enter the DRAM's queue; 100 to open a row (50
    # where it is open);
    # 10 2/3 on the bus, so 11; 1 back to each of DRAM port, L2 and Vertex Cache.
    assert bench.latency(0) == 1 + 1 + 18 + 1 + 100 + 11 + 3 == 135
    assert bench.latency(4) == 2
    bench.settle()
    assert bench.latency(64) == 135 - 50
    evict_from_vertex_cache = [32 * 64 * i for i in (1, 2)]
    for address in evict_from_vertex_cache:
        bench.latency(address)
        bench.settle()
    assert bench.latency(0) == 1 + 1 + 18 + 1 == 21


def test_bursts_share_the_bus() -> None:
    bench = Bench()
    for i in range(4):
        bench.send(64 * i, slot=i)
    arrived = {}
    while len(arrived) < 4:
        bench.t += 1
        bench.tick()
        arrived.update(dict.fromkeys(bench.replies(), bench.t))
    # The row is opened once, data from cycle 121 on; a line every 10 2/3 cycles; 3 cycles back.
    assert [arrived[i] for i in range(4)] == [121 + 11 + 3, 121 + 22 + 3, 121 + 32 + 3, 121 + 43 + 3]


@pytest.mark.parametrize(("bus_bytes", "cycles"), [(4, 16), (16, 32 / 3)])
def test_the_narrower_of_memory_and_bus_sets_the_rate(bus_bytes: int, cycles: float) -> None:
    bench = Bench(f"dram.bus_bytes_per_cycle={bus_bytes}")
    for i in range(9):
        bench.send(64 * i, slot=i)
    arrived = {}
    while len(arrived) < 9:
        bench.t += 1
        bench.tick()
        arrived.update(dict.fromkeys(bench.replies(), bench.t))
    assert abs(arrived[8] - arrived[0] - 8 * cycles) < 1


@pytest.mark.parametrize(
    ("priority", "order"),
    [("none", [0, 1, 2, 3, 4]), ("texture", [0, 3, 1, 2, 4]), ("color+texture", [0, 4, 3, 1, 2])],
)
def test_urgent_sources_go_first(priority: str, order: list[int]) -> None:
    """One request at a time in the memory: the first is under way before the urgent ones come."""
    bench = Bench(f"dram.priority={priority}", "dram.in_flight=1")
    for slot, source in enumerate((VERTEX, VERTEX, VERTEX, TEXTURE, COLOR)):
        bench.send(4096 * slot, slot=slot, source=source)
    arrived: list[int] = []
    while len(arrived) < 5:
        bench.t += 1
        bench.tick()
        arrived += bench.replies()
    assert arrived == order


def test_an_urgent_request_overtakes_one_that_was_refused() -> None:
    """Thirty lines of one bank fill its queues in the controller; those that wait before them keep their answers."""
    bench = Bench("dram=lpddr4-2400-dual", "dram.scheduling=priority", "dram.priority=texture")
    bench.port = bench.gpu.port[bench.gpu.transfer_unit.port]
    bench.port.client = NOBODY
    arrived: list[int] = []
    for slot in range(40):
        # Rows of a bank; some are of the other channel, and urgent.
        urgent = slot % 10 == 9
        bench.send(slot << 18 | urgent << 12, size=64, slot=slot, source=TEXTURE if urgent else VERTEX)
        for _ in range(3):
            bench.t += 1
            bench.tick()
            arrived += bench.replies()
    bench.settle()
    arrived += bench.replies()
    assert sorted(arrived) == list(range(40))


@pytest.mark.parametrize(("width", "arrivals", "delayed"), [(64, [21, 22], 0), (16, [24, 28], 3), (24, [23, 26], 2)])
def test_a_line_takes_its_time_from_the_l2(width: int, arrivals: list[int], delayed: int) -> None:
    # Four lines in the L2, the last two of them in a Vertex Cache of two. The first two again: 21 cycles to the first
    # piece of one, which is a line or a quarter (or a third, the last one not full); then the next line.
    bench = Bench(f"network_bytes_per_cycle={width}", "vertex_cache.size_bytes=128")
    for line in range(4):
        bench.latency(64 * line)
        bench.settle()
    began, before, arrived = bench.t, bench.gpu.port[bench.cache.below].delayed, {}
    for line in range(2):
        bench.send(64 * line, slot=line)
    while len(arrived) < 2:
        bench.t += 1
        bench.tick()
        arrived.update(dict.fromkeys(bench.replies(), bench.t - began))
    assert [arrived[line] for line in range(2)] == arrivals
    assert bench.gpu.port[bench.cache.below].delayed - before == delayed


@pytest.mark.parametrize(("network", "arrivals", "delayed"), [("links", [24, 24], 0), ("bus", [24, 28], 4)])
def test_lines_share_a_bus_but_not_links(network: str, arrivals: list[int], delayed: int) -> None:
    # Two lines of the L2, asked for in the same cycle by the Vertex Cache and by an instruction cache of the same
    # latency: 21 cycles to the first quarter of each line.
    bench = Bench(f"memory.network={network}", "network_bytes_per_cycle=16", "vertex_cache.size_bytes=128",
                  "vertex_instruction_cache.latency=1")  # fmt: skip
    gpu, l2 = bench.gpu, bench.l2
    ports = [bench.port, gpu.port[gpu.vertex_processor[0].port]]
    below = [gpu.port[gpu.cache[int(gpu.unit[port.server].a)].below] for port in ports]
    ports[1].client = NOBODY
    for line in range(4):
        bench.latency(64 * line)
        bench.settle()
    began, before, hits = bench.t, sum(int(port.delayed) for port in below), int(l2.read_hits)
    for line, port in enumerate(ports):
        send(gpu, port, bench.t, 64 * line, 64, READ, VERTEX, -1)
    arrived = {}
    while len(arrived) < 2:
        bench.t += 1
        bench.tick()
        for number, port in enumerate(ports):
            if has_reply(port, bench.t):
                arrived.setdefault(number, bench.t - began)
    assert l2.read_hits - hits == 2
    assert sorted(arrived.values()) == arrivals
    assert sum(int(port.delayed) for port in below) - before == delayed


def test_a_bus_is_taken_in_the_first_gap() -> None:
    """Lines of four cycles: two hits that are known early leave a gap for a line that is ready before them."""
    gpu = Bench("memory.network=bus", "network_bytes_per_cycle=16").gpu
    begins = []
    for now, due in ((0, 10), (0, 15), (1, 3), (1, 7), (2, 8), (2, 14), (30, 31), (30, 31)):
        gpu.calendar.now = now
        begins.append(take_bus(gpu, due))
    # 10-13 and 15-18 are taken; 3-6; 7 would reach into 10, and 14 into 15, so both go behind 18.
    assert begins == [10, 15, 3, 19, 23, 27, 31, 35]
    assert gpu.network.transfers == 3


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 5 else pytest.mark.slow) for n in range(20)])
def test_lines_on_a_bus_never_overlap_and_keep_their_order(seed: int) -> None:
    """Where the dues of a client do not go back, its lines arrive in their order, each as early as it can be."""
    rnd = random.Random(seed)
    gpu = Bench("memory.network=bus", "network_bytes_per_cycle=16").gpu
    now, taken, last = 0, [], {}
    for _ in range(200):
        now += rnd.choice((0, 0, 1, 3))
        client = rnd.choice((1, 12))
        gpu.calendar.now = now
        begin = take_bus(gpu, now + client)
        assert all(abs(begin - other) >= 4 for other in taken)
        assert all(
            any(abs(at - other) < 4 for other in taken) for at in range(now + client, begin)
        )  # fmt: skip
        assert begin > last.get(client, -1)
        taken.append(begin)
        last[client] = begin


def test_requests_for_a_line_under_way_join_it() -> None:
    bench = Bench()
    for slot in range(3):
        bench.send(64 + 4 * slot, slot=slot)
    bench.settle()
    assert sorted(bench.replies()) == [0, 1, 2]
    assert (bench.cache.read_misses, bench.cache.merges, bench.cache.fills) == (1, 2, 1)
    assert bench.gpu.dram.reads == 1


def test_a_cache_without_free_mshr_makes_requests_wait() -> None:
    bench = Bench("vertex_cache.mshrs=1")
    bench.send(0, slot=0)
    bench.send(64, slot=1)
    for _ in range(100):
        bench.t += 1
        bench.tick()
    assert bench.cache.read_misses == 1
    assert bench.port.request.count == 1
    bench.settle()
    assert sorted(bench.replies()) == [0, 1]


@pytest.mark.parametrize(("blocking", "order"), [("misses", [1, 0, 2]), ("all", [0, 1, 2])])
def test_a_blocking_cache_serves_no_hits_while_all_mshrs_are_in_use(blocking: str, order: list[int]) -> None:
    bench = Bench("vertex_cache.mshrs=1", f"vertex_cache.blocking={blocking}")
    bench.latency(0)
    bench.settle()
    for slot, address in enumerate((64, 0, 68)):
        bench.send(address, slot=slot)
    began = bench.t
    arrived: dict[int, int] = {}
    while len(arrived) < 3:
        bench.t += 1
        bench.tick()
        arrived |= dict.fromkeys(bench.replies(), bench.t - began)
    # The miss takes 85 cycles (above); its line is here one before its answer, and what waited is looked up then.
    assert [arrived[0], arrived[1]] == [85, 3 if blocking == "misses" else 85]
    assert sorted(arrived, key=lambda slot: arrived[slot]) == order


def test_a_prefetch_brings_a_line_and_answers_nobody() -> None:
    bench = Bench()
    bench.send(640, PREFETCH)
    bench.settle()
    assert bench.replies() == []
    assert bench.latency(640) == 2
    assert bench.cache.prefetches == 1


@pytest.mark.parametrize(("policy", "reads"), [("fetch", 1), ("validate", 0)])
def test_a_write_that_misses_fetches_its_line_or_not(policy: str, reads: int) -> None:
    bench = Bench(f"vertex_cache.write_miss={policy}")
    bench.send(128, WRITE)
    bench.settle()
    assert bench.gpu.dram.reads == reads
    assert bench.cache.write_misses == 1
    assert bench.latency(128) == 2


class PlainLru:
    """The textbook: a set of lines in order of use; write-back, write-allocate."""

    def __init__(self, sets: int, ways: int) -> None:
        self.sets: list[OrderedDict[int, bool]] = [OrderedDict() for _ in range(sets)]
        self.ways = ways
        self.hits = self.misses = self.write_backs = 0

    def access(self, line: int, write: bool) -> None:
        entries = self.sets[line % len(self.sets)]
        if line in entries:
            self.hits += 1
            entries[line] |= write
            entries.move_to_end(line)
            return
        self.misses += 1
        if len(entries) == self.ways:
            self.write_backs += entries.popitem(last=False)[1]
        entries[line] = write


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([(1, 1), (1, 2), (2, 2), (2, 4), (4, 1)]),
    st.lists(st.tuples(st.integers(0, 15), st.booleans()), min_size=1, max_size=60),
)
def test_contents_are_those_of_a_plain_lru_cache(shape: tuple[int, int], accesses: list[tuple[int, bool]]) -> None:
    sets, ways = shape
    if shape not in BENCHES:
        BENCHES[shape] = Bench(f"vertex_cache.size_bytes={sets * ways * 64}", f"vertex_cache.ways={ways}")
    bench = BENCHES[shape]
    # Other addresses in each example, so that what earlier ones left behind is never hit.
    BASE[shape] = BASE.get(shape, 0) + 1024
    for line in range(ways * sets):
        bench.send((BASE[shape] - 512 + line) * 64)
        bench.settle()
        bench.replies()
    before = [
        bench.cache.read_hits + bench.cache.write_hits,
        bench.cache.read_misses + bench.cache.write_misses,
        bench.cache.write_backs,
    ]
    lru = PlainLru(sets, ways)
    for line, write in accesses:
        lru.access(line, write)
        bench.send((BASE[shape] + line) * 64, WRITE if write else READ)
        bench.settle()
        bench.replies()
    after = [
        bench.cache.read_hits + bench.cache.write_hits,
        bench.cache.read_misses + bench.cache.write_misses,
        bench.cache.write_backs,
    ]
    assert [b - a for a, b in zip(before, after, strict=True)] == [lru.hits, lru.misses, lru.write_backs]


BENCHES: dict[tuple[int, int], Bench] = {}
BASE: dict[tuple[int, int], int] = {}


def test_traffic_is_accounted_by_source() -> None:
    bench = Bench("vertex_cache.size_bytes=128", "vertex_cache.ways=1", "l2_cache.size_bytes=512", "l2_cache.banks=1")
    for i in range(40):
        bench.send(64 * i, WRITE if i % 2 else READ)
        bench.settle()
        bench.replies()
    dram = bench.gpu.dram
    assert dram.read_bytes[VERTEX] == sum(dram.read_bytes) == 40 * 64
    # 20 lines were written; those still in the L2 (8 lines) and the Vertex Cache (2) have not gone down.
    assert dram.write_bytes[VERTEX] == 64 * dram.writes
    assert 64 * (20 - 8 - 2) <= dram.write_bytes[VERTEX] < 64 * 20
    assert dram.write_bytes[COLOR] == 0


def test_lists_of_the_parameter_buffer_chain_blocks_when_they_overflow() -> None:
    layout = parameter_buffer.ParameterBuffer(list_primitives=16, pointer_bytes=4)
    tile = np.repeat([0, 1, 2], [40, 16, 17])
    position = np.concatenate([np.arange(n) for n in (40, 16, 17)])
    address, after = parameter_buffer.pointers(layout, 64, tile, position, position, 3)
    assert len(set(address.tolist())) == len(address)
    # Three first blocks of 64 bytes; then tile 0 and tile 2 need a second one (at primitive 16, tile 0
    # first), tile 0 a third.
    blocks = (address - address.min()) // 64
    assert blocks[:40].tolist() == [0] * 16 + [3] * 16 + [5] * 8
    assert blocks[40:56].tolist() == [1] * 16
    assert blocks[56:].tolist() == [2] * 16 + [4]
    assert after - address.min() == 6 * 64


def block_offset(layout: int, x: int, y: int, width: int, stored: int, bits: tuple[int, int]) -> int:
    """Of a block in a layer of `width` blocks, with lines of 64 bytes."""
    pitch = texture_layout.row_pitch(layout, width, stored, 64, bits[0])
    column = texture_layout.column_offset(layout, x, stored, *bits)
    return column + texture_layout.row_offset(layout, y, pitch, stored, *bits)


@pytest.mark.parametrize("tile_bytes", (64, 256))
@pytest.mark.parametrize("layout", range(3))
@pytest.mark.parametrize(("width", "height", "stored"), [(8, 8, 4), (20, 12, 4), (5, 3, 1), (16, 16, 16), (7, 9, 2)])
def test_every_texel_has_its_own_place_in_its_level(
    layout: int, tile_bytes: int, width: int, height: int, stored: int
) -> None:
    across, down = texture_layout.tile_blocks(stored, tile_bytes)
    bits = across.bit_length() - 1, down.bit_length() - 1
    offsets = {block_offset(layout, x, y, width, stored, bits) for x in range(width) for y in range(height)}
    assert len(offsets) == width * height
    assert all(o % stored == 0 for o in offsets)
    assert max(offsets) + stored <= texture_layout.level_bytes(layout, width, height, stored, 64, tile_bytes)


def test_tiled_textures_keep_squares_in_a_line() -> None:
    # 64 bytes of RGBA8: 4 x 4 texels.
    lines = {(x, y): block_offset(texture_layout.TILED, x, y, 64, 4, (2, 2)) // 64 for x in range(8) for y in range(8)}
    for (x, y), line in lines.items():
        assert line == lines[x // 4 * 4, y // 4 * 4]
    assert len(set(lines.values())) == 4


def test_a_dirty_line_gives_way_while_all_answers_are_outstanding() -> None:
    gpu, install = Bench().gpu, load_part("memory.lines", compiled=False).install
    l2 = gpu.cache[0]
    below, step = gpu.port[l2.below], l2.set_mask + 1
    below.outstanding = MAX_OUTSTANDING
    for way in range(l2.ways):
        gpu.line.tag[l2.first_line + way], gpu.line.used[l2.first_line + way] = way * step, 1 + way
        gpu.line.dirty[l2.first_line + way] = 1 + COLOR
    assert install(gpu, l2, 100 * step, COLOR, 0, 5) == l2.first_line
    assert below.request.count == 1


def test_a_refused_line_draws_the_same_place_again() -> None:
    gpu, install = Bench("l2_cache.replacement=random").gpu, load_part("memory.lines", compiled=False).install
    l2 = gpu.cache[0]
    below, step = gpu.port[l2.below], l2.set_mask + 1
    for way in range(l2.ways):
        gpu.line.tag[l2.first_line + way], gpu.line.used[l2.first_line + way] = way * step, 1 + way
        gpu.line.dirty[l2.first_line + way] = 1 + COLOR
    below.request.count, chance = below.request.depth, l2.chance
    assert [install(gpu, l2, 100 * step, COLOR, 0, t) for t in (5, 6, 7)] == [-1, -1, -1]
    assert l2.chance == chance
    below.request.count = 0
    assert install(gpu, l2, 100 * step, COLOR, 0, 8) == l2.first_line + (l2.chance >> 8) % l2.ways
    assert l2.chance != chance
