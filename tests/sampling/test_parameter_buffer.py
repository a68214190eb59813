"""Lines of the Parameter Buffer by counts are those that the timing pass writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.tools.sampling.parameter_buffer import LinesTaken, lists_by_frame

VERTEX = "attribute vec4 v; varying vec2 p; varying vec4 c; void main() { gl_Position = v; p = v.xy; c = v; }"
FRAGMENT = "precision mediump float; varying vec2 p; varying vec4 c; void main() { gl_FragColor = c + vec4(p, p); }"
WIDTH, HEIGHT = 130, 70


def scene(path: Path, frames: int) -> Path:
    """Small triangles at random, more in some frames, and every third frame some to a texture."""
    chance = np.random.default_rng(1)
    with Recorder(path, WIDTH, HEIGHT) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("v",)))
        r.glEnableVertexAttribArray(0)
        texture, framebuffer = r.glGenTextures(1)[0], r.glGenFramebuffers(1)[0]
        r.glBindTexture(gl.TEXTURE_2D, texture)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        for number in range(frames):
            for target in ([framebuffer] if number % 3 == 1 else []) + [0]:
                r.glBindFramebuffer(gl.FRAMEBUFFER, target)
                r.glClear(gl.COLOR_BUFFER_BIT)
                for _ in range(3):
                    count = int(chance.integers(20, 60 + 40 * number))
                    corners = chance.uniform(-1, 1, (count, 1, 2)) ** 3 + chance.uniform(-0.2, 0.2, (count, 3, 2))
                    corners = corners.reshape(-1, 2).astype(np.float32)
                    r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, corners)
                    r.glDrawArrays(gl.TRIANGLES, 0, len(corners))
            r.swap()
    return path


def lines_written(activity: Path, frames: int) -> list[set[int]]:
    """Lines of pointers and attributes by frame, from the tables that the timing pass replays."""
    loader, found = Loader(activity, load_configuration("ptr-2022")), []
    for frame in range(frames):
        tiling = loader.load(frame).tiling
        lines = set((tiling.entry["pointer"] // 64).tolist())
        for row in tiling.primitive[tiling.primitive["record_bytes"] > 0]:
            lines |= set(range(row["record"] // 64, (row["record"] + row["record_bytes"] - 1) // 64 + 1))
        found.append(lines)
    return found


def test_lines_are_those_of_the_timing_pass(tmp_path: Path) -> None:
    frames = 6
    trace = scene(tmp_path / "scene.trace", frames)
    record(trace, tmp_path / "activity")
    written = lines_written(tmp_path / "activity", frames)
    characterize(trace, tmp_path / "counts")
    lists = lists_by_frame(Characterization(tmp_path / "counts").tile_lists())
    assert [len(own) for own in lists.values()] == [1, 2, 1, 1, 2, 1]
    taken = LinesTaken()
    for frame, lines in enumerate(written):
        assert LinesTaken().add(lists[frame]) == len(lines)
        assert taken.add(lists[frame]) == len(lines.difference(*written[:frame]))
    # Frames differ in which lists are long, so that together they take more lines than any of them.
    assert taken.count > max(map(len, written))
