"""`tilegpu conformance`: dEQP's shader tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .console import EXIT_DIFFERENT, out, progress, say

if TYPE_CHECKING:
    from tilegpu.functional.conformance import ConformanceReport


def conformance(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A dEQP .test file, or a folder of them.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    failures: Annotated[
        int, typer.Option(metavar="N", help="How many failed cases the table is followed by; 0 for all.")
    ] = 20,
) -> None:
    """Run dEQP's shader tests through the GLSL ES front end and the reference back end.

    Every case that is listed for both stages counts twice. Exits with status 1 if a case fails or a file cannot be
    read.

    Example: tilegpu conformance deqp/gles3 --json
    """
    from tilegpu.functional.conformance import run_conformance

    with progress("conformance") as (bar, task):

        def finished(file: Path, number: int, count: int) -> None:
            bar.update(task, completed=number / count, note=file.name)

        report = run_conformance(path, finished)
    if as_json:
        typer.echo(json.dumps(report.as_dict(), indent=1))
    else:
        _print(report, failures)
    if report.counts()["failed"] or report.unreadable:
        raise typer.Exit(EXIT_DIFFERENT)


def _print(report: ConformanceReport, failures: int) -> None:
    table = Table("file", "passed", "failed", "unsupported")
    for name in report.files:
        table.add_row(name, *(f"{count:,}" for count in report.counts(name).values()))
    table.add_section()
    table.add_row("total", *(f"{count:,}" for count in report.counts().values()))
    out.print(table)
    for reason, count in report.reasons().items():
        say(f"unsupported: {count:,} cases, " + reason.replace("[", "\\["))
    for reason in report.unreadable.values():
        say("[red]not read[/red]: " + reason.replace("[", "\\["))
    failed = report.failures()
    for name, outcome in failed[: failures or None]:
        got = outcome.got.replace("[", "\\[")
        say(f"[red]failed[/red]: {name}: {outcome.case}: expected {outcome.expected}, got {got}")
    if failures and len(failed) > failures:
        say(f"and {len(failed) - failures} more (--failures 0 lists them)")
