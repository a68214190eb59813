"""The broad phase's pairs and counts, and the caches' misses, by hand."""

import numpy as np
import pytest

from tilegpu.collisions.broad_phase import BroadPhase, bounding_boxes
from tilegpu.collisions.caches import Caches, Misses, Places
from tilegpu.collisions.cpu import Cpu, Memory, load_cpu
from tilegpu.collisions.meshes import CollidingObject

from .scenes import cube, solid


def broad_phase(*overrides: str) -> BroadPhase:
    """A broad phase with cold caches."""
    cpu = load_cpu(overrides)
    return BroadPhase(cpu, Caches(cpu.memory), Places(cpu.memory))


def test_three_boxes_by_hand() -> None:
    # a and b touch; c is far along y; a and c part at the third comparison, as do b and c.
    found = broad_phase().frame([cube("a", 0), cube("b", 2), cube("c", 1, 9)])
    assert found.pairs.tolist() == [[0, 1]]
    assert (found.vertices_read, found.pairs_tested, found.comparisons, found.moves) == (24, 3, 6 + 4 + 4, 0)
    # Three are written; two are read for the first object, and itself; one for the second, and itself.
    assert found.node_accesses == 3 + 3 + 2
    # Eight vertices of 16 bytes are four lines, a proxy of 64 bytes is two.
    assert found.misses == Misses(18, 18)


def test_what_is_there_again_is_in_the_caches_unless_it_lies_elsewhere() -> None:
    objects = [cube("a", 0), cube("b", 2), cube("c", 9)]
    for overrides, again in (((), 0), (("memory.placement=fresh",), 12)):
        phase = broad_phase(*overrides)
        assert phase.frame(objects).misses == Misses(18, 18)
        assert phase.frame(objects).misses == Misses(again, again)


def test_bullets_own_boxes_take_six_scans() -> None:
    found = broad_phase("bounding_box=support").frame([cube("a", 0)])
    assert (found.vertices_read, found.pairs_tested, found.misses) == (48, 0, Misses(6, 6))


def test_a_box_after_every_vertex_takes_scans_of_all_before() -> None:
    found = broad_phase("bounding_box=per-vertex").frame([cube("a", 0)])
    assert (found.vertices_read, found.misses) == (6 * 36, Misses(6, 6))
    # A data cache of one line, of 16 vertices: the first line misses once; two miss in each of 96 scans, but for the
    # first, which is there still; then three; and the proxy.
    small_cache = (f"memory.{name}" for name in ("l1_bytes=256", "l1_ways=1", "line_bytes=256"))
    tiny = broad_phase("bounding_box=per-vertex", *small_cache)
    found = tiny.frame([solid("a", np.random.default_rng(0).normal(size=(48, 3)))])
    assert found.misses == Misses(1 + (2 * 96 - 1) + 3 * 96 + 1, 3 + 1)


def test_sort_and_sweep_by_hand() -> None:
    phase = broad_phase("broad_phase=sort-and-sweep")
    found = phase.frame([cube("a", 0), cube("b", 1.5), cube("c", 5)])
    # One comparison per neighbour to see that the order is right. a: b begins before a ends, c does not; four
    # comparisons along y and z. b: c does not. c: none is left.
    assert found.pairs.tolist() == [[0, 1]]
    assert (found.pairs_tested, found.comparisons, found.moves) == (1, 2 + 2 + 4 + 1, 0)
    # c goes in front of both others.
    found = phase.frame([cube("a", 0), cube("b", 1.5), cube("c", -5)])
    assert (found.pairs.tolist(), found.moves, found.comparisons) == ([[0, 1]], 2, 2 + 2 + 1 + 1 + 4)


@pytest.mark.parametrize("seed", range(4))
def test_both_algorithms_find_what_a_search_of_all_boxes_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    phases = [broad_phase(f"broad_phase={name}") for name in ("all-pairs", "sort-and-sweep")]
    for _ in range(3):
        objects = [
            solid(f"{i}", rng.normal(size=(5, 3)) + rng.uniform(-4, 4, 3)) for i in rng.permutation(30)[:20].tolist()
        ]
        low, high = bounding_boxes(objects)
        expected = [
            [i, j]
            for i in range(20)
            for j in range(i + 1, 20)
            if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
        ]
        assert expected and all(phase.frame(objects).pairs.tolist() == expected for phase in phases)


@pytest.mark.parametrize("objects", [[], [cube("a", 0)]])
@pytest.mark.parametrize("name", ["all-pairs", "sort-and-sweep"])
def test_frames_without_pairs(objects: list[CollidingObject], name: str) -> None:
    found = broad_phase(f"broad_phase={name}").frame(objects)
    assert found.pairs.shape == (0, 2)
    assert found.pairs_tested == 0


def small() -> Caches:
    """Two sets of two lines, and an L2 of twice the sets."""
    return Caches(Memory(line_bytes=64, l1_bytes=256, l1_ways=2, l2_bytes=512, l2_ways=2))


def test_the_line_that_was_not_used_for_longest_gives_way() -> None:
    caches = small()
    # Even lines share a set of the data cache: 0, 2, 0, 4 leaves 0 and 4. 2 is in the L2 still.
    for line, misses in ((0, (1, 1)), (2, (1, 1)), (0, (0, 0)), (4, (1, 1)), (0, (0, 0)), (2, (1, 0)), (4, (1, 0))):
        assert caches.scan(np.array([(line, 1)])) == Misses(*misses)


def test_a_scan_longer_than_the_cache_always_misses_it() -> None:
    caches = small()
    assert caches.scan(np.array([(0, 6)])) == Misses(6, 6)
    assert caches.scan(np.array([(0, 6)])) == Misses(6, 0)
    assert caches.scan(np.array([(100, 2), (100, 2)])) == Misses(2, 2)
    assert caches.scan(np.zeros((0, 2), np.int64)) == Misses(0, 0)


def test_a_hundred_thousand_vertices_stream_through_the_caches() -> None:
    caches = Caches(Cpu().memory)
    lines = Cpu().memory.lines(100_000 * 16)
    assert caches.scan(np.array([(0, lines)])) == Misses(lines, lines)
    assert caches.scan(np.array([(0, lines)])).l1 == lines


def test_places_do_not_overlap() -> None:
    places = Places(Memory())
    assert [places.of("a", 33), places.of("b", 1), places.of("a", 64)] == [(0, 2), (2, 1), (0, 2)]
    assert places.of("a", 65) == (3, 3)
    assert places.fresh(1) == (6, 1)
