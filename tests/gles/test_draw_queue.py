"""Draws that are executed as one give what they give one by one, and nobody can tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Outcome, Renderer
from tilegpu.functional.player import Player

from ..reference.scenes import SIZE, use

VERTICES = 24
TOPOLOGIES = (gl.POINTS, gl.LINES, gl.LINE_STRIP, gl.LINE_LOOP, gl.TRIANGLES, gl.TRIANGLE_STRIP, gl.TRIANGLE_FAN)


def _images(trace: Path, joined: bool) -> list[np.ndarray]:
    renderer = None if joined else Renderer(choose_backend()[0])
    player = Player(trace, renderer=renderer)
    frames = [frame.pixels for frame in player.run()]
    assert not player.warnings
    return frames


def _begin(r: Recorder, seed: int) -> int:
    """A program, and translucent vertices all over the window, with indices; later draws cover earlier ones."""
    random = np.random.default_rng(seed)
    data = random.uniform(-1, 1, (VERTICES, 8)).astype(np.float32)
    data[:, 3], data[:, 4:] = 1, abs(data[:, 4:])
    program = use(r)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, 0x88E4)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    indices = random.integers(0, VERTICES, 64).astype(np.uint16)
    r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, 0x88E4)
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    r.glClear(gl.COLOR_BUFFER_BIT)
    return program


draws = st.lists(
    st.tuples(
        st.sampled_from(TOPOLOGIES),
        st.booleans(),
        st.integers(0, VERTICES // 2),
        st.integers(0, VERTICES // 2),
        st.sampled_from(("", "", "", "", "state", "uniform", "data", "clear", "read")),
    ),
    min_size=2,
    max_size=12,
)


def _between(r: Recorder, program: int, what: str) -> None:
    """A call that must see the draws before it, or be seen by those behind it alone."""
    if what == "state":
        r.glScissor(8, 8, 40, 40)
        r.glEnable(gl.SCISSOR_TEST)
    elif what == "uniform":
        r.glUniform4f(r.glGetUniformLocation(program, "shift"), 0.25, -0.25, 0.0, 0.0)
    elif what == "data":
        r.glBufferSubData(gl.ARRAY_BUFFER, 0, 32, np.full(8, 0.5, np.float32))
    elif what == "clear":
        r.glClearColor(0.3, 0.1, 0.5, 1.0)
        r.glClear(gl.COLOR_BUFFER_BIT)
    elif what == "read":
        r.glCopyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 0, 0, 8, 8, 0)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(listed=draws, seed=st.integers(0, 50))
def test_any_draws_in_a_row(listed: list[tuple[int, bool, int, int, str]], seed: int, tmp_path: Path) -> None:
    trace = tmp_path / "draws.trace"
    with Recorder(trace, SIZE, SIZE, 2) as r:
        program = _begin(r, seed)
        for topology, indexed, first, count, between in listed:
            if indexed:
                r.glDrawElements(topology, count, gl.UNSIGNED_SHORT, 2 * first)
            else:
                r.glDrawArrays(topology, first, count)
            _between(r, program, between)
        r.swap()
    for a, b in zip(_images(trace, True), _images(trace, False), strict=True):
        np.testing.assert_array_equal(a, b)


class _Counting:
    """A renderer that counts what it is told to draw."""

    def __init__(self) -> None:
        self.draws = 0
        self.inner = Renderer.run

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def run(renderer: Renderer, draw: object, sink: object) -> Outcome:
            self.draws += 1
            return self.inner(renderer, draw, sink)  # type: ignore[arg-type]

        monkeypatch.setattr(Renderer, "run", run)


def test_draws_of_one_state_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "draws.trace"
    with Recorder(trace, SIZE, SIZE, 2) as r:
        _begin(r, 0)
        for first in range(5):
            r.glDrawArrays(gl.TRIANGLES, 3 * first, 3)
        r.glDisable(gl.BLEND)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    counting = _Counting()
    counting.patch(monkeypatch)
    list(Player(trace).run())
    assert counting.draws == 2
