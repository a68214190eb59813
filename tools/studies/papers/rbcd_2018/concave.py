"""Fig. 5.2 as a picture: a concave object and two others by bounding boxes, by convex hulls and by pixels.

`python -m tilegpu.tools.studies.papers.rbcd_2018.concave docs/concave.svg` draws it anew: above, nothing touches;
below, one of the two has moved into the concave one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image

from tilegpu.collisions import FrameDetection, Options, detect
from tilegpu.collisions.hulls import qhull
from tilegpu.collisions.meshes import CollidingObject, Meshes
from tilegpu.functional.activity.marks import COLLISIONABLE
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.config import load_configuration
from tilegpu.timing.replay import replay
from tilegpu.timing.results.drawing import matplotlib_figures, save
from tilegpu.tools.workloads.geometry import Mesh, ball, box, joined

from ....collision_pictures import marked

Array = np.ndarray[Any, Any]
SIZE = 192
VERTEX = """
attribute vec3 position; attribute vec3 normal; uniform mat4 world; varying float light;
void main() {
    gl_Position = vec4((world * vec4(position, 1.0)).xyz * vec3(1.0, 1.0, -0.5), 1.0);
    light = 0.45 + 0.55 * max(dot(normalize((world * vec4(normal, 0.0)).xyz), vec3(0.45, 0.6, 0.66)), 0.0);
}
"""
FRAGMENT = """
precision highp float; uniform vec3 tint; varying float light;
void main() { gl_FragColor = vec4(tint * light, 1.0); }
"""
FRAMES = ((0.0, 0.0), (-0.20, -0.24))
"""Distance that C has moved."""
LINE = "#c0392b"


def _objects(offset: tuple[float, float]) -> list[tuple[str, Mesh, Array, tuple[float, float, float]]]:
    """Label, mesh, world matrix and colour: A is an L; B lies in the corner of its box, C in the bend of its hull."""
    arms = joined(box().moved((-0.58, 0.0, 0), (0.17, 0.75, 0.3)), box().moved((0.17, -0.58, 0), (0.58, 0.17, 0.3)))
    return [
        ("A", arms, np.eye(4), (0.55, 0.65, 0.85)),
        ("B", ball(200), _placed(0.55, 0.55, 0.17), (0.9, 0.75, 0.4)),
        ("C", ball(200), _placed(-0.13 + offset[0], -0.13 + offset[1], 0.2), (0.6, 0.8, 0.55)),
    ]


def _placed(x: float, y: float, size: float) -> Array:
    matrix = np.diag([size, size, size, 1.0])
    matrix[:2, 3] = x, y
    return matrix


def _trace(path: Path) -> None:
    with Recorder(path, SIZE, SIZE) as gl:
        program = gl.program(VERTEX, FRAGMENT, ("position", "normal"))
        gl.glUseProgram(program)
        world, tint = (gl.glGetUniformLocation(program, name) for name in ("world", "tint"))
        gl.glEnable(0x0B71)
        gl.glEnable(0x0B44)
        for location in (0, 1):
            gl.glEnableVertexAttribArray(location)
        for offset in FRAMES:
            gl.glClearColor(0.93, 0.93, 0.95, 1)
            gl.glClear(0x4100)
            for name, mesh, matrix, color in _objects(offset):
                gl.glUniformMatrix4fv(world, 1, False, matrix.T.astype(np.float32).ravel())
                gl.glUniform3f(tint, *color)
                corners = mesh.triangles.ravel()
                for location, values in enumerate((mesh.position, mesh.normal)):
                    values = values[corners].astype(np.float32)
                    gl.glVertexAttribPointer(location, 3, 0x1406, False, 12, values.tobytes())
                with gl.group(COLLISIONABLE + name):
                    gl.glDrawArrays(4, 0, len(corners))
            gl.swap()


def draw(path: Path) -> None:
    """Draw the picture into a .svg or .png file."""
    with TemporaryDirectory() as folder:
        trace, activity = Path(folder) / "concave.trace", Path(folder) / "activity"
        _trace(trace)
        record(trace, activity, level="all", groups=frozenset({"inputs", "pass_images"}))
        results = replay(activity, load_configuration("rbcd-2018-rbcd"))
        detection = detect(activity, Options(world_matrix="world"))
        opened = Activity(activity)
        meshes = dict(Meshes(opened, "world").frames())
        tables = results.own["collisions"]
        pictures = [_picture(opened, table, number) for number, table in enumerate(tables)]
        pairs = [{(row["label_a"], row["label_b"]) for row in table.to_pylist()} for table in tables]
    figure = matplotlib_figures().Figure(figsize=(9.6, 5.2), layout="constrained")
    axes = figure.subplots(len(FRAMES), 4)
    for number, row in enumerate(axes):
        plain, seen = pictures[number]
        titles = _told(detection.frames[number], pairs[number])
        for place, (axis, title) in enumerate(zip(row, ("the scene", *titles), strict=True)):
            axis.imshow(seen if place == 3 else plain, extent=(-1, 1, -1, 1))
            axis.set_title(title, fontsize=9)
            axis.set_axis_off()
        for thing in meshes[number]:
            _outline(row[1], _corners_of_box(thing))
            _outline(row[2], _corners_of_hull(thing))
    save(figure, path)


def _picture(activity: Any, table: Any, number: int) -> tuple[Array, Array]:
    """The picture of a frame, and the same with its colliding pixels marked."""
    name = activity.frame("frames", number)["image"][0].as_py()
    plain = np.asarray(Image.open(activity.folder / name).convert("RGB"))
    seen = plain.copy()
    for _, picture in marked(activity, table):
        colored = np.asarray(picture)
        chosen = (colored.astype(int) - plain // 2 != 0).any(axis=2)
        seen[chosen] = colored[chosen]
    return plain, seen


def _told(frame: FrameDetection, pixels: set[tuple[str, str]]) -> tuple[str, str, str]:
    """Titles: the pairs by boxes, hulls and pixels."""
    boxes = [(pair.object_a, pair.object_b) for pair in frame.pairs]
    hulls = [(pair.object_a, pair.object_b) for pair in frame.pairs if pair.narrow]
    listed = [
        ", ".join("".join(sorted(name[-1] for name in pair)) for pair in colliding) for colliding in (boxes, hulls)
    ]
    by_pixel = ", ".join("".join(sorted(name[-1] for name in pair)) for pair in sorted(pixels))
    return f"boxes: {listed[0] or 'none'}", f"hulls: {listed[1] or 'none'}", f"pixels: {by_pixel or 'none'}"


def _corners_of_box(thing: CollidingObject) -> Array:
    (x0, y0), (x1, y1) = thing.positions[:, :2].min(axis=0), thing.positions[:, :2].max(axis=0)
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _corners_of_hull(thing: CollidingObject) -> Array:
    """Of the hull as it is seen from the front."""
    points = thing.positions[:, :2].astype(np.float64)
    return np.asarray(points[qhull().ConvexHull(points).vertices])


def _outline(axis: Any, corners: Array) -> None:
    axis.plot(*np.vstack([corners, corners[:1]]).T, color=LINE, linewidth=1.2)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
