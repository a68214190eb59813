"""Accesses of vertex and fragment programs to buffers and images on unified cores: micro-streams counted by hand, and
draws whose counts the functional pass has."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import Machine
from memory_draws import memory_draws
from test_compute import program

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.units.warp_operations import merge_sectors

pytestmark = pytest.mark.engine("unified")

_ONE_CORE = (
    "machine=unified",
    "dram=simple",
    "simt_core.clusters=1",
    "simt_core.warp_threads=16",
    "simt_core.max_threads=512",
    "fragment_warp_launcher.wait_cycles=1000",
)


def run(folder: Path, *settings: str, compiled: bool = True, every: bool = False) -> dict[str, float]:
    """Statistics of an activity's second frame on one core with warps of four quads and lines of 128 bytes."""
    configuration = load_configuration("ptr-2022", [*_ONE_CORE, "memory.line_bytes=128", *settings])
    machine = Machine(configuration, compiled)
    return machine.run(Loader(folder, configuration).load(1), every)


def operations(folder: Path) -> Any:
    """Tables of the machine of that frame."""
    return Loader(folder, load_configuration("ptr-2022", [*_ONE_CORE, "memory.line_bytes=128"])).load(1).machine


@pytest.mark.parametrize(("stride", "lines"), [(1, 1), (2, 1), (4, 2), (32, 16)])
def test_quads_of_a_warp_ask_for_a_line_once(stride: int, lines: int) -> None:
    # 16 pixels in a warp: a load and a store.
    found = run(memory_draws(f"b[me] = a[me * {stride}u];"))
    assert (found["simt.core.fragment_warps"], found["simt.load_store.operations"]) == (1, 2)
    assert found["simt.load_store.lines"] == lines + 1
    # Stores go past the data cache.
    assert found["memory.data_cache.accesses"] == lines


def test_quads_that_share_a_sector_store_it_once() -> None:
    # Rows of 8 words are a sector: each of the four quads has parts of the same two.
    tables = operations(memory_draws("b[me] = me;"))
    assert tables.memory_line["sectors"].tolist() == [3, 3, 3, 3]
    unit = SimpleNamespace(line_count=0, line_at=[SimpleNamespace() for _ in range(2)])
    for address, sectors in ((0, 3), (0, 6), (128, 8), (0, 3)):
        merge_sectors(unit, address, sectors, 0)
    assert [(line.address, line.bytes) for line in unit.line_at] == [(0, 3 * 32), (128, 32)]


@pytest.mark.parametrize("rate", [1, 4])
def test_atomic_operations_of_quads_follow_each_other(rate: int) -> None:
    cycles = [
        run(
            memory_draws(f"for (int i = 0; i < {times}; i++) atomicAdd(b[0], 1u);", (16, 16)),
            f"work_groups.atomics={rate}",
        )["gpu.cycles"]
        for times in (8, 24)
    ]
    # 16 more of each of 256 pixels.
    assert cycles[1] - cycles[0] == pytest.approx(16 * 256 / rate, abs=64)


def test_helpers_load_but_change_nothing() -> None:
    # 7x5 pixels in 4x3 quads.
    tables = operations(memory_draws("atomicAdd(b[me], a[me]);", (7, 5)))
    loads, atomics = tables.memory_operation["cycles"].reshape(12, 2).T
    assert loads.sum() == 0 and atomics.sum() == 7 * 5
    assert (tables.memory_operation["lines"] > 0).all()


def test_fragments_that_fail_an_early_test_are_not_shaded_and_late_ones_are() -> None:
    for more, operations_done in (("layout(early_fragment_tests) in;", 0), ("", 64)):
        found = run(memory_draws("atomicAdd(b[0], 1u);", (8, 8), more=more, cleared=0.25))
        assert found["simt.compute_launcher.atomic_operations"] == operations_done


_DIVERGING = """uint sum = 0u;
for (uint i = 0u; i <= me % 3u; i++) sum += a[me + 40u * i];
if (at.x > 4u) b[me] = sum; else atomicMax(b[sum + 7u * me], me);
if (at.y == 2u) discard;
b[at.x] = 1u;"""
_VERTEX_ACCESSES = "for (uint i = 0u; i <= me; i++) atomicAdd(b[me], a[i * 50u]);"
_IMAGE = "layout(r32ui, binding = 0) uniform highp uimage2D image;"
_IMAGE_ACCESSES = "imageStore(image, ivec2(at), imageLoad(image, ivec2(at.yx)) + 1u);"


def test_accesses_are_those_of_the_functional_pass() -> None:
    folder = memory_draws(_DIVERGING, (16, 16), _VERTEX_ACCESSES)
    (row,) = Activity(folder).frame("summary", 1).to_pylist()
    found = run(folder)
    pixels = np.arange(256)
    loads = (pixels % 3 + 1).sum()
    # Discarded fragments go on as helpers.
    assert row["memory_accesses"] == loads + 256 + 256 + 2 * (1 + 2 + 3)
    assert found["simt.core.mem_operations"] == row["memory_accesses"]
    assert found["simt.compute_launcher.atomic_operations"] == 16 * 5 + (1 + 2 + 3)


def test_vertices_access_memory_together() -> None:
    found = run(memory_draws("", (8, 2), "b[me] = a[32u * me];"))
    # Three vertices: three lines to load, one to store.
    assert (found["simt.load_store.operations"], found["simt.load_store.lines"]) == (2, 4)


def test_images_are_accessed_by_their_layout() -> None:
    found = run(memory_draws(_IMAGE_ACCESSES, (8, 2), more=_IMAGE), "memory.texture_layout=linear")
    # Eight rows of two texels are loaded, two rows of eight stored; a row of 64 texels has two lines.
    assert (found["simt.load_store.operations"], found["simt.load_store.lines"]) == (2, 8 + 2)


@pytest.mark.parametrize(("name", "misses"), [("a", 1), ("b", 2)])
def test_stores_are_seen_by_the_next_pass(name: str, misses: int) -> None:
    # The data cache drops what a pass may have written: the buffer b.
    found = run(memory_draws(f"b[me] = {name}[me] + 1u;", (8, 2), passes=2))
    assert found["memory.data_cache.accesses"] == 2
    assert found["memory.data_cache.read_misses"] == misses


@pytest.mark.parametrize("compiled", [True, False])
def test_skipping_idle_cycles_and_the_compiler_change_nothing(compiled: bool) -> None:
    folder = memory_draws(_DIVERGING, (16, 16), _VERTEX_ACCESSES)
    assert run(folder) == run(folder, compiled=compiled, every=True)


def test_lights_of_a_compute_program_are_read() -> None:
    folder = program("light_culling")
    rows = Activity(folder).frame("summary", 1).to_pylist()
    drawn = sum(row["memory_accesses"] for row in rows if row["draws"])
    configuration = load_configuration("ptr-2022", _ONE_CORE)
    loaded = Loader(folder, configuration).load(1)
    quads = loaded.depth.quad
    assert loaded.shading.path["mem"][quads["path"]].sum() >= drawn > 0
    found = Machine(configuration, True).run(loaded)
    assert found["memory.data_cache.accesses"] > 0


def test_other_machines_refuse_them() -> None:
    with pytest.raises(
        ActivityError, match="draw 0, whose program accesses buffers or images.* choose one whose cores do"
    ):
        Loader(memory_draws("b[me] = me;"), load_configuration("ptr-2022")).load(1)
    Loader(memory_draws(""), load_configuration("ptr-2022")).load(1)


def test_missing_accesses_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = Loader(memory_draws("b[me] = a[me];"), load_configuration("ptr-2022", _ONE_CORE))
    frame = loader.source.frame

    def shortened(name: str, *arguments: Any) -> Any:
        table = frame(name, *arguments)
        return table.slice(0, 3) if name == "quad_memory_accesses" else table

    monkeypatch.setattr(loader.source, "frame", shortened)
    with pytest.raises(ActivityError, match="quad_memory_accesses: quad 1 lacks some"):
        loader.load(1)
