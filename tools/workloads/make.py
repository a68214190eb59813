"""Making a twin's trace: the scene laid out, its primitives allotted, its frames drawn with the recorder."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import egl_enums as egl

from .budget import allot
from .fixed_painter import FixedPainter
from .models.model import Model
from .models.painter import paint_model
from .painter import Painter
from .scene import Thing, World, still
from .scene_layout import lay_out
from .twin import NAME, RGB565_WINDOW, Twin, TwinError

SMALL_WINDOW = {
    egl.RED_SIZE: 5,
    egl.GREEN_SIZE: 6,
    egl.BLUE_SIZE: 5,
    egl.ALPHA_SIZE: 0,
    egl.DEPTH_SIZE: 16,
    egl.STENCIL_SIZE: 0,
}
"""Configuration of a window of 16 bits of colour and 16 of depth."""


@dataclass(frozen=True)
class TraceContents:
    """Contents of a trace: things, the primitives of each, and the order in which each frame draws them."""

    things: list[Thing]
    primitives: list[int]
    orders: list[list[int]]


def family_of(twin: Twin) -> Callable[[Twin, int], World]:
    """The function that lays out a twin's world: a module of `families`, or a Python file beside the twin's own.

    Raises
    ------
    TwinError
        If there is none.
    """
    if twin.family.endswith(".py"):
        path = (twin.path.parent if twin.path else Path()) / twin.family
        spec = importlib.util.spec_from_file_location(f"tilegpu_family_{path.stem}", path)
        if spec is None or spec.loader is None or not path.is_file():
            raise TwinError(f"family = {twin.family!r}: there is no file {path}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        if not NAME.fullmatch(twin.family.replace("_", "-")):
            raise TwinError(f"family = {twin.family!r}: name a module of the package, or a Python file")
        try:
            module = importlib.import_module(f"{__package__}.families.{twin.family}")
        except ModuleNotFoundError:
            raise TwinError(f"family = {twin.family!r}: there is none; a Python file of your own works, too") from None
    declared = getattr(module, "world", None)
    if not callable(declared):
        raise TwinError(f"family = {twin.family!r}: it has no function world(twin, room)")
    return declared  # type: ignore[no-any-return]


def make(twin: Twin, path: Path, times: Sequence[float] | int | None = None) -> TraceContents:
    """Write a twin's trace.

    Parameters
    ----------
    twin
        The twin.
    path
        File to write.
    times
        How many frames, or the times of the frames, in frames; without it as many as the twin has.

    Raises
    ------
    TwinError
        If the twin's parameters cannot be.
    """
    if times is None:
        times = twin.frames
    chosen = range(times) if isinstance(times, int) else times
    config = {egl.SAMPLE_BUFFERS: 1, egl.SAMPLES: twin.samples} if twin.samples > 1 else {}
    if twin.window == RGB565_WINDOW:
        config |= SMALL_WINDOW
    if twin.is_model:
        return _made_of(paint_model(twin, path, chosen, config), len(chosen))
    world, things = lay_out(twin, family_of(twin))
    primitives = allot(things, twin.solved, twin.motion.density)
    version = 1 if twin.api == "es1" else 2
    with Recorder(path, twin.width, twin.height, version, config) as gl:
        kind = FixedPainter if twin.api == "es1" else Painter
        painter = kind(gl, twin, world, things, primitives)
        orders = [painter.frame(float(t)) for t in chosen]
    return TraceContents(things, primitives, orders)


def _made_of(model: Model, frames: int) -> TraceContents:
    """A model's parts as things; every frame draws all of them."""
    things = [Thing(part.label, "model", "hero", part.label, still(np.eye(4))) for part in model.parts]
    primitives = [len(part.mesh.triangles) for part in model.parts]
    return TraceContents(things, primitives, [list(range(len(things)))] * frames)
