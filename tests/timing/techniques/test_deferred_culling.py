"""Deferred face culling: what it adds to a frame is what the renderer draws of the same scene without culling."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from tests.reference.es3_scenes import use
from tests.reference.multisample_scenes import SIZE, in_framebuffer
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.source import ActivityError, RecordedFrame
from tilegpu.timing.techniques.rbcd.deferred_culling import amend

LABEL = "collisionable:triangles"
Quads = list[tuple[int, ...]]


def draw(r: Recorder, culls: bool) -> None:
    """Random triangles of both windings, some partly outside, within a scissor box."""
    corners = np.random.default_rng(7).uniform(-1.3, 1.3, (60, 3)).astype(np.float32)
    corners[:, 2] *= 0.5
    r.glEnable(gl.SCISSOR_TEST)
    r.glScissor(5, 3, 50, 57)
    (r.glEnable if culls else r.glDisable)(gl.CULL_FACE)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 3, gl.FLOAT, False, 12, corners.tobytes())
    with r.group(LABEL):
        r.glDrawArrays(gl.TRIANGLES, 0, len(corners))
    r.glDisable(gl.SCISSOR_TEST)


def recorded(folder: Path, culls: bool, samples: int, snap: Literal["8", "none"] = "8") -> RecordedFrame:
    """Tables of the frame."""
    name = "culled" if culls else "whole"
    with Recorder(folder / f"{name}.trace", SIZE, SIZE, version=3) as r:
        if samples:
            in_framebuffer(lambda r: draw(r, culls), samples=samples)(r)
        else:
            use(r)
            draw(r, culls)
        r.swap()
    record(folder / f"{name}.trace", folder / name, level="all", snap=snap)
    activity = Activity(folder / name)
    return RecordedFrame(
        activity, 0, *(activity.frame(table, 0) for table in ("passes", "draws", "primitives", "quads"))
    )


def quads(tables: RecordedFrame) -> Quads:
    """Primitive, place and coverage of each quad."""
    columns = [tables.quads[name].to_numpy().tolist() for name in ("primitive", "x", "y", "coverage")]
    return sorted(zip(*columns, strict=True))


@pytest.mark.parametrize("samples", [0, 4])
def test_tagged_primitives_cover_what_they_would_without_culling(tmp_path: Path, samples: int) -> None:
    whole, culled = recorded(tmp_path, False, samples), recorded(tmp_path, True, samples)
    configuration = load_configuration("rbcd-2018-rbcd", ["technique.rbcd.passes=all"])
    amended = amend(culled, configuration)
    assert len(culled.quads) < len(whole.quads) == len(amended.quads)
    assert quads(amended) == quads(whole)
    kept = [[why == "none" for why in tables.primitives["culled"].to_pylist()] for tables in (amended, whole)]
    assert kept[0] == kept[1]
    # What was there keeps its rows, which reads of textures name.
    assert amended.quads.slice(0, len(culled.quads)).equals(culled.quads)
    # Its depth would pass or fail, but nobody asks.
    assert not any(amended.quads["depth_pass"].to_pylist()[len(culled.quads) :])


def test_corners_must_be_snapped(tmp_path: Path) -> None:
    tables = recorded(tmp_path, True, 0, snap="none")
    with pytest.raises(ActivityError, match="snap"):
        amend(tables, load_configuration("rbcd-2018-rbcd"))


def test_a_frame_without_collisionable_objects_stays_as_it_is(tmp_path: Path) -> None:
    tables: Any = recorded(tmp_path, True, 4)
    # The framebuffer is not the screen.
    assert amend(tables, load_configuration("rbcd-2018-rbcd")) is tables
