"""A verdict as Markdown, for the description of a merge request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilegpu.functional.text import legible

from . import texts
from .verdict import Verdict

_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~$@&-])")
"""Characters that Markdown, and sites that show it, may read as more than text."""


def markdown(verdict: Verdict) -> str:
    """A page of Markdown."""
    lines = [f"### GPU cost: {'✅' if verdict.within else '❌'} {_text(texts.headline(verdict))}", ""]
    if verdict.settings:
        lines += [f"Different settings are compared: {_text(', '.join(verdict.settings))}.", ""]
    if verdict.checks:
        checks = [texts.row_of(check) for check in verdict.checks]
        lines += _table(("figure", "before", "after", "change", "limit", ""), checks)
    rows = [texts.draw_row(draw) for draw in texts.shown_draws(verdict)] + texts.other_rows(verdict)
    if rows:
        limits = f"; each at most {', '.join(verdict.draw_limits)}" if verdict.draw_limits else ""
        more = len(verdict.changed) - texts.SHOWN
        lines += [f"**Draws that changed{_text(limits)}**" + (f", the first {texts.SHOWN}" if more > 0 else ""), ""]
        lines += _table(("draw", "cycles before", "after", "change", "why", "beyond"), rows)
    for title, works in (("vanished", verdict.vanished), ("appeared", verdict.appeared)):
        if works:
            lines += [f"**Draws that {title}**", "", *(f"- {_text(name)}" for name in texts.listed(works)), ""]
    for picture in verdict.pictures or ():
        lines.append(f"- {_text(picture.name)}: {_text(picture.how)}")
    return "\n".join(lines).rstrip() + "\n"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    numbers = {"before", "cycles before", "after", "change", "limit"}
    rule = ["---:" if name in numbers else "---" for name in header]
    return [_line(header), _line(rule), *(_line([_text(cell) for cell in row]) for row in rows), ""]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Text of applications as Markdown: nothing in it is markup or ends a line."""
    return _MARKUP.sub(r"\\\1", " ".join(legible(text).split()))
