"""`tilegpu power`: the lowest clock for a frame rate, and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .console import print_json, print_table, progress, say
from .options import Frames, parse_frames, parse_jobs
from .outputs import Force, check_file, is_our_picture

if TYPE_CHECKING:
    from tilegpu.timing.results.comparisons import Lines
    from tilegpu.timing.runs.power import PowerCurve

LOWEST = "<- lowest in time"
DEFAULT = "mali-g52-mc2"
SET_BY_POINTS = ("clocks.gpu_mhz", "clocks.gpu_divisor", "energy.supply_millivolts")
"""Fields of which each operating point has its own value."""


def power(
    activity: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that `tilegpu trace` wrote.")],
    config: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE", help="Preset with operating points, or a TOML file; mali-g52-mc2 by default."
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration.")
    ] = None,
    fps: Annotated[float, typer.Option("--fps", metavar="RATE", min=1.0, max=1e6, help="Frames per second.")] = 60.0,
    share: Annotated[
        float, typer.Option(metavar="S", min=0.01, max=1.0, help="Share of the frames that must be done in time.")
    ] = 1.0,
    points: Annotated[
        str,
        typer.Option(metavar="MHZ:MV,...", help="Operating points, such as 300:610,600:700, instead of the preset's."),
    ] = "",
    frames: Frames = "",
    warm_up: Annotated[int, typer.Option("--warm-up", metavar="N", min=0, help="Frames that count nowhere.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Plot of power over clocks: .png, .svg, .pdf.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; 0 for one per processor.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    force: Force = False,
) -> None:
    """Find the lowest clock at which an activity's frames keep a rate, and the power of each clock there.

    Each operating point (a clock and its voltage) is simulated, with main memory at its own clock. A frame that is done
    early leaves the GPU idle until the next one; energy per frame is with that time. What is assumed is in
    docs/model/power.md.

    Example: tilegpu power activity --config mali-g52-mc2 --fps 60 -o power.svg
    """
    from tilegpu.functional.activity.reader import Activity
    from tilegpu.timing import load_configuration
    from tilegpu.timing.loading.chosen_frames import frames_in
    from tilegpu.timing.results.drawing import draw, matplotlib_figures
    from tilegpu.timing.runs.power import power_curve

    if output is not None:
        check_file(output, is_our_picture, force)
        matplotlib_figures()
    configuration = load_configuration(_only(config or [DEFAULT]), overrides or [])
    _check_settings(overrides or [])
    recorded = Activity(activity).frames
    chosen = frames_in(parse_frames(frames), recorded, f"--frames {frames}") if frames else None
    with progress("replaying") as (bar, task):
        curve = power_curve(
            activity,
            configuration,
            fps,
            share,
            parse_points(points),
            chosen,
            warm_up,
            parse_jobs(jobs),
            lambda p: bar.update(task, completed=p.share, note=f"{p.finished} of {p.runs} operating points"),
        )
    if output is not None:
        draw(lines_of(curve), output)
    if as_json:
        print_json(curve.as_json())
    else:
        print_curve(curve)


def _only(configurations: list[str]) -> str:
    if len(configurations) > 1:
        raise typer.BadParameter(f"one --config at a time: {', '.join(configurations)} were given")
    return configurations[0]


def _check_settings(settings: list[str]) -> None:
    """BadParameter where a setting would have no effect."""
    for setting in settings:
        field = setting.partition("=")[0].strip()
        if field in SET_BY_POINTS:
            raise typer.BadParameter(f"--set {setting}: each operating point has its own; give them with --points")


def parse_points(text: str) -> list[tuple[int, int]] | None:
    """Operating points given as `MHZ:MV,...`, if any are; BadParameter where they are not written so."""
    if not text:
        return None
    pairs = [pair.split(":") for pair in text.split(",")]
    if not all(len(pair) == 2 and all(number.strip().isdigit() for number in pair) for pair in pairs):
        raise typer.BadParameter(f"--points {text}: write MHZ:MV,… in whole numbers, such as 300:610,600:700")
    return [(int(mhz), int(mv)) for mhz, mv in pairs]


def print_curve(curve: PowerCurve) -> None:
    """Print the points, and the lowest that meets the rate beside the highest."""
    table = Table("MHz", "mV", "in time", "ms", "longest", "GPU / uJ", "memory / uJ", "idle / uJ", "mW", "", box=None)
    for column in table.columns[:-1]:
        column.justify = "right"
    for point in curve.points:
        table.add_row(
            str(point.gpu_mhz),
            str(point.supply_millivolts),
            f"{point.in_time}/{point.frames}",
            *(f"{value:,.3f}" for value in (point.mean_ms, point.longest_ms)),
            *(f"{value:,.1f}" for value in (point.gpu_uj, point.memory_uj, point.idle_uj, point.milliwatts)),
            LOWEST if point is curve.lowest else "",
        )
    print_table(table)
    lowest, highest = curve.lowest, curve.highest
    if lowest is None:
        say(f"no operating point keeps {curve.frames_per_second:g} frames per second")
        return
    line = f"{curve.frames_per_second:g} frames per second: {lowest.gpu_mhz} MHz and {lowest.milliwatts:,.0f} mW"
    if lowest is not highest:
        saved = 1 - lowest.milliwatts / highest.milliwatts
        compared = f"{abs(saved):.0%} {'less' if saved >= 0 else 'more'}"
        line += f", {compared} than at {highest.gpu_mhz} MHz with idle time after each frame"
    say(line)


def lines_of(curve: PowerCurve) -> Lines:
    """Power over clocks, for a plot."""
    from tilegpu.timing.results.comparisons import Lines

    points = [(float(point.gpu_mhz), point.milliwatts) for point in curve.points]
    title = f"{curve.configuration.name} at {curve.frames_per_second:g} frames per second"
    return Lines(title, "clocks.gpu_mhz", "mW", {"": points})
