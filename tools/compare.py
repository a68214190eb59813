"""`tilegpu compare`: how far two images are apart."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .console import EXIT_DIFFERENT, EXIT_USAGE, fail, print_table, say
from .outputs import PICTURE, Force, check_file, check_files_in, is_our_picture

if TYPE_CHECKING:
    from tilegpu.functional.comparison import Comparison, ImagePairs

NAMED = 8
"""Missing images that are told by name."""


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="Image, or folder of PNG images.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Image, or folder with images of the same names.")],
    max_over: Annotated[
        float | None,
        typer.Option(
            "--max-over-2",
            metavar="PERCENT",
            help="Fail when more pixels than this differ by more than the tolerance.",
        ),
    ] = None,
    min_psnr: Annotated[
        float | None, typer.Option("--min-psnr", metavar="DB", help="Fail when the PSNR is lower.")
    ] = None,
    max_difference: Annotated[
        int | None,
        typer.Option("--max-difference", metavar="N", help="Fail when any channel differs by more."),
    ] = None,
    tolerance: Annotated[
        int, typer.Option(min=0, max=255, help="Difference of a channel, of 255, that counts as equal.")
    ] = 2,
    heatmap: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Write where they differ (a folder when A and B are folders)."),
    ] = None,
    video: Annotated[
        bool,
        typer.Option("--video", help="Also print VSSIM: how similar the folders' images are as a sequence; B refers."),
    ] = False,
    subset: Annotated[
        bool, typer.Option("--subset", help="Compare what both folders have, whatever only one of them has.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    force: Force = False,
) -> None:
    """Compare two images or folders.

    Prints the largest difference, the share of pixels beyond the tolerance, MSE, PSNR and SSIM. Alpha counts only where
    both images have it. With --video, the folders' images are frames in the order of their names, B the reference:
    VSSIM weighs them as a viewer does, dark places and fast motion less. Exit status 1 when a threshold that was given
    is missed, or one was given and a folder lacks an image of the other; 2 when they can't be compared, or a folder
    lacks an image and there is no threshold.

    Example: tilegpu compare mine reference --max-over-2 1.0 --min-psnr 46
    """
    from tilegpu.functional.comparison import image_pairs, read_image
    from tilegpu.functional.video_comparison import vssim

    folder = a.is_dir()
    if (video or subset) and not folder:
        raise typer.BadParameter(f"--{'video' if video else 'subset'} compares two folders")
    for option, limit in (("--max-over-2", max_over), ("--min-psnr", min_psnr)):
        if limit is not None and math.isnan(limit):
            raise typer.BadParameter(f"{option} {limit}: write a number")
    images = image_pairs(a, b)
    if heatmap is not None and folder:
        check_files_in(heatmap, {r".*\.png": is_our_picture}, force)
    elif heatmap is not None:
        check_file(heatmap, is_our_picture, force)
    results = _compared(images, tolerance, heatmap, folder)
    missed = [
        name
        for name, r in results.items()
        if (max_over is not None and r.over_tolerance_percent > max_over)
        or (min_psnr is not None and r.psnr_db < min_psnr)
        or (max_difference is not None and r.maximum > max_difference)
    ]
    frames = ((read_image(one), read_image(other)) for one, other in sorted(images.pairs, key=_number_of))
    similarity = vssim(frames) if video else None
    lacking = images.lacking and not subset
    if as_json:
        _print_json(results, missed, images, similarity, not missed and not lacking)
    else:
        _print(results, missed, tolerance, similarity)
    if lacking:
        fail(_lacking(images, a, b))
    if missed or (lacking and (max_over, min_psnr, max_difference) != (None, None, None)):
        raise typer.Exit(EXIT_DIFFERENT)
    if lacking:
        raise typer.Exit(EXIT_USAGE)


def _compared(images: ImagePairs, tolerance: int, heatmap: Path | None, folder: bool) -> dict[str, Comparison]:
    """Comparisons by name; heat maps are written on the way."""
    from tilegpu.functional.comparison import ImageError, heat_map, read_image
    from tilegpu.functional.images import write_png
    from tilegpu.interface import compare as compare_two

    results: dict[str, Comparison] = {}
    for first, second in images.pairs:
        one, other = read_image(first), read_image(second)
        try:
            results[first.name] = compare_two(one, other, tolerance)
        except ImageError as error:
            raise ImageError(f"{first} and {second}: {error}") from None
        if heatmap is not None:
            write_png(heat_map(one, other), heatmap / first.name if folder else heatmap, PICTURE)
    return results


def _lacking(images: ImagePairs, a: Path, b: Path) -> str:
    """Images that one folder lacks, in a line."""
    parts = []
    for folder, names in ((a, images.only_in_a), (b, images.only_in_b)):
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            parts.append(f"only in {folder}: {', '.join(names[:NAMED])}{more}")
    return f"{'; '.join(parts)}; --subset compares the others alone"


def _number_of(pair: tuple[Path, Path]) -> list[str | int]:
    """Place of a frame in the order of the numbers in its name."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", pair[0].name)]


def _print_json(
    results: dict[str, Comparison], missed: list[str], images: ImagePairs, similarity: float | None, within: bool
) -> None:
    compared = {
        name: {k: (None if isinstance(v, float) and math.isinf(v) else v) for k, v in asdict(r).items()}
        | {"within": name not in missed}
        for name, r in results.items()
    }
    outcome: dict[str, object] = {"within": within, "only_in_a": images.only_in_a, "only_in_b": images.only_in_b}
    if similarity is None:
        outcome |= compared
    else:
        outcome |= {"vssim": None if math.isnan(similarity) else similarity, "images": compared}
    typer.echo(json.dumps(outcome, indent=1))


def _print(results: dict[str, Comparison], missed: list[str], tolerance: int, similarity: float | None) -> None:
    table = Table("image", "largest", f"pixels over {tolerance}", "MSE", "PSNR", "SSIM", "")
    for name, r in results.items():
        table.add_row(
            name,
            str(r.maximum),
            f"{r.over_tolerance_percent:.4f} %",
            f"{r.mse:.4g}",
            "equal" if math.isinf(r.psnr_db) else f"{r.psnr_db:.2f} dB",
            f"{r.ssim:.5f}",
            "[red]beyond the limits[/red]" if name in missed else "",
        )
    print_table(table)
    if similarity is not None:
        say(
            "VSSIM: no frame counts, all are dark or move fast" if math.isnan(similarity) else f"VSSIM {similarity:.5f}"
        )
