"""Fragments that are shaded and then hidden: by hand, by plain Python, and by the machines that save them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import DEPTH_TEST, SIZE, VERTEX, Layer, Played, record_layers

from tests.quick import quick_ones
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.results.draw_counts import Lengths
from tilegpu.timing.results.hidden_fragments import hidden_fragments
from tilegpu.timing.results.workload import workload

PIXELS = SIZE * SIZE


def hidden(folder: Path, *layers: Layer) -> tuple[int, int]:
    """Hidden fragments of a frame, and those that their own object hides."""
    return counted(record_layers(folder, [layers], "visible"))


def counted(folder: Path) -> tuple[int, int]:
    """Both counts of an activity's only frame."""
    activity = Activity(folder)
    found = hidden_fragments(activity, 0, Lengths(activity))
    return int(found["fragments_hidden"].sum()), int(found["fragments_hidden_by_own"].sum())


def of_parts(folder: Path, *objects: Sequence[Layer]) -> tuple[int, int]:
    """The same where each object is one draw of several rectangles, in their order."""
    with Recorder(folder / "parts.trace", SIZE, SIZE) as gl:
        gl.glUseProgram(gl.program(VERTEX, "void main() { gl_FragColor = vec4(1.0); }", ("position",)))
        gl.glEnable(DEPTH_TEST)
        gl.glClear(0x4100)
        gl.glEnableVertexAttribArray(0)
        for parts in objects:
            corners = np.concatenate([part.corners() for part in parts])
            gl.glVertexAttribPointer(0, 4, 0x1406, False, 16, corners.tobytes())
            gl.glDrawArrays(4, 0, len(corners))
        gl.swap()
    record(folder / "parts.trace", folder / "parts")
    return counted(folder / "parts")


def test_layers_from_the_back_hide_all_but_the_last(tmp_path: Path) -> None:
    second = (Layer("b", 0.4), Layer("b", 0.0, right=32), Layer("b", -0.4, right=16))
    # All of a and the left half of b's first part; a quarter of b's second one.
    assert of_parts(tmp_path, (Layer("a", 0.8),), second) == (
        PIXELS + PIXELS // 2 + PIXELS // 4,
        PIXELS // 2 + PIXELS // 4,
    )


def test_from_the_front_nothing_is_hidden(tmp_path: Path) -> None:
    assert hidden(tmp_path, Layer("a", -0.5), Layer("b", 0.5)) == (0, 0)


def test_what_blends_hides_nothing_and_is_hidden_all_the_same(tmp_path: Path) -> None:
    assert hidden(tmp_path, Layer("a", 0.5), Layer("veil", 0.0, blend=True)) == (0, 0)
    assert hidden(tmp_path, Layer("veil", 0.5, blend=True), Layer("a", 0.0)) == (PIXELS, 0)


def test_a_clear_of_depths_takes_it_back(tmp_path: Path) -> None:
    assert hidden(tmp_path, Layer("a", 0.5), Layer("b", 0.0, clear_before=True)) == (0, 0)


def test_the_last_one_decides_whose_they_are(tmp_path: Path) -> None:
    """a hides itself, but b hides both: in order of the objects b comes first."""
    first = (Layer("a", 0.8), Layer("a", 0.4))
    assert of_parts(tmp_path, first, (Layer("b", 0.0),)) == (2 * PIXELS, 0)


def test_hidden_fragments_weigh_as_their_programs(tmp_path: Path) -> None:
    """Of two draws of the screen the first, with the longer program, is hidden by the second; the second hides a half
    of itself, which no order of the objects saves."""
    sources = (
        "mediump vec4 c = gl_FragCoord; c = c * c + c; c = c * c + c; gl_FragColor = c;",
        "gl_FragColor = vec4(1.0);",
    )
    with Recorder(tmp_path / "two.trace", SIZE, SIZE) as gl:
        programs = [gl.program(VERTEX, f"void main() {{ {source} }}", ("position",)) for source in sources]
        gl.glEnable(DEPTH_TEST)
        gl.glClear(0x4100)
        gl.glEnableVertexAttribArray(0)
        for program, parts in zip(
            programs, [[Layer("a", 0.8)], [Layer("b", 0.4, right=32), Layer("b", 0.0)]], strict=True
        ):
            corners = np.concatenate([part.corners() for part in parts])
            gl.glUseProgram(program)
            gl.glVertexAttribPointer(0, 4, 0x1406, False, 16, corners.tobytes())
            gl.glDrawArrays(4, 0, len(corners))
        gl.swap()
    record(tmp_path / "two.trace", tmp_path / "two")
    measured = workload(tmp_path / "two")
    long, short = measured.draws[0]["fragment_instructions"] / measured.draws[0]["fragments_shaded"]
    assert long > short
    assert measured.draws[0]["instructions_hidden_by_others"].tolist() == [long * PIXELS, 0]
    share = measured.columns()["hidden_instruction_share"]
    assert share == pytest.approx(long / (long + 1.5 * short))


def rectangles(chance: np.random.Generator) -> list[Layer]:
    """Opaque rectangles, each of a depth of its own."""
    depths = chance.permutation(np.linspace(-0.9, 0.9, 8))
    found = []
    for number, depth in enumerate(depths.tolist()):
        left, bottom = (int(2 * v) for v in chance.integers(0, 20, 2))
        found.append(Layer(f"object {number}", depth, left, left + 20, bottom, bottom + 20))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_rectangles_against_plain_python(tmp_path: Path, seed: int) -> None:
    """The rectangles are parts of three objects, drawn one after the other."""
    layers = rectangles(np.random.default_rng(seed))
    objects = [layers[:3], layers[3:6], layers[6:]]
    expected = [0, 0]
    for y in range(SIZE):
        for x in range(SIZE):
            nearest, shaded = 1.0, []
            for number, layer in ((n, layer) for n, parts in enumerate(objects) for layer in parts):
                if layer.left <= x < layer.right and layer.bottom <= y < layer.top and layer.z < nearest:
                    nearest = layer.z
                    shaded.append(number)
            expected[0] += max(0, len(shaded) - 1)
            expected[1] += sum(number == shaded[-1] for number in shaded[:-1])
    assert of_parts(tmp_path, *objects) == tuple(expected)


@pytest.mark.parametrize("seed", quick_ones(range(3), (0,)))
def test_it_is_what_deferred_rendering_saves(machine: Any, tmp_path: Path, seed: int) -> None:
    layers = rectangles(np.random.default_rng(seed))
    fragments = {}
    for name, settings in {"plain": (), "deferred": ("techniques=deferred_rendering",)}.items():
        (stats,) = Played(machine, tmp_path, [layers], *settings).stats
        depth = "raster.early_depth"
        fragments[name] = stats[f"{depth}.fragments"] - stats[f"{depth}.killed_fragments"]
    assert fragments["plain"] - fragments["deferred"] == hidden(tmp_path, *layers)[0]
