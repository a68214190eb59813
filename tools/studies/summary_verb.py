"""`tilegpu study --summary`: the papers' numbers against ours."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import typer
from rich.table import Table

from ..console import out, say
from ..outputs import check_file, is_our_picture
from .declare import StudyError
from .document import papers
from .summary import BANDS, pairs, rows
from .summary_plot import draw_pairs

SUFFIXES = ".svg", ".png", ".pdf"


def tell_summary(picture: Path | None, as_json: bool, force: bool) -> None:
    """Print how near the numbers come, and draw the plot if a file is named.

    Raises
    ------
    StudyError
        If the file is of another kind.
    """
    if picture is not None:
        if picture.suffix not in SUFFIXES:
            raise StudyError(f"{picture}: write a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
        check_file(picture, is_our_picture, force)
    outcomes = [outcome for _, outcome in papers()]
    lines = rows(outcomes)
    if as_json:
        summary = {"bands": BANDS, "studies": [asdict(row) for row in lines]}
        summary["numbers"] = [asdict(pair) | {"factor": pair.factor} for each in outcomes for pair in pairs(each)]
        typer.echo(json.dumps(summary, indent=1))
    else:
        bands = (f"{100 * (band - 1):.0f} %" if band < 2 else f"{band:g}x" for band in BANDS)
        printed = Table("study", "numbers", *bands, "half in", box=None)
        for row in lines:
            printed.add_row(row.name, str(row.count), *map(str, row.within), f"{row.median:.2f}x")
        out.print(printed)
    if picture is not None:
        draw_pairs([pair for each in outcomes for pair in pairs(each)], picture)
        say(str(picture))
