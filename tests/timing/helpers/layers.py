"""Scenes of rectangles that lie in front of each other, as labelled objects, for tests of visibility techniques."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import Level, record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.results.own_pictures import OwnPictures

SIZE = 64
VERTEX = "attribute vec4 position; void main() { gl_Position = position; }"
FRAGMENT = "precision highp float; uniform vec4 tint; void main() { gl_FragColor = tint; }"
HOLED = """
precision highp float;
uniform vec4 tint;
void main() { if (fract(gl_FragCoord.x * 0.25) < 0.5) discard; gl_FragColor = tint; }
"""
QUADS = SIZE // 2 * (SIZE // 2) + SIZE // 2
"""Of two triangles that fill the screen: quads on the diagonal count twice."""
LESS, LEQUAL, GREATER = 0x0201, 0x0203, 0x0204
DEPTH_TEST, BLEND = 0x0B71, 0x0BE2


@dataclass(frozen=True)
class Layer:
    """A rectangle; corners are in pixels, z from -1 (near) to 1. It may lean: `z_right` is its depth at the right."""

    label: str
    z: float
    left: int = 0
    right: int = SIZE
    bottom: int = 0
    top: int = SIZE
    z_right: float | None = None
    function: int = LESS
    blend: bool = False
    holed: bool = False
    clear_before: bool = False

    def corners(self) -> np.ndarray:
        """Two triangles, clip coordinates."""
        right = self.z if self.z_right is None else self.z_right
        x0, x1 = (2 * x / SIZE - 1 for x in (self.left, self.right))
        y0, y1 = (2 * y / SIZE - 1 for y in (self.bottom, self.top))
        low, high = ((x0, y0, self.z, 1), (x1, y0, right, 1)), ((x0, y1, self.z, 1), (x1, y1, right, 1))
        return np.array([low[0], low[1], high[1], low[0], high[1], high[0]], np.float32)


def random_layers(chance: np.random.Generator, count: int) -> list[Layer]:
    """Rectangles anywhere, of few depths so that many are equal; some lean, blend, have holes or follow a clear."""

    def layer(number: int) -> Layer:
        left, bottom = (int(v) for v in chance.integers(0, SIZE - 8, 2))
        right, top = (int(chance.integers(low + 4, SIZE + 1)) for low in (left, bottom))
        z = float(chance.integers(-3, 4)) / 4
        return Layer(
            f"object {number}",
            z,
            left,
            right,
            bottom,
            top,
            z_right=z if chance.random() < 0.6 else float(chance.integers(-3, 4)) / 4,
            function=int(chance.choice([LESS, LEQUAL, GREATER], p=[0.45, 0.45, 0.1])),
            blend=bool(chance.random() < 0.15),
            holed=bool(chance.random() < 0.2),
            clear_before=bool(chance.random() < 0.05),
        )

    return [layer(number) for number in range(count)]


def write_trace(path: Path, frames: Sequence[Sequence[Layer]]) -> Path:
    """Trace of frames; each draws its layers in their order."""
    with Recorder(path, SIZE, SIZE) as gl:
        programs = {holed: gl.program(VERTEX, HOLED if holed else FRAGMENT, ("position",)) for holed in (False, True)}
        tints = {holed: gl.glGetUniformLocation(program, "tint") for holed, program in programs.items()}
        for layers in frames:
            gl.glClearColor(0, 0, 0, 1)
            gl.glClear(0x4100)
            gl.glEnable(DEPTH_TEST)
            for number, layer in enumerate(layers):
                _draw(gl, layer, number, programs, tints)
            gl.swap()
    return path


def _draw(gl: Recorder, layer: Layer, number: int, programs: dict[bool, int], tints: dict[bool, int]) -> None:
    if layer.clear_before:
        gl.glClear(0x0100)
    gl.glUseProgram(programs[layer.holed])
    shade = (number + 1) / 16
    gl.glUniform4f(tints[layer.holed], shade, 1 - shade, (number % 3) / 3, 0.5)
    gl.glDepthFunc(layer.function)
    if layer.blend:
        gl.glEnable(BLEND)
        gl.glBlendFunc(0x0302, 0x0303)
    else:
        gl.glDisable(BLEND)
    gl.glEnableVertexAttribArray(0)
    gl.glVertexAttribPointer(0, 4, 0x1406, False, 16, layer.corners().tobytes())
    with gl.group(layer.label):
        gl.glDrawArrays(4, 0, 6)


def record_layers(folder: Path, frames: Sequence[Sequence[Layer]], level: Level = "all") -> Path:
    """Activity of such frames."""
    trace = write_trace(folder / "layers.trace", frames)
    # Of a test that records twice, the last one counts.
    record(trace, folder / "activity", level=level, groups=frozenset(("colors", "pass_images")), replace=True)
    return folder / "activity"


class Played:
    """Frames of layers on a machine with a visibility technique."""

    def __init__(self, machine: Any, folder: Path, frames: Sequence[Sequence[Layer]], *settings: str) -> None:
        self.gpu = machine(*settings)
        loader = Loader(record_layers(folder, frames), load_configuration("ptr-2022", ["dram=simple", *settings]))
        own = OwnPictures(loader.source, self.gpu.chip)
        self.frames: list[Any] = []
        self.stats: list[dict[str, float]] = []
        self.pictures: list[dict[str, float]] = []
        for number in loader.frames:
            frame = loader.load(number)
            self.frames.append(frame)
            self.stats.append(self.gpu.run(frame))
            self.pictures.append(own.check(number, frame))

    @property
    def shaded(self) -> list[float]:
        """Quads shaded in each frame."""
        return [s["raster.early_depth.survived_quads"] for s in self.stats]

    def order(self) -> list[int]:
        """Objects in the order at work, by number."""
        rank = np.asarray(self.gpu.gpu.technique.visibility_rendering_order.rank)
        found = np.flatnonzero(rank >= 0)
        return [int(node) for node in found[np.argsort(rank[found])]]

    def same_pictures(self) -> bool:
        """Whether every frame looks as it does in program order; each layer has a colour of its own."""
        checked = all(found["pictures.pixels"] == SIZE * SIZE for found in self.pictures)
        return checked and not any(found["pictures.different_pixels"] for found in self.pictures)


def full_screen(depths: Sequence[float], **more: Any) -> list[Layer]:
    """Full-screen layers, drawn in this order."""
    return [Layer(f"layer {i}", z, **more) for i, z in enumerate(depths)]


def opaque_layers(chance: np.random.Generator, count: int) -> list[Layer]:
    """Rectangles as `random_layers`, all of which may hide others."""
    functions = (LESS, LEQUAL)
    return [
        replace(layer, blend=False, holed=False, clear_before=False, function=functions[i % 2])
        for i, layer in enumerate(random_layers(chance, count))
    ]


def pixels_covered(layers: Sequence[Layer]) -> int:
    """Pixels that at least one layer covers."""
    covered = np.zeros((SIZE, SIZE), bool)
    for layer in layers:
        covered[layer.bottom : layer.top, layer.left : layer.right] = True
    return int(covered.sum())
