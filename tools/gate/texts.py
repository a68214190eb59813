"""Words of a verdict that all outputs share."""

from __future__ import annotations

from collections.abc import Sequence

from .verdict import ChangedDraw, Check, Verdict, Work

SHOWN = 20
"""Draws that are listed of each kind."""
OTHERS, LEAST_CYCLES = 5, 256
"""Rows of what belongs to no draw, and what has to change by more cycles than that for one."""
IDLE, NO_DRAW = "no unit at work, as during uploads", "for no draw"


def headline(verdict: Verdict) -> str:
    """The verdict in a sentence."""
    beyond = [check.name for check in verdict.checks if not check.within]
    draws = sum(bool(draw.beyond) for draw in verdict.changed)
    parts = [", ".join(beyond)] if beyond else []
    if verdict.draw_limits:
        parts += [_count(draws, "draw")] if draws else []
        parts += [f"{_count(len(verdict.vanished), 'draw')} vanished"] if verdict.vanished else []
        parts += [f"{_count(len(verdict.appeared), 'draw')} appeared"] if verdict.appeared else []
    if verdict.pictures:
        parts.append(_count(len(verdict.pictures), "picture"))
    return "within all limits" if verdict.within else f"beyond the limits: {'; '.join(parts)}"


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def change(before: float, after: float) -> str:
    """A change in per cent."""
    if before == after:
        return "same"
    return f"{(after - before) / abs(before):+.2%}".replace("%", " %") if before else "from 0"


def value(number: float) -> str:
    """A figure for readers."""
    return f"{number:,.0f}" if float(number).is_integer() or abs(number) >= 1e4 else f"{number:,.4f}"


def row_of(check: Check) -> tuple[str, ...]:
    """Figure, values, change, limit and outcome."""
    values = value(check.before), value(check.after), change(check.before, check.after)
    return check.name, *values, check.limit, "within" if check.within else "beyond"


def draw_row(draw: ChangedDraw) -> tuple[str, ...]:
    """Draw, cycles, change, why, and the limits that it breaks."""
    was, now = draw.before, draw.after
    moved = "" if (was.draw, was.kind) == (now.draw, now.kind) else f" (was {was.kind} {was.draw})"
    cycles = f"{was.cycles:,.0f}", f"{now.cycles:,.0f}", change(was.cycles, now.cycles)
    return now.name + moved, *cycles, "; ".join(draw.why), "; ".join(draw.beyond)


def other_rows(verdict: Verdict) -> list[tuple[str, ...]]:
    """Work that belongs to no draw, in the columns of draws."""
    listed = [other for other in verdict.others if abs(other.after - other.before) > LEAST_CYCLES][:OTHERS]
    return [
        (
            f"frame {other.frame}, {other.name.replace('_', ' ')}",
            f"{other.before:,.0f}",
            f"{other.after:,.0f}",
            change(other.before, other.after),
            IDLE if other.name == "idle" else NO_DRAW,
            "",
        )
        for other in listed
    ]


def draw_line(draw: ChangedDraw) -> str:
    """A draw that breaks a limit, in a line."""
    name, *_, why, beyond = draw_row(draw)
    return f"{name}: {beyond}{f' ({why})' if why else ''}"


def shown_draws(verdict: Verdict) -> list[ChangedDraw]:
    """Changed draws that are listed."""
    return verdict.changed[:SHOWN]


def listed(works: Sequence[Work]) -> list[str]:
    """Draws of one result alone, and how many more there are."""
    names = [f"{work.name}, {work.cycles:,.0f} cycles" for work in works[:SHOWN]]
    return names + ([f"{len(works) - SHOWN} more"] if len(works) > SHOWN else [])
