"""Accesses of vertex and fragment programs to buffers and images on the SIMT machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Machine
from memory_draws import memory_draws

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader

pytestmark = pytest.mark.engine("simt")


def run(folder: Path, preset: str, *settings: str, compiled: bool = True, every: bool = False) -> dict[str, float]:
    """Statistics of an activity's second frame."""
    configuration = load_configuration(preset, ["dram=simple", *settings])
    return Machine(configuration, compiled).run(Loader(folder, configuration).load(1), every)


PRESETS = "emerald-case2", "emerald-case1-code"
"""Pipelines in clusters, and a central one with a depth unit."""
_BODY = (
    "uint sum = 0u; for (uint i = 0u; i <= me % 3u; i++) sum += a[me + 40u * i]; atomicAdd(b[sum], 1u); b[me] = sum;"
)
_EARLY = "layout(early_fragment_tests) in;"
_VERTEX = "atomicAdd(b[me], a[me * 50u]);"


@pytest.mark.parametrize("preset", PRESETS)
def test_accesses_are_those_of_the_functional_pass(preset: str) -> None:
    folder, without = memory_draws(_BODY, (16, 16), _VERTEX, more=_EARLY), memory_draws("", (16, 16), more=_EARLY)
    (row,) = Activity(folder).frame("summary", 1).to_pylist()
    found, plain = run(folder, preset), run(without, preset)
    # Programs access pixels and vertices besides, as do those without buffers.
    assert found["simt.core.mem_operations"] - plain["simt.core.mem_operations"] == row["memory_accesses"] > 3 * 256
    assert found["simt.load_store.operations"] > plain["simt.load_store.operations"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("blend", [False, True])
@pytest.mark.parametrize("more", ["", _EARLY])
def test_hidden_fragments_with_side_effects_are_shaded_unless_tests_are_early(
    preset: str, blend: bool, more: str
) -> None:
    folder = memory_draws("atomicAdd(b[0], 1u);", (16, 16), more=more, cleared=0.25, blend=blend)
    # Where programs that blend do not test depth, a depth unit does without their say.
    found = run(folder, preset, "simt_core.blended_depth=untested")
    assert found["simt.compute_launcher.atomic_operations"] == (0 if more else 256)


@pytest.mark.parametrize(("name", "misses"), [("a", 1), ("b", 2)])
def test_stores_are_seen_by_the_next_pass(name: str, misses: int) -> None:
    loads, none = (
        run(memory_draws(body, (8, 2), passes=2), "emerald-case2", "simt_core.clusters=1")
        for body in (f"b[me] = {name}[me] + 1u;", "b[me] = 1u;")
    )
    kind = "memory.color_cache.misses"
    assert loads[kind] - none[kind] == misses


@pytest.mark.parametrize("preset", PRESETS)
def test_skipping_idle_cycles_and_the_compiler_change_nothing(preset: str) -> None:
    folder = memory_draws(_BODY, (8, 8), _VERTEX)
    found = run(folder, preset)
    assert found == run(folder, preset, every=True) == run(folder, preset, compiled=False)
