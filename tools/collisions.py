"""`tilegpu collisions`: what detecting collisions on the CPU finds, and what it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer
from rich.table import Table

from tilegpu.functional.errors import UserError

from .console import print_table, progress, say
from .options import ByFrame, Frames, parse_frames

if TYPE_CHECKING:
    import pyarrow as pa

    from tilegpu.collisions import Detection, FrameDetection, Outcome


def collisions(
    activity: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that `tilegpu trace --with inputs` wrote.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to.")],
    world_matrix: Annotated[
        str | None,
        typer.Option(
            "--world-matrix",
            metavar="UNIFORM",
            help="Uniform of the vertex shaders that holds the matrix from an object's space to the world's, such as "
            "u_world or bones[0]; several with commas between: the first that a program has. Without it the model-view "
            "matrix of OpenGL ES 1.1, which holds the view, too. A product with a perspective projection is split.",
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="ATTRIBUTE", help="Vertex attribute that holds the position, if its name does not show it."
        ),
    ] = None,
    objects: Annotated[
        str,
        typer.Option(metavar="label|draw", help="What an object is: all draws of one debug label, or each draw."),
    ] = "label",
    narrow: Annotated[
        bool,
        typer.Option(
            "--narrow/--broad-only",
            help="Decide overlapping pairs by GJK on their convex hulls, or leave it at bounding boxes.",
        ),
    ] = True,
    frames: Frames = "",
    by_frame: ByFrame = False,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Change a constant of the CPU, such as core.clock_mhz=1000 (docs/collision_constants.md has all).",
        ),
    ] = None,
    uncertain: Annotated[
        bool,
        typer.Option("--sensitivity", help="Print time and energy with each uncertain constant at its other values."),
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="RESULTS",
            help="A replay of the same activity with an RBCD unit: its pairs are printed beside, and OUT/pictures gets "
            "its frames with the colliding pixels marked.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print cpu_collisions.json instead.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace collisions that are already there.")] = False,
) -> None:
    """Detect collisions on a model of a mobile CPU, as the thesis that proposes to detect them on the GPU does.

    Per frame: a bounding box of each collisionable object, from all its vertices in world space; the pairs whose boxes
    overlap; for these GJK on convex hulls. Writes cpu_collisions.parquet (the pairs) and cpu_collisions.json (counts,
    time and energy of each phase and frame).

    Record with attributes, and name what collides:

    tilegpu trace game.trace -o activity --with inputs --collisionable 'car*'

    Example: tilegpu collisions activity --world-matrix u_world -o collisions
    """
    from tilegpu.collisions import Options, detect, load_cpu, sensitivity
    from tilegpu.collisions.meshes import Grouping
    from tilegpu.collisions.results import COUNTS, check_folder, write
    from tilegpu.functional.activity.reader import Activity
    from tilegpu.timing.loading.chosen_frames import frames_in

    from .collision_pictures import read_collisions

    if objects not in get_args(Grouping):
        raise UserError(f"--objects {objects}: choose label or draw")
    options = Options(world_matrix, position, cast(Grouping, objects), narrow, load_cpu(overrides or []))
    check_folder(output, force)
    frames_there, pixels = ([], None) if results is None else read_collisions(results)
    chosen = None
    if frames:
        chosen = frames_in(parse_frames(frames), Activity(activity).frames, f"--frames {frames}")
    with progress("detecting") as (bar, task):
        detection = detect(
            activity,
            options,
            lambda done, of: bar.update(task, completed=done / of, note=f"{done} of {of} frames"),
            chosen,
        )
    outcomes: list[Outcome] = []
    if uncertain:
        with progress("trying constants") as (bar, task):
            outcomes = sensitivity(
                activity, detection, lambda done, of: bar.update(task, completed=done / of, note=f"{done} of {of}")
            )
    write(output, detection, outcomes, force, None if pixels is None else lambda to: _pictures(activity, pixels, to))
    if as_json:
        typer.echo((output / COUNTS).read_text("utf-8"), nl=False)
        return
    _print(detection, by_frame)
    if pixels is not None:
        _print_pairs(detection, frames_there, pixels)
    if uncertain:
        _print_outcomes(detection, outcomes)


def _print(detection: Detection, every: bool) -> None:
    count = len(detection.frames)
    say(f"[bold]{detection.source}[/bold]: {count} frame{'s' * (count != 1)}, pairs that overlap and costs per frame:")
    table = Table("frame", "objects", "vertices", "boxes", "hulls", box=None)
    for name in ("broad us", "GJK us", "broad uJ", "GJK uJ"):
        table.add_column(name)
    for column in table.columns[1:]:
        column.justify = "right"
    for frame in detection.frames if every else ():
        table.add_row(str(frame.frame), *(f"{value:,.0f}" for value in _counts(frame)), *_costs([frame]))
    means = [sum(values) / count for values in zip(*map(_counts, detection.frames), strict=True)]
    table.add_row("mean", *(f"{value:,.1f}" for value in means), *_costs(detection.frames))
    print_table(table)


def _pictures(activity: Path, pixels: pa.Table, output: Path) -> None:
    from tilegpu.functional.activity.reader import Activity

    from .collision_pictures import marked

    (output / "pictures").mkdir()
    for number, picture in marked(Activity(activity), pixels):
        picture.save(output / "pictures" / f"frame_{number:04d}.png")


def _print_pairs(detection: Detection, replayed: list[int], pixels: pa.Table) -> None:
    """Pairs of the frames that were replayed: by boxes and hulls here, by pixels there."""
    from tilegpu.functional.activity.marks import COLLISIONABLE

    from .collision_pictures import pixel_counts

    seen = pixel_counts(pixels)
    by_cpu = {
        (f.frame, frozenset((p.object_a, p.object_b))): p
        for f in detection.frames
        for p in f.pairs
        if f.frame in replayed
    }
    by_pixel = {(frame, frozenset((a, b))): count for (frame, a, b), count in seen.items()}
    table = Table("frame", "objects", "boxes", "hulls", "pixels", box=None)
    for frame, objects in sorted({*by_cpu, *by_pixel}, key=lambda key: (key[0], sorted(key[1]))):
        pair, names = by_cpu.get((frame, objects)), " and ".join(sorted(objects))
        hulls = "-" if pair is None or pair.narrow is None else "overlap" if pair.narrow else "apart"
        count = by_pixel.get((frame, objects), 0)
        table.add_row(str(frame), names.replace(COLLISIONABLE, ""), "overlap" if pair else "apart", hulls, f"{count:,}")
    print_table(table)


def _counts(frame: FrameDetection) -> tuple[int, int, int, int]:
    return frame.objects, frame.vertices, len(frame.pairs), frame.counts["narrow_pairs"]


def _costs(frames: tuple[FrameDetection, ...] | list[FrameDetection]) -> list[str]:
    """Time and energy per frame, in us and uJ."""
    names = ("broad_seconds", "narrow_seconds", "broad_joules", "narrow_joules")
    return [f"{sum(getattr(frame, name) for frame in frames) / len(frames) * 1e6:,.2f}" for name in names]


def _print_outcomes(detection: Detection, outcomes: list[Outcome]) -> None:
    """Totals of both phases against those of the constants as they are."""
    seconds = detection.total("broad_seconds") + detection.total("narrow_seconds")
    joules = detection.total("broad_joules") + detection.total("narrow_joules")
    table = Table("constant", "value", "time", "energy", box=None)
    for outcome in outcomes:
        time = (outcome.broad_seconds + outcome.narrow_seconds) / seconds
        energy = (outcome.broad_joules + outcome.narrow_joules) / joules
        table.add_row(outcome.field, str(outcome.value), f"{time:.3f}x", f"{energy:.3f}x")
    print_table(table)
