"""Many scenes in one trace: recorded, drawn by Mesa's drivers and by us, compared one by one."""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from PIL import Image

from tilegpu.functional.capture import Recorder, Trace
from tilegpu.functional.capture.call import Call
from tilegpu.functional.comparison import differences
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.gles.context import Report
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.player import window_pixels

from .attaching import attaching, clearing
from .blending import blending
from .blits import blits
from .comparing import comparing
from .depth_stencil import depth_stencil
from .expected import Rule, rule_for
from .levels import levels
from .objects import objects
from .rasterizing import rasterizing
from .reads import copying, reading
from .sampling import sampling
from .scene import Choices, Scene
from .stage import CELL, Stage
from .texturing import texturing
from .uploads import uploads

KINDS: MappingProxyType[str, Callable[[Choices], Scene]] = MappingProxyType(
    {
        "texture": texturing,
        "compare": comparing,
        "blend": blending,
        "depth": depth_stencil,
        "blit": blits,
        "upload": uploads,
        "read": reading,
        "copy": copying,
        "raster": rasterizing,
        "samples": sampling,
        "attach": attaching,
        "clear": clearing,
        "levels": levels,
        "objects": objects,
    }
)
_SHARES = ("texture",) * 5 + ("blend",) * 2 + ("depth",) * 2 + ("upload",) * 2 + tuple(KINDS)
SIDE = 16
"""Cells along each side of a frame, within a margin of one: viewports that leave the window would enlarge it."""
WINDOW = (SIDE + 2) * CELL
MAX_OVER = CELL * CELL // 100
"""Pixels of a cell that may be off by more than `TOLERANCE`: 1 %."""
TOLERANCE = 2
MIN_PSNR_DB = 46.0
"""Of the pixels within the tolerance: in a picture as small as a cell, a single other pixel would decide it."""
Pictures = dict[int, np.ndarray]
"""uint8 (CELL, CELL, 3) by seed."""


def scene_of(seed: int) -> tuple[str, Scene]:
    """Kind and choices of a scene."""
    pick = Choices(seed)
    kind = pick.choice(_SHARES)
    return kind, KINDS[kind](pick)


def describe(seed: int) -> str:
    """A scene in one line."""
    kind, scene = scene_of(seed)
    return f"{seed} {kind}: {scene}"


def record(path: Path, seeds: Sequence[int]) -> None:
    """Record scenes, one per cell, and as many frames as they take."""
    with Recorder(path, WINDOW, WINDOW, (3, 1)) as r:
        stage = Stage(r)
        for number, seed in enumerate(seeds):
            cell = number % (SIDE * SIDE)
            if cell == 0:
                r.glBindFramebuffer(0x8D40, 0)
                r.glDisable(0x0C11)
                r.glColorMask(1, 1, 1, 1)
                r.glClearColor(0.1, 0.15, 0.2, 1)
                r.glClear(0x4000)
            with r.group(str(seed)):
                stage.begin((cell % SIDE + 1) * CELL, (cell // SIDE + 1) * CELL)
                scene_of(seed)[1].draw(stage)
                stage.end()
            if cell == SIDE * SIDE - 1 or number == len(seeds) - 1:
                r.swap()


def cells(frames: Sequence[np.ndarray], seeds: Sequence[int]) -> Pictures:
    """Cut frames into the pictures of scenes."""
    pictures = {}
    for number, seed in enumerate(seeds):
        frame, cell = frames[number // (SIDE * SIDE)], number % (SIDE * SIDE)
        assert frame.shape[:2] == (WINDOW, WINDOW)
        top, left = (SIDE - cell // SIDE) * CELL, (cell % SIDE + 1) * CELL
        pictures[seed] = frame[top : top + CELL, left : left + CELL, :3]
    return pictures


@dataclass
class Drawn:
    """Pictures of a driver, and the errors in each scene's calls."""

    pictures: Pictures
    errors: dict[int, list[str]]


def mesas(trace: Path, seeds: Sequence[int], driver: str, eglretrace: str) -> Drawn:
    """What a driver of Mesa's makes of a trace."""
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER=driver)
    prefix = trace.parent / f"{trace.stem}_{driver}_"
    command = [eglretrace, "--headless", "-s", str(prefix), str(trace)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"eglretrace, {driver}, {trace}: {done.stderr[-2000:]}"
    paths = sorted(trace.parent.glob(f"{prefix.name}*.png"))
    frames = [np.asarray(Image.open(path).convert("RGB")) for path in paths]
    for path in paths:
        path.unlink()
    return Drawn(cells(frames, seeds), _errors(trace, re.findall(r"^(\d+): (.*)$", done.stderr, re.M)))


def _errors(trace: Path, lines: Sequence[tuple[Any, str]]) -> dict[int, list[str]]:
    """Messages about calls, by scene."""
    if not lines:
        return {}
    messages = {int(number): text for number, text in lines}
    found: dict[int, list[str]] = {}
    seed = -1
    for call in Trace(trace):
        if call.signature.name == "glPushGroupMarkerEXT":
            seed = int(call.arguments[1])  # type: ignore[arg-type]
        if call.number in messages:
            found.setdefault(seed, []).append(messages[call.number])
    return found


class _Report(Report):
    """A report that keeps every line with its call."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[int, str]] = []

    def note(self, counter: Counter[str], kind: str, call: Call, message: str) -> None:
        """Keep a line."""
        self.all.append((call.number, f"{call.signature.name}: {kind}: {message}"))


def ours(trace: Path, seeds: Sequence[int], backend: str = "") -> Drawn:
    """What our renderer makes of a trace."""
    frames: list[np.ndarray] = []
    renderer = Renderer(choose_backend(backend)[0], True)
    display = Display(
        renderer.run,
        Listener(),
        lambda window, call: frames.append(window_pixels(window)),
        joins_draws=True,
        dispatch=renderer.dispatch,
    )
    display.report = report = _Report()
    for call in Trace(trace):
        display.execute(call)
    display.flush()
    return Drawn(cells(frames, seeds), _errors(trace, report.all))


def distance(picture: np.ndarray, *references: np.ndarray) -> tuple[int, float]:
    """Pixels off by more than the tolerance, and PSNR in dB of the others; each channel by its nearest reference."""
    difference = np.min([differences(picture, reference) for reference in references], 0)
    over = (difference > TOLERANCE).any(2)
    rest = difference[~over].astype(np.float64)
    mse = float((rest**2).mean()) if rest.size else 0.0
    return int(over.sum()), float("inf") if mse == 0 else float(10 * np.log10(255.0**2 / mse))


def within(figures: tuple[int, float]) -> bool:
    """Whether a `distance` counts as none."""
    return figures[0] <= MAX_OVER and figures[1] >= MIN_PSNR_DB


@dataclass(frozen=True)
class Result:
    """A scene as all three drew it.

    Attributes
    ----------
    softpipe, llvmpipe
        Pixels in which we differ from each, and PSNR of the others.
    either
        From the nearer of them, channel by channel.
    mesas
        Between the two.
    largest
        Largest difference of a channel from the nearer of them.
    errors
        GL errors that only one side has.
    """

    seed: int
    softpipe: tuple[int, float]
    llvmpipe: tuple[int, float]
    either: tuple[int, float]
    mesas: tuple[int, float]
    largest: int
    errors: str

    @property
    def right(self) -> bool:
        """Whether our picture is one of Mesa's, or between them where they disagree, and there is an error in both or
        in none."""
        return not self.errors and any(within(d) for d in (self.softpipe, self.llvmpipe, self.either))

    @property
    def rule(self) -> Rule | None:
        """Why the picture may differ."""
        if self.errors:
            return None
        return rule_for(scene_of(self.seed)[1], self.largest, self.mesas[0] > 0)

    def line(self) -> str:
        """One line for a report."""
        figures = ", ".join(
            f"{name} {over} px {psnr:.0f} dB"
            for name, (over, psnr) in (
                ("softpipe", self.softpipe),
                ("llvmpipe", self.llvmpipe),
                ("either", self.either),
                ("between these", self.mesas),
            )
        )
        return f"{figures}, at most {self.largest}{'; ' if self.errors else ''}{self.errors}; {describe(self.seed)}"


def compare(trace: Path, seeds: Sequence[int], eglretrace: str, backend: str = "") -> list[Result]:
    """Record scenes to a trace and compare ours with Mesa's."""
    record(trace, seeds)
    softpipe, llvmpipe = (mesas(trace, seeds, driver, eglretrace) for driver in ("softpipe", "llvmpipe"))
    own = ours(trace, seeds, backend)
    results = []
    for seed in seeds:
        a, b, c = (drawn.pictures[seed] for drawn in (own, softpipe, llvmpipe))
        theirs, mine = softpipe.errors.get(seed, []), own.errors.get(seed, [])
        errors = "" if bool(theirs) == bool(mine) else f"errors: Mesa {theirs[:1]}, ours {mine[:1]}"
        largest = int(np.minimum(differences(a, b), differences(a, c)).max())
        figures = distance(a, b), distance(a, c), distance(a, b, c), distance(b, c)
        results.append(Result(seed, *figures, largest, errors))
    return results
