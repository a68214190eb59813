"""Common parts of the verbs: output, progress, and errors as one line."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tilegpu.functional.text import legible

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)

LINE_SECONDS = 30.0
"""Between two lines of progress."""
WIDEST = 1000
"""Columns of the widest table."""
EXIT_DIFFERENT = 1
EXIT_USAGE = 2
EXIT_FAULT = 3
"""A fault of tilegpu itself."""
EXIT_UNREAD = 128 + 13
"""Nobody read the output to its end: what shells give for a command that SIGPIPE ended."""

ADVICE = {
    errno.ENOSPC: "make room there, or choose another place",
    errno.EDQUOT: "make room there, or choose another place",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f), or choose another place",
    errno.EROFS: "choose another place",
    errno.EACCES: "change its permissions, or choose another place",
    errno.EPERM: "change its permissions, or choose another place",
    errno.ENOTDIR: "a file stands where a folder belongs; choose another name",
    errno.EEXIST: "a file stands where a folder belongs; choose another name",
    errno.EISDIR: "a folder stands where a file belongs; choose another name",
    errno.ENAMETOOLONG: "choose a shorter name",
}
"""Hints on errors of files."""


def say(line: str) -> None:
    """One line on standard output, which a terminal may wrap but a file keeps whole; may hold markup."""
    out.print(legible(line), soft_wrap=True)


def several(count: int, what: str) -> str:
    """A number of things, such as "1 frame" and "2 frames"."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def print_json(content: Any) -> None:
    """Something as JSON on standard output."""
    typer.echo(json.dumps(content, indent=1))


def tell(as_json: bool, line: str, **content: Any) -> None:
    """Say what a verb has done: a line for people, or its content as JSON."""
    if as_json:
        print_json(content)
    else:
        say(line)


def note_of(as_json: bool) -> Callable[[str], None]:
    """Function for a line about what is printed: beside JSON nothing else goes to standard output."""
    return partial(err.print, soft_wrap=True, markup=False) if as_json else say


def warn(line: str) -> None:
    """One line on standard error."""
    err.print(f"[yellow]warning:[/yellow] {_plain(line)}", soft_wrap=True)


def warn_of(lines: Sequence[str], strict: bool) -> None:
    """Warn of what was unsupported, wrong or missing; with `--strict` the command ends with status 1 for it."""
    for line in lines:
        warn(line)
    if strict and lines:
        raise typer.Exit(EXIT_DIFFERENT)


def fail(line: str) -> None:
    """One line on standard error, for what cannot be done."""
    err.print(f"[red]error:[/red] {_plain(line)}", soft_wrap=True)


def _plain(line: str) -> str:
    return legible(line).replace("[", "\\[")


def file_error(error: OSError) -> str:
    """One line on an error of a file: its name, the fault, and the remedy."""
    advice = ADVICE.get(error.errno or 0)
    return f"{error.filename or 'standard output'}: {error.strerror or error}{f'; {advice}' if advice else ''}"


def forget_output() -> None:
    """Let what is still to be written to standard output, and what nobody reads, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def print_table(table: Table) -> None:
    """A table without borders whose names are never cut or broken.

    Where a terminal is too narrow, the first column has a line of its own above the others; files get whole lines.
    """
    table.box = None
    for column in table.columns:
        column.no_wrap = True
    width = out.measure(table, options=out.options.update(max_width=WIDEST)).maximum
    if width <= out.width:
        out.print(table)
        return
    if not out.is_terminal:
        for line in _lines(table, width):
            out.print(line, soft_wrap=True, markup=False)
        return
    first, *others = table.columns
    rest = Table(box=None)
    rest.columns = [replace(column, _index=place) for place, column in enumerate(others)]
    rest.rows = table.rows
    header, *rows = _lines(rest, WIDEST)
    for name, line in zip([first.header, *first.cells], [header, *rows], strict=True):
        out.print(name, soft_wrap=True)
        out.print(f"    {line.strip()}", soft_wrap=True, markup=False)


def _lines(table: Table, width: int) -> list[str]:
    """Lines of a table as plain text, without what rich fills them up with."""
    plain = Console(width=width, color_system=None, highlight=False, emoji=False)
    with plain.capture() as captured:
        plain.print(table)
    return [line.rstrip() for line in captured.get().splitlines()]


class Lines(Progress):
    """Progress as plain lines, one from time to time, for a file or a pipe."""

    def __init__(self) -> None:
        super().__init__(console=err, disable=True)
        self._said = time.monotonic()

    def update(self, task_id: TaskID, **changes: Any) -> None:  # type: ignore[override]
        """Change a task, and say how far it is if nothing was said for a while."""
        super().update(task_id, **changes)
        if time.monotonic() - self._said >= LINE_SECONDS:
            self._said = time.monotonic()
            task = self.tasks[0]
            note = f", {task.fields['note']}" if task.fields["note"] else ""
            err.print(f"{task.description}: {task.percentage:.0f} %{note}", soft_wrap=True, markup=False)


@contextmanager
def progress(description: str) -> Iterator[tuple[Progress, TaskID]]:
    """A progress bar on standard error, gone when done, or a line each 30 s where that is no terminal; total is 1."""
    if not err.is_terminal:
        lines = Lines()
        yield lines, lines.add_task(description, total=1.0, note="")
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        yield bar, bar.add_task(description, total=1.0, note="")
