"""`tilegpu workloads`: twins of the papers' games, made, checked and shown."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tilegpu.functional.errors import UserError

from ..console import EXIT_DIFFERENT, out, progress, say
from ..options import parse_jobs, parse_size
from ..outputs import Force, check_file, is_copy_of, is_our_picture

if TYPE_CHECKING:
    from .check import Report
    from .twin import Twin

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Workloads that look to a GPU as the papers' games do: list, make, check, show, clean.",
)
Names = Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Twins, or TOML files of your own.")]
All = Annotated[bool, typer.Option("--all", help="All twins that come with the package.")]
Size = Annotated[str, typer.Option(metavar="WxH", help="Another screen; the game's own without it.")]
Scale = Annotated[float, typer.Option(metavar="S", help="Scale of the screen, each way.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def chosen(names: list[str] | None, everything: bool, size: str = "", scale: float = 1.0) -> list[Twin]:
    """The twins that are asked for, on the screen that is asked for."""
    from .twin_files import find_twin, twin_names

    if bool(names) == everything:
        raise UserError("name the twins, or say --all; `tilegpu workloads list` names them")
    if not 0 < scale <= 8:
        raise UserError(f"--scale {scale}: choose more than 0, and 8 at most")
    twins = []
    for name in names or twin_names():
        twin = find_twin(name)
        width, height = parse_size(size) or (twin.width, twin.height)
        twins.append(twin.at(max(16, round(width * scale)), max(16, round(height * scale))))
    return twins


@app.command("list")
def list_twins(as_json: AsJson = False) -> None:
    """List the twins.

    Example: tilegpu workloads list
    """
    from .twin_files import find_twin, twin_names

    twins = [find_twin(name) for name in twin_names()]
    if as_json:
        rows = {
            t.name: {
                "title": t.title,
                "source": t.source,
                "family": t.family,
                "theme": t.theme,
                "api": t.api,
                "width": t.width,
                "height": t.height,
            }
            for t in twins
        }
        typer.echo(json.dumps(rows, indent=1))
        return
    table = Table("twin", "stands for", "family", "api", "screen", "targets from", box=None)
    for t in twins:
        table.add_row(t.name, t.title, f"{t.family}/{t.theme}", t.api, f"{t.width}x{t.height}", t.source)
    out.print(table)


@app.command("make")
def make_trace(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A twin, or a TOML file of your own.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; the cache without it.")
    ] = None,
    size: Size = "",
    scale: Scale = 1.0,
    frames: Annotated[int | None, typer.Option(metavar="N", help="Frames; without it 60, of models 220.")] = None,
    force: Force = False,
) -> None:
    """Write a twin's trace, which apitrace plays, too.

    The same scene is drawn whatever the screen. Without -o the trace is kept in the user's cache folder, and its path
    printed.

    Example: tilegpu workloads make 000-bbr --size 1920x1080 -o bbr.trace
    """
    from tilegpu.functional.activity.output import whole_file

    from .cache import cached_trace
    from .twin import MAX_FRAMES

    if frames is not None and not 1 <= frames <= MAX_FRAMES:
        raise UserError(f"--frames {frames}: choose 1 to {MAX_FRAMES}")
    (twin,) = chosen([name], False, size, scale)
    path = cached_trace(twin, twin.frames if frames is None else frames)
    if output is not None:
        check_file(output, is_copy_of(path), force)
        with whole_file(output) as partial:
            shutil.copyfile(path, partial)
    typer.echo(str(output or path))


@app.command("check")
def check_twins(
    names: Names = None,
    everything: All = False,
    as_json: AsJson = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Threads; 0 for one per processor.")] = 0,
) -> None:
    """Compare what twins come to with the papers' tables; exit with status 1 where one is off.

    Frames spread over 60 are drawn at the game's own size and characterized as `tilegpu stats` does.

    Example: tilegpu workloads check 000-bbr 003-temple
    """
    from .check import check

    twins, threads = chosen(names, everything), parse_jobs(jobs)
    reports = []
    with progress("checking") as (bar, task):
        for done, twin in enumerate(twins):
            bar.update(task, completed=done / len(twins), note=twin.name)
            reports.append(check(twin, threads))
    if as_json:
        typer.echo(json.dumps({report.twin.name: report.json() for report in reports}, indent=1))
    else:
        for report in reports:
            _print(report)
    if not all(report.ok for report in reports):
        raise typer.Exit(EXIT_DIFFERENT)


def _print(report: Report) -> None:
    verdict = "[green]ok[/green]" if report.ok else "[red]off[/red]"
    say(f"[bold]{report.twin.name}[/bold] ({report.twin.title}): {verdict}")
    table = Table("column", "target", "measured", "deviation", "", box=None)
    for justified in table.columns[1:4]:
        justified.justify = "right"
    for line in report.lines:
        mark = "" if line.ok else f"gives way: {line.excuse}" if line.excuse else "[red]off[/red]"
        table.add_row(
            line.column.replace("_", " "),
            f"{line.target:,.2f}",
            f"{line.measured:,.2f}",
            f"{line.deviation:+.1%}",
            mark,
        )
    out.print(table)


@app.command("show")
def show(
    names: Names = None,
    everything: All = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Picture to write, .png or .jpg.")
    ] = Path("workloads.png"),
    size: Size = "",
    scale: Scale = 0.5,
    columns: Annotated[int, typer.Option(metavar="N", help="Twins side by side.")] = 3,
    force: Force = False,
) -> None:
    """Draw a contact sheet: two frames of each twin.

    Example: tilegpu workloads show --all -o twins.jpg
    """
    from .sheet import contact_sheet

    if output.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise UserError(f"{output}: write a .png or .jpg file")
    if not 1 <= columns <= 16:
        raise UserError(f"--columns {columns}: choose 1 to 16")
    check_file(output, is_our_picture, force)
    twins = chosen(names, everything, size, scale)
    contact_sheet(twins, output, columns=min(columns, len(twins)))
    say(f"{len(twins)} twin{'s' * (len(twins) > 1)} in {output}")


@app.command("clean")
def clean(
    everything: Annotated[
        bool, typer.Option("--all", help="Remove all of it; without it only what exceeds the limit.")
    ] = False,
) -> None:
    """Remove made traces and activities from the user's cache folder.

    Example: tilegpu workloads clean --all
    """
    from .cache import cache_folder, entries_of_cache, evict, limit_bytes, size_bytes

    removed = evict(0 if everything else limit_bytes())
    remaining_bytes = sum(size_bytes(path) for path in entries_of_cache())
    say(f"{len(removed)} traces and activities removed from {cache_folder()}, {remaining_bytes / 2**20:.0f} MiB left")


@app.command("solve", hidden=True)
def solve_twin(
    name: Annotated[str, typer.Argument(metavar="FILE.toml", help="The twin's file, which is written anew.")],
    rounds: Annotated[int, typer.Option(metavar="N", help="Measurements.")] = 5,
    again: Annotated[bool, typer.Option("--again", help="Begin with what the file has solved.")] = False,
) -> None:
    """Find a twin's parameters from its targets.

    Example: tilegpu workloads solve my_game.toml
    """
    from tilegpu.functional.activity.output import whole_file

    from .solve import solve
    from .twin import TwinError
    from .twin_files import read_twin, twin_toml

    path = Path(name)
    twin = read_twin(path)
    if twin.is_model:
        raise TwinError(f"{path}: family: models have nothing to solve for")
    if not twin.targets:
        raise TwinError(f"{path}: targets: there are none to solve for")
    solved = solve(twin, rounds, 1, say, again)
    with whole_file(path) as partial:
        partial.write_text(twin_toml(replace(solved, path=None)))
