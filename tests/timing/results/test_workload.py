"""The workload columns: counted by hand on a small scene, and against the recording's own summary on a larger one."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from test_elimination_everywhere import PlainReader

from tilegpu.functional.capture import Recorder
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.results.workload import workload

VERTEX = """attribute vec4 position; varying vec2 place;
void main() { place = position.xy; gl_Position = position; }"""
FRAGMENT = """precision highp float; uniform sampler2D image; varying vec2 place;
void main() { gl_FragColor = texture2D(image, place) * place.x + place.y; }"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 x 60 pixels, two draws of a rectangle 30 pixels wide, the second one hidden by depth in its lower half."""
    folder = tmp_path_factory.mktemp("small")
    with Recorder(folder / "small.trace", 60, 60) as gl:
        program = gl.program(VERTEX, FRAGMENT, ("position",))
        gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, np.zeros((4, 4, 4), np.uint8))
        for parameter in (0x2800, 0x2801):
            gl.glTexParameteri(0x0DE1, parameter, 0x2601)
        gl.glClear(0x4100)
        gl.glEnable(0x0B71)
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        for top, depth in ((0.0, 0.0), (1.0, 0.5)):
            corners = np.array([[-1, -1, depth], [0, -1, depth], [-1, top, depth], [0, top, depth]], np.float32)
            gl.glVertexAttribPointer(0, 3, 0x1406, False, 12, corners.tobytes())
            gl.glDrawArrays(5, 0, 4)
        gl.swap()
    record(folder / "small.trace", folder / "activity")
    return folder / "activity"


def test_columns_by_hand(small: Path) -> None:
    """TEX, MAD and END; the vertex shader has two MOV and END."""
    columns_of_all = columns = workload(small, (20, 20)).columns()
    empty = {name for name in columns if math.isnan(columns[name])}
    columns = {name: value for name, value in columns.items() if name not in empty}
    first, second = 30 * 30, 30 * 60
    shaded = first + second // 2
    assert columns == {
        "draw_calls_per_frame": 2,
        "vertex_instructions_per_vertex": 3,
        "primitives_per_draw": 2,
        # 3 x 3 tiles. Draw 1, along x + y = 30: below it 3 tiles, above it 4. Draw 2, along 2x + y = 60, which meets
        # tiles (0, 0) and (1, 1) in a corner: below it 5, above it 6.
        "primitives_per_tile": (3 + 4 + 5 + 6) / 9,
        "assembled_primitives_per_tile": 4 / 9,
        "fragments_per_primitive": (first + second) / 4,
        "fragments_per_assembled_primitive": (first + second) / 4,
        "attributes_per_primitive": 2,
        "attributes_per_fragment": 2,
        "fragment_instructions_per_fragment": 3,
        "alu_per_texture_instruction": 1,
        "alu_per_texture_instruction_of_draws": 1,
        "texels_per_fragment": 4,
        "overdraw": shaded / 3600,
        "survivors_per_pixel": shaded / 3600,
        "survivors_per_covered_pixel": shaded / second,
        "input_primitives_per_frame": 4,
        "output_primitives_per_frame": 4,
        "culled_share": 0,
        "visible_primitives_per_frame": 4,
        # The second rectangle lies behind the first, and is above it besides.
        "hidden_share": 0,
        "hidden_instruction_share": 0,
        "hidden_by_own_object_share": 0,
        "dispatches_per_frame": 0,
    }
    of_dispatches = {name for name in columns_of_all if name.endswith(("_per_dispatch", "_per_invocation"))}
    assert empty == of_dispatches | {f"equal_{what}_tiles_distance_{n}" for what in ("color", "input") for n in (1, 2)}


def test_one_tile_holds_all(small: Path) -> None:
    assert workload(small, (64, 64)).columns()["primitives_per_tile"] == 4


def test_counts_are_those_of_the_summary(tmp_path: Path, scenes: Path) -> None:
    record(scenes / "courtyard.trace", tmp_path / "activity")
    found = workload(tmp_path / "activity")
    summary = pq.read_table(tmp_path / "activity" / "summary.parquet").to_pandas().groupby("frame").sum()
    names = ["draws", "vertices", "vertex_instructions", "primitives", "primitives_kept", "fragments"]
    names += ["fragments_shaded", "fragment_instructions"]
    for frame, counts in zip(found.frames, found.counts, strict=True):
        assert {n: counts[n] for n in names} == {n: summary[n][frame] for n in names}
    table = found.table().to_pandas()
    assert list(table.frame) == list(found.frames)
    assert (table.overdraw > 0).all()


def test_equal_tiles_by_hand(tmp_path: Path) -> None:
    """40 x 40 pixels, four tiles, a square in the one at the lower left: red, red, green, red, and red again but at
    another depth."""
    with Recorder(tmp_path / "s.trace", 40, 40) as gl:
        program = gl.program(
            "attribute vec2 p; uniform float depth; void main() { gl_Position = vec4(p, depth, 1.0); }",
            "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }",
            ("p",),
        )
        gl.glUseProgram(program)
        depth, color = gl.glGetUniformLocation(program, "depth"), gl.glGetUniformLocation(program, "color")
        gl.glBindBuffer(0x8892, gl.glGenBuffers(1)[0])
        corners = np.array([-1, -1, -0.1, -1, -1, -0.1, -0.1, -0.1], np.float32)
        gl.glBufferData(0x8892, corners.nbytes, corners, 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        for red, green, z in ((1, 0, 0.5), (1, 0, 0.5), (0, 1, 0.5), (1, 0, 0.5), (1, 0, 0.25)):
            gl.glClear(0x4100)
            gl.glUniform4f(color, red, green, 0, 1)
            gl.glUniform1f(depth, z)
            gl.glDrawArrays(5, 0, 4)
            gl.swap()
    record(tmp_path / "s.trace", tmp_path / "a", groups=frozenset({"pass_images"}))
    found = workload(tmp_path / "a", (20, 20))
    columns = found.columns()
    # Frames 1 to 4 beside the one before: 4, 3, 3, 4 tiles of equal colour, 4, 3, 3, 3 of equal inputs.
    assert columns["equal_color_tiles_distance_1"] == 14 / 16
    assert columns["equal_input_tiles_distance_1"] == 13 / 16
    # Frames 2 to 4 beside the second before: 3, 4, 3 and 3, 4, 3.
    assert columns["equal_color_tiles_distance_2"] == 10 / 12
    assert columns["equal_input_tiles_distance_2"] == 10 / 12
    assert math.isnan(found.columns(0)["equal_color_tiles_distance_1"])


class PlainCounts:
    """The counts, read row by row."""

    def __init__(self, loader: Loader) -> None:
        self.source, self.counts = loader.source, dict[str, float]()
        instructions = self.source.table("instructions").to_pylist()
        self.paths = {
            (p["program"], p["stage"], p["path"]): [
                i["class"]
                for run in p["runs"]
                for _ in range(run["repetitions"])
                for i in instructions
                if (i["program"], i["stage"], i["block"]) == (p["program"], p["stage"], run["first_pc"])
            ]
            for p in self.source.table("paths").to_pylist()
        }

    def add(self, name: str, value: float) -> None:
        self.counts[name] = self.counts.get(name, 0) + value

    def frame(self, number: int) -> None:
        rows = {n: self.source.frame(n, number).to_pylist() for n in ("draws", "vertices", "primitives", "quads")}
        draws = {d["draw"]: d for d in rows["draws"]}
        classes: dict[int, list[int]] = {}
        covered: set[tuple[int, int]] = set()
        assembled = {(p["draw"], p["instance"], p["source"]) for p in rows["primitives"]}
        self.add("primitives", len(assembled))
        self.add("out", sum(p["culled"] != "frustum" for p in rows["primitives"]))
        self.add("faces", sum(p["culled"] == "face" for p in rows["primitives"]))
        for q in rows["quads"]:
            p = rows["primitives"][q["primitive"]]
            draw = draws[p["draw"]]
            attributes = 1 + len(rows["vertices"][p["vertex_0"]]["outputs"]) // 4
            for lane in range(4):
                if q["coverage"] >> lane & 1:
                    covered.add((2 * q["x"] + lane % 2, 2 * q["y"] + lane // 2))
                    self.add("fragments", 1)
                    self.add("fragment_attributes", attributes)
                if (q["depth_pass"] if draw["early_depth"] else q["coverage"]) >> lane & 1:
                    self.add("shaded", 1)
                    executed = self.paths[draw["program"], "fragment", q[f"path_{lane}"]]
                    done = classes.setdefault(p["draw"], [0, 0])
                    done[0] += executed.count("alu") + executed.count("sfu")
                    done[1] += executed.count("tex")
        self.add("covered", len(covered))
        for alu, tex in classes.values():
            self.add("textured", tex > 0)
            self.add("alu_per_tex", alu / tex if tex else 0)


def test_columns_are_those_of_a_plain_reading(tmp_path: Path, scenes: Path) -> None:
    # The ball alone bobs in these frames.
    record(scenes / "runner.trace", tmp_path / "a", FrameRange(8, 11))
    configuration = load_configuration("re-2019", ["techniques=rendering_elimination"])
    loader = Loader(tmp_path / "a", configuration)
    plain: Any = PlainCounts(loader)
    for number in loader.frames:
        plain.frame(number)
    found, counts = workload(tmp_path / "a", (16, 16)).columns(), plain.counts
    frames, pixels, tiles = 3, 320 * 192, 20 * 12
    assert found["input_primitives_per_frame"] == counts["primitives"] / frames
    assert found["assembled_primitives_per_tile"] == counts["primitives"] / (frames * tiles)
    assert found["output_primitives_per_frame"] == counts["out"] / frames
    assert 0 < found["culled_share"] == counts["faces"] / counts["out"]
    assert found["fragments_per_assembled_primitive"] == counts["fragments"] / counts["primitives"]
    assert found["attributes_per_fragment"] == counts["fragment_attributes"] / counts["fragments"]
    assert found["survivors_per_pixel"] == counts["shaded"] / (frames * pixels)
    assert found["survivors_per_covered_pixel"] == counts["shaded"] / counts["covered"]
    assert found["alu_per_texture_instruction_of_draws"] == pytest.approx(counts["alu_per_tex"] / counts["textured"])
    reader = PlainReader(loader)
    inputs = [reader.tiles(number) for number in loader.frames]
    for distance in (1, 2):
        pairs = [zip(a, b, strict=True) for a, b in zip(inputs, inputs[distance:], strict=False)]
        equal = sum(a == b for pair in pairs for a, b in pair)
        assert found[f"equal_input_tiles_distance_{distance}"] == equal / ((frames - distance) * tiles)
        assert 0 < equal / ((frames - distance) * tiles) < 1
