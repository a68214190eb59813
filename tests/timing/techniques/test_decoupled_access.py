"""Decoupled access/execute: which addresses are known, where lines come from, and that nothing but time changes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from random_machines import random_overrides
from shaded_frames import shaded_frame
from synthetic import synthetic
from test_programmable_blending import overrides

from tilegpu.timing.assembly.ahead import empty_frame
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import ConfigurationError, load_configuration
from tilegpu.timing.engine import calendar
from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.memory.request import READ, TEXTURE, send
from tilegpu.timing.techniques.decoupled_access.state import FROM_L2, NAME
from tilegpu.timing.techniques.decoupled_access.tables import PATH, Tables, known_paths

pytestmark = pytest.mark.engine("programmable_blending")

TECHNIQUE = "techniques=decoupled_access"
OWN = "technique.decoupled_access."
FIELDS: dict[str, tuple[Any, ...]] = {
    "queue": (1, 4, 16),
    "remote": ("off", "queue"),
    "searched": ("all", "active"),
    "source_bits": (2, 8),
    "remote_latency_cycles": (1, 3, 12),
    "remote_path": ("links", "bus"),
}
UNDER_WAY = (("caches", "joined"), ("queue", "joined"), ("queue", "missed"))
"""MSHRs of prefetches, and what becomes of accesses to lines that are under way."""


def own(seed: int) -> list[str]:
    """Random fields of the technique."""
    rnd = random.Random(seed)
    mshrs, late = rnd.choice(UNDER_WAY)
    fields = [f"{OWN}{name}={rnd.choice(values)}" for name, values in FIELDS.items()]
    return [TECHNIQUE, *fields, f"{OWN}mshrs={mshrs}", f"{OWN}late={late}"]


def decoupled(frame: f.Frame, share: float = 0.8) -> f.Frame:
    """The frame with what is known of its paths; some operations are lost."""
    known = np.random.default_rng(1).random(len(frame.shading.instruction)) < share
    return f.with_extra(frame, (known_paths(known, frame.shading),))


def shaded_machine(seed: int) -> list[str]:
    """A random machine with programmable blending."""
    rnd = random.Random(seed)
    packing = rnd.choice(("quads", "visible"))
    network = f"memory.network={rnd.choice(('links', 'bus'))}"
    width = f"memory.network_bytes_per_cycle={rnd.choice((4, 16, 64))}"
    dispatch = f"dispatch.processor={rnd.choice(('mapped', 'fewest_quads'))}"
    return [*overrides(seed), *own(seed), f"fragment_stage.packing={packing}", network, width, dispatch]


def frame_of(seed: int) -> Any:
    """A random frame for it."""
    return decoupled(
        shaded_frame(seed, primitives=6, late_share=0.3 * (seed % 2), discard_share=0.5, texture_operations=2)
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_tiles_are_rendered_by_it_too(machine: Any, seed: int) -> None:
    settings = [TECHNIQUE, *random_overrides(random.Random(seed)), *own(seed)]
    frame = decoupled(synthetic(tiles_x=2, primitives=4, largest=6, seed=seed))
    s = machine(*settings, compiled=False).run(frame)
    assert s == machine(*settings, compiled=False).run(frame, every=True)
    assert s[f"{NAME}.quads"] + s[f"{NAME}.unseen_quads"] == s["fragment.processor.quads"]


UNTIMED = (
    "geometry.primitive_assembly.primitives", "raster.rasterizer.quads", "raster.early_depth.killed_quads",
    "raster.early_depth.mismatched_quads", "raster.late_depth.mismatched_quads", "raster.blending.quads",
    "raster.blending.fragments", "fragment.processor.quads", "fragment.processor.instructions",
    "fragment.texture_unit.lines", "fragment.memory_unit.color_loads", "fragment.memory_unit.color_stores",
)  # fmt: skip


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n < 303 else pytest.mark.slow) for n in range(300, 310)])
def test_only_times_change_and_nothing_is_lost(machine: Any, seed: int) -> None:
    settings = overrides(seed)
    frame = frame_of(seed)
    gpu = machine(*settings, *own(seed))
    # Tables of a technique that is not there would be other types, for which the engine would be compiled anew.
    s, without = gpu.run(frame), machine(*settings).run(f.with_extra(frame_of(seed), ()))
    assert {name: s[name] for name in UNTIMED} == {name: without[name] for name in UNTIMED}
    n = {name: s[f"{NAME}.{name}"] for name in ("requests", "hits", "merges", "misses", "issued", "predicted", "quads")}
    assert n["quads"] == s["fragment.processor.quads"]
    assert n["requests"] == n["hits"] + n["merges"] + n["misses"]
    assert n["issued"] == n["misses"]
    # Frames end when all lines are here, and may leave addresses unsent.
    assert n["predicted"] == s[f"{NAME}.remote_answers"] + s[f"{NAME}.remote_refusals"]
    used = s[f"{NAME}.useful"] + s[f"{NAME}.late"] + s[f"{NAME}.useless"]
    assert used <= n["issued"] == used + gpu.gpu.line.unasked.sum()
    for cache in ("texture_cache", "color_cache"):
        parts = ("read_hits", "read_misses", "write_hits", "write_misses", "merges", "prefetches")
        assert s[f"memory.{cache}.accesses"] == sum(s[f"memory.{cache}.{part}"] for part in parts)


class Bench:
    """The memory side of a machine, with the test in the place of the quads."""

    def __init__(self, *more: str) -> None:
        self.configuration = load_configuration("dae-2012-baseline", ["dram=simple", TECHNIQUE, *more])
        self.gpu: Any = build(self.configuration).plain().gpu
        names = {"machine": "programmable_blending", "techniques": ("decoupled_access",)}
        self.clock = load_part("engine.clock", compiled=False, **names)
        self.unit = load_part("techniques.decoupled_access.prefetch_queue", compiled=False, **names)
        self.queue = self.gpu.raster_unit[0].prefetch_queue
        self.t = 0
        self.frame = plain(f.with_extra(empty_frame(sorts=False), (Tables(np.zeros(0, PATH)),)))

    def put(self, line: int, processor: int) -> int:
        """An address for a processor's texture cache; the cache that the new entry names, by its processor."""
        at = (self.queue.head + self.queue.active) % self.queue.entries
        self.unit.enqueue(self.gpu, self.queue, line, int(self.queue.texture_cache[processor]), TEXTURE, 0)
        calendar.poke_at(self.gpu, self.queue.id, self.t + 1)
        source = int(self.queue.entry[at].source)
        return source if source == FROM_L2 else list(self.queue.texture_cache[:4]).index(source)

    def run(self, cycles: int) -> None:
        """Tick the queue and the memory for some cycles."""
        for _ in range(cycles):
            self.t += 1
            calendar.open_page(self.gpu, self.t)
            self.clock.tick_called(self.gpu, self.frame, 0, self.t)
            calendar.poke_at(self.gpu, self.queue.id, self.t + 1)

    def holds(self, line: int, processor: int) -> bool:
        """Whether a processor's texture cache has a line."""
        cache = self.gpu.cache[self.queue.texture_cache[processor]]
        lines = slice(int(cache.first_line), int(cache.first_line + (cache.set_mask + 1) * cache.ways))
        return line in self.gpu.line.tag[lines]

    @property
    def asked_below(self) -> int:
        """Requests that the L2 has served."""
        return int(next(cache.accesses for cache in self.gpu.cache[: self.gpu.caches] if cache.type == 0))


LONG = 400
"""Cycles in which every line arrives."""


def test_a_line_that_another_cache_is_asked_for_comes_from_there() -> None:
    # The example of Fig. 5: block 8 for cache 0, then for cache 1.
    bench = Bench()
    assert bench.put(8, 0) == FROM_L2
    assert bench.put(8, 1) == 0
    bench.run(LONG)
    assert bench.holds(8, 0)
    assert bench.holds(8, 1)
    assert bench.asked_below == 1
    assert (bench.queue.predicted, bench.queue.remote_answers, bench.queue.remote_refusals) == (1, 1, 0)
    # Cache 0 was waiting for it when it was looked up for cache 1.
    assert (bench.queue.misses, bench.queue.in_other_cache) == (2, 1)


@pytest.mark.parametrize("latency", [1, 8])
def test_a_remote_line_takes_the_way_to_the_other_cache(latency: int) -> None:
    bench = Bench(f"{OWN}remote_latency_cycles={latency}")
    bench.put(8, 0)
    bench.run(LONG)
    # The entry is not active any more, but still there.
    assert bench.put(8, 1) == 0
    # Looked up in the first cycle.
    bench.run(latency)
    assert not bench.holds(8, 1)
    bench.run(1)
    assert bench.holds(8, 1)
    assert bench.queue.in_other_cache == 1


@pytest.mark.parametrize("path", ["links", "bus"])
def test_a_remote_line_may_take_the_bus(path: str) -> None:
    bench = Bench("memory.network=bus", "memory.network_bytes_per_cycle=8", f"{OWN}remote_path={path}")
    bench.put(8, 0)
    bench.run(LONG)
    assert bench.put(8, 1) == 0
    # Looked up in the first cycle, 8 to the other cache, and a line in eight pieces.
    arrives = 1 + 8 + (7 if path == "bus" else 0)
    bench.run(arrives - 1)
    assert not bench.holds(8, 1)
    bench.run(1)
    assert bench.holds(8, 1)


@pytest.mark.parametrize(("late", "below", "missed"), [("joined", 1, 0), ("missed", 2, 1)])
def test_an_access_to_a_line_under_way_joins_it_or_asks_below(late: str, below: int, missed: int) -> None:
    """The prefetch asks the L2 in the first cycle, and the access in the second."""
    bench = Bench(f"{OWN}remote=off", f"{OWN}mshrs=queue", f"{OWN}late={late}")
    unit = bench.gpu.texture_unit[0]
    cache = bench.gpu.cache[bench.queue.texture_cache[0]]
    bench.put(8, 0)
    bench.run(1)
    send(bench.gpu, bench.gpu.port[unit.port], bench.t, 8 << bench.gpu.line_shift, 64, READ, TEXTURE, 0)
    bench.run(LONG)
    assert bench.asked_below == below
    assert (cache.read_misses, cache.merges, cache.fills) == (missed, 1 - missed, 1)
    assert (bench.gpu.technique.decoupled_access.late, bench.queue.active, cache.mshrs_used) == (1, 0, 0)
    assert bench.gpu.port[unit.port].outstanding == 0


def test_only_active_entries_are_compared_where_it_is_said() -> None:
    bench = Bench(f"{OWN}searched=active")
    bench.put(8, 0)
    assert bench.put(8, 1) == 0
    bench.run(LONG)
    assert bench.put(8, 2) == FROM_L2


def test_eight_bits_of_the_address_may_mislead() -> None:
    bench = Bench()
    bench.put(8, 0)
    assert bench.put(8 + 256, 1) == 0
    assert bench.put(8 + 128, 2) == FROM_L2
    bench.run(LONG)
    assert bench.holds(8 + 256, 1)
    assert bench.queue.remote_refusals == 1
    assert bench.asked_below == 3


def test_an_entry_for_the_same_cache_names_none() -> None:
    bench = Bench()
    bench.put(8, 0)
    assert bench.put(8, 0) == FROM_L2
    bench.run(LONG)
    assert (bench.queue.misses, bench.queue.merges) == (1, 1)
    bench.put(8, 0)
    bench.run(2)
    assert bench.queue.hits == 1


def test_caches_that_name_each_other_do_not_wait_in_a_circle() -> None:
    bench = Bench()
    bench.put(8 + 256, 0)
    bench.run(LONG)
    assert bench.put(8, 1) == 0
    assert bench.put(8, 0) == 1
    bench.run(LONG)
    assert bench.holds(8, 0)
    assert bench.holds(8, 1)
    # Cache 0 waits itself, so that cache 1 asks the L2; the other way round it is answered.
    assert (bench.queue.remote_refusals, bench.queue.remote_answers) == (1, 1)
    assert bench.asked_below == 2


def test_a_request_a_cycle_is_looked_up_and_kept_until_its_line_is_here() -> None:
    bench = Bench(f"{OWN}queue=4", f"{OWN}remote=off")
    for line in (1, 2, 3, 4):
        bench.put(line, line % 4)
    for cycle in range(1, 5):
        bench.run(1)
        assert bench.queue.requests == cycle
    assert (bench.queue.active, bench.queue.unsent) == (4, 0)
    bench.run(LONG)
    assert (bench.queue.active, bench.queue.issued) == (0, 4)


@pytest.mark.parametrize(("mshrs", "looked_up"), [("caches", 2), ("queue", 3)])
def test_a_line_waits_for_an_mshr_of_its_cache(mshrs: str, looked_up: int) -> None:
    """Three lines for a cache with two MSHRs: the third waits in the queue until the first has arrived."""
    bench = Bench(f"{OWN}remote=off", f"{OWN}mshrs={mshrs}", "texture_cache.mshrs=2")
    cache = bench.gpu.cache[bench.queue.texture_cache[0]]
    for line in (1, 2, 3):
        bench.put(line, 0)
    bench.run(3)
    assert (bench.queue.requests, bench.queue.active, cache.mshrs_used) == (looked_up, 3, looked_up)
    bench.run(LONG)
    assert (bench.queue.requests, bench.queue.active, cache.mshrs_used) == (3, 0, 0)
    assert all(bench.holds(line, 0) for line in (1, 2, 3))


def test_prefetches_leave_no_mshr_to_an_access_but_where_the_queue_keeps_them() -> None:
    for mshrs, misses in (("caches", 0), ("queue", 1)):
        bench = Bench(f"{OWN}remote=off", f"{OWN}mshrs={mshrs}", "texture_cache.mshrs=1")
        unit, cache = bench.gpu.texture_unit[0], bench.gpu.cache[bench.queue.texture_cache[0]]
        bench.put(8, 0)
        bench.run(1)
        send(bench.gpu, bench.gpu.port[unit.port], bench.t, 9 << bench.gpu.line_shift, 64, READ, TEXTURE, 0)
        bench.run(4)
        assert cache.read_misses == misses
        bench.run(LONG)
        assert (cache.read_misses, bench.gpu.port[unit.port].outstanding) == (1, 0)


def test_what_cannot_be_is_refused() -> None:
    cache = Bench(f"{OWN}mshrs=queue")
    assert cache.gpu.cache[cache.queue.texture_cache[0]].mshrs == 4 + 16
    with pytest.raises(ConfigurationError, match="room for 64"):
        Bench(f"{OWN}mshrs=queue", f"{OWN}queue=61")
    with pytest.raises(ConfigurationError, match="late = missed asks for mshrs = queue"):
        Bench(f"{OWN}late=missed")


def test_which_operations_are_known() -> None:
    frame = shaded_frame(1, primitives=1, texture_operations=3)
    instruction, shading = frame.shading.instruction, frame.shading
    textures = [n for n in range(len(instruction)) if instruction["kind"][n] == f.TEX]
    known = np.zeros(len(instruction), bool)
    known[textures[1::2]] = True
    table = known_paths(known, shading).path
    for row, path in zip(table, shading.path, strict=True):
        executed = [n for n in shading.sequence[path["first"] : path["last"]] if n in textures]
        assert row["operations"] == len(executed)
        assert [bool(row["independent"] >> k & 1) for k in range(len(executed))] == [
            n in textures[1::2] for n in executed
        ]
        loads = any(instruction["access"][n] == f.COLOR_LOAD for n in shading.sequence[path["first"] : path["last"]])
        assert row["loads"] == loads
