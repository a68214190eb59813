"""`tilegpu report`: one page about any replays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..console import say, several, warn
from ..options import parse_frames
from ..outputs import Force

if TYPE_CHECKING:
    from tilegpu.functional.frame_ranges import FrameRange

    from .page import Section
    from .runs import Run

NAMED = 4
"""Runs named in the heading."""
MAX_FRAMES = 8
"""Shown where none are named."""


def report(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Folders that `tilegpu replay` wrote, of one run or of several."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The page, .html.")] = Path(
        "report.html"
    ),
    activity: Annotated[
        Path | None,
        typer.Option("--activity", metavar="DIR", help="Activity recorded --with pass_images: pictures of the frames."),
    ] = None,
    images: Annotated[
        Path | None, typer.Option("--images", metavar="DIR", help="Folder that `tilegpu render` wrote, for the same.")
    ] = None,
    frame: Annotated[
        list[int] | None,
        typer.Option(
            "--frame",
            metavar="N",
            help=f"Frame shown tile by tile; repeat for more. The first {MAX_FRAMES} otherwise.",
        ),
    ] = None,
    some: Annotated[
        str,
        typer.Option("--frames", metavar="A:B", help="The same for frames A to B-1; A: to the end, A for one."),
    ] = "",
    baseline: Annotated[
        str, typer.Option(metavar="RUN", help="Run that the others are compared with; the first by default.")
    ] = "",
    title: Annotated[str, typer.Option(metavar="TEXT", help="Heading of the page.")] = "tilegpu report",
    force: Force = False,
) -> None:
    """Write a page that shows replays side by side, in one file that needs no network.

    The frames, heat maps per tile that answer with values, every statistic with its unit, what cycles and energy go to,
    and in which fields the configurations differ; of a sweep also what bounds its speed-ups, and any statistic over its
    fields. Runs are in the order given, those of a sweep as its settings were; the first is what the others are
    compared with, unless --baseline names another.

    Example: tilegpu report results -o report.html --activity activity
    """
    from .page import check_page, write_page
    from .runs import read_runs

    check_page(output, force)
    runs = read_runs(results, baseline)
    frames = _frames(runs, frame or [], parse_frames(some) if some else None)
    write_page(output, title, _sections(runs, frames, output, activity, images), _subtitle(runs), force)
    size = output.stat().st_size
    say(f"{several(len(runs), 'run')} on one page of {size / 1e6:.1f} MB: {output}")


def _sections(
    runs: list[Run], frames: list[int], output: Path, activity: Path | None, images: Path | None
) -> list[Section]:
    from .draws import draws_section
    from .pictures import find_pictures
    from .resources import resources_section
    from .sections import (
        configuration_section,
        cycles_section,
        energy_section,
        frames_section,
        runs_section,
        statistics_section,
        timeline_section,
    )
    from .sweep import sweep_section
    from .techniques import dispatches_section, techniques_section
    from .tiles import tiles_section

    pictures = find_pictures(frames, runs, activity, images)
    for line in pictures.notes:
        warn(line)
    costs = draws_section(runs, frames), resources_section(runs, frames)
    own = *costs, dispatches_section(runs, frames), techniques_section(runs, frames)
    return [
        *([sweep] if (sweep := sweep_section(runs)) is not None else []),
        runs_section(runs),
        frames_section(pictures, frames, len({number for run in runs for number in run.frames})),
        tiles_section(runs, frames, pictures),
        statistics_section(runs),
        cycles_section(runs),
        energy_section(runs),
        *(section for section in own if section is not None),
        configuration_section(runs),
        timeline_section(runs, output),
    ]


def _frames(runs: list[Run], numbers: list[int], some: FrameRange | None) -> list[int]:
    """Frames to show."""
    from .runs import ReportError

    counted = sorted({number for run in runs for number in run.frames})
    if not counted:
        raise ReportError(f"{runs[0].folder}: counted no frame, so there is nothing to report")
    asked = [*numbers, *([] if some is None else [number for number in counted if number in some])]
    if some is not None and len(asked) == len(numbers):
        raise ReportError(f"--frames: no run counted one of these; there are frames {counted[0]} to {counted[-1]}")
    for number in asked:
        if number not in counted:
            raise ReportError(f"--frame {number}: no run counted it; there are frames {counted[0]} to {counted[-1]}")
    return sorted(set(asked)) or counted[:MAX_FRAMES]


def _subtitle(runs: list[Run]) -> str:
    from .sweep import swept_words

    captures = ", ".join(dict.fromkeys(run.stats.source.get("name", "") for run in runs))
    names = ", ".join(run.name for run in runs) if len(runs) <= NAMED else f"{len(runs)} runs over {swept_words(runs)}"
    return f"{captures}: {names}"
