"""`tilegpu why`: the draws that cost, the reason, and what each change would save."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ..console import print_json, progress, say, warn_of
from ..options import AsJson, FramesAtOption, Strict, TraceFile, parse_frames_at
from ..outputs import Force, check_file, check_files_in, has_property, holds

MARK = b'"tilegpu": "why"'
MOST_MACHINES = 4


def why(
    file: TraceFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Page to write, .html; JSON goes beside it.")
    ],
    config: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Preset or TOML file of the machine, by default mali-g52-mc1; given again, a machine beside it. The "
            "first one orders draws and changes.",
        ),
    ] = None,
    frame: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Frame, from 0; by default the dearest of eight.")
    ] = None,
    budget: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.0, help="CPU seconds for trying changes; 0 for all changes of the five dearest draws."
        ),
    ] = 60.0,
    captures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the changed captures, which are not kept otherwise.")
    ] = None,
    frames_at: FramesAtOption = "",
    strict: Strict = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say which draws of a frame cost most on a machine, why, and what each change would save, on one page.

    Changes are of textures (half size, mipmaps, ETC2, ASTC), order, blending, samples, precision, and draws left out.
    Each is written as a capture of its own, recorded and replayed: what it saves is measured, not estimated, and so is
    what it changes in the picture. What would be wrong is refused (docs/why.md).

    Example: tilegpu why game.trace --config mali-g52-mc1 --frame 120 -o why.html
    """
    from tilegpu.functional.errors import UserError
    from tilegpu.timing import load_configuration

    from ..report.page import check_page
    from .answer import Question, answer
    from .document import document
    from .page import write_answer
    from .words import headline

    names = config or ["mali-g52-mc1"]
    if len(names) > MOST_MACHINES:
        raise UserError(f"--config: {len(names)} machines; {MOST_MACHINES} at most stand side by side")
    beside = output.with_suffix(".json")
    check_page(output, force)
    check_file(beside, holds(MARK), force)
    question = Question(file, frame, [load_configuration(name) for name in names], budget, parse_frames_at(frames_at))
    with _folder(captures, force) as folder, progress("asking why") as (bar, task):
        answered = answer(question, folder, lambda text, share: bar.update(task, completed=share, note=text))
    content = {"tilegpu": "why"} | document(answered)
    write_answer(output, answered, force)
    _write_json(beside, content)
    if as_json:
        print_json(content)
    else:
        say(f"frame {answered.chosen.number}: {headline(answered)}")
        say(f"{output} and {beside}, in {answered.cpu_seconds:.0f} s of CPU time")
    named = [line.replace(str(answered.chosen.capture), file.name) for line in answered.base.warnings]
    warn_of(named, strict)


@contextmanager
def _folder(captures: Path | None, force: bool) -> Iterator[Path]:
    """Folder for captures: one that stays, with nothing but them, or one that goes again."""
    from tilegpu.functional.trimming.trim import TRIMMED

    from ..what_if.measure import CHANGED

    def ours(path: Path) -> bool:
        return has_property(CHANGED)(path) or has_property(TRIMMED)(path)

    if captures is not None:
        check_files_in(captures, {r".*\.trace": ours}, force)
    with TemporaryDirectory() as scratch:
        yield Path(scratch)
        if captures is None:
            return
        captures.mkdir(parents=True, exist_ok=True)
        for written in sorted(Path(scratch).glob("*.trace")):
            _copy(written, captures / written.name)


def _copy(source: Path, target: Path) -> None:
    from tilegpu.functional.activity.output import whole_file

    with whole_file(target, ".part") as partial:
        partial.write_bytes(source.read_bytes())


def _write_json(path: Path, content: dict[str, object]) -> None:
    from tilegpu.functional.activity.output import whole_file

    with whole_file(path, ".part") as partial:
        partial.write_text(json.dumps(content, indent=1) + "\n", "utf-8", newline="\n")
