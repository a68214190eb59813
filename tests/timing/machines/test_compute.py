"""Dispatches on the SIMT machine: micro-kernels counted by hand, and programs whose counts the functional pass has."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from conftest import Machine

from tests.compute.programs.catalogue import PROGRAMS
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.compute.access_lines import bank_cycles, touched
from tilegpu.timing.loading.source import ActivityError

pytestmark = pytest.mark.engine("simt")

_HEAD = """#version 310 es
layout(local_size_x = {size}) in;
layout(std430, binding = 0) buffer A {{ uint a[]; }};
layout(std430, binding = 1) buffer B {{ uint b[]; }};
shared uint held[2048];
void main() {{
    uint me = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
    {body}
}}
"""


@cache
def recorded(body: str, size: int = 32, groups: int = 1, dispatches: int = 1, barriers: bool = True) -> Path:
    """Activity of dispatches of a kernel."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", 16, 16, version=(3, 1)) as recorder:
        recorder.glUseProgram(recorder.compute_program(_HEAD.format(size=size, body=body)))
        for binding in range(2):
            (buffer,) = recorder.glGenBuffers(1)
            recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
            recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 1 << 17, np.zeros(1 << 15, np.uint32), gl.STATIC_DRAW)
            recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, binding, buffer)
        recorder.swap()
        for _ in range(dispatches):
            recorder.glDispatchCompute(groups, 1, 1)
            if barriers:
                recorder.glMemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT)
        recorder.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def compute(folder: Path, *settings: str, compiled: bool = True, every: bool = False) -> dict[str, float]:
    """Statistics of an activity's second frame."""
    configuration = load_configuration("emerald-case2", ["dram=simple", *settings])
    machine = Machine(configuration, compiled)
    found = machine.run(Loader(folder, configuration).load(1), every)
    for unit, place, owner in machine.chip.accounted:
        assert sum(owner.spent) == machine.gpu.cycle, (unit.name, place)
    return found


@pytest.mark.parametrize(("stride", "lines"), [(1, 1), (2, 2), (32, 32)])
def test_lanes_that_touch_a_line_ask_for_it_once(stride: int, lines: int) -> None:
    found = compute(recorded(f"b[all] = a[all * {stride}u];"))
    assert found["simt.load_store.operations"] == 2
    assert found["simt.load_store.lines"] == lines + 1


@pytest.mark.parametrize("ways", [1, 2, 4, 32])
def test_conflicts_of_banks_take_a_cycle_each(ways: int) -> None:
    found = compute(recorded(f"held[me * {ways}u] = me; b[all] = held[me * {ways}u];"))
    assert (found["simt.core.shared_accesses"], found["simt.core.shared_cycles"]) == (2, 2 * ways)


def test_a_conflict_delays_its_warp_by_its_cycles() -> None:
    cycles = [
        compute(recorded(f"held[me * {ways}u] = me; b[all] = held[me * {ways}u];"))["gpu.compute_cycles"]
        for ways in (8, 16, 32)
    ]
    assert np.diff(cycles).tolist() == [16, 32]


def test_lanes_that_want_the_same_word_get_it_at_once() -> None:
    assert compute(recorded("b[all] = held[me / 32u];"))["simt.core.shared_cycles"] == 1
    # Atomic operations on it follow each other.
    assert compute(recorded("atomicAdd(held[me / 32u], 1u);"))["simt.core.shared_cycles"] == 32


def test_halves_that_diverge_are_executed_one_after_the_other() -> None:
    together = compute(recorded("if (me < 32u) b[all] = a[all]; else b[all] = a[all + 64u];", 32))
    apart = compute(recorded("if (me < 16u) b[all] = a[all]; else b[all] = a[all + 64u];", 32))
    assert together["simt.load_store.operations"] == 2 and apart["simt.load_store.operations"] == 4
    assert together["simt.core.divergent_instructions"] == 0 < apart["simt.core.divergent_instructions"]


_HELD = "uint x = all; for (int i = 0; i < 20; i++) x = a[x & 63u]; held[me] = x; b[all] = held[me];"
"""Keeps a group of two warps in its core for a while, with 8 KB of shared memory."""


def _groups_at_once(*settings: str) -> float:
    """Groups of a core at a time, mean, if there are 64 to come."""
    usual = "simt_core.clusters=1", "work_groups.launch_cycles=0", "work_groups.shared_bytes=131072"
    found = compute(recorded(_HELD, 64, 64), *usual, *settings)
    assert found["simt.core.compute_warps"] == 128
    return found["simt.core.group_cycles"] / found["gpu.compute_cycles"]


@pytest.mark.parametrize(
    ("setting", "at_once"),
    [
        ("work_groups.groups=8", 8),
        ("work_groups.groups=3", 3),
        ("simt_core.max_threads=256", 4),
        ("work_groups.shared_bytes=40960", 5),
    ],
)
def test_groups_at_once_are_limited(setting: str, at_once: int) -> None:
    assert at_once - 1 < _groups_at_once(setting) <= at_once


def test_groups_at_once_are_limited_by_registers() -> None:
    loaded = Loader(recorded(_HELD, 64, 64), load_configuration("emerald-case2")).load(1)
    of_group = 64 * int(loaded.machine.dispatch["registers"][0])
    assert 2 < _groups_at_once(f"simt_core.registers={3 * of_group}") <= 3


def test_a_launch_takes_its_time_once_a_dispatch() -> None:
    folder = recorded("b[all] = 1u;", 32, 2, 3)
    cycles = [compute(folder, f"work_groups.launch_cycles={n}")["gpu.compute_cycles"] for n in (100, 400)]
    assert cycles[1] - cycles[0] == 3 * 300


def test_dispatches_without_a_barrier_run_side_by_side() -> None:
    body = "uint x = a[all]; for (int i = 0; i < 300; i++) x = a[x & 63u]; b[all] = x;"
    settings = ("simt_core.clusters=1", "work_groups.launch_cycles=0")
    apart, together = (compute(recorded(body, 32, 1, 4, barriers), *settings) for barriers in (True, False))
    assert together["gpu.compute_cycles"] < apart["gpu.compute_cycles"] / 3
    assert together["gpu.dispatches"] == apart["gpu.dispatches"] == 4


@pytest.mark.parametrize("rate", [1, 4])
def test_atomic_operations_follow_each_other_at_the_l2(rate: int) -> None:
    cycles = [
        compute(recorded("atomicAdd(b[0], 1u);", 32, groups), f"work_groups.atomics={rate}")["gpu.compute_cycles"]
        for groups in (64, 128)
    ]
    # 64 warps more of 32 operations each.
    assert cycles[1] - cycles[0] == pytest.approx(64 * 32 / rate, abs=64)


BANKS = "work_groups.atomic_units=banks"


@pytest.mark.parametrize(
    ("place", "cycles"), [("0", 32), ("me / 2u * 32u", 32), ("me / 8u", 8), ("me / 4u", 4), ("me", 2)]
)
def test_banks_of_the_l2_change_the_words_of_a_line_at_once(place: str, cycles: int) -> None:
    # A line of 128 bytes at a time: one word; 16 lines, two lanes a word; 4, 8 and 32 words of one line, which is
    # written and read.
    taken = [
        compute(recorded(f"atomicAdd(b[{place}], 1u);", 32, groups), BANKS, "l2_cache.banks=1") for groups in (64, 128)
    ]
    more = taken[1]["gpu.compute_cycles"] - taken[0]["gpu.compute_cycles"]
    assert taken[0]["simt.compute_launcher.atomic_operations"] == 64 * 32
    assert more == pytest.approx(64 * cycles, rel=0.1)


def test_banks_of_the_l2_change_lines_side_by_side() -> None:
    taken = [
        compute(recorded("atomicAdd(b[gl_WorkGroupID.x % 8u * 32u], 1u);", 32, 128), BANKS, f"l2_cache.banks={banks}")
        for banks in (1, 8)
    ]
    one, eight = (found["gpu.compute_cycles"] for found in taken)
    # 128 warps of 32 operations each, on eight lines.
    assert one - eight == pytest.approx(128 * 32 * 7 / 8, rel=0.1)


def test_loads_that_hit_take_as_long_as_the_preset_says() -> None:
    def of_a_group(loads: int, *settings: str) -> float:
        chain, alone = "uint x = a[me];" + "x = a[x];" * loads + "b[all] = x;", ("work_groups.groups=1", *settings)
        one, two = (
            compute(recorded(chain, 32, groups), "simt_core.clusters=1", *alone)["gpu.compute_cycles"]
            for groups in (1, 2)
        )
        # The second one finds code and data in the caches.
        return two - one

    def of_a_load(*settings: str) -> float:
        return (of_a_group(60, *settings) - of_a_group(20, *settings)) / 40

    address = 6
    # A hit of the L1D as in the cited file, beside the 26 cycles of its shared memory.
    assert of_a_load() == address + 35
    assert of_a_load("work_groups.global_latency=4") == address + 35 - 27


MEMORY = "work_groups.shared=memory"


def test_shared_memory_in_memory_costs_what_the_data_cache_costs() -> None:
    held = compute(recorded("held[me] = me; b[all] = held[me ^ 1u];"), MEMORY)
    # A line of 128 bytes for each of the two accesses, and one past the cache to b.
    assert (held["simt.core.shared_accesses"], held["simt.core.shared_cycles"]) == (2, 0)
    assert held["memory.color_cache.accesses"] == 2 and held["simt.load_store.lines"] == 3
    chains = [
        compute(recorded(f"{first} uint x = {name}[me];" + f"x = {name}[x & 31u];" * n + "b[all] = x;"), MEMORY)
        for name, first in (("held", "held[me] = me;"), ("a", ""))
        for n in (20, 60)
    ]
    shared, loads = (chains[k + 1]["gpu.compute_cycles"] - chains[k]["gpu.compute_cycles"] for k in (0, 2))
    # Forty loads more, all hits: of shared memory as of a buffer.
    assert shared == pytest.approx(loads, rel=0.1)


def test_groups_have_pieces_of_memory_of_their_own() -> None:
    body = "held[me] = all; barrier(); b[all] = held[me ^ 1u];"
    usual = "simt_core.clusters=1", "work_groups.launch_cycles=0", MEMORY
    found = compute(recorded(body, 64, 8), *usual, "work_groups.groups=4")
    # 8 KB each, of which two lines are written: four groups at a time, then four where these were.
    assert found["memory.color_cache.misses"] == 4 * 2


def test_stores_go_past_the_first_level() -> None:
    found = compute(recorded("b[all] = 7u; uint x = b[all]; a[all] = x;"))
    assert found["memory.color_cache.accesses"] == 1


def test_lines_and_banks_of_accesses() -> None:
    lines = touched(np.array([[0, 4, 128, -1], [96, 100, 124, 120]]), 8, 128)
    assert lines.counts.tolist() == [2, 2]
    assert lines.address.tolist() == [0, 128, 0, 128] and lines.sectors.tolist() == [1, 1, 8, 1]
    words = np.array([[0, 32, 64, 1], [5, 5, 5, 5], [-1, -1, -1, -1], [0, 4, 8, 12]])
    assert bank_cycles(words, 1, 32, False).tolist() == [3, 1, 1, 1]
    assert bank_cycles(words, 1, 32, True).tolist() == [3, 4, 1, 1]
    assert bank_cycles(words[3:], 4, 32, False).tolist() == [4] and bank_cycles(words[3:], 4, 4, False).tolist() == [16]


def test_other_machines_refuse_dispatches() -> None:
    loader = Loader(recorded("b[all] = 1u;"), load_configuration("ptr-2022"))
    loader.load(0)
    with pytest.raises(ActivityError, match="choose one whose cores do"):
        loader.load(1)


def test_groups_that_no_core_can_hold_are_refused() -> None:
    folder = recorded("held[me] = 1u; b[all] = held[0];", 64)
    for setting, what in (
        ("work_groups.shared_bytes=4096", "shared_bytes"),
        ("simt_core.max_threads=32", "max_threads"),
    ):
        small = load_configuration("emerald-case2", [setting, "tile_coalescing.raster_tiles=1"])
        with pytest.raises(ActivityError, match=f"raise .*{what}"):
            Loader(folder, small).load(1)


@cache
def program(name: str) -> Path:
    """Activity of one of the compute programs."""
    folder = Path(mkdtemp())
    PROGRAMS[name].record(folder / "a.trace")
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def dispatched(folder: Path, warp_threads: int) -> tuple[int, int]:
    """Dispatches of a program's frame 1 and their warps, from its tables."""
    activity = Activity(folder)
    rows = activity.frame("dispatches", 1).to_pylist()
    threads = {
        row["program"]: row["local_size_x"] * row["local_size_y"] * row["local_size_z"]
        for row in activity.table("programs").to_pylist()
    }
    groups = ((row["groups_x"] * row["groups_y"] * row["groups_z"], threads[row["program"]]) for row in rows)
    return len(rows), sum(number * -(-size // warp_threads) for number, size in groups)


QUICK = ("reduction", "histogram", "bitonic_sort", "voxels", "particles")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in PROGRAMS])
def test_counts_are_those_of_the_functional_pass(name: str) -> None:
    folder = program(name)
    found = compute(folder)
    assert (found["gpu.dispatches"], found["simt.core.compute_warps"]) == dispatched(folder, 32)
    summary = Activity(folder).frame("summary", 1).to_pylist()
    memory = sum(row["memory_accesses"] for row in summary if row["dispatches"])
    loaded = Loader(folder, load_configuration("emerald-case2")).load(1)
    assert loaded.shading.path["mem"][loaded.machine.compute_lane].sum() == memory


def test_operations_of_a_frame_without_draws_are_those_of_the_functional_pass() -> None:
    folder = recorded("if (me % 3u == 0u) held[me] = a[all]; barrier(); b[all] = held[(me * 3u) & 31u];", 32, 5)
    (row,) = Activity(folder).frame("summary", 1).to_pylist()
    found = compute(folder)
    assert found["simt.core.mem_operations"] == row["memory_accesses"] == 5 * (11 * 2 + 32 * 2)
    assert found["simt.core.barriers"] == 5


@pytest.mark.parametrize("name", ["reduction", "bitonic_sort", "light_culling", "histogram"])
def test_skipping_idle_cycles_changes_nothing(name: str) -> None:
    assert compute(program(name)) == compute(program(name), every=True)


@pytest.mark.parametrize("name", ["reduction", "histogram"])
def test_compiled_and_plain_machines_agree(name: str) -> None:
    assert compute(program(name)) == compute(program(name), compiled=False)


def test_results_tell_when_each_dispatch_ran(tmp_path: Path) -> None:
    configuration = load_configuration("emerald-case2", ["dram=simple", "work_groups.launch_cycles=100"])
    results = replay(recorded("b[all] = a[all * 32u];", 64, 3, 2), configuration, frames=[0, 1])
    results.write(tmp_path / "results")
    rows = pq.read_table(tmp_path / "results" / "dispatches.parquet").to_pylist()
    assert [(row["frame"], row["dispatch"], row["groups"], row["warps"]) for row in rows] == [
        (1, 0, 3, 6),
        (1, 1, 3, 6),
    ]
    first, second = rows
    assert second["first_cycle"] == first["last_cycle"] + 100
    total = results.frame(1)
    assert second["last_cycle"] <= total["gpu.cycles"]
    assert sum(row["cycles"] for row in rows) + 2 * 100 <= total["gpu.compute_cycles"]


def test_runs_that_share_a_frame_log_their_own_dispatches() -> None:
    def cycles(frame: Any, latency: int) -> list[int]:
        configuration = load_configuration("emerald-case2", ["dram=simple", f"simt_core.alu_latency={latency}"])
        Machine(configuration, True).run(frame)
        rows = frame.machine.dispatch
        assert (rows["remaining"] == 0).all()
        return (rows["last_cycle"] - rows["first_cycle"]).tolist()

    body = "uint x = all; for (int i = 0; i < 9; i++) x = x * 3u + a[x & 63u]; b[all] = x;"
    loader = Loader(recorded(body, 32, 2, 2), load_configuration("emerald-case2", ["dram=simple"]))
    shared = loader.load(1)
    alone = [cycles(loader.load(1), latency) for latency in (4, 40)]
    assert [cycles(shared, latency) for latency in (4, 40)] == alone
    assert alone[0] < alone[1]


@cache
def sampled(body: str, size: int = 32) -> Path:
    """Activity of two groups of a kernel with a texture of 64x64 texels of 4 bytes, and four of levels below."""
    folder = Path(mkdtemp())
    head = _HEAD.replace("void main", "uniform highp sampler2D near;\nvoid main").replace(
        "310 es", "310 es\nprecision highp float;"
    )
    with Recorder(folder / "a.trace", 16, 16, version=(3, 1)) as recorder:
        recorder.glUseProgram(recorder.compute_program(head.format(size=size, body=body)))
        (texture,) = recorder.glGenTextures(1)
        recorder.glBindTexture(gl.TEXTURE_2D, texture)
        recorder.glTexStorage2D(gl.TEXTURE_2D, 5, gl.RGBA8, 64, 64)
        (buffer,) = recorder.glGenBuffers(1)
        recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
        recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 4096, None, gl.STATIC_DRAW)
        recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 1, buffer)
        recorder.swap()
        recorder.glDispatchCompute(2, 1, 1)
        recorder.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


_LINEAR = "memory.texture_layout=linear"


@pytest.mark.parametrize(
    ("place", "lines"),
    [("me, 0", 1), ("2u * me, 0", 2), ("0, me", 32), ("me % 2u, 0", 1), ("8u * (me % 8u), me / 8u", 8)],
)
def test_texels_of_a_warp_that_share_a_line_ask_for_it_once(place: str, lines: int) -> None:
    found = compute(sampled(f"b[all] = uint(texelFetch(near, ivec2({place}), 0).x);"), _LINEAR)
    # Two warps: a texture operation and a store each.
    assert (found["simt.load_store.operations"], found["simt.load_store.lines"]) == (4, 2 * (lines + 1))
    assert (found["memory.texture_cache.accesses"], found["memory.color_cache.accesses"]) == (2 * lines, 0)


_LOOPS = """float sum = 0.0;
for (uint i = 0u; i <= me % 3u; i++) sum += texelFetch(near, ivec2(int(i), int(me)), 0).x;
if (me >= 8u) sum += texelFetch(near, ivec2(me), 1).x;
b[all] = a[all] + uint(sum);"""


def test_lanes_that_diverge_sample_apart() -> None:
    # Both halves of each warp have a line.
    folder = sampled(
        "b[all] = uint((me < 8u ? texelFetch(near, ivec2(me, 0), 0) : texelFetch(near, ivec2(me, 1), 0)).x);"
    )
    found = compute(folder, _LINEAR)
    assert found["memory.texture_cache.accesses"] == 2 * 2
    # Passes of 32, 21 and 10 lanes through the loop, then 24 lanes, each in a row of texels of its own.
    found = compute(sampled(_LOOPS), _LINEAR)
    assert found["simt.load_store.operations"] == 2 * (3 + 1 + 2)
    assert found["memory.texture_cache.accesses"] == 2 * (32 + 21 + 10 + 24)


@pytest.mark.parametrize("size", [32, 6, 33])
def test_texture_operations_are_those_of_the_functional_pass(size: int) -> None:
    folder = sampled(_LOOPS, size)
    (row,) = [r for r in Activity(folder).frame("summary", 1).to_pylist() if r["dispatches"]]
    loaded = Loader(folder, load_configuration("emerald-case2")).load(1)
    assert loaded.shading.path["tex"][loaded.machine.compute_lane].sum() == row["texture_lookups"] * 4
    found = compute(folder)
    assert found == compute(folder, every=True)
    if size == 6:
        assert found == compute(folder, compiled=False)
