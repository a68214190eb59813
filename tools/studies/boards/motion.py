"""Motion of scenes of glmark2, and their captures at other moments of a run.

A published rate is a mean over a run of ten seconds; a capture has its first three frames. glmark2 computes the
matrices of most scenes from the time alone, so that a frame at any moment follows from a captured one. The matrix D
that leads the model from its moment to another is applied before all else, M' = M D, and D^-T for normals. Sources are
glmark2's `src/scene-*.cpp` and `src/jellyfish-private.cpp`; tests check D by frames that were captured.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import FRAME_ENDS, Call, Trace, TraceWriter

from ..declare import Frames

FRAMES_PER_SECOND = 60
"""The captured clock goes on by a sixtieth of a second in each frame."""
RUN_SECONDS = 10
"""glmark2 runs a scene for so long unless it is asked for another duration."""
MOMENTS = 8
_EVERY = RUN_SECONDS * FRAMES_PER_SECOND // MOMENTS
RUN = Frames((0,), tuple(range(_EVERY // 2, RUN_SECONDS * FRAMES_PER_SECOND, _EVERY)), before=1)
"""Moments of a run at equal distances, each after the frame before it: Transaction Elimination and caches look back."""
MATRIX = "glUniformMatrix4fv"
TOLERANCE = 1e-5
"""Of matrices as a share of their largest number: they are computed as float32."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Motion:
    """Motion of a scene.

    Attributes
    ----------
    model
        Model matrix after some seconds, float64 [4, 4], by the place of a uniform matrix among those of a frame.
    normal
        Places of normal matrices that are not turned only.
    """

    model: Callable[[float, int], Matrix]
    normal: tuple[int, ...] = ()

    def from_to(self, first: float, second: float, place: int) -> Matrix:
        """D, which leads from one moment to another."""
        matrix = _inverse(self.model(first, place)) @ self.model(second, place)
        return _inverse(matrix).T if place in self.normal else matrix


def _inverse(matrix: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _turned(degrees: float, axis: int) -> Matrix:
    """Rotation about x, y or z."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = np.eye(4)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix[first, first] = matrix[second, second] = c
    matrix[first, second], matrix[second, first] = -s, s
    return matrix


def _moved(x: float, y: float, z: float) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def _turning(*axes: int) -> Motion:
    """A tenth of a turn a second about each of some axes."""

    def model(seconds: float, place: int) -> Matrix:
        matrix = np.eye(4)
        for axis in axes:
            matrix = matrix @ _turned(36 * seconds, axis)
        return matrix

    return Motion(model)


def _pulsar(seconds: float, quad: int) -> Matrix:
    """Each quad turns about x and y at its own speed; all of them grow and shrink together, x and y in turns."""
    phase = seconds / 3.6
    scale = np.diag([10 * math.cos(phase), 10 * math.sin(phase), 1, 1])
    x, y = (5 * math.modf((quad + 1) * number)[0] * 60 * seconds for number in (math.pi, math.e))
    matrix: Matrix = scale @ _moved(0, 0, -10) @ _turned(x, 0) @ _turned(y, 1)
    return matrix


def _jellyfish(seconds: float, place: int) -> Matrix:
    # Its clock starts before its textures are loaded.
    angle = 2 * (seconds + 2.5 / FRAMES_PER_SECOND)
    slow, slower = math.sin(angle / 10), math.sin(angle / 20)
    turned = _turned(30 * slow, 1) @ _turned(30 * slower, 0)
    matrix: Matrix = _moved(0, 5, -75) @ turned @ np.diag([5, 5, 5, 1]) @ _moved(0, 2.5 * slow, 0)
    return matrix


_X, _Y, _Z = range(3)
MOTIONS = {
    "build": _turning(_Y),
    "bump": _turning(_Y),
    "conditionals": _turning(_Z),
    "function": _turning(_Z),
    "jellyfish": Motion(_jellyfish, normal=(2,)),
    "loop": _turning(_Z),
    "pulsar": Motion(_pulsar),
    "refract": _turning(_Y),
    "shading": _turning(_Y),
    "shadow": _turning(_Y),
    "texture": _turning(_X, _Y, _Z),
}
"""By the name of the scene. The others move by more than matrices, or stand still."""


def motion_of(scene: str) -> Motion | None:
    """Motion of a scene by its name with options, as `bump:high-poly`; None if it is not known."""
    return MOTIONS.get(scene.partition(":")[0])


def write_moments(motion: Motion, capture: Path, output: Path, times: Sequence[int]) -> None:
    """Write a capture's first frame, and frames at other moments made from its second.

    A capture whose third frame does not follow from the second, because its clock is another or the scene is only
    called as one of glmark2's, is copied as it is.

    Parameters
    ----------
    motion
        How the scene moves.
    capture
        Its frames are of the clock's ticks 0, 1 and 2.
    output
        File to write.
    times
        Moments in ticks of the captured clock; the first is 0.

    Raises
    ------
    CaptureError
        If the capture cannot be read.
    """
    trace = Trace(capture)
    frames = _frames(trace)
    first, second, third = (next(frames, []) for _ in range(3))
    places = moving(motion, second, third)
    if places is None:
        shutil.copyfile(capture, output)
        return
    with TraceWriter(output, trace.properties) as writer:
        for call in first:
            writer.write(call)
        for time in times[1:]:
            for number, call in enumerate(second):
                writer.write(_at(call, motion, places[number], time) if number in places else call)


def _frames(trace: Trace) -> Iterator[list[Call]]:
    """Calls of each frame, the one that ends it last."""
    calls: list[Call] = []
    for call in trace:
        if call.complete:
            calls.append(call)
        if call.name in FRAME_ENDS:
            yield calls
            calls = []


def moving(motion: Motion, second: Sequence[Call], third: Sequence[Call]) -> dict[int, int] | None:
    """Calls of a captured frame that set matrices which move, and their places among all of the frame's matrices.

    None if the next frame's matrices do not follow from them.
    """
    mine = [number for number, call in enumerate(second) if call.name == MATRIX]
    later: list[Any] = [call.arguments[3] for call in third if call.name == MATRIX]
    if not mine or len(mine) != len(later):
        return None
    places = {}
    for place, (number, expected) in enumerate(zip(mine, later, strict=True)):
        values: Any = second[number].arguments[3]
        if values == expected:
            continue
        places[number] = place
        if not np.allclose(
            _moved_to(values, motion, place, 2), expected, rtol=0, atol=TOLERANCE * np.max(np.abs(values))
        ):
            return None
    return places


def _at(call: Call, motion: Motion, place: int, time: int) -> Call:
    """The second frame's call that sets a matrix, at another moment."""
    values = _moved_to(call.arguments[3], motion, place, time)
    return Call(call.number, call.signature, [*call.arguments[:3], values], call.thread)


def _moved_to(values: Any, motion: Motion, place: int, time: int) -> Any:
    """A matrix of the second frame, column by column as OpenGL has it, at another moment."""
    between = motion.from_to(1 / FRAMES_PER_SECOND, time / FRAMES_PER_SECOND, place)
    return (np.array(values, np.float64).reshape(4, 4).T @ between).T.ravel().tolist()
