"""`tilegpu demo`: everything, on a bundled scene."""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress, TaskID
from rich.table import Table

from tilegpu.functional.errors import UserError

from .console import EXIT_DIFFERENT, print_table, progress, say, several
from .outputs import FRAME_FILES, Force, check_files_in

if TYPE_CHECKING:
    from tilegpu import timing
    from tilegpu.functional.player import Frame

SCENES = ("courtyard", "sprites", "board", "runner")
RASTER_UNITS = (1, 2)
MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0


def scene_folder() -> Path:
    """Folder of the bundled scenes: traces, and the images Mesa's softpipe makes of them."""
    return Path(str(files("tilegpu.data").joinpath("scenes")))


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for everything the demo makes.")
    ] = Path("tilegpu-demo"),
    scene: Annotated[
        str,
        typer.Option(
            metavar="SCENE",
            help="courtyard: 3D, lit, overdraw. sprites: 2D, mostly static. board: 2D, static, then a piece moves. "
            "runner: 3D, all of it moves, then pauses.",
        ),
    ] = "courtyard",
    force: Force = False,
) -> None:
    """Show all of it on a bundled scene, in a minute or two the first time, in 20 s later.

    Renders the scene's eight frames, compares them with what Mesa's softpipe makes of the same trace, records the
    activity, and replays it through a tile-based GPU with one and with two Raster Units.
    """
    from tilegpu.timing.assembly.ahead import compiled_ahead

    if scene not in SCENES:
        raise UserError(f"scene {scene!r}: choose {' or '.join(SCENES)}")
    began = time.perf_counter()
    trace = scene_folder() / f"{scene}.trace"
    say("The first run compiles the renderer's kernels and the timing engine, once; later runs find them in the cache.")
    images, activity = output / "images", output / "activity"
    check_files_in(images, FRAME_FILES, force)
    with compiled_ahead(_configuration(RASTER_UNITS[0])):
        _render(trace, images)
        equal = _compare(images, scene)
        _record(trace, activity)
    _replay(activity, output)
    say(f"done in {time.perf_counter() - began:.0f} s; images, activity and results are in {output.resolve()}")
    if not equal:
        raise typer.Exit(EXIT_DIFFERENT)


def _render(trace: Path, images: Path) -> None:
    # Those of another scene, which may have more frames.
    from tilegpu.functional.images import write_png
    from tilegpu.interface import render

    from .first_use import compile_kernels

    for path in images.glob("frame_*.png"):
        path.unlink()
    seconds = []
    with progress("rendering") as (bar, task):
        compile_kernels("render", trace, "", bar, task)
        frames = render(trace)
        for frame in frames:
            write_png(frame.pixels, images / f"frame_{frame.number:04d}.png")
            seconds.append(frame.cpu_seconds)
            bar.update(task, completed=frames.fraction)
    frames_told = several(len(seconds), "frame")
    say(f"rendered {trace.name}: {frames_told}, {1000 * min(seconds):.0f} ms of CPU time for the fastest")


def _compare(images: Path, scene: str) -> bool:
    from tilegpu.interface import compare

    table = Table(
        "frame",
        "pixels over 2/255",
        "PSNR",
        "SSIM",
        title="compared with Mesa softpipe",
        title_justify="left",
        box=None,
    )
    equal = True
    for expected in sorted((scene_folder() / scene).glob("*.png")):
        result = compare(images / expected.name, expected)
        equal &= result.over_tolerance_percent <= MAX_OVER_PERCENT and result.psnr_db >= MIN_PSNR_DB
        table.add_row(
            expected.stem,
            f"{result.over_tolerance_percent:.3f} %",
            f"{result.psnr_db:.1f} dB",
            f"{result.ssim:.5f}",
        )
    print_table(table)
    if not equal:
        say(f"[red]not equal within {MAX_OVER_PERCENT} % of pixels and {MIN_PSNR_DB} dB[/red]")
    return equal


def _record(trace: Path, activity: Path) -> None:
    from tilegpu.interface import record

    with progress("recording") as (bar, task):

        def on_frame(frame: Frame, fraction: float) -> None:
            bar.update(task, completed=fraction)

        recorded = record(trace, activity, replace=True, on_frame=on_frame)
    say(
        f"recorded {recorded.rows['draws']} draws, {recorded.rows['primitives']:,} primitives, "
        f"{recorded.rows['quads']:,} quads"
    )


def _configuration(raster_units: int) -> timing.Configuration:
    from tilegpu.interface import load_config

    return load_config("ptr-2022", raster_units=raster_units)


def _replay(activity: Path, output: Path) -> None:
    from tilegpu.interface import replay
    from tilegpu.timing.assembly.variants import engine_of
    from tilegpu.timing.results.cycle_parts import unchanged

    results = {}
    for units in RASTER_UNITS:
        configuration = _configuration(units)
        engine = engine_of(configuration)
        if not engine.is_cached():
            say("compiling the timing engine: about 15 seconds, once")
        with progress(f"replaying, {units} Raster Unit{'s' * (units > 1)}") as (bar, task):

            def on_progress(p: timing.Progress, bar: Progress = bar, task: TaskID = task) -> None:
                bar.update(task, completed=p.done / p.frames)

            results[units] = replay(activity, configuration, progress=on_progress).measured
        results[units].write(output / f"results-{units}-raster-unit{'s' * (units > 1)}", True)
    table = Table(
        "statistic",
        *(f"{units} Raster Unit{'s' * (units > 1)}" for units in RASTER_UNITS),
        "unit",
        title="replayed on ptr-2022",
        title_justify="left",
        box=None,
    )
    for rows in zip(*(result.table(False) for result in results.values()), strict=True):
        table.add_row(
            rows[0][0],
            *(f"{row[1]:,.0f}" if float(row[1]).is_integer() else f"{row[1]:,.3f}" for row in rows),
            rows[0][2],
        )
    print_table(table)
    one, two = (result.totals() for result in results.values())
    say(f"two Raster Units are [bold]{one['gpu.cycles'] / two['gpu.cycles']:.2f}x[/bold] as fast as one")
    if (bound := unchanged(two, one)) is not None:
        why = f"{bound.part} took as long as before, {bound.share:.0%} of the time"
        say(f"{why}: with all else {bound.factor} times as fast it would be {bound.bound_at_factor:.2f}x")
