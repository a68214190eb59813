"""report.html of a study: conclusions, figures beside the paper's, what was run."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..report.charts import curves, grouped_bars, scatter, stacked_bars
from ..report.page import Cell, Section, figure_html, sortable_table, write_page
from .outcome import Json
from .plots import curve_points, scatter_points
from .text import HOLDS, MEAN, about_frames, caption, interval, means, quantity, summary, unmeasured, verdict

FILE = "report.html"
MARKS = {True: "✓", False: "✗", None: "–"}


def write_report(outcome: Json, output: Path, force: bool = False) -> Path:
    """Write the page.

    Parameters
    ----------
    outcome
        Outcome of a study.
    output
        Folder of the study.
    force
        Whether another file may be replaced.
    """
    path = output / FILE
    sections = [Section("Conclusions", _conclusions(outcome)), Section("Explanations", _explanations(outcome))]
    if outcome.get("readings"):
        sections.append(Section("Readings of the text", _readings(outcome)))
    sections += [
        Section(f"Figure {figure['id']}", _figure(figure)) for figure in outcome["figures"] if figure["series"]
    ]
    sections.append(Section("What was run", _run(outcome)))
    subtitle = f"{outcome['source']}{', in short' if outcome['quick'] else ''}; tilegpu {outcome['version']}"
    write_page(path, f"Study {outcome['study']}: {outcome['title']}", sections, subtitle, force)
    return path


def _conclusions(outcome: Json) -> str:
    header = ["conclusion", "the paper's", "ours", "unit", "rule", "verdict", "over frames"]
    header += ["applications"] if outcome["applications"] else []
    rows = []
    for c in outcome["conclusions"]:
        other = c.get("applications") or {}
        spread = c["by_frame"].get("standard_deviation")
        rows.append(
            [
                Cell(_assuming(c), tooltip=c["id"]),
                quantity(c["paper"]),
                quantity(c["ours"], c["rule"]) + interval(c),
                c["unit"],
                c["rule"],
                f"{MARKS[None if c.get('undecidable') else c['holds']]} {verdict(c)}",
                "" if spread is None else f"± {spread:.2g}",
                f"{quantity(other.get('ours'))} ({HOLDS[other.get('holds')]})" if other.get("ours") is not None else "",
            ][: len(header)]
        )
    table = sortable_table(header, rows, filter_hint="show only conclusions with these words")
    notes = "".join(f"<p>{escape(line)}</p>" for line in about_frames(outcome))
    return f"<p>{summary(outcome)}.</p>{notes}{table}"


def _assuming(conclusion: Json) -> str:
    """Its sentence, with the constants that its number hangs on and nobody publishes."""
    constants = conclusion.get("assumes")
    return f"{conclusion['text']} Hangs on {', '.join(constants)}." if constants else str(conclusion["text"])


def _readings(outcome: Json) -> str:
    """Headline conclusions under each reading, on every other frame."""
    names = list(outcome["readings"][0]["conclusions"])
    rows = []
    for row in outcome["readings"]:
        cells = [row["conclusions"][name] for name in names]
        rows.append([row["reading"], *(f"{quantity(c['ours'], c['rule'])} {MARKS[c['holds']]}" for c in cells)])
    return sortable_table(["reading", *names], rows)


def _explanations(outcome: Json) -> str:
    """Each explanation once, below the conclusions that it is of."""
    by_text: dict[str, list[Json]] = {}
    for c in outcome["conclusions"]:
        for text in _reasons(c):
            by_text.setdefault(text, []).append(c)
    items = [f"<li>{'<br>'.join(map(_named, some))}<p>{escape(text)}</p></li>" for text, some in by_text.items()]
    lines = "".join(f"<p>{escape(line)}</p>" for line in unmeasured(outcome) if line.startswith("figure "))
    return f"<ul>{''.join(items)}</ul>{lines}" if items or lines else "<p>None.</p>"


def _named(conclusion: Json) -> str:
    return f"<b>{escape(conclusion['text'])}</b> {escape(verdict(conclusion))}"


def _reasons(conclusion: Json) -> list[str]:
    """Causes for which it does not hold or cannot be judged, as its study declares, and measurements of it."""
    cause = conclusion.get("cause") or {}
    failed = cause if conclusion["holds"] is False else {}
    undecidable = conclusion.get("undecidable") or {}
    reasons = [" ".join(filter(None, failed.values())), undecidable.get("why", ""), conclusion["explanation"]]
    return [text for text in reasons if text]


def _figure(figure: Json) -> str:
    title = caption(figure)
    if figure["drawn"] == "means":
        return figure_html(grouped_bars(title, figure["unit"], list(figure["series"]), {MEAN: means(figure)}))
    if figure["drawn"] == "scatter":
        return figure_html(scatter(title, figure["unit"], scatter_points(figure)))
    if figure["drawn"] == "curves":
        return figure_html(curves(title, figure["axis"], figure["unit"], curve_points(figure)))
    if figure["drawn"] == "stacked":
        return figure_html(stacked_bars(title, figure["unit"], figure["workloads"], figure["series"]))
    return figure_html(grouped_bars(title, figure["unit"], figure["workloads"], figure["series"], figure["paper"]))


def _run(outcome: Json) -> str:
    frames = outcome["frames"]
    facts = [
        f"frames {frames['counted']} counted, {frames['warm_up']} before them to warm up",
        f"screen scaled by {outcome['scale']}",
        "workloads: " + ", ".join([*outcome["workloads"], *outcome["applications"]]),
        *(["not at hand: " + ", ".join(outcome["absent"])] if outcome["absent"] else []),
    ]
    lines = "".join(f"<p>{escape(line)}</p>" for line in facts)
    machines = [[name, preset, " ".join(settings)] for name, (preset, *settings) in outcome["machines"].items()]
    return lines + sortable_table(["machine", "preset", "what differs from it"], machines)
