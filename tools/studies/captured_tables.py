"""Tables of each technique on captured applications, for the pages of the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .papers.captured import STUDY, TECHNIQUES
from .stored import outcome_of

HEAD = """On captured applications at their own screens, the machine with the technique over that without
(`tilegpu study captured`; {frames} frames each; captures are kept elsewhere):
"""


def captured_pages() -> list[str]:
    """Pages of the model that show a table."""
    return list(dict.fromkeys(technique.page for technique in TECHNIQUES))


def captured_table(page: str = "", study: str = "") -> str:
    """Table of the techniques of a page of the model, or of a study, as Markdown; empty if there are none."""
    outcome = outcome_of(STUDY.name)
    machines = [t.machine for t in TECHNIQUES if (t.page == page if page else t.study == study)]
    if outcome is None or not machines:
        return ""
    figures = {figure["id"]: figure for figure in outcome["figures"]}
    lines = [HEAD.format(frames=len(outcome["frames"]["counted"]))]
    lines += list(figures_table([figures[name] for name in machines]))
    return "\n".join(lines) + "\n"


def figures_table(figures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of a table of figures over the same captures."""
    several = len(figures) > 1
    titles = [
        f"{figure['title']}: {quantity}" if several else quantity for figure in figures for quantity in figure["series"]
    ]
    yield f"| application | {' | '.join(titles)} |"
    yield "| --- |" + " --- |" * len(titles)
    for place, name in enumerate(figures[0]["workloads"]):
        values = [values[place] for figure in figures for values in figure["series"].values()]
        cells = ["–" if value is None else f"{value:.3f}" for value in values]
        yield f"| {application(name)} | {' | '.join(cells)} |"


def application(name: str) -> str:
    """A capture's name without its folder and frames."""
    return name.removeprefix("capture:").rpartition("/")[2].partition("@")[0]
