"""Forward pixel kill: quads that wait are left out where an opaque one comes behind, counted by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from conftest import Machine

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader

pytestmark = pytest.mark.engine("forward_pixel_kill")

KILLED = "techniques.forward_pixel_kill.killed_quads"
SIDE = 16
QUADS = SIDE * SIDE // 4
"""Of the one tile."""
LAUNCHED = 8
"""Quads of the four warps that a core has room for; they end after all others have come."""
VERTEX = "attribute vec3 p; void main() { gl_Position = vec4(p, 1.0); }"
SLOW = "void main() { vec4 r = gl_FragCoord;" + "r = inversesqrt(r + 1.0);" * 200 + "gl_FragColor = r; }"
DISCARDING = "void main() { if (gl_FragCoord.x > 100.0) discard; gl_FragColor = vec4(1.0); }"
PLAIN = "void main() { gl_FragColor = vec4(1.0); }"


@cache
def activity(second: str, width: int = SIDE, z: float = -0.5) -> Path:
    """Frame of a slow triangle that fills the window and another one before it.

    Parameters
    ----------
    second
        What the second is: opaque, blended, discarding, or one that leaves a channel.
    width, z
        Its width from the left in pixels, and its depth.
    """
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", SIDE, SIDE) as r:
        r.glEnable(gl.DEPTH_TEST)
        r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        corners = [(x, y, depth) for depth in (0.0, z) for x, y in ((-1, -1), (3, -1), (-1, 3))]
        r.glBufferData(gl.ARRAY_BUFFER, 72, np.array(corners, np.float32).tobytes(), gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 3, gl.FLOAT, False, 0, 0)
        head = "precision highp float;"
        r.glUseProgram(r.program(VERTEX, head + SLOW, ("p",)))
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.glEnable(gl.SCISSOR_TEST)
        r.glScissor(0, 0, width, SIDE)
        r.glUseProgram(r.program(VERTEX, head + (DISCARDING if second == "discarding" else PLAIN), ("p",)))
        if second == "blended":
            r.glEnable(gl.BLEND)
            r.glBlendFunc(gl.ONE, gl.ONE)
        if second == "masked":
            r.glColorMask(True, True, True, False)
        r.glDrawArrays(gl.TRIANGLES, 3, 3)
        r.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def run(folder: Path, technique: str = "forward_pixel_kill", queue: int = 2 * QUADS) -> dict[str, float]:
    """Statistics of the frame on a core that has room for four warps of two quads."""
    c = load_configuration(
        "mali-bifrost",
        [
            "simt_core.max_threads=32",
            "tiles.raster_units=1",
            f"fragment_warp_launcher.queue={queue}",
            f"techniques={technique}",
        ],
    )
    return Machine(c, True).run(Loader(folder, c).load(0))


HIDDEN = 56
"""Places that one of the two triangles to which the window is clipped covers whole; eight lie on the diagonal."""
STARTED = 7
"""Of those, the ones whose quad of the first triangle is under way: the first row but for its place on the diagonal."""


@pytest.mark.parametrize(
    ("second", "width", "z", "killed"),
    [
        # All quads of the first triangle but those under way wait when those of the second come.
        ("opaque", SIDE, -0.5, HIDDEN - STARTED),
        # The left half of the window: four columns of eight places, four on the diagonal, three under way.
        ("opaque", SIDE // 2, -0.5, 4 * 8 - 4 - 3),
        # An edge within quads: those that it crosses hide only half of their place.
        ("opaque", SIDE // 2 + 1, -0.5, 4 * 8 - 4 - 3),
        # Behind the first one it does not survive the depth test.
        ("opaque", SIDE, 0.5, 0),
        ("blended", SIDE, -0.5, 0),
        ("discarding", SIDE, -0.5, 0),
        ("masked", SIDE, -0.5, 0),
    ],
)
def test_opaque_quads_kill_those_that_wait(second: str, width: int, z: float, killed: int) -> None:
    folder = activity(second, width, z)
    found, base = run(folder), run(folder, "none")
    assert found[KILLED] == killed
    assert found["fragment.processor.quads"] == base["fragment.processor.quads"] - killed
    assert found["raster.blending.quads"] == base["raster.blending.quads"] - killed
    assert found["raster.early_depth.mismatched_quads"] == 0
    if not killed:
        assert found["gpu.cycles"] == base["gpu.cycles"]


def test_what_is_killed_takes_no_time() -> None:
    found, base = run(activity("opaque")), run(activity("opaque"), "none")
    # Warps of two quads; a root of four components takes four cycles at least, of one of three execution engines.
    warps, slow, engines = (HIDDEN - STARTED) // 2, 200 * 4, 3
    assert found["gpu.raster_cycles"] < base["gpu.raster_cycles"] - warps * slow / engines


def test_the_queue_is_the_window() -> None:
    # 64 of the first triangle's 72 quads wait. A quad of the second enters when one leaves, which is at its place.
    assert run(activity("opaque"), queue=QUADS)[KILLED] == 0
