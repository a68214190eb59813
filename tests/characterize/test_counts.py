"""What is counted while rendering is what the full activity of the same frames holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.count import Options
from tilegpu.functional.characterize.counter import DrawCounter
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.listener import CharacterizingListener
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.pipeline.fused.counted_state import TileSize
from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.timing.results.workload import workload
from tilegpu.tools.workloads.make import make
from tilegpu.tools.workloads.twin_files import find_twin

from ..activity.conftest import record_scene
from ..gles.test_frames import Program
from . import buffers
from .buffers import check_buffers
from .scenes import record_upload_between, record_ways
from .texels import check_blocks

NAMES = {
    "draws": "draws",
    "dispatches": "dispatches",
    "vertices": "vertices",
    "primitives": "primitives",
    "primitives_visible": "primitives_kept",
    "tile_entries": "binned",
    "fragments": "fragments",
    "fragments_shaded": "fragments_shaded",
    "texels": "texels",
    "pixels": "pixels",
    "tiles_repeated_1": "equal_input_1",
    "tiles_repeated_2": "equal_input_2",
}
"""Columns by the names of the counts of `tilegpu stats`, which come from the tables of vertices, primitives, quads."""
TILE = 20, 12
PLAIN_VERTEX = "attribute vec4 position; void main() { gl_Position = position; }"
PLAIN_FRAGMENT = "void main() { gl_FragColor = vec4(1.0); }"


def expected(trace: Path, folder: Path, frames: FrameRange) -> tuple[list[Any], dict[Any, Any]]:
    """Rows of the frames, and invocations and instructions by frame, program and stage, from a full activity."""
    # Repeated tiles are known with the two frames before.
    record(trace, folder, FrameRange(max(0, frames.first - 2), frames.last))
    activity, counted = Activity(folder), workload(folder, TILE)
    rows, programs = [], {}
    for frame, counts in zip(counted.frames, counted.counts, strict=True):
        if frame not in frames:
            continue
        passes = len(activity.frame("passes", frame, ["pass"]))
        row = {name: counts[other] for name, other in NAMES.items()}
        rows.append({"frame": frame, "passes": passes, **row})
        for one in activity.frame("summary", frame).to_pylist():
            key = frame, one["program"]
            if one["draws"]:
                programs[*key, "vertex"] = one["vertices"], one["vertex_instructions"]
                programs[*key, "fragment"] = one["fragments_shaded"], one["fragment_instructions"]
            else:
                programs[*key, "compute"] = one["invocations"], one["compute_instructions"]
    return rows, programs


def found(folder: Path, columns: list[str]) -> tuple[list[Any], dict[Any, Any]]:
    """The same from a characterization."""
    written = Characterization(folder)
    rows = written.frames.select(columns).to_pylist()
    keys = ("frame", "program", "stage")
    programs = {
        tuple(row[key] for key in keys): (row["invocations"], row["instructions"])
        for row in written.programs.to_pylist()
    }
    return rows, programs


ALL = FrameRange()


def constants(folder: Path) -> dict[int, int]:
    """Bytes of uniforms by frame of an activity, of frames all whose programs were met in earlier ones: an activity
    begins without any, so that the first draw of a program uploads all."""
    activity, met, found = Activity(folder), set[int](), {}
    for frame in activity.frames:
        rows = activity.frame("draws", frame, ["program", "uploads"]).to_pylist()
        used = {row["program"] for row in rows}
        if used <= met:
            found[frame] = sum(len(one["data"]) for row in rows for one in row["uploads"] if not one["block"])
        met |= used
    return found


def check(trace: Path, folder: Path, backend: str = "llvm", frames: FrameRange = ALL, blocks: bool = True) -> None:
    options = Options(frames, TILE, backend=choose_backend(backend)[0])
    characterize(trace, folder / "counted", options)
    rows, programs = expected(trace, folder / "activity", frames)
    assert found(folder / "counted", list(rows[0])) == (rows, programs)
    if blocks:
        check_blocks(folder / "activity", folder / "counted")
        check_buffers(folder / "activity", folder / "counted")
    assert sum(row["texels"] for row in rows) > 0
    frames_counted = Characterization(folder / "counted").frames.select(["frame", "constant_bytes"]).to_pylist()
    known = constants(folder / "activity")
    counted = {row["frame"]: row["constant_bytes"] for row in frames_counted if row["frame"] in known}
    assert counted == {frame: known[frame] for frame in counted}


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
def test_every_way_of_drawing(tmp_path: Path, backend: str) -> None:
    check(record_ways(tmp_path / "ways.trace"), tmp_path, backend)


def test_clipped_culled_and_discarded(tmp_path: Path) -> None:
    record_scene(tmp_path / "scene.trace")
    check(tmp_path / "scene.trace", tmp_path)


def test_uniforms_that_are_set(tmp_path: Path) -> None:
    """A vector is 16 bytes, whether it was set once or twice for a draw; what no draw needs comes with the next one."""
    fragment = "precision mediump float; uniform vec4 tint, shade; void main() { gl_FragColor = tint + shade; }"
    set_before = [["tint", "shade"], ["tint", "tint"], [], ["shade"], ["tint"]]
    with Recorder(tmp_path / "set.trace", 64, 64) as gl:
        program = gl.program(PLAIN_VERTEX, fragment, ("position",))
        gl.glUseProgram(program)
        places = {name: gl.glGetUniformLocation(program, name) for name in ("tint", "shade")}
        for frame, names in enumerate(set_before):
            for name in names:
                gl.glUniform4f(places[name], 0.1 * frame, 0, 0, 1)
            if frame != 3:
                gl.glDrawArrays(4, 0, 3)
            gl.swap()
    characterize(tmp_path / "set.trace", tmp_path / "counted")
    written = Characterization(tmp_path / "counted").frames["constant_bytes"].to_pylist()
    assert written == [32, 16, 0, 0, 32]
    characterize(tmp_path / "set.trace", tmp_path / "later", Options(FrameRange(4)))
    assert Characterization(tmp_path / "later").frames["constant_bytes"].to_pylist() == [32]
    record(tmp_path / "set.trace", tmp_path / "activity")
    assert constants(tmp_path / "activity") == dict(enumerate(written[1:], 1))


@pytest.mark.parametrize("indexed", [False, True])
def test_vertices_that_lie_apart(tmp_path: Path, indexed: bool) -> None:
    """Draws that follow each other fetch from both ends of a buffer, and not from what lies between."""
    corners = np.tile(np.array([[-1, -1], [1, -1], [-1, 1]], np.float32), (400, 1))
    with Recorder(tmp_path / "apart.trace", 64, 64) as gl:
        gl.glUseProgram(gl.program(PLAIN_VERTEX, PLAIN_FRAGMENT, ("position",)))
        for target, data in ((0x8892, corners), (0x8893, np.arange(1200, dtype=np.uint16))):
            (buffer,) = gl.glGenBuffers(1)
            gl.glBindBuffer(target, buffer)
            gl.glBufferData(target, data.nbytes, data, 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 8, 0)
        for last in (1197, 600):
            for first in (0, last):
                if indexed:
                    gl.glDrawElements(4, 3, 0x1403, 2 * first)
                else:
                    gl.glDrawArrays(4, first, 3)
            gl.swap()
    characterize(tmp_path / "apart.trace", tmp_path / "counted")
    record(tmp_path / "apart.trace", tmp_path / "activity")
    found, read = [], []
    for frame in range(2):
        found.append(set.union(*buffers.found(Characterization(tmp_path / "counted"), frame).values()))
        read.append(set.union(*buffers.blocks_of(Activity(tmp_path / "activity"), frame).values()))
    # Indices of draws that are executed together count as if they followed each other.
    assert found == ([{0, 149}, {0, 75}] if indexed else read) and read[0] == ({0, 149, 37} if indexed else {0, 149})


def test_frames_of_a_range(scenes: Path, tmp_path: Path) -> None:
    check(scenes / "runner.trace", tmp_path, frames=FrameRange(1, 3), blocks=False)


@pytest.mark.parametrize("still", [0.2, 0.6])
def test_repeated_tiles(tmp_path: Path, still: float) -> None:
    """A twin of a game with sprites, some of which stand still, drawn with fixed functions, clears and blending."""
    twin = find_twin("001-abi+session")
    make(replace(twin, width=128, height=96), tmp_path / "twin.trace", [0, 1, 2, 3, 4, 40, 41 + still, 42, 43])
    check(tmp_path / "twin.trace", tmp_path, blocks=False)
    rows = Characterization(tmp_path / "counted").frames.to_pylist()
    assert 0 < sum(row["tiles_repeated_2"] for row in rows) < sum(row["tiles"] for row in rows)


def test_tiles_drawn_with_other_contents_are_not_repeated(tmp_path: Path) -> None:
    check(record_upload_between(tmp_path / "upload.trace"), tmp_path)
    first, second, third = Characterization(tmp_path / "counted").frames.to_pylist()
    assert first["tiles_repeated_1"] == 0 < second["tiles_repeated_1"] < third["tiles_repeated_1"] == third["tiles"]


def test_dispatches(scenes: Path, tmp_path: Path) -> None:
    trace = scenes / "compute" / "life.trace"
    characterize(trace, tmp_path / "counted", Options(tile=TILE))
    rows, programs = expected(trace, tmp_path / "activity", ALL)
    counted, executed = found(tmp_path / "counted", list(rows[0]))
    assert counted == rows and rows[0]["dispatches"] > 0
    # Executing a dispatch while following its branches would take many times as long.
    assert {key: value[0] for key, value in executed.items()} == {key: value[0] for key, value in programs.items()}


def test_an_image_is_as_without_counting(tmp_path: Path) -> None:
    trace = record_ways(tmp_path / "ways.trace")
    counter = DrawCounter(TileSize(*TILE))
    counted = Player(trace, listener=CharacterizingListener(counter, FrameRange()), counter=counter).run()
    for one, other in zip(counted, Player(trace).run(), strict=True):
        assert (one.pixels == other.pixels).all()


def test_frames_that_flushes_end(tmp_path: Path) -> None:
    """Which is known once the calls have been executed without a swap; those count once."""
    with Program(tmp_path / "a.trace", (egl.RENDER_BUFFER, egl.SINGLE_BUFFER)) as r:
        r.glViewport(0, 0, 8, 4)
        for red in (0.2, 0.4):
            r.fill(red)
            r.glFlush()
    characterize(tmp_path / "a.trace", tmp_path / "counts")
    rows = Characterization(tmp_path / "counts").frames.to_pylist()
    assert [(row["frame"], row["passes"], row["draws"], row["width"]) for row in rows] == [(0, 1, 0, 8), (1, 1, 0, 8)]
