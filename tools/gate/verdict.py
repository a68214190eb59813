"""The verdict of a gate: each limit, whether it holds, and the draws that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tilegpu.functional.operation_names import operation_name

from .limits import GateError, Limit
from .matching import MatchedDraws, match
from .pictures import DifferentPicture
from .reasons import reasons
from .side import Row, Side

COST = "cycles"
"""Of draws, unless a limit names another one."""


@dataclass(frozen=True)
class Check:
    """A limit on a figure of all frames.

    Attributes
    ----------
    name, unit, limit
        The figure, and by how much it may rise.
    before, after
        Its values.
    within
        Whether the limit holds.
    """

    name: str
    unit: str
    limit: str
    before: float
    after: float
    within: bool


@dataclass(frozen=True)
class Work:
    """A draw or dispatch: its frame, number, call and debug label, and its cycles."""

    frame: int
    kind: str
    draw: int
    call: int
    label: str
    cycles: float

    @classmethod
    def of(cls, row: Row) -> Work:
        """The draw of a row."""
        names = row["drawn_frame"], row["kind"], row["draw"], row["call"], row["label"] or ""
        return cls(*names, row["cycles"] or 0.0)

    @property
    def name(self) -> str:
        """As it is told everywhere."""
        return f"frame {self.frame}, {operation_name(self.kind, self.draw, self.call)} {self.label}".rstrip()


@dataclass(frozen=True)
class ChangedDraw:
    """A draw that costs something else than before.

    Attributes
    ----------
    before, after
        The draw.
    why
        What differs most of what it does.
    beyond
        Limits that it breaks, with the values: "cycles 100 → 120".
    """

    before: Work
    after: Work
    why: list[str]
    beyond: list[str]


@dataclass(frozen=True)
class ChangedOther:
    """Cycles of a frame that belong to no draw: of a unit by its name, or `idle`."""

    frame: int
    name: str
    before: float
    after: float


@dataclass(frozen=True)
class Verdict:
    """Outcome of a gate.

    Attributes
    ----------
    within
        Whether every limit holds.
    settings
        Settings that differ, where that is allowed.
    checks
        Limits on figures.
    draw_limits
        Those on each draw.
    changed, vanished, appeared
        Draws that changed, those beyond limits first and the largest change first, and those of one result alone.
    others
        What belongs to no draw and takes other cycles, the largest change first.
    pictures
        Pictures that differ, None where none were compared.
    """

    within: bool
    settings: list[str]
    checks: list[Check]
    draw_limits: list[str]
    changed: list[ChangedDraw]
    vanished: list[Work]
    appeared: list[Work]
    others: list[ChangedOther]
    pictures: list[DifferentPicture] | None


@dataclass(frozen=True)
class Limits:
    """Objects of the judgement: limits on figures, limits on each draw, and pictures that differ if they were
    compared."""

    figures: Sequence[Limit] = ()
    draws: Sequence[Limit] = ()
    pictures: list[DifferentPicture] | None = field(default=None)


def judge(before: Side, after: Side, limits: Limits, settings: Sequence[str] = ()) -> Verdict:
    """Judge two results.

    Raises
    ------
    GateError
        A figure is not there, or draws are judged that were not counted.
    """
    checks = [_check(before, after, limit) for limit in limits.figures]
    changed, matched = _draws(before, after, limits.draws)
    vanished, appeared = list(map(Work.of, matched.vanished)), list(map(Work.of, matched.appeared))
    within = all(check.within for check in checks) and not limits.pictures
    if limits.draws:
        within = within and not (vanished or appeared or any(draw.beyond for draw in changed))
    names = [f"{limit.name} {limit}" for limit in limits.draws]
    others = _others(before, after)
    return Verdict(within, list(settings), checks, names, changed, vanished, appeared, others, limits.pictures)


def _check(before: Side, after: Side, limit: Limit) -> Check:
    (was, unit), (now, _) = (side.figure("--max", limit.name) for side in (before, after))
    return Check(limit.name, unit, str(limit), was, now, limit.holds(was, now))


def _draws(before: Side, after: Side, limits: Sequence[Limit]) -> tuple[list[ChangedDraw], MatchedDraws]:
    """Draws that changed, and how those of both results belong together."""
    for side in (before, after):
        if not side.has_draws:
            if limits:
                raise GateError(f"--max-draw: {side.folder} has no costs of draws; replay with --by-draw")
            return [], MatchedDraws([], [], [])
    names = [limit.name for limit in limits]
    rows = before.draws(names), after.draws(names)
    for name in names:
        if not any(row[name] for side in rows for row in side):
            raise GateError(f"--max-draw {name}: is not counted by draw on this machine, or no draw has any")
    matched = match(*rows)
    changed = [_changed(was, now, limits) for was, now in matched.pairs]
    draws = [draw for draw in changed if draw is not None]
    draws.sort(key=lambda draw: (not draw.beyond, -abs(draw.after.cycles - draw.before.cycles)))
    return draws, matched


def _others(before: Side, after: Side) -> list[ChangedOther]:
    """Work that belongs to no draw and takes other cycles than before."""
    if not (before.has_draws and after.has_draws):
        return []
    was, now = before.others(), after.others()
    others = [ChangedOther(*key, was.get(key, 0.0), now.get(key, 0.0)) for key in sorted({*was, *now})]
    return sorted((o for o in others if o.before != o.after), key=lambda o: -abs(o.after - o.before))


def _changed(was: Row, now: Row, limits: Sequence[Limit]) -> ChangedDraw | None:
    beyond = []
    for limit in limits:
        values: list[Any] = [float(row[limit.name] or 0) for row in (was, now)]
        if not limit.holds(*values):
            beyond.append(f"{limit.name} {values[0]:,.0f} → {values[1]:,.0f}, at most {limit}")
    why = reasons(was, now)
    return ChangedDraw(Work.of(was), Work.of(now), why, beyond) if why or beyond else None
