"""Bases of errors: what the user can fix, and what is a fault of tilegpu."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(ValueError):
    """Something the user provided cannot be used: a file, an option, a configuration, the machine.

    The message is one line: what, where, and what to do. The command prints it and ends with status 2.
    """


class Fault(RuntimeError):
    """A fault of tilegpu itself; the message says all that is known of it."""


class ActivityError(UserError):
    """A folder that is not an activity or that this version cannot read; the message names the file and what to do."""


class ExecutionError(UserError):
    """A shader that does not terminate within the instruction limit."""


class CompilerFault(Fault):
    """A fault of the compiler of shaders, not of the shader."""


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint at the name that is most like another, as the end of a message; "" if none is."""
    names = list(names)
    matches = [full for full in names if name and full.startswith(name)] or get_close_matches(name, names, 1, 0.6)
    if not matches:
        leaves = {full.rpartition(".")[2]: full for full in names}
        matches = [leaves[leaf] for leaf in get_close_matches(name.rpartition(".")[2], leaves, 1, 0.7)]
    if not matches:
        parts = name.split(".")
        matches = [full for full in names if _begins(parts, full.split("."))]
    return f"; did you mean {matches[0]}?" if matches else ""


def _begins(short: list[str], full: list[str]) -> bool:
    """Whether the parts of a dotted name are beginnings of another's, as of l2.size and l2_cache.size_bytes."""
    return len(short) == len(full) > 1 and all(whole.startswith(part) for part, whole in zip(short, full, strict=True))


def choices(name: str, names: Iterable[str]) -> str:
    """All names that there are, with a hint at the one that is most like another, as the end of a message."""
    names = list(names)
    return f"there are {', '.join(names) or 'none'}{nearest(name, names)}"
