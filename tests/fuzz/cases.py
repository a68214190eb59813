"""Changed captures by number: `python -m tests.fuzz.cases FOLDER A:B` makes and plays the cases A to B-1, prints what
goes wrong and keeps those captures in the folder."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reference import gather_scenes, later_scenes, level_scenes, multisample_texture_scenes
from tests.reference.test_scenes import reset_programmable
from tilegpu.functional.capture import Call, Recorder, Trace, TraceWriter
from tilegpu.tools.demo import scene_folder

from .changes import changed, damaged
from .sources import SIZE, record_sources
from .verbs_in_processes import Ended, Verbs

MAX_WORK = 1_000_000
"""Most work of a call: a small case with a huge number in it ends with an error instead of taking minutes."""
BYTES_SHARE = 0.2
"""Share of the cases in which bytes of the file are changed, not calls."""
_MOST_CALLS = 4000


def record_captures(folder: Path) -> list[Path]:
    """Captures to change: recorded ones of all versions, compute programs, and the beginnings of the bundled scenes."""
    paths = record_sources(folder)
    later = {
        "later": later_scenes,
        "levels": level_scenes,
        "gather": gather_scenes,
        "multi": multisample_texture_scenes,
    }
    for name, module in later.items():
        with Recorder(folder / f"{name}.trace", SIZE, SIZE, (3, 1)) as r:
            reset_programmable(r)
            for draw in list(module.SCENES.values())[:8]:
                draw(r)
            r.swap()
        paths.append(folder / f"{name}.trace")
    for scene in sorted(scene_folder().rglob("*.trace")):
        paths.append(folder / f"scene_{scene.name}")
        with TraceWriter(paths[-1]) as writer:
            frames = 0
            for call in Trace(scene):
                writer.write(call)
                frames += call.ends_frame
                if frames == 2 or writer.calls == _MOST_CALLS:
                    break
    return paths


@dataclass(frozen=True)
class Wrong:
    """Something that must not happen: the number of the case, the verb, and what it did."""

    number: int
    verb: str
    ended: Ended

    def __str__(self) -> str:
        return f"case {self.number}, {self.verb}: {self.ended.wrong}\n{self.ended.told}"


class Cases:
    """Changed captures.

    Parameters
    ----------
    captures
        What is changed.
    folder
        Where they are written.
    """

    def __init__(self, captures: Sequence[Path], folder: Path) -> None:
        self.folder, self._captures = folder, captures
        self._streams = [list(Trace(path)) for path in captures]
        self._all: list[Call] = [call for stream in self._streams for call in stream]

    def make(self, number: int) -> Path:
        """Write a case."""
        choose = random.Random(number)
        source, path = choose.randrange(len(self._captures)), self.folder / f"case_{number}.trace"
        if choose.random() < BYTES_SHARE:
            path.write_bytes(damaged(self._captures[source].read_bytes(), choose))
            return path
        with TraceWriter(path) as writer:
            for call in changed(self._streams[source], self._all, choose):
                writer.write(call)
        return path

    def play(self, verbs: Verbs, numbers: range) -> Iterator[Wrong]:
        """Make cases and run `info`, `render` and `trace` on each."""
        output = self.folder / "output"
        for number in numbers:
            path, wrong = self.make(number), False
            for verb, *options in (("info", "--check"), ("render",), ("trace",)):
                written = [] if verb == "info" else ["-o", output, "--max-work", MAX_WORK]
                ended = verbs.run(verb, path, *options, *written)
                shutil.rmtree(output, ignore_errors=True)
                if ended.wrong:
                    wrong = True
                    yield Wrong(number, verb, ended)
            if not wrong:
                path.unlink()


def main() -> None:
    """Play cases from the command line."""
    folder, (first, last) = Path(sys.argv[1]), map(int, sys.argv[2].split(":"))
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as sources:
        captures = record_captures(Path(sources))
        with Verbs(captures, Path(sources)) as verbs:
            for wrong in Cases(captures, folder).play(verbs, range(first, last)):
                print(wrong, flush=True)


if __name__ == "__main__":
    main()
