"""Draws scenes of random state: `python -m tests.reference.random_state SEED...`, or FIRST:LAST for many."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from PIL import Image

from .batch import Drawn, compare, mesas, ours, record
from .chunks import differing, summary

SCALE = 8


def _numbers(text: str) -> list[int]:
    first, colon, last = text.partition(":")
    return list(range(int(first), int(last))) if colon else [int(first)]


def write_pictures(seeds: list[int], folder: Path, eglretrace: str) -> None:
    """Record each scene alone, and write ours, with each back end, and each driver's picture, enlarged."""
    for seed in seeds:
        trace = folder / f"{seed}.trace"
        record(trace, [seed])
        pictures: dict[str, Drawn] = {d: mesas(trace, [seed], d, eglretrace) for d in ("softpipe", "llvmpipe")}
        pictures |= {"ours": ours(trace, [seed]), "ours_numpy": ours(trace, [seed], "numpy")}
        for name, drawn in pictures.items():
            picture = Image.fromarray(drawn.pictures[seed])
            enlarged = picture.resize((picture.width * SCALE, picture.height * SCALE), Image.Resampling.NEAREST)
            enlarged.save(folder / f"{seed}_{name}.png")
            for message in drawn.errors.get(seed, []):
                print(f"{seed} {name}: {message}")


def main() -> int:
    """The status: 1 where a picture differs and no rule says why."""
    parser = argparse.ArgumentParser("python -m tests.reference.random_state", description=__doc__)
    parser.add_argument("seeds", nargs="+", help="numbers of scenes, or FIRST:LAST without LAST")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/random_state"), help="folder for pictures")
    options = parser.parse_args()
    eglretrace = shutil.which("eglretrace")
    if eglretrace is None:
        parser.error("needs eglretrace: apt-get install apitrace libegl1 libgl1-mesa-dri libgles2")
    options.output.mkdir(parents=True, exist_ok=True)
    seeds = [seed for text in options.seeds for seed in _numbers(text)]
    if len(seeds) == 1:
        (result,) = compare(options.output / "scene.trace", seeds, eglretrace)
        print(result.line())
        wrong, results = [result] if not result.right and result.rule is None else [], [result]
    else:
        results = differing(options.output, seeds, eglretrace, print)
        wrong = [r for r in results if r.rule is None]
        print(summary(seeds, results))
    for result in wrong:
        print(result.line())
    write_pictures([r.seed for r in wrong] if len(seeds) > 1 else seeds, options.output, eglretrace)
    print(f"pictures and traces: {options.output}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
