"""`tilegpu plot`: pictures from results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import CHARTS
from .console import say, several
from .outputs import Force, check_file, check_files_in, is_our_picture

if TYPE_CHECKING:
    from tilegpu.timing.results.comparisons import Lines
    from tilegpu.timing.results.plots import Chart

LEAST_INCHES, MOST_INCHES = 1.0, 50.0


def plot(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Folders that `tilegpu replay` wrote, of one run or of several."),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE|DIR", help="A .png, .svg or .pdf file, or a folder for all."),
    ] = Path("plots"),
    kind: Annotated[
        str, typer.Option(metavar="KIND", help=f"{', '.join(CHARTS)}; for a file. A folder gets all of them.")
    ] = "energy",
    over: Annotated[
        str, typer.Option(metavar="FIELD", help="Draw lines over a numeric field of the configurations, not bars.")
    ] = "",
    baseline: Annotated[
        str, typer.Option(metavar="RUN", help="Run that the others are compared with; the first by default.")
    ] = "",
    title: Annotated[str, typer.Option(metavar="TEXT", help="Title; by default the name of what the plot shows.")] = "",
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Width and height in inches, such as 3.5x2.2; fits the bars by default.")
    ] = "",
    force: Force = False,
) -> None:
    """Draw where energy, traffic and cycles go, and speed-ups, of runs, sweeps and several workloads.

    Bars of a sweep over several fields are grouped by all but the last one; whiskers are the standard deviation over
    frames. Runs of several captures are shown relative to the first configuration, with the geometric mean over them.
    Needs Matplotlib (pip install 'tilegpu[plot]').

    Example: tilegpu plot many -o sizes.pdf --kind speedup --over texture_cache.size_bytes
    """
    from tilegpu.timing.config.fields import full_name
    from tilegpu.timing.results.drawing import SUFFIXES, draw, matplotlib_figures
    from tilegpu.timing.results.plots import KINDS, PlotError, read_results
    from tilegpu.timing.results.results import check_whole
    from tilegpu.timing.runs.folders import several_folders

    if kind not in KINDS:
        raise PlotError(f"no chart {kind}: choose one of {', '.join(KINDS)}")
    single = output.suffix in SUFFIXES
    if not single and (output.suffix or (output.exists() and not output.is_dir())):
        raise PlotError(f"{output}: write a {', '.join(SUFFIXES)} file, or a folder")
    field, inches = full_name(over) if over else "", _inches(size)
    if single:
        check_file(output, is_our_picture, force)
    else:
        check_files_in(output, {r".*\.(png|svg|pdf)": is_our_picture}, force)
    matplotlib_figures()
    folders = several_folders(results, baseline)
    for folder in folders.values():
        check_whole(folder)
    runs = {name: read_results(folder) for name, folder in folders.items()}
    charts = {each: _chart(each, runs, field) for each in ([kind] if single else KINDS)}
    for each, drawn in charts.items():
        titled = replace(drawn, title=title) if title else drawn
        draw(titled, output if single else output / f"{each}.png", inches)
    if not single:
        say(f"{several(len(charts), 'chart')} in {output}")


def _inches(text: str) -> tuple[float, float] | None:
    """Width and height as given, or None; PlotError if they are none."""
    from tilegpu.timing.results.plots import PlotError

    if not text:
        return None
    width, _, height = text.partition("x")
    try:
        sides = float(width), float(height)
    except ValueError:
        sides = 0.0, 0.0
    if not all(LEAST_INCHES <= side <= MOST_INCHES for side in sides):
        raise PlotError(f"--size {text}: write WxH, {LEAST_INCHES:g} to {MOST_INCHES:g} inches each, such as 3.5x2.2")
    return sides


def _chart(kind: str, runs: dict[str, dict[str, object]], field: str) -> Chart | Lines:
    from tilegpu.timing.results.comparisons import line_chart, relative_chart, workloads
    from tilegpu.timing.results.plots import chart

    if field:
        return line_chart(kind, runs, field)
    return relative_chart(kind, runs) if len(workloads(runs)) > 1 else chart(kind, runs)
