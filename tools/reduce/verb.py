"""`tilegpu reduce`: the smallest capture that shows a fault."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ..console import progress, several, tell, warn
from ..options import AsJson, TraceFile
from ..outputs import Force, check_file, check_not_input, has_property


def reduce(
    file: TraceFile,
    check: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="Command that shows the fault, `{}` in the place of a capture: candidates stay on which it ends with "
            "the same status as on FILE.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Captured stream to write.")],
    seconds: Annotated[
        float, typer.Option(metavar="S", min=1.0, help="Time for the whole; the smallest capture by then is written.")
    ] = 600.0,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", min=0.1, help="Most time of the command on one candidate.")
    ] = 60.0,
    anonymize: Annotated[
        bool,
        typer.Option(
            "--anonymize",
            help="In the end replace names in shaders, labels and images by others of the same size, and leave the "
            "name of FILE out; what the command needs of them stays, with a warning.",
        ),
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Reduce a captured application to the smallest capture on which a command ends as it did.

    Frames go first, then draws and other operations, then all calls one by one; textures are halved, and what is left
    of textures and buffers is filled with zeros, each as long as the command ends with the status that it has on FILE.
    Let it test for one thing, with a status of its own: a program of a few lines that renders `{}` and looks at a
    pixel.

    Needs picire (pip install 'tilegpu[reduce]').

    Example: tilegpu reduce game.trace --check 'python pixel_is_black.py {}' -o small.trace
    """
    from tilegpu.functional.capture import Trace
    from tilegpu.functional.optional import optional

    from .check import Check
    from .search import REDUCED, Search

    optional("picire", "`tilegpu reduce`")
    check_not_input(output, file)
    check_file(output, has_property(REDUCED), force)
    before = sum(1 for _ in Trace(file))
    with TemporaryDirectory() as scratch, progress("reducing") as (bar, task):
        command = Check(check, timeout)

        def report(tried: str, calls: int) -> None:
            of = f" of {calls:,} calls" if calls else ""
            bar.update(task, completed=min(1.0, search.elapsed / seconds), note=f"run {command.runs + 1}: {tried}{of}")

        search = Search(file, command, Path(scratch), seconds, report, anonymize)
        finished = search.run()
        after = search.write(output)
    if not finished:
        warn(f"the time is used up (--seconds {seconds:g}): more might go")
    if search.personal:
        warn(f"the capture holds the original's {' and '.join(search.personal)}: the command needs them")
    if not after:
        warn(f"the command ends with {command.status} on a capture without calls too: does it look at the capture?")
    size = output.stat().st_size
    line = (
        f"{after:,} of {before:,} calls in {output}, {size / 1e3:,.1f} kB, after {several(command.runs, 'run')}; the "
        f"command ends with {command.status}"
    )
    outcome = {"calls": [before, after], "runs": command.runs, "status": command.status, "finished": finished}
    outcome |= {"personal": search.personal} if anonymize else {}
    tell(as_json, line, file=str(output), size_bytes=size, **outcome)
