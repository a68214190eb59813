"""A page of all feature scenes: our picture, Mesa's, and where they differ.

`make gallery` writes build/gallery/index.html.
"""

from __future__ import annotations

import html
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.comparison import compare_images
from tilegpu.functional.images import write_png

from .test_scenes import MAX_OVER_PERCENT, MIN_PSNR_DB, SUITES, render_both

SCALE = 3
STYLE = (
    "body{font:14px sans-serif;background:#fff;color:#111;margin:2em}"
    "figure{display:inline-block;margin:0 1.2em 1.2em 0;vertical-align:top}"
    "img{image-rendering:pixelated;margin-right:4px;border:1px solid #ccc}"
    "figcaption{margin-top:.3em}.wrong{color:#b00;font-weight:bold}"
)
TITLES = {
    "es1": "OpenGL ES 1.1: fixed functions",
    "es2": "OpenGL ES 2.0",
    "es3": "OpenGL ES 3.0",
    "feedback": "OpenGL ES 3.0: transform feedback",
    "textures": "OpenGL ES 3.0: textures",
    "later": "OpenGL ES 3.1, 3.2 and extensions: what shaders of 3.0 can use",
    "levels": "OpenGL ES 3.0: levels of textures",
    "msaa": "OpenGL ES 3.0: several samples (beside llvmpipe)",
}


def difference(ours: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Absolute difference, 16 times as strong; uint8 (height, width, 3)."""
    apart = np.abs(ours[..., :3].astype(np.int16) - theirs[..., :3])
    return np.minimum(apart * 16, 255).astype(np.uint8)


def figure(name: str, ours: NDArray[np.uint8], theirs: NDArray[np.uint8], suite: str, folder: Path) -> tuple[str, bool]:
    """Markup of a scene, and whether it holds the tolerance."""
    result = compare_images(ours, theirs)
    holds = result.over_tolerance_percent <= MAX_OVER_PERCENT and result.psnr_db >= MIN_PSNR_DB
    images = []
    pictures = {"ours": ours[..., :3], "mesa": theirs, "difference": difference(ours, theirs)}
    for kind, pixels in pictures.items():
        file = f"{suite}_{name}_{kind}.png"
        write_png(np.ascontiguousarray(pixels, np.uint8), folder / file)
        height, width = pixels.shape[:2]
        images.append(f'<img src="{file}" width="{SCALE * width}" height="{SCALE * height}" alt="{kind}">')
    told = f"{result.psnr_db:.1f} dB, {result.over_tolerance_percent:.2f} % over 2, most {result.maximum}"
    mark = "" if holds else ' class="wrong"'
    caption = f"<figcaption{mark}>{html.escape(name.replace('_', ' '))}: {told}</figcaption>"
    return f"<figure>{''.join(images)}{caption}</figure>", holds


def sheet(pictures: list[NDArray[np.uint8]], columns: int) -> NDArray[np.uint8]:
    """Pictures of one size as one, row by row."""
    blank = np.full_like(pictures[0], 255)
    filled = pictures + [blank] * (-len(pictures) % columns)
    rows = [np.concatenate(filled[i : i + columns], axis=1) for i in range(0, len(filled), columns)]
    return np.concatenate(rows)


def write_gallery(folder: Path, eglretrace: str) -> list[str]:
    """Write the page and its pictures; the names of scenes that leave the tolerance."""
    folder.mkdir(parents=True, exist_ok=True)
    body: list[str] = []
    wrong: list[str] = []
    for suite in SUITES:
        with tempfile.TemporaryDirectory() as scratch:
            pairs = render_both(suite, Path(scratch), eglretrace)
        body.append(f"<h2>{TITLES.get(suite, suite)}: {len(pairs)} scenes</h2>")
        for name, (ours, theirs) in sorted(pairs.items()):
            markup, holds = figure(name, ours, theirs, suite, folder)
            body.append(markup)
            wrong += [] if holds else [f"{suite} {name}"]
        strips = [
            np.pad(np.concatenate([o[..., :3], t, difference(o, t)], 1), ((2, 2), (2, 6), (0, 0)), constant_values=255)
            for o, t in (pairs[name] for name in sorted(pairs))
        ]
        write_png(np.ascontiguousarray(sheet(strips, 5)), folder / f"sheet_{suite}.png")
    head = f"<!doctype html><meta charset=utf-8><title>tilegpu scenes</title><style>{STYLE}</style>"
    lead = "<h1>Feature scenes</h1><p>Ours, Mesa's, and the difference, 16 times as strong.</p>"
    (folder / "index.html").write_text(head + lead + "\n".join(body), "utf-8")
    return wrong


def main() -> int:
    """Write the gallery; 1 where a scene leaves the tolerance, 2 without Mesa's replayer."""
    eglretrace = shutil.which("eglretrace")
    if eglretrace is None:
        packages = "apitrace libegl1 libgl1-mesa-dri libgles2"
        print(f"the gallery needs eglretrace: apt-get install {packages}", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/gallery")
    wrong = write_gallery(folder, eglretrace)
    print(f"{folder / 'index.html'}: {sum(len(scenes) for _, scenes, _ in SUITES.values())} scenes")
    for name in wrong:
        print(f"out of tolerance: {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
