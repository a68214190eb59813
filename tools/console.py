"""What the verbs share: output, progress, and errors as one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn

from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.choice import choose_backend

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

EXIT_DIFFERENT = 1
EXIT_USAGE = 2
EXIT_FAULT = 3
"""A fault of tilegpu itself."""


def say(line: str) -> None:
    """One line on standard output, which a terminal may wrap but a file keeps whole; may hold markup."""
    out.print(line, soft_wrap=True)


def warn(line: str) -> None:
    """One line on standard error."""
    err.print(f"[yellow]warning:[/yellow] {_plain(line)}", soft_wrap=True)


def fail(line: str) -> None:
    """One line on standard error, for what cannot be done."""
    err.print(f"[red]error:[/red] {_plain(line)}", soft_wrap=True)


def _plain(line: str) -> str:
    return line.replace("[", "\\[")


def chosen_backend(name: str) -> Backend:
    """The back end of this name, or the fastest; says why it is not the fastest."""
    backend, reason = choose_backend(name)
    if reason:
        warn(reason)
    return backend


@contextmanager
def progress(description: str) -> Iterator[tuple[Progress, TaskID]]:
    """A progress bar on standard error, gone when done; total is 1."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        yield bar, bar.add_task(description, total=1.0, note="")
