"""report.html of a study: conclusions, figures beside the paper's, what was run."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..report.charts import curves, grouped_bars, scatter, stacked_bars
from ..report.page import Cell, Section, figure_html, sortable_table, write_page
from .outcome import Json
from .plots import curve_points, scatter_points
from .text import HOLDS, MEAN, about_frames, interval, means, quantity, summary, unmeasured, verdict

FILE = "report.html"
MARKS = {True: "✓", False: "✗", None: "–"}


def write_report(found: Json, output: Path, force: bool = False) -> Path:
    """Write the page.

    Parameters
    ----------
    found
        Outcome of a study.
    output
        Folder of the study.
    force
        Whether another file may be replaced.
    """
    path = output / FILE
    sections = [Section("Conclusions", _conclusions(found)), Section("Explanations", _explanations(found))]
    if found.get("readings"):
        sections.append(Section("Readings of the text", _readings(found)))
    sections += [Section(f"Figure {figure['id']}", _figure(figure)) for figure in found["figures"] if figure["series"]]
    sections.append(Section("What was run", _run(found)))
    told = f"{found['source']}{', in short' if found['quick'] else ''}; tilegpu {found['version']}"
    write_page(path, f"Study {found['study']}: {found['title']}", sections, told, force)
    return path


def _conclusions(found: Json) -> str:
    header = ["conclusion", "the paper's", "ours", "unit", "rule", "verdict", "over frames"]
    header += ["applications"] if found["applications"] else []
    rows = []
    for c in found["conclusions"]:
        other = c.get("applications") or {}
        spread = c["by_frame"].get("standard_deviation")
        rows.append(
            [
                Cell(c["text"], tooltip=c["id"]),
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
    notes = "".join(f"<p>{escape(line)}</p>" for line in about_frames(found))
    return f"<p>{summary(found)}.</p>{notes}{table}"


def _readings(found: Json) -> str:
    """Headline conclusions under each reading, on every other frame."""
    names = list(found["readings"][0]["conclusions"])
    rows = []
    for row in found["readings"]:
        cells = [row["conclusions"][name] for name in names]
        rows.append([row["reading"], *(f"{quantity(c['ours'], c['rule'])} {MARKS[c['holds']]}" for c in cells)])
    return sortable_table(["reading", *names], rows)


def _explanations(found: Json) -> str:
    """Each explanation once, below the conclusions that it is of."""
    told: dict[str, list[Json]] = {}
    for c in found["conclusions"]:
        for text in _reasons(c):
            told.setdefault(text, []).append(c)
    items = [f"<li>{'<br>'.join(map(_named, some))}<p>{escape(text)}</p></li>" for text, some in told.items()]
    lines = "".join(f"<p>{escape(line)}</p>" for line in unmeasured(found) if line.startswith("figure "))
    return f"<ul>{''.join(items)}</ul>{lines}" if items or lines else "<p>None.</p>"


def _named(conclusion: Json) -> str:
    return f"<b>{escape(conclusion['text'])}</b> {escape(verdict(conclusion))}"


def _reasons(conclusion: Json) -> list[str]:
    """Why it does not hold or cannot be told, as its study declares, and what was measured of it."""
    cause = conclusion.get("cause") or {}
    failed = cause if conclusion["holds"] is False else {}
    undecidable = conclusion.get("undecidable") or {}
    found = [" ".join(filter(None, failed.values())), undecidable.get("why", ""), conclusion["explanation"]]
    return [text for text in found if text]


def _figure(figure: Json) -> str:
    title = f"{figure['id']}: {figure['title']}"
    if figure["drawn"] == "means":
        return figure_html(grouped_bars(title, figure["unit"], list(figure["series"]), {MEAN: means(figure)}))
    if figure["drawn"] == "scatter":
        return figure_html(scatter(title, figure["unit"], scatter_points(figure)))
    if figure["drawn"] == "curves":
        return figure_html(curves(title, figure["axis"], figure["unit"], curve_points(figure)))
    if figure["drawn"] == "stacked":
        return figure_html(stacked_bars(title, figure["unit"], figure["workloads"], figure["series"]))
    return figure_html(grouped_bars(title, figure["unit"], figure["workloads"], figure["series"], figure["paper"]))


def _run(found: Json) -> str:
    frames = found["frames"]
    told = [
        f"frames {frames['counted']} counted, {frames['warm_up']} before them to warm up",
        f"screen scaled by {found['scale']}",
        "workloads: " + ", ".join([*found["workloads"], *found["applications"]]),
        *(["not at hand: " + ", ".join(found["absent"])] if found["absent"] else []),
    ]
    lines = "".join(f"<p>{escape(line)}</p>" for line in told)
    machines = [[name, preset, " ".join(settings)] for name, (preset, *settings) in found["machines"].items()]
    return lines + sortable_table(["machine", "preset", "what differs from it"], machines)
