"""An object keeps its identity from frame to frame though it is drawn in another order."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record

SIZE = 16
ORDERS = ((0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0))
VERTEX = "attribute vec4 position; uniform vec4 shift; void main() { gl_Position = position + shift; }"
FRAGMENTS = tuple(f"precision highp float; void main() {{ gl_FragColor = vec4({i}.0 / 3.0); }}" for i in (1, 2, 3))
ARRAY_BUFFER = 0x8892
Draw = Callable[[Recorder, int], None]


def corners(i: int) -> np.ndarray:
    """A triangle of its own."""
    return np.array([(-0.9, -0.9, 0, 1), (0.9 - 0.2 * i, -0.9, 0, 1), (0, 0.9, 0, 1)], np.float32)


def buffers(r: Recorder, count: int) -> list[int]:
    """Buffers with a triangle each."""
    names: list[int] = r.glGenBuffers(count)
    for i, name in enumerate(names):
        r.glBindBuffer(ARRAY_BUFFER, name)
        r.glBufferData(ARRAY_BUFFER, 48, corners(i), 0x88E4)
    return names


def triangle(r: Recorder, name: int) -> None:
    """Draw a buffer's triangle."""
    r.glBindBuffer(ARRAY_BUFFER, name)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 4, 0x1406, False, 16, 0)
    r.glDrawArrays(4, 0, 3)


def by_buffer(r: Recorder) -> Draw:
    """Objects that differ in their vertex buffer."""
    r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
    names = buffers(r, 3)
    return lambda r, i: triangle(r, names[i])


def by_program(r: Recorder) -> Draw:
    """Objects that differ in their program."""
    programs = [r.program(VERTEX, fragment, ("position",)) for fragment in FRAGMENTS]
    name = buffers(r, 1)[0]

    def draw(r: Recorder, i: int) -> None:
        r.glUseProgram(programs[i])
        triangle(r, name)

    return draw


def by_range(r: Recorder) -> Draw:
    """Objects that are parts of one buffer and one index list."""
    r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
    r.glBindBuffer(ARRAY_BUFFER, r.glGenBuffers(1)[0])
    data = np.concatenate([corners(i) for i in range(3)])
    r.glBufferData(ARRAY_BUFFER, data.nbytes, data, 0x88E4)
    r.glBindBuffer(0x8893, r.glGenBuffers(1)[0])
    r.glBufferData(0x8893, 18, np.arange(9, dtype=np.uint16), 0x88E4)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 4, 0x1406, False, 16, 0)
    return lambda r, i: r.glDrawElements(4, 3, 0x1403, 6 * i)


def by_debug_group(r: Recorder) -> Draw:
    """Objects of one geometry, told apart by groups of KHR_debug alone."""
    r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
    name = buffers(r, 1)[0]

    def draw(r: Recorder, i: int) -> None:
        r.glPushDebugGroup(0x824A, 0, -1, "scene")
        r.glPushDebugGroup(0x824A, 0, len(f"tree {i}"), f"tree {i}")
        triangle(r, name)
        r.glPopDebugGroup()
        r.glPopDebugGroup()

    return draw


def by_marker(r: Recorder) -> Draw:
    """The same with EXT_debug_marker."""
    r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
    name = buffers(r, 1)[0]

    def draw(r: Recorder, i: int) -> None:
        r.glPushGroupMarkerEXT(0, f"tree {i}")
        triangle(r, name)
        r.glPopGroupMarkerEXT()

    return draw


def by_buffer_label(r: Recorder) -> Draw:
    """Buffers with labels of EXT_debug_label, made anew in every frame."""
    r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))

    def draw(r: Recorder, i: int) -> None:
        name = buffers(r, 1)[0]
        r.glLabelObjectEXT(0x9151, name, 0, f"tree {i}")
        triangle(r, name)
        r.glDeleteBuffers(1, [name])

    return draw


CASES = {"buffer": by_buffer, "program": by_program, "range": by_range, "debug_group": by_debug_group,
         "marker": by_marker, "buffer_label": by_buffer_label}  # fmt: skip
LABELS = {"debug_group": "scene/tree {}", "marker": "tree {}", "buffer_label": "tree {}"}


def objects(path: Path, folder: Path) -> list[list[tuple[int, str | None]]]:
    """Object and label of each draw, by frame."""
    record(path, folder)
    draws = Activity(folder).table("draws").to_pylist()
    frames = sorted({draw["frame"] for draw in draws})
    return [[(d["object"], d["object_label"]) for d in draws if d["frame"] == frame] for frame in frames]


@pytest.mark.parametrize("kind", CASES)
def test_identity_follows_the_object_and_not_its_place(kind: str, tmp_path: Path) -> None:
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE) as r:
        draw = CASES[kind](r)
        for order in ORDERS:
            for i in order:
                draw(r, i)
            r.swap()
    found = objects(tmp_path / "scene.trace", tmp_path / "activity")
    known = dict(zip(ORDERS[0], found[0], strict=True))
    assert len({identity for identity, _ in known.values()}) == 3
    for order, frame in zip(ORDERS, found, strict=True):
        assert frame == [known[i] for i in order]
    label = LABELS.get(kind)
    assert [known[i][1] for i in range(3)] == [label.format(i) if label else None for i in range(3)]


def test_equals_are_told_apart_by_their_place(tmp_path: Path) -> None:
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
        names = buffers(r, 2)
        for order in ((0, 0, 1), (1, 0, 0)):
            for i in order:
                triangle(r, names[i])
            r.swap()
    first, second = objects(tmp_path / "scene.trace", tmp_path / "activity")
    assert second == [first[2], first[0], first[1]]
    assert len(set(first)) == 3


def test_collisionable_objects_are_named_by_the_application_or_the_user(tmp_path: Path) -> None:
    labels = ("collisionable:car", "world", "world/collisionable:ball", "tree 1", "tree 10", "")
    with Recorder(tmp_path / "scene.trace", SIZE, SIZE) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENTS[0], ("position",)))
        (name,) = buffers(r, 1)
        for label in labels:
            parts = [part for part in label.split("/") if part]
            for part in parts:
                r.glPushGroupMarkerEXT(0, part)
            triangle(r, name)
            for _ in parts:
                r.glPopGroupMarkerEXT()
        r.swap()
    path = tmp_path / "scene.trace"
    for patterns, expected, warned in (
        ((), [True, False, True, False, False, False], 0),
        (("tree ?", "house*", "*"), [True] * 5 + [False], 1),
        (("tree ?",), [True, False, True, True, False, False], 0),
        (("Tree*",), [True, False, True, False, False, False], 1),
    ):
        told = record(path, tmp_path / "activity", replace=True, collisionable=patterns)
        draws = Activity(tmp_path / "activity").table("draws")
        assert draws["object_label"].to_pylist() == [label or None for label in labels]
        assert draws["collisionable"].to_pylist() == expected
        assert len([line for line in told.warnings if "--collisionable" in line]) == warned
