"""From activities to what the machine reads: binning, lists, order, paths, texture lines, passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene

from tilegpu.functional.activity import ActivityError
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import load as load_engine
from tilegpu.timing.engine import frame as f
from tilegpu.timing.loading.code import merge, read_code
from tilegpu.timing.loading.draws import _VertexLookup
from tilegpu.timing.loading.overlap import Outlines, Pairs, overlaps
from tilegpu.timing.loading.primitives import stream_ends
from tilegpu.timing.registry import find_machine


def load(folder: Path, scene: Scene, *overrides: str, frame: int = 0) -> f.Frame:
    return Loader(scene.write(folder / "activity"), load_configuration("ptr-2022", overrides)).load(frame)


def test_primitives_go_into_the_tiles_they_touch(tmp_path: Path) -> None:
    # 64 x 64 pixels are 2 x 2 tiles, in scanline order from the top: (0, 32), (32, 32), (0, 0), (32, 0).
    tables = load(
        tmp_path, Scene(frames=[[Rectangle(0, 0, 10, 10), Rectangle(20, 20, 30, 30), Rectangle(40, 50, 5, 5)]])
    )
    tile = tables.tiling.tile
    assert [(t["x"], t["y"]) for t in tile] == [(0, 32), (32, 32), (0, 0), (32, 0)]
    lists = [tables.tiling.entry["primitive"][t["first_entry"] : t["last_entry"]].tolist() for t in tile]
    # Rectangles are two triangles: lower left (even), upper right (odd). The diagonal of the second is x + y
    # = 70: its upper
    # right half does not reach into the lower left tile, which ends at (32, 32).
    assert lists == [[2, 3], [2, 3, 4, 5], [0, 1, 2], [2, 3]]
    for t, row in enumerate(tile):
        for e in range(row["first_entry"], row["last_entry"]):
            entry = tables.tiling.entry[e]
            quads = tables.tiling.quad[entry["first_quad"] : entry["last_quad"]]
            assert (quads["primitive"] == entry["primitive"]).all()
            assert ((quads["x"] * 2 // 32 * 32 == row["x"]) & (quads["y"] * 2 // 32 * 32 == row["y"])).all(), t
    assert tables.tiling.entry["last_quad"].max() == len(tables.tiling.quad)


def test_exact_overlap_finds_fewer_tiles_than_bounding_boxes_and_none_too_few() -> None:
    rng = np.random.default_rng(3)
    n, size = 300, 128
    x, y = rng.integers(-40 * 256, 168 * 256, (2, n, 3))
    box, extent = np.tile([0, 0, size, size], (n, 1)), np.zeros(n, np.int64)
    outlines = Outlines(np.ones(n, bool), x, y, np.full(n, 3), extent, box, np.full((n, 2), size))
    pairs = {}
    for exact in (True, False):
        out = Pairs(*(np.zeros(20000, np.int64) for _ in range(3)))
        count = overlaps(outlines, 32, 32, exact, out)
        pairs[exact] = set(zip(*(o[:count].tolist() for o in out), strict=True))
    assert pairs[True] < pairs[False]
    # Every pixel centre inside a triangle lies in one of its tiles.
    centre = np.arange(size) * 256 + 128
    for p in range(n):
        cx, cy = np.meshgrid(centre, centre)
        edges = [
            (x[p, j] - x[p, i]) * (cy - y[p, i]) - (y[p, j] - y[p, i]) * (cx - x[p, i])
            for i, j in ((0, 1), (1, 2), (2, 0))
        ]
        inside = np.all([e > 0 for e in edges], axis=0) | np.all([e < 0 for e in edges], axis=0)
        rows, columns = np.nonzero(inside)
        assert {(p, int(c) // 32, int(r) // 32) for r, c in zip(rows, columns, strict=True)} <= pairs[True]


def test_tiles_follow_a_z_curve_when_told_to(tmp_path: Path) -> None:
    scene = Scene(width=128, height=128, frames=[[Rectangle(0, 0, 4, 4)]])
    tile = load(tmp_path, scene, "tiles.order=morton").tiling.tile
    # Columns and rows counted from the top left.
    assert [(t["x"] // 32, 3 - t["y"] // 32) for t in tile[:6]] == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0)]


def test_clears_between_draws_take_their_place(tmp_path: Path) -> None:
    tables = load(tmp_path, Scene(frames=[[Rectangle(0, 0, 4, 4), Clear(0.25), Rectangle(0, 0, 4, 4)]]))
    primitive = tables.binning.primitive
    assert primitive["clear"].tolist() == [-1, -1, 0, -1, -1]
    assert primitive["stream_end"].tolist() == [3, 6, 6, 9, 12]
    assert tables.depth.clear["depth"][0] == round(0.25 * (2**24 - 1))
    assert [len(primitive)] == [5]
    lists = [tables.tiling.entry["primitive"][t["first_entry"] : t["last_entry"]].tolist() for t in tables.tiling.tile]
    assert lists == [[2], [2], [0, 1, 2, 3, 4], [2]]


def test_records_follow_each_other_in_the_parameter_buffer(tmp_path: Path) -> None:
    tables = load(
        tmp_path,
        Scene(frames=[[Rectangle(0, 0, 9, 9), Rectangle(2, 2, 9, 9, cull=True), Rectangle(4, 4, 9, 9)]], varyings=3),
    )
    primitive = tables.binning.primitive
    assert primitive["attributes"].tolist() == [4] * 6
    assert primitive["record_bytes"].tolist() == [192, 192, 0, 0, 192, 192]
    assert np.diff(primitive["record"]).tolist() == [192, 192, 0, 0, 192]
    # Lists of four tiles come first.
    assert primitive["record"][0] - tables.tiling.entry["pointer"].min() <= 4 * 5056
    assert len(set(tables.tiling.entry["pointer"].tolist())) == len(tables.tiling.entry)


def test_attributes_that_stay_within_a_line_take_one_each(tmp_path: Path) -> None:
    # 48 bytes become 64; the clear of 16 takes a line, too, so that what follows begins with one.
    scene = Scene(frames=[[Rectangle(0, 0, 9, 9), Clear(0.25), Rectangle(4, 4, 9, 9)]], varyings=3)
    aligned, packed = (
        load(tmp_path / how, scene, f"parameter_buffer.attribute_alignment={how}") for how in ("line", "none")
    )
    primitive = aligned.binning.primitive
    assert packed.binning.primitive["record_bytes"].tolist() == [192, 192, 16, 192, 192]
    assert primitive["record_bytes"].tolist() == [256, 256, 64, 256, 256]
    assert np.diff(primitive["record"]).tolist() == [256, 256, 64, 256]
    assert not (primitive["record"] % 64).any()


def test_a_parameter_buffer_dies_with_its_pass(tmp_path: Path) -> None:
    scene = Scene(frames=[[Rectangle(0, 0, 9, 9)]], varyings=3)
    (row,) = load(tmp_path / "written", scene).commands.render_pass
    assert row["dead_bytes"] == 0
    dropped = load(tmp_path / "dropped", scene, "parameter_buffer.dead_lines=dropped")
    (row,) = dropped.commands.render_pass
    # From the first list, two before that of the only tile with any, to the end of two records of 192 bytes.
    assert row["dead_address"] == dropped.tiling.entry["pointer"].min() - 2 * 5056
    end = row["dead_address"] + row["dead_bytes"]
    assert end == dropped.binning.primitive["record"][0] + 2 * 192


def test_texture_lines_are_those_of_the_footprint(tmp_path: Path) -> None:
    # RGBA8, tiles of 4 x 4 texels in a line of 64 bytes. A quad at pixel (2x, 2y) reads texels 2x .. 2x + 2:
    # one line where
    # 2x + 2 is not a multiple of 4, else two; the same downwards.
    tables = load(tmp_path, Scene(frames=[[Rectangle(0, 0, 16, 16)]]))
    quad, operation = tables.tiling.quad, tables.texturing.operation
    for row in quad[quad["path"] >= 0]:
        own = operation[row["operation"]]
        across, down = (1 + ((2 * int(row[axis]) + 2) % 4 == 0) for axis in "xy")
        assert (own["lines"], own["probes"]) == (across * down, 1)
        lines = tables.texturing.line[own["first_line"] : own["first_line"] + own["lines"]]
        assert len(set(lines.tolist())) == len(lines)
    assert (tables.texturing.line % 64 == 0).all()
    assert len(set(tables.texturing.line.tolist())) == 5 * 5


def test_lanes_that_part_join_again() -> None:
    # if (lane) 1 else 2; 3 is common; a loop at 4 runs once or three times; 5 ends.
    def path(*blocks: int) -> Any:
        return np.array(blocks)

    assert merge([path(0, 1, 3), path(0, 2, 3)]).tolist() == [0, 1, 2, 3]
    assert merge([path(0, 4, 5), path(0, 4, 4, 4, 5)]).tolist() == [0, 4, 4, 4, 5]
    assert merge([path(0, 3), path(0, 3)]).tolist() == [0, 3]


@pytest.mark.parametrize(
    ("topology", "ends"),
    [
        ("TRIANGLES", [3, 6, 9]),
        ("TRIANGLE_STRIP", [3, 4, 5]),
        ("TRIANGLE_FAN", [3, 4, 5]),
        ("LINES", [2, 4, 6]),
        ("LINE_STRIP", [2, 3, 4]),
        ("POINTS", [1, 2, 3]),
    ],
)
def test_primitives_wait_for_their_last_vertex(topology: str, ends: list[int]) -> None:
    assert stream_ends(topology, np.arange(3), 9).tolist() == ends
    if topology == "LINE_STRIP":
        assert stream_ends("LINE_LOOP", np.arange(4), 4).tolist() == [2, 3, 4, 4]


def test_vertices_are_found_by_draw_instance_and_index() -> None:
    import pyarrow as pa

    table = pa.table(
        {"draw": [7, 7, 7, 9, 9], "instance": [0, 0, 1, 0, 0], "index": [5, 2, 5, -1, 2], "path": [0, 1, 0, -1, 1]}
    )
    lookup = _VertexLookup(table, [7, 8, 9])
    assert lookup.find(0, 0, np.array([2, 5, 9])).tolist() == [1, 0, -1]
    assert lookup.find(0, 1, np.array([5, 2])).tolist() == [2, -1]
    assert lookup.find(1, 0, np.array([2])).tolist() == [-1]
    assert lookup.find(2, 0, np.array([2])).tolist() == [4]


def test_depth_that_is_loaded_lives_on_from_frame_to_frame(tmp_path: Path, machine: Any) -> None:
    frames = [[Rectangle(0, 0, 40, 40, 0.3)], [Rectangle(0, 0, 64, 64, 0.5)], [Rectangle(10, 10, 50, 50, 0.4)]]
    folder = Scene(frames=frames, load_depth_from_second=True).write(tmp_path / "activity")
    loader = Loader(folder, load_configuration())
    gpu = machine()
    totals = [gpu.run(loader.load(n)) for n in range(3)]
    assert all(s["raster.early_depth.mismatched_quads"] == 0 for s in totals)
    assert totals[1]["raster.early_depth.killed_quads"] > 0
    assert [s["memory.dram.read_bytes.depth"] for s in totals] == [0, 64 * 64 * 4, 64 * 64 * 4]
    assert all(s["memory.dram.write_bytes.depth"] == 64 * 64 * 4 for s in totals)


@pytest.mark.parametrize(
    "overrides",
    [
        (),
        ("raster_units=2",),
        ("tiles.width=16", "tiles.height=16", "tiles.order=morton"),
        ("fragment_stage.processors=8", "texture_layout=linear"),
        ("tiles.height=64",),
    ],
)
def test_outcomes_do_not_depend_on_the_hardware(tmp_path: Path, machine: Any, overrides: tuple[str, ...]) -> None:
    items = [
        Rectangle(0, 0, 64, 48, 0.6),
        Rectangle(9, 3, 30, 40, 0.3, slope=0.01),
        Rectangle(20, 20, 33, 27, 0.5, discards=6),
        Clear(0.7),
        Rectangle(0, 10, 64, 30, 0.69, textured=False),
        Rectangle(1, 1, 62, 62, 0.9, function="ALWAYS", write=False),
        Rectangle(30, 0, 20, 64, 0.2, function="GREATER"),
    ]
    loader = Loader(Scene(frames=[items]).write(tmp_path / "activity"), load_configuration("ptr-2022", overrides))
    tables = loader.load(0)
    s = machine(*overrides).run(tables)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
    assert s["raster.rasterizer.quads"] == len(tables.tiling.quad)
    assert s["raster.blending.quads"] == np.count_nonzero(tables.tiling.quad["depth_pass"])
    assert s["memory.dram.write_bytes.color"] == 64 * 64 * 4
    assert s["fragment.processor.unrecorded_quads"] == 0


def test_damaged_activities_are_told(tmp_path: Path) -> None:
    with pytest.raises(ActivityError, match=r"manifest\.json"):
        Loader(tmp_path, load_configuration())
    folder = Scene(frames=[[Rectangle(0, 0, 4, 4)]]).write(tmp_path / "activity")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"level": "summary"}))
    with pytest.raises(ActivityError, match="record at level visible"):
        Loader(folder, load_configuration())
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ActivityError, match="no frame 7"):
        Loader(folder, load_configuration()).load(7)
    assert load_engine() is load_engine()


def test_operations_are_the_components_that_the_lanes_write() -> None:
    import pyarrow as pa

    # Block 0: an ALU instruction of three components, a texture read of four, a special function, a jump. Block 4: an
    # ALU instruction of two components; block 5: one of one component.
    kinds, masks = ["alu", "tex", "sfu", "flow", "alu", "alu"], [7, 15, 15, 0, 9, 2]
    instructions = pa.table(
        {
            "program": [5] * 6,
            "stage": ["fragment"] * 6,
            "pc": list(range(6)),
            "class": kinds,
            "block": [0, 0, 0, 0, 4, 5],
            "destination_file": ["TEMP", "TEMP", "TEMP", None, "TEMP", "OUT"],
            "destination_index": [0] * 6,
            "write_mask": pa.array(masks, pa.uint8()),
            "sources": pa.array([None] * 6, pa.list_(pa.struct([("file", pa.string()), ("index", pa.int32())]))),
        }
    )
    runs = [[{"first_pc": 0, "repetitions": 1}, {"first_pc": 5, "repetitions": 1}]]
    runs += [[{"first_pc": 0, "repetitions": 1}, {"first_pc": 4, "repetitions": 3}, {"first_pc": 5, "repetitions": 1}]]
    paths = pa.table({"program": [5, 5], "stage": ["fragment"] * 2, "path": [0, 1], "runs": runs})
    code = read_code(instructions, paths, load_configuration(), find_machine("tile_based"))
    assert [code.row(5, "fragment", lanes) for lanes in ((0, -1, -1, -1), (0, 1, 0, -1), (1, 0, -1, -1))] == [0, 1, 2]
    path, sequence = code.tables()
    # One lane: 3 + 1 components. Lanes of paths 0, 1, 0: 4 + (3 + 3 x 2 + 1) + 4. Of paths 1 and 0: the same code.
    assert path["alu"].tolist() == [4, 18, 14]
    assert path["tex"].tolist() == [4, 12, 8]
    assert path["sfu"].tolist() == path["flow"].tolist() == [1, 3, 2]
    executed = [sequence[row["first"] : row["last"]].tolist() for row in path]
    assert executed == [[0, 1, 2, 3, 5], *[[0, 1, 2, 3, 4, 4, 4, 5]] * 2]


def test_a_recording_without_draws_has_no_code() -> None:
    import pyarrow as pa

    from tilegpu.functional.activity.schema import TABLES

    empty = {name: pa.Table.from_batches([], TABLES[name].schema(())) for name in ("instructions", "paths")}
    code = read_code(empty["instructions"], empty["paths"], load_configuration(), find_machine("tile_based"))
    assert [len(table) for table in code.tables()] == [0, 0]
    assert code.row(0, "fragment", (-1, -1)) == -1
    with pytest.raises(ActivityError, match="none for the fragment shader of program 3"):
        code.row(3, "fragment", (0, 0))
