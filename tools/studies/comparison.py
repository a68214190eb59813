"""Differences between the outcomes of a study under two versions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .declare import StudyError
from .outcome import FILE, Json
from .text import verdict

MAX_BYTES = 1 << 28


@dataclass(frozen=True)
class Change:
    """A value that differs.

    Attributes
    ----------
    what
        Where it stands: a conclusion, a figure's value, a machine.
    before, after
        Values, as text.
    """

    what: str
    before: str
    after: str


def read_outcome(path: Path) -> Json:
    """The study.json of a folder, or the file itself.

    Raises
    ------
    StudyError
        If it cannot be read.
    """
    file = path / FILE if path.is_dir() else path
    try:
        if file.stat().st_size > MAX_BYTES:
            raise StudyError(f"{file}: too large for the outcome of a study")
        outcome = json.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise StudyError(f"{file}: not readable ({error}); give a folder that `tilegpu study` wrote") from None
    if not isinstance(outcome, dict) or not all(
        isinstance(outcome.get(key), list) for key in ("figures", "conclusions")
    ):
        raise StudyError(f"{file}: holds no outcome of a study")
    return outcome


def changes(before: Json, after: Json) -> list[Change]:
    """Differences of two outcomes of one study.

    Raises
    ------
    StudyError
        If they are of different studies, or one of them is no outcome.
    """
    if before.get("study") != after.get("study"):
        raise StudyError(f"these are different studies: {before.get('study')} and {after.get('study')}")
    try:
        differences = [
            *_of(before, after, "version", lambda o: {"": o["version"]}),
            *_of(before, after, "quick", lambda o: {"": o["quick"]}),
            *_of(before, after, "machine", lambda o: o["configurations"]),
            *_of(before, after, "conclusion", lambda o: {c["id"]: _verdict(c) for c in o["conclusions"]}),
            *_of(
                before, after, "figure", lambda o: {f["id"] + where: v for f in o["figures"] for where, v in _flat(f)}
            ),
        ]
    except (KeyError, TypeError, AttributeError):
        raise StudyError("one of the two holds no outcome of this version; run its study again") from None
    return differences


def _of(before: Json, after: Json, kind: str, values: Any) -> list[Change]:
    old, new = values(before), values(after)
    return [
        Change(f"{kind} {name}".strip(), _text(old.get(name, "absent")), _text(new.get(name, "absent")))
        for name in dict.fromkeys([*old, *new])
        if old.get(name, "absent") != new.get(name, "absent")
    ]


def _verdict(conclusion: Json) -> str:
    return f"{verdict(conclusion)}: {_text(conclusion['ours'])} (rule: {conclusion['rule']})"


def _flat(figure: Json) -> list[tuple[str, Any]]:
    return [
        (f", {series}, {workload}", value)
        for series, values in figure["series"].items()
        for workload, value in zip(figure["workloads"], values, strict=True)
    ]


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(v)}" for name, v in value.items())
    return str(value)
