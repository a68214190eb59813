"""Edge Inserter and Visibility Sort against plain Python and against cycles counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layers import Layer, record_layers

from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.techniques.visibility_rendering_order.state import NAME

pytestmark = pytest.mark.engine("visibility_rendering_order")

VRO = "visibility_rendering_order"
# As in the tests of whole scenes, so that both share an engine.
TECHNIQUES = f"techniques={VRO}"
NODES = 12
Edges = Sequence[tuple[int, int]]

relaxed = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
edge = st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)).filter(lambda e: e[0] != e[1])


class Bench:
    """A machine whose graph, or Edges Queue, is filled by hand before it runs a frame with nothing in it."""

    def __init__(self, machine: Any, folder: Path) -> None:
        self.machine, self.gpu = machine, machine.gpu
        self.state = self.gpu.technique.visibility_rendering_order
        self.frame = Loader(folder, load_configuration("ptr-2022", ["dram=simple", TECHNIQUES])).load(0)

    def set(
        self, program_order: bool = True, reads_list: bool = True, children: int = 36, roots: int = 64, most: int = 0
    ) -> Bench:
        """Set what the configuration would, on an empty graph; `most`: of a counter, if edges have some."""
        self.clear()
        self.state.program_order, self.state.reverse_lookup = program_order, reads_list
        self.state.counts, self.state.most = most > 0, most
        self.state.entry_children = children
        self.gpu.visibility_sort.roots.depth, self.gpu.visibility_sort.roots.head = roots, 0
        return self

    def run(self, sorts: bool) -> dict[str, float]:
        """Run the frame, which sorts the graph at its start if asked to."""
        self.frame.extra[0].render_pass["first"] = sorts
        found: dict[str, float] = self.machine.run(self.frame, every=True)
        return found

    def insert(self, edges: Edges) -> dict[str, float]:
        """Let the Edge Inserter work off some edges."""
        queue = self.gpu.edge_inserter.queue
        for i, (source, target) in enumerate(edges):
            slot = queue.slot[(queue.head + i) % queue.depth]
            slot.source, slot.target, slot.count = source, target, 1
        queue.count = len(edges)
        stats = self.run(sorts=False)
        while queue.count:
            # The frame is over before all edges are there.
            more = self.run(sorts=False)
            stats = {name: value + more[name] for name, value in stats.items()}
        return stats

    def graph(self) -> tuple[dict[int, list[int]], dict[int, int]]:
        """Children of each object, in their order; edges that come in."""
        children, degrees = {}, {}
        for node in range(NODES):
            found, entry = [], node
            while entry >= 0:
                row = self.state.entry[entry]
                found += [int(child) for child in row.child[: row.length]]
                entry = int(row.next)
            children[node], degrees[node] = found, int(self.state.entry[node].in_degree)
        return children, degrees

    def sort(self, objects: Sequence[int]) -> tuple[list[int], dict[str, float]]:
        """Let the graph be sorted; the order."""
        self.state.objects = len(objects)
        self.state.object[: len(objects)] = objects
        stats = self.run(sorts=True)
        rank = np.asarray(self.state.rank)
        found = np.flatnonzero(rank >= 0)
        return [int(node) for node in found[np.argsort(rank[found])]], stats

    def clear(self) -> None:
        """An empty graph."""
        self.sort([])


@pytest.fixture(scope="module")
def bench(make_machine: Any, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A bench whose frame has one object, which nothing hides."""
    folder = record_layers(tmp_path_factory.mktemp("empty"), [[Layer("one", 0.0, 0, 8, 0, 8)]])
    return Bench(make_machine(TECHNIQUES), folder)


def inserted(edges: Edges, program_order: bool) -> tuple[dict[int, list[int]], dict[int, int]]:
    """The graph of some edges, by the text of 4.3.2 and 4.2.3."""
    children: dict[int, list[int]] = {node: [] for node in range(NODES)}
    for source, target in edges:
        there = target in children[source] or (program_order and source in children[target])
        if not there:
            children[source].append(target)
    every = [child for found in children.values() for child in found]
    return children, {node: every.count(node) for node in range(NODES)}


def in_order(
    objects: Sequence[int], children: dict[int, list[int]], degrees: dict[int, int], roots_queue: int
) -> tuple[list[int], int]:
    """Kahn's algorithm with the way out of cycles, by the text of 4.3.2; the order, and how many cycles were broken."""
    left, roots, found, broken = dict(degrees), [], [], 0
    for node in objects:
        if left[node] == 0 and len(roots) < roots_queue:
            roots.append(node)
    while len(found) < len(objects):
        if not roots:
            waiting = [node for node in objects if node not in found]
            roots.append(min(waiting, key=lambda node: left[node]))
            broken += left[roots[0]] > 0
        node = roots.pop(0)
        found.append(node)
        for child in children[node]:
            if child in found:
                continue
            left[child] -= 1
            if left[child] == 0 and len(roots) < roots_queue:
                roots.append(child)
    return found, broken


@relaxed
@given(edges=st.lists(edge, max_size=60), keep=st.booleans(), short=st.booleans(), free=st.booleans())
def test_the_graph_is_that_of_plain_python(bench: Bench, edges: Edges, keep: bool, short: bool, free: bool) -> None:
    made = bench.set(program_order=not keep, reads_list=not free, children=2 if short else 36)
    stats = made.insert(edges)
    assert made.graph() == inserted(edges, not keep)
    counted = [stats[f"{NAME}.edge_inserter.{kind}"] for kind in ("edges", "duplicates", "reversed")]
    assert sum(counted) == len(edges)


def dropped(
    objects: Sequence[int], edges: Edges, most: int
) -> tuple[dict[int, list[int]], dict[int, int], dict[tuple[int, int], int]]:
    """The graph without the edges of fewer occlusions (C of 4.2.4): children, in-degrees, counters."""
    children, _ = inserted(edges, False)
    counts = {pair: min(most, list(edges).count(pair)) for pair in edges}
    for node in objects:
        for child in list(children[node]):
            if node in children[child]:
                loser, other = (child, node) if counts[node, child] >= counts[child, node] else (node, child)
                children[loser].remove(other)
    every = [child for found in children.values() for child in found]
    return children, {node: every.count(node) for node in range(NODES)}, counts


@relaxed
@given(
    edges=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda e: e[0] != e[1]), max_size=60),
    objects=st.permutations(range(NODES)),
    most=st.sampled_from([1, 3, 65535]),
    short=st.booleans(),
)
def test_of_two_objects_in_each_other_the_edge_of_more_occlusions_counts(
    bench: Bench, edges: Edges, objects: Sequence[int], most: int, short: bool
) -> None:
    made = bench.set(program_order=False, children=2 if short else 36, most=most)
    made.insert(edges)
    assert made.graph() == inserted(edges, False)
    children, degrees, _ = dropped(objects, edges, most)
    order, stats = made.sort(objects)
    assert order == in_order(objects, children, degrees, 64)[0]
    there = {pair for pair in edges if pair[::-1] in edges}
    assert stats[f"{NAME}.visibility_sort.dropped"] == len(there) // 2
    assert made.graph() == ({node: [] for node in range(NODES)}, dict.fromkeys(range(NODES), 0))


@relaxed
@given(
    edges=st.lists(edge, max_size=60),
    objects=st.permutations(range(NODES)),
    roots=st.sampled_from([1, 2, 64]),
    short=st.booleans(),
)
def test_the_order_is_that_of_plain_python(
    bench: Bench, edges: Edges, objects: Sequence[int], roots: int, short: bool
) -> None:
    made = bench.set(program_order=False, children=2 if short else 36, roots=roots)
    made.insert(edges)
    children, degrees = made.graph()
    order, stats = made.sort(objects)
    expected, broken = in_order(objects, children, degrees, roots)
    assert (order, stats[f"{NAME}.visibility_sort.broken_cycles"]) == (expected, broken)
    assert sorted(order) == list(range(NODES))
    if broken == 0:
        place = {node: i for i, node in enumerate(order)}
        assert all(place[a] < place[b] for a, b in edges)
    # Nothing of it is left for the next frame.
    assert made.graph() == ({node: [] for node in range(NODES)}, dict.fromkeys(range(NODES), 0))


def cycles(stats: dict[str, float], unit: str) -> float:
    """In which a unit was at work or waited."""
    return stats[f"{NAME}.{unit}.busy_cycles"] + stats[f"{NAME}.{unit}.waiting_cycles"]


def test_cycles_of_edges_that_are_inserted(bench: Bench) -> None:
    made = bench.set()
    made.insert([(0, 1), (1, 2), (2, 3), (3, 0)])
    made.clear()
    # All four entries are in the Graph Cache now, which answers two cycles after it is asked: one for the way, one for
    # the look-up. A new edge: list of the one (2), of the other (2), which goes back into its phase; write (1), read
    # the in-degree (1 + 2), write it in the same cycle; then the next edge, a cycle later (1): 9 in all.
    assert cycles(made.insert([(0, 1)]), "edge_inserter") == 9
    assert cycles(made.insert([(1, 2), (2, 3)]), "edge_inserter") == 18
    # One that is there: its list (2), and on (1).
    assert cycles(made.insert([(0, 1), (0, 1), (1, 2)]), "edge_inserter") == 9
    # One whose opposite is there: both lists (4), and on (1).
    assert cycles(made.insert([(1, 0)]), "edge_inserter") == 5


def test_cycles_of_a_sort(bench: Bench) -> None:
    made = bench.set()
    for _ in range(2):
        # B, A and C of Fig. 4.6, in program order A, B, C.
        made.insert([(1, 0), (0, 2), (1, 2)])
        order, stats = made.sort([0, 1, 2])
    assert order == [1, 0, 2]
    # Search for roots: 2 cycles each and one more to begin the second phase; then 3 for each object and 3 for each of
    # its children; at last a look that all are sorted: 2 x 3 + 1 + 3 x 3 + 3 x 3 + 1.
    assert cycles(stats, "visibility_sort") == 26
    assert stats[f"{NAME}.visibility_sort.reads"] == 3 + 3 + 3
    # The in-degree of a child is written each time, and each object when it is done with.
    assert stats[f"{NAME}.visibility_sort.writes"] == 3 + 3
