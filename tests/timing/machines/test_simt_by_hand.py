"""Parts of the SIMT machine worked out by hand: scalar instructions, warps of vertices, masks and their order,
coalescing of tiles and of accesses, Hi-Z, divergence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import rows

from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import load_configuration
from tilegpu.timing.declare.records import NEVER
from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.cluster_tables import Piece, RasterTile
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.vertex_warp_tables import VertexWarp
from tilegpu.timing.loading.issue.scalar import scalar_instructions
from tilegpu.timing.loading.vertices.vertex_warps import coalesced_loads, corners_of, form_warps

pytestmark = pytest.mark.engine("simt")

LESS, LEQUAL, ALWAYS = 1, 3, 7


@pytest.mark.parametrize(
    ("opcode", "kind", "mask", "expected"),
    [
        ("MUL", "alu", 15, 4),
        ("MAD", "alu", 7, 3),
        ("MOV", "alu", 1, 1),
        ("DP4", "alu", 1, 4),
        ("DP3", "alu", 15, 3),
        ("DP2", "alu", 3, 2),
        ("LRP", "alu", 7, 6),
        ("DIV", "alu", 3, 4),
        ("SLT", "alu", 1, 2),
        ("RSQ", "sfu", 15, 1),
        ("POW", "sfu", 1, 3),
        ("TEX", "tex", 15, 1),
        ("UIF", "flow", 0, 2),
        ("END", "flow", 0, 1),
    ],
)
def test_scalar_instructions(opcode: str, kind: str, mask: int, expected: int) -> None:
    assert scalar_instructions(opcode, kind, mask) == expected


def test_a_shader_counted_by_hand() -> None:
    """gl_Position = matrix * position, and a lit texel: max(dot(n, l), 0.0) * texture2D(s, uv)."""
    transform = [("MUL", "alu", 15), ("MAD", "alu", 15), ("MAD", "alu", 15), ("MAD", "alu", 15), ("END", "flow", 0)]
    lit = [("DP3", "alu", 1), ("MAX", "alu", 1), ("TEX", "tex", 15), ("MUL", "alu", 15), ("END", "flow", 0)]
    assert sum(scalar_instructions(*row) for row in transform) == 17
    assert sum(scalar_instructions(*row) for row in lit) == 3 + 1 + 1 + 4 + 1


@pytest.mark.parametrize(
    ("topology", "count", "warps", "last"),
    [
        ("TRIANGLES", 33, [10, 1], [30, 31, 32]),
        ("TRIANGLE_STRIP", 34, [30, 2], [30, 31, 32, 33]),
        ("TRIANGLE_FAN", 34, [30, 2], [0, 31, 32, 33]),
        ("LINES", 34, [16, 1], [32, 33]),
        ("LINE_STRIP", 33, [31, 1], [31, 32]),
        ("LINE_LOOP", 32, [32], list(range(32))),
        ("POINTS", 33, [32, 1], [32]),
    ],
)
def test_warps_overlap_where_primitives_share_vertices(
    topology: str, count: int, warps: list[int], last: list[int]
) -> None:
    warp, _, lanes, first = form_warps(corners_of(topology, count), np.arange(count), 32)
    assert np.bincount(warp).tolist() == warps
    assert lanes[first[-2] :].tolist() == last


def test_a_vertex_that_is_drawn_twice_needs_one_lane_where_lanes_are_shared() -> None:
    index = np.array([0, 1, 2, 2, 1, 3])
    corners = corners_of("TRIANGLES", 6)
    assert len(form_warps(corners, np.arange(6), 32)[2]) == 6
    _, lane, lanes, _ = form_warps(corners, index, 32)
    assert lanes.tolist() == [0, 1, 2, 5]
    assert lane.tolist() == [[0, 1, 2], [2, 1, 3]]


@settings(max_examples=40)
@given(st.sampled_from(["TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "LINE_LOOP", "POINTS"]), st.data())
def test_each_warp_has_all_vertices_of_its_primitives(topology: str, data: Any) -> None:
    index = np.array(data.draw(st.lists(st.integers(0, 40), max_size=150)), np.int64)
    corners = corners_of(topology, len(index))
    warp, lane, lanes, first = form_warps(corners, index, 32)
    assert (np.diff(first) <= 32).all()
    assert (np.diff(warp) >= 0).all()
    for p, own in enumerate(corners):
        for c in range(3):
            if own[c] >= 0:
                assert index[lanes[first[warp[p]] + lane[p, c]]] == index[own[c]]
    for begin, end in zip(first[:-1], first[1:], strict=True):
        assert len(np.unique(index[lanes[begin:end]])) == end - begin


def test_loads_of_a_warp_are_coalesced() -> None:
    attribute = rows(f.Attribute.dtype, 2, address=[4096, 8192 + 120], stride_bytes=[16, 0], size_bytes=[12, 16])
    first, line = coalesced_loads(np.array([0, 32, 34]), np.r_[np.arange(32), 100, 0], attribute, 128)
    # 32 vertices of 16 bytes are four lines; a constant straddles two.
    assert line[first[0] : first[1]].tolist() == [4096, 4224, 4352, 4480]
    assert line[first[1] : first[2]].tolist() == [8192 + 0, 8192 + 128]
    assert line[first[2] : first[3]].tolist() == [4096 + 1536, 4096]


def work_tiles(**fields: int) -> Any:
    """Sizes as the VPO reads them."""
    return SimpleNamespace(**({"clusters": 6, "step": 3, "side": 8, "tc_side": 8} | fields))


PART = load_part("units.work_tiles", compiled=False, machine="simt")


def test_masks_of_bounding_boxes() -> None:
    box = SimpleNamespace(left=9, right=14, bottom=0, top=7)
    assert PART.clusters_of(work_tiles(), box) == 0b000010
    # Three work tiles by two: all six clusters.
    assert PART.clusters_of(work_tiles(), SimpleNamespace(left=0, right=23, bottom=0, top=15)) == 0b111111
    # Work tiles of 2 x 2 TC tiles: one and its right neighbour.
    wide = SimpleNamespace(left=10, right=17, bottom=3, top=15)
    assert PART.clusters_of(work_tiles(side=16), wide) == 0b000011


@pytest.mark.parametrize(
    ("size", "step"), [(1, 2), (2, 4), (3, 1), (4, 2), (5, 2), (6, 4), (7, 1), (8, 4), (9, 3), (10, 1)]
)
def test_work_tiles_are_numbered_row_by_row(size: int, step: int) -> None:
    """1024 pixels are ceil(128 / size) work tiles; the first of the second row follows the last of the first."""
    tiles = work_tiles(side=8 * size, own_step=0)
    PART.begin_pass(tiles, 1024)
    assert tiles.step == step
    last = PART.cluster_of(tiles, 1023, 0)
    assert PART.cluster_of(tiles, 0, 8 * size) == (last + 1) % 6
    chosen = work_tiles(side=8 * size, own_step=3)
    PART.begin_pass(chosen, 1024)
    assert chosen.step == 3


@settings(max_examples=50)
@given(st.tuples(*[st.integers(0, 60)] * 4), st.integers(1, 8), st.integers(1, 7), st.sampled_from([8, 16, 40]))
def test_a_mask_names_the_clusters_of_the_boxs_pixels(
    corners: tuple[int, ...], clusters: int, step: int, side: int
) -> None:
    left, right, bottom, top = *sorted(corners[:2]), *sorted(corners[2:])
    tiles = work_tiles(clusters=clusters, step=step, side=side)
    found = 0
    for y in range(bottom, top + 1):
        for x in range(left, right + 1):
            found |= 1 << PART.cluster_of(tiles, x, y)
    assert PART.clusters_of(tiles, SimpleNamespace(left=left, right=right, bottom=bottom, top=top)) == found


class Bench:
    """A plain machine whose units are called one by one."""

    def __init__(self, *overrides: str) -> None:
        configuration = load_configuration("emerald-case2", ["dram=simple", *overrides])
        self.gpu: Any = build(configuration).plain().gpu
        self.gpu.vertex_launcher.tile = 0
        self.quads, self.tiles = rows(f.Quad.dtype, 0), rows(RasterTile.dtype, 0)
        self.primitive = rows(f.Primitive.dtype, 4, clear=-1, depth=[0.5, 0.25, 0.75, 0.5], state=[0, 0, 0, 1])
        self.state = rows(
            f.DrawState.dtype,
            2,
            depth_test=1,
            depth_function=LESS,
            depth_write=1,
            depth_format=1,
            late=0,
            writes_color=1,
        )

    def tile(self, primitive: int, x: int, y: int, coverage: int = 15) -> int:
        """A raster tile of a primitive with all its quads."""
        first = len(self.quads)
        quads = rows(
            f.Quad.dtype, 4, primitive=primitive, coverage=coverage, depth_pass=coverage, path=0, shader_depth=-1
        )
        quads["x"], quads["y"] = 2 * x + np.arange(4) % 2, 2 * y + np.arange(4) // 2
        self.quads = np.concatenate([self.quads, quads])
        self.tiles = np.concatenate(
            [self.tiles, rows(RasterTile.dtype, 1, x=x, y=y, first_quad=first, last_quad=first + 4)]
        )
        return len(self.tiles) - 1

    def depth(self) -> Any:
        """Tables of the depth test."""
        return plain(
            f.Depth(
                self.quads,
                self.primitive,
                self.state,
                rows(f.Clear.dtype, 0),
                np.zeros(0),
                np.zeros(0),
                rows(f.Blended.dtype, len(self.quads)),
            )
        )


def test_masks_are_worked_off_in_drawing_order() -> None:
    bench, part = Bench("simt_core.clusters=2"), load_part("units.cluster_raster", compiled=False, machine="simt")
    unit = bench.gpu.cluster_raster[0]
    binning = SimpleNamespace(primitive=plain(bench.primitive))
    clusters = SimpleNamespace(
        vertex_warp=plain(rows(VertexWarp.dtype, 2, first_primitive=[0, 2], last_primitive=[2, 4])),
        piece=plain(rows(Piece.dtype, 4, clusters=[0b10, 0b01, 0b11, 0b01])),
    )
    unit.pmrb.arrival[1] = 3
    assert not part.next_primitive(bench.gpu, binning, clusters, unit, 0, 5)
    unit.pmrb.arrival[0] = 7
    taken = []
    for t in range(6, 12):
        part.next_primitive(bench.gpu, binning, clusters, unit, 0, t)
        taken.append([entry.primitive for entry in unit.entry.slot[: unit.entry.count]])
    # What is not covered takes no time; a mask ends with its last primitive.
    assert taken == [[], [1], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3]]
    assert (unit.pmrb.row, unit.pmrb.masks, unit.pmrb.arrival[0], unit.pmrb.arrival[1]) == (2, 2, NEVER, NEVER)


def test_given_primitives_pass_through_every_cluster() -> None:
    """Of four primitives the first is cluster 1's, the second has no fragments, the third is both's, the last cluster
    0's: each that has some takes a cycle in cluster 0, be it only for its end."""
    bench, part = (
        Bench("vpo.distribution=given", "simt_core.clusters=2"),
        load_part("units.cluster_raster", compiled=False, machine="simt"),
    )
    unit, launcher = bench.gpu.cluster_raster[0], bench.gpu.vertex_launcher
    binning = SimpleNamespace(primitive=plain(bench.primitive))
    clusters = SimpleNamespace(
        vertex_warp=plain(rows(VertexWarp.dtype, 1, first_primitive=0, last_primitive=4)),
        piece=plain(rows(Piece.dtype, 4, left=[8, 0, 0, 0], right=[15, 7, 15, 7], top=7, last_tile=[2, 0, 4, 2])),
    )
    PART.begin_pass(launcher.tiles, 24)
    assert not part.next_primitive(bench.gpu, binning, clusters, unit, 0, 1), "the draw has not begun"
    launcher.launched = 1
    taken = []
    for t in range(2, 6):
        part.next_primitive(bench.gpu, binning, clusters, unit, 0, t)
        taken.append([entry.primitive for entry in unit.entry.slot[: unit.entry.count]])
    assert taken == [[], [2], [2, 3], [2, 3]]
    assert unit.pmrb.row == 1


def test_central_distribution_waits_for_the_order_for_room_and_for_all_clusters() -> None:
    bench = Bench(
        "simt_core.clusters=2",
        "vpo.distribution=central",
        "vpo.primitives=1",
        "vpo.mask_cycles=3",
        "vpo.output_vertices=64",
    )
    part = load_part("units.primitive_distribution", compiled=False, machine="simt")
    unit, rasters = bench.gpu.primitive_distribution, bench.gpu.cluster_raster
    binning = SimpleNamespace(primitive=plain(bench.primitive))
    PART.begin_pass(bench.gpu.vertex_launcher.tiles, 24)
    # Work tiles of 8x8 pixels, in turn: the first primitive is cluster 0's, the second both's, the third cluster 1's.
    clusters = SimpleNamespace(
        vertex_warp=plain(rows(VertexWarp.dtype, 2, last_lane=[32, 64], first_lane=[0, 32], first_primitive=[0, 2],
                               last_primitive=[2, 3])),
        piece=plain(rows(Piece.dtype, 3, left=[0, 0, 8], right=[7, 15, 15], bottom=[0, 0, 0], top=[7, 7, 7])),
    )  # fmt: skip
    assert part.reserve(bench.gpu, 0, 32)
    assert part.reserve(bench.gpu, 1, 32)
    assert not part.reserve(bench.gpu, 2, 3)
    part.accept(bench.gpu, 1)
    assert part.tick(bench.gpu, binning, clusters, 10) == NEVER, "the first warp has not come"
    part.accept(bench.gpu, 0)
    assert part.tick(bench.gpu, binning, clusters, 11) == 12
    assert [(e.primitive, e.due) for e in rasters[0].waiting.slot[:1]] == [(0, 15)]
    assert part.tick(bench.gpu, binning, clusters, 12) == NEVER, "cluster 0 has no room"
    assert rasters[1].waiting.count == 0
    assert part.take(bench.gpu, rasters[0].waiting, 14) == -1, "it is on its way"
    assert part.take(bench.gpu, rasters[0].waiting, 15) == 0
    assert part.tick(bench.gpu, binning, clusters, 16) == 17
    assert [raster.waiting.slot[raster.waiting.head].primitive for raster in rasters[:2]] == [1, 1]
    assert part.reserve(bench.gpu, 2, 32), "the first warp has left"
    assert (unit.row, unit.sent, unit.vertices) == (1, 3, 64)


class Coalescing(Bench):
    """The tile coalescing stage of a cluster."""

    def __init__(self, *overrides: str) -> None:
        super().__init__("simt_core.clusters=1", *overrides)
        self.part = load_part("units.tile_coalescing", compiled=False, machine="simt")
        self.unit = self.gpu.tile_coalescing[0]

    def run(self, cycles: int, *tiles: int) -> list[int]:
        """Quads of the warps made in so many cycles, of raster tiles that are all here."""
        surfaces = SimpleNamespace(render_pass=[SimpleNamespace(width=64, height=64)])
        depth = self.depth()
        shading = SimpleNamespace(
            path=plain(rows(f.ShaderPath.dtype, 1, last=1)),
            sequence=[0],
            instruction=plain(rows(f.Instruction.dtype, 1)),
            stream=[],
        )
        clusters = SimpleNamespace(
            raster_tile=plain(self.tiles), program=[SimpleNamespace(registers=16, tests=1)] * 2, busy=[0] * 64
        )
        for tile in tiles:
            entry = self.unit.input.slot[self.unit.input.count]
            entry.tile, entry.due = tile, 0
            self.unit.input.count += 1
        for t in range(1, cycles):
            self.part.tick(self.gpu, surfaces, depth, shading, clusters, 0, t)
            clusters.busy[:] = [0] * 64
        core = self.gpu.simt_core[0]
        return [core.warp[w].items for w in core.by_age[: core.resident]]


def test_quads_of_several_primitives_share_a_tile() -> None:
    stage = Coalescing()
    # Four raster tiles of three primitives side by side: 16 quads, two full warps.
    assert stage.run(200, stage.tile(0, 0, 0), stage.tile(1, 1, 0), stage.tile(2, 0, 1), stage.tile(2, 1, 1)) == [8, 8]
    assert (stage.unit.tiles, stage.unit.timeouts, stage.unit.conflicts) == (1, 1, 0)


def test_quads_over_each_other_go_into_different_tiles() -> None:
    stage = Coalescing()
    assert stage.run(200, stage.tile(0, 0, 0), stage.tile(1, 0, 0), stage.tile(2, 1, 0)) == [8, 4]
    assert (stage.unit.tiles, stage.unit.conflicts) == (2, 0)


def test_an_engine_leaves_when_no_bin_is_free() -> None:
    stage = Coalescing("tile_coalescing.bins=2")
    assert stage.run(200, *(stage.tile(i, 0, 0) for i in range(3))) == [4, 4, 4]
    assert (stage.unit.tiles, stage.unit.conflicts, stage.unit.timeouts) == (3, 1, 1)


def test_a_wait_may_count_from_the_first_raster_tile() -> None:
    """The second one comes in cycle 2: the tile leaves 20 cycles after it, or after the first."""
    for since, left in (("latest", 22), ("first", 21)):
        stage = Coalescing("tile_coalescing.timeout=20", f"tile_coalescing.timeout_from={since}")
        tiles = stage.tile(0, 0, 0), stage.tile(1, 1, 0)
        stage.run(left, *tiles)
        assert stage.unit.timeouts == 0
        stage = Coalescing("tile_coalescing.timeout=20", f"tile_coalescing.timeout_from={since}")
        stage.run(left + 1, stage.tile(0, 0, 0), stage.tile(1, 1, 0))
        assert stage.unit.timeouts == 1


def test_a_primitive_may_wait_until_the_one_before_it_has_left() -> None:
    stage = Coalescing("tile_coalescing.primitives=one", "tile_coalescing.timeout=20")
    # Two raster tiles of the first primitive at two places; the second one's would fit beside the first.
    assert stage.run(200, stage.tile(0, 0, 0), stage.tile(0, 2, 0), stage.tile(1, 1, 0)) == [4, 4, 4]
    assert (stage.unit.timeouts, stage.unit.tiles, stage.unit.changes, stage.unit.evictions) == (3, 3, 0, 0)
    stage = Coalescing("tile_coalescing.primitives=one", "tile_coalescing.timeout=20")
    assert stage.run(200, stage.tile(2, 2, 0), stage.tile(2, 3, 0)) == [8]


def test_an_engine_leaves_when_the_draw_changes() -> None:
    stage = Coalescing()
    assert stage.run(200, stage.tile(0, 0, 0), stage.tile(3, 1, 0)) == [4, 4]
    assert (stage.unit.changes, stage.unit.timeouts) == (1, 1)


def test_a_third_place_takes_the_engine_that_has_waited_longest() -> None:
    stage = Coalescing("tile_coalescing.timeout=1000")
    stage.run(50, stage.tile(0, 0, 0), stage.tile(0, 2, 0), stage.tile(0, 1, 0), stage.tile(0, 4, 0))
    # The first place had the latest raster tile of the two.
    assert (stage.unit.evictions, stage.unit.tiles) == (1, 1)
    assert sorted(engine.place for engine in stage.unit.engine[:2]) == [0, 2]


HI_Z = load_part("units.hi_z", compiled=False, machine="simt")


def place(
    bench: Bench, bounds: tuple[int, int], primitive: int, tile: int, samples: int = 1
) -> tuple[int, tuple[int, int]]:
    """Where a raster tile lies by Hi-Z, and the nearest and the farthest depth after it."""
    clusters = SimpleNamespace(nearest=[bounds[0]], farthest=[bounds[1]])
    row = SimpleNamespace(width=64, height=64, samples=samples)
    found = HI_Z.place(bench.depth(), clusters, row, primitive, plain(bench.tiles)[tile])
    return found, (clusters.nearest[0], clusters.farthest[0])


def hidden(bench: Bench, farthest: list[int], primitive: int, tile: int, samples: int = 1) -> tuple[bool, int]:
    """Whether Hi-Z leaves a raster tile out, and the farthest depth after it."""
    found, bounds = place(bench, (-NEVER, farthest[0]), primitive, tile, samples)
    return found == HI_Z.HIDDEN, bounds[1]


def test_hi_z_leaves_out_what_lies_behind() -> None:
    bench = Bench()
    near, middle, far = (round(z * ((1 << 24) - 1)) for z in (0.25, 0.5, 0.75))
    whole, part = bench.tile(0, 0, 0), bench.tile(0, 0, 0, coverage=7)
    assert hidden(bench, [far], 0, whole)[0] is False
    assert abs(hidden(bench, [far], 0, whole)[1] - middle) < 8
    # What does not cover all of the tile lowers no bound.
    assert hidden(bench, [far], 0, part) == (False, far)
    assert hidden(bench, [near], 0, whole) == (True, near)
    assert hidden(bench, [near], 0, part) == (True, near)
    # Nothing is known: nothing is left out.
    assert hidden(bench, [NEVER], 0, part)[0] is False


def test_hi_z_knows_what_lies_in_front() -> None:
    bench = Bench()
    near, middle, far = (round(z * ((1 << 24) - 1)) for z in (0.25, 0.5, 0.75))
    part = bench.tile(0, 0, 0, coverage=7)
    # In front of all that is there: the nearest depth is now its own, the farthest stays, for it covers but a part.
    found, bounds = place(bench, (far, far), 0, part)
    assert (found, bounds[1]) == (HI_Z.IN_FRONT, far)
    assert abs(bounds[0] - middle) < 8
    # Behind the nearest, before the farthest.
    assert place(bench, (near, far), 0, part) == (HI_Z.MIXED, (near, far))
    assert place(bench, (-NEVER, NEVER), 0, part)[0] == HI_Z.MIXED
    for name, value in {"late": 1, "stencil_test": 1, "depth_function": ALWAYS}.items():
        other = Bench()
        other.state[name] = value
        assert place(other, (far, far), 0, other.tile(0, 0, 0))[0] == HI_Z.MIXED


@pytest.mark.parametrize(("change", "said"), [({"depth_test": 0}, False), ({"stencil_test": 1}, False)])
def test_hi_z_leaves_in_what_must_be_seen(change: dict[str, int], said: bool) -> None:
    bench = Bench()
    for name, value in change.items():
        bench.state[name] = value
    assert hidden(bench, [100], 0, bench.tile(0, 0, 0)) == (said, 100)


def test_what_writes_greater_depths_raises_the_bound() -> None:
    bench = Bench()
    bench.state["depth_function"] = ALWAYS
    said, bound = hidden(bench, [100], 0, bench.tile(0, 0, 0))
    assert not said
    assert bound >= round(0.5 * ((1 << 24) - 1))


def test_paths_of_a_warp_part_and_join() -> None:
    bench, part = Bench("simt_core.clusters=1"), load_part("units.simt_warps", compiled=False, machine="simt")
    core = bench.gpu.simt_core[0]
    # if (c) { 1; 2 } 3: one path takes the branch, the other does not.
    shading = SimpleNamespace(
        path=plain(rows(f.ShaderPath.dtype, 2, first=[0, 4], last=[4, 6], constant_reads=[2, 1])),
        sequence=[0, 1, 2, 3, 0, 3],
        instruction=plain(rows(f.Instruction.dtype, 4, address=8 * np.arange(4))),
    )
    w = part.begin(None, core, 0, 16, 0)
    for quad, path in enumerate((0, 1, 0)):
        part.enter(shading, core, w, quad, path, 4)
    part.launch(bench.gpu, shading, core, w)
    executed, warp = [], core.warp[w]
    while warp.who:
        executed.append((warp.next, warp.who))
        for c in range(warp.cursors):
            warp.at[c] += warp.who >> c & 1
        part.look_ahead(bench.gpu, shading, core, w)
    assert executed == [(0, 0b11), (1, 0b01), (2, 0b01), (3, 0b11)]
    assert warp.threads[:2] == [8, 4]
    assert core.registers[f.CONSTANT_READS] == 2 + 1 + 2


@pytest.mark.parametrize(("schedulers", "cycles"), [(1, [1, 4, 6, 9]), (2, [1, 1, 3, 4])])
def test_each_scheduler_issues_for_its_own_warps(schedulers: int, cycles: list[int]) -> None:
    """Warps of an instruction with 3, 2, 3 and 2 components: one scheduler takes all in turn, two take two each."""
    bench, part = (
        Bench("simt_core.clusters=1", f"simt_core.schedulers={schedulers}"),
        load_part("units.simt_core", compiled=False, machine="simt"),
    )
    core, warps = bench.gpu.simt_core[0], load_part("units.simt_warps", compiled=False, machine="simt")
    shading = SimpleNamespace(
        path=plain(rows(f.ShaderPath.dtype, 2, first=[0, 1], last=[1, 2])),
        sequence=[0, 1],
        instruction=plain(rows(f.Instruction.dtype, 2, kind=f.ALU, cycles=[3, 2])),
    )
    for path in (0, 1, 0, 1):
        w = warps.begin(None, core, 0, 16, 0)
        warps.enter(shading, core, w, 0, path, 4)
        warps.launch(bench.gpu, shading, core, w)
    core.fetching, core.running = 0, 0b1111
    issued: dict[int, int] = {}
    for t in range(1, 12):
        part.issue(bench.gpu, shading, None, core, 0, t)
        for w in range(4):
            if core.running >> w & 1 == 0:
                issued.setdefault(w, t)
    assert sorted(issued.values()) == cycles
    assert core.scalar_instructions == 10


def test_a_core_has_room_for_threads_and_registers() -> None:
    bench, part = (
        Bench("simt_core.max_threads=96", "simt_core.registers=2048"),
        load_part("units.simt_warps", compiled=False, machine="simt"),
    )
    core = bench.gpu.simt_core[0]
    assert part.has_room(core, 3, 21)
    assert not part.has_room(core, 4, 1)
    assert not part.has_room(core, 3, 22)
    part.begin(None, core, 0, 32, 0)
    assert part.has_room(core, 1, 32)
    assert not part.has_room(core, 1, 33)


def test_lines_of_a_warp_are_asked_for_once() -> None:
    bench, part = Bench("simt_core.clusters=1"), load_part("units.load_store", compiled=False, machine="simt")
    unit = bench.gpu.load_store[part.TEXTURES]
    operation = unit.operation.slot[0]
    operation.access, operation.items, operation.row[:2] = part.TEXTURES_READ, 2, [0, 1]
    unit.operation.count = 1
    texturing = SimpleNamespace(
        operation=plain(rows(f.TextureOperation.dtype, 2, first_line=[0, 2], lines=[2, 3])), line=[0, 128, 128, 256, 0]
    )
    for t in range(6):
        part.look_up(bench.gpu, None, None, texturing, None, unit, t)
    asked = bench.gpu.port[unit.port].request
    assert [asked.slot[i].address for i in range(asked.count)] == [0, 128, 256]
    assert (unit.lines, unit.touched, operation.pending) == (3, 5, 3)


def test_the_same_output_of_all_warps_lies_side_by_side() -> None:
    gpu = Bench("vpo.masks=64").gpu
    part = load_part("units.warp_operations", compiled=False, machine="simt")
    first = part.output_address(gpu, 0, 0)
    # A vector of 16 bytes for each of 32 vertices; 64 warps are under way at most.
    assert [part.output_address(gpu, row, 0) - first for row in (1, 63, 64, 65)] == [512, 63 * 512, 0, 512]
    assert part.output_address(gpu, 2, 3) - first == (3 * 64 + 2) * 512


def stores(layout: str, *passed: int) -> list[tuple[int, int]]:
    """Offsets and sizes of the requests of one store of colours, of quads side by side, RGBA with 8 bits each."""
    bench, part = Bench("simt_core.clusters=1"), load_part("units.load_store", compiled=False, machine="simt")
    unit = bench.gpu.load_store[part.COLORS]
    bits = {"across_bits": 5, "down_bits": 0} if layout == "linear" else {"across_bits": 3, "down_bits": 2}
    target = rows(f.Target.dtype, 1, source=part.COLOR, address=4096, lines=64, blocks_across=2, pixel_bytes=4, **bits)
    surfaces = SimpleNamespace(
        render_pass=[SimpleNamespace(first_target=0, last_target=1, width=64, height=16, samples=1)],
        target=plain(target),
        touched=[1] * 64,
    )
    quads = rows(f.Quad.dtype, len(passed), passed=passed, coverage=15, x=np.arange(len(passed)), y=1)
    operation = unit.operation.slot[0]
    operation.access, operation.items, operation.tile = f.COLOR_STORE, len(passed), 0
    operation.row[: len(passed)] = list(range(len(passed)))
    unit.operation.count = 1
    for t in range(8):
        part.look_up(bench.gpu, surfaces, SimpleNamespace(quad=plain(quads)), None, None, unit, t)
    asked = bench.gpu.port[unit.port].request
    return [(asked.slot[i].address - 4096, asked.slot[i].size) for i in range(asked.count)]


def test_a_store_has_the_size_of_what_it_changes() -> None:
    # Rows of 256 bytes: two pixels of two quads in each of rows 2 and 3.
    assert stores("linear", 15, 15) == [(512, 16), (768, 16)]
    assert stores("linear", 15, 0b0001) == [(512, 12), (768, 8)]
    # Blocks of 8 x 4 pixels: one line for all four quads, which are half of it.
    assert stores("tiled", 15, 15, 15, 15) == [(0, 64)]
    assert stores("tiled", 0b0110, 15, 15, 0) == [(0, 40)]
    assert stores("tiled", 0) == []
