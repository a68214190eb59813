"""Transaction Elimination: tiles whose colours the frame buffer holds are not written, and no others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from activity_builder import Rectangle, Scene
from PIL import Image

from tilegpu.functional.activity import ActivityError
from tilegpu.functional.capture import Recorder
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.tools.demo import scene_folder

pytestmark = pytest.mark.engine("transaction_elimination")

NAME = "techniques.transaction_elimination"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundled scene whose view stands still, with its pictures."""
    folder = tmp_path_factory.mktemp("te") / "a"
    record(scene_folder() / "sprites.trace", folder, FrameRange(2, 6), groups=frozenset({"pass_images"}))
    return folder


def equal_tiles(folder: Path, number: int) -> int:
    """Tiles of 16x16 that look as two frames before, from the pictures."""
    now, before = (np.asarray(Image.open(folder / f"frame_{n:04d}.png")) for n in (number, number - 2))
    rows, columns = now.shape[:2]
    count = 0
    for bottom in range(0, rows, 16):
        part = slice(max(0, rows - bottom - 16), rows - bottom)
        for x in range(0, columns, 16):
            count += bool((now[part, x : x + 16] == before[part, x : x + 16]).all())
    return count


def test_tiles_of_equal_colours_are_not_written(recorded: Path) -> None:
    base, results = (
        replay(recorded, load_configuration("re-2019", [f"techniques={name}"]))
        for name in ("none", "transaction_elimination")
    )
    for number in (2, 3, 4, 5):
        expected = equal_tiles(recorded, number) if number >= 4 else 0
        assert results.frame(number)[f"{NAME}.eliminated_tiles"] == expected
    s, b = results.totals(), base.totals()
    # A tile is 16 lines of 64 bytes here but for the last row; the rest of the work is the same.
    assert s["raster.tile_flush.tiles"] == b["raster.tile_flush.tiles"] == s[f"{NAME}.signed_tiles"]
    assert s["memory.dram.write_bytes.color"] < b["memory.dram.write_bytes.color"]
    assert s["fragment.processor.instructions"] == b["fragment.processor.instructions"]
    # What is signed are all pixels of all tiles, 8 bytes at a time.
    assert s[f"{NAME}.signed_subblocks"] == 4 * 640 * 360 * 4 // 8


@pytest.mark.slow
def test_both_eliminations_together_write_least(recorded: Path) -> None:
    both = "transaction_elimination+rendering_elimination"
    one, two = (
        replay(recorded, load_configuration("re-2019", [f"techniques={name}"])).totals()
        for name in ("rendering_elimination", both)
    )
    skipped = "techniques.rendering_elimination.skipped_tiles"
    assert two[skipped] == one[skipped]
    # Tiles of equal colours and other inputs are left to Transaction Elimination.
    equal = sum(equal_tiles(recorded, number) for number in (4, 5))
    assert two[f"{NAME}.eliminated_tiles"] == equal - two[skipped] > 0


def test_an_activity_without_pictures_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8)]]).write(tmp_path / "a")
    with pytest.raises(ActivityError, match="record with --with pass_images") as error:
        replay(folder, load_configuration("re-2019", ["techniques=transaction_elimination"]))
    assert "\n" not in str(error.value)


def test_frames_that_draw_nothing_to_the_screen_need_no_pictures(tmp_path: Path) -> None:
    trace = tmp_path / "compute.trace"
    with Recorder(trace, 16, 16) as gl:
        source = (
            "#version 310 es\nlayout(local_size_x = 4) in;\n"
            "layout(std430, binding = 0) buffer Words { uint word[]; };\n"
            "void main() { word[gl_GlobalInvocationID.x] += 1u; }"
        )
        gl.glUseProgram(gl.compute_program(source))
        gl.glBindBufferBase(0x90D2, 0, gl.glGenBuffers(1)[0])
        gl.glBufferData(0x90D2, 64, np.zeros(16, np.uint32), 0x88EA)
        gl.glDispatchCompute(4, 1, 1)
        gl.swap()
    record(trace, tmp_path / "a")
    counted = replay(tmp_path / "a", load_configuration("mali-g52-mc1"), compiled=False).totals()
    assert counted["gpu.dispatches"] == 1 and counted[f"{NAME}.signed_tiles"] == 0
