"""The page of captures that were played: `python -m tests.reference.captures_page FOLDER docs/captures.md` writes it.

FOLDER is the one that `TILEGPU_CAPTURES` names. Pictures of Mesa's softpipe lie beside captures of OpenGL ES; those of
desktop OpenGL are drawn with glretrace for the calls of which drivers of GPUs gave pictures.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.capture import FRAME_ENDS, Trace
from tilegpu.functional.comparison import Comparison, compare_images, read_image
from tilegpu.functional.importers import import_capture
from tilegpu.functional.inspection import inspect_stream
from tilegpu.functional.player import Player

INTRODUCTION = """<!-- Made by `python -m tests.reference.captures_page FOLDER docs/captures.md`. -->

# Captures

Captures of real programs, rendered and compared with a driver's pictures, every frame that has one. *Beyond 2* is the
share of pixels in which a channel differs by more than 2 of 255, in the worst frame. `tilegpu info` says what tilegpu
lacks for any other capture, and [the recipes](recipes.md#recording-your-own-application) how to record one.

The public captures in *anholt/trace-db* are of desktop OpenGL, made with apitrace; those of glmark2 are GPL-3, as
glmark2 is. The first table lists them. Mesa's traces-db, which Mesa's continuous integration plays, has `.trace` and
`.rdc` files of desktop OpenGL and of OpenGL ES; it was not tried.
"""
DESKTOP = """## Public captures of desktop OpenGL

Benchmarks of glmark2 by the database's names; *textured_cube_glsl330* is the example of another simulator, Emerald.
i965 is the driver of an Intel GPU and vc4 that of VideoCore IV, whose pictures are the database's; vc4's differ from
softpipe's as much as from these.
"""
EMBEDDED = """## Recorded from programs of OpenGL ES

With apitrace, from programs that distributions have or that are built in a minute. In *es1_two_win* and
*raylib_shaders_julia_set* softpipe and llvmpipe differ as much from each other, at edges and chaotic points.
"""
RENDERDOC = """## Captured with RenderDoc

Frame 1 compared with RenderDoc's own replay on llvmpipe.
"""


class Row(NamedTuple):
    """A capture, and how its pictures differ from those of each driver."""

    name: str
    size: str
    frames: int
    apart: dict[str, list[Comparison]]


def _row(name: str, trace: Path, apart: dict[str, list[Comparison]]) -> Row:
    found = inspect_stream(trace)
    return Row(name, f"{found.width}x{found.height}", found.frames, apart)


def _compared(trace: Path, expected: dict[int, list[tuple[str, Path]]]) -> dict[str, list[Comparison]]:
    """By driver, comparisons of frames with pictures that drivers gave of them."""
    apart: dict[str, list[Comparison]] = {}
    for frame in Player(trace).run():
        for driver, path in expected.pop(frame.number, ()):
            apart.setdefault(driver, []).append(compare_images(_opaque(frame.pixels), read_image(path)))
        if not expected:
            break
    return apart


def _opaque(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return pixels[..., :3]


def _softpipe(trace: Path, folder: Path, calls: set[int]) -> dict[int, Path]:
    """Pictures that softpipe draws up to these calls of a capture of desktop OpenGL."""
    environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="softpipe")
    chosen = ",".join(map(str, sorted(calls)))
    command = ["xvfb-run", "-a", "glretrace", "-b", f"--snapshot={chosen}", "-s", f"{folder}/{trace.stem}.", str(trace)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return {int(path.stem.split(".")[-1]): path for path in folder.glob(f"{trace.stem}.*.png")}


def desktop_rows(folder: Path) -> Iterator[Row]:
    """Captures of desktop OpenGL with pictures called NAME.DRIVER.CALL.png."""
    for trace in sorted(folder.glob("*.trace")):
        pictures = [re.fullmatch(r"(.+)\.(\w+)\.(\d+)\.png", path.name) for path in folder.glob(f"{trace.stem}.*.png")]
        ends = [call.number for call in Trace(trace) if call.name in FRAME_ENDS]
        given = {(int(found[3]), found[2]): folder / found[0] for found in pictures if found is not None}
        calls = {call for call, _ in given} or {ends[-1]}
        with tempfile.TemporaryDirectory() as place:
            ours = _softpipe(trace, Path(place), calls)
            expected: dict[int, list[tuple[str, Path]]] = {}
            for call in calls:
                expected[ends.index(call)] = [("softpipe", ours[call])] if call in ours else []
            for (call, driver), path in given.items():
                expected[ends.index(call)].append((driver, path))
            yield _row(trace.stem, trace, _compared(trace, expected))


def embedded_rows(folder: Path) -> Iterator[Row]:
    """Captures of OpenGL ES with pictures of softpipe in a folder NAME, numbered by frame."""
    for trace in sorted(folder.glob("*.trace")):
        pictures = {int(path.stem[1:]): [("softpipe", path)] for path in (folder / trace.stem).glob("f*.png")}
        if pictures:
            yield _row(trace.stem, trace, _compared(trace, pictures))


def renderdoc_rows(folder: Path) -> Iterator[Row]:
    """RenderDoc captures with a picture of llvmpipe, NAME.png."""
    for export in sorted(folder.glob("*.zip.xml")):
        name = export.name.removesuffix(".zip.xml")
        with tempfile.TemporaryDirectory() as place:
            stream = Path(place) / "a.trace"
            import_capture(export, stream)
            yield _row(name, stream, _compared(stream, {1: [("llvmpipe", folder / f"{name}.png")]}))


def _table(rows: list[Row], drivers: tuple[str, ...]) -> str:
    lines = [
        f"| capture | size | frames | {' | '.join(f'beyond 2, {driver}' for driver in drivers)} |",
        f"| --- | --- | ---: |{' ---: |' * len(drivers)}",
    ]
    for row in rows:
        shares = (_most(row.apart.get(driver, [])) for driver in drivers)
        lines.append(f"| {row.name} | {row.size} | {row.frames:,} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def _most(comparisons: list[Comparison]) -> str:
    return f"{max(one.over_tolerance_percent for one in comparisons):.3f} %" if comparisons else ""


def page(folder: Path) -> str:
    """The page, as Markdown."""
    parts = [INTRODUCTION]
    if (folder / "glx").is_dir():
        parts += [DESKTOP, _table(list(desktop_rows(folder / "glx")), ("softpipe", "i965", "vc4"))]
    parts += [EMBEDDED, _table(list(embedded_rows(folder)), ("softpipe",))]
    if (folder / "rdc").is_dir():
        parts += [RENDERDOC, _table(list(renderdoc_rows(folder / "rdc")), ("llvmpipe",))]
    return "\n".join(parts)


if __name__ == "__main__":
    with whole_file(Path(sys.argv[2])) as written:
        written.write_text(page(Path(sys.argv[1])), "utf-8")
