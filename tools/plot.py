"""`tilegpu plot`: pictures from results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilegpu.timing.results.plots import KINDS, PlotError, chart, draw, read_results

from .console import say


def plot(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="Folders that `tilegpu replay` wrote.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE|DIR", help="A .png or .svg file, or a folder for all."),
    ] = Path("plots"),
    kind: Annotated[
        str, typer.Option(metavar="KIND", help=f"{', '.join(KINDS)}; for a file. A folder gets all of them.")
    ] = "energy",
) -> None:
    """Draw where energy, traffic and cycles go, and speed-ups over the first of the results.

    Example: tilegpu plot one two -o split.svg --kind energy
    """
    runs = {}
    for folder in results:
        name = folder.name or str(folder)
        while name in runs:
            name += "'"
        runs[name] = read_results(folder)
    if output.suffix in (".png", ".svg"):
        draw(chart(kind, runs), output)
        return
    if output.exists() and not output.is_dir():
        raise PlotError(f"{output}: write a .png or .svg file, or a folder")
    for each in KINDS:
        draw(chart(each, runs), output / f"{each}.png")
    say(f"{len(KINDS)} charts in {output}")
