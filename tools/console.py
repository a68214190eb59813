"""What the verbs share: output, progress, and errors as one line."""

from __future__ import annotations

import errno
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
"""What to do about errors of files."""


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


def file_error(error: OSError) -> str:
    """Which file, what is wrong with it, and what to do, in one line."""
    advice = ADVICE.get(error.errno or 0)
    return f"{error.filename or 'standard output'}: {error.strerror or error}{f'; {advice}' if advice else ''}"


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
