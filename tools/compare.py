"""`tilegpu compare`: how far two images are apart."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tilegpu.functional.comparison import (
    Comparison,
    ImageError,
    heat_map,
    image_pairs,
    read_image,
)
from tilegpu.functional.images import write_png
from tilegpu.interface import compare as compare_two

from .console import EXIT_DIFFERENT, print_table


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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare two images or folders.

    Prints the largest difference, the share of pixels beyond the tolerance, MSE, PSNR and SSIM. Alpha counts only where
    both images have it. Exit status 1 when a threshold that was given is missed, 2 when they can't be compared.

    Example: tilegpu compare mine reference --max-over-2 1.0 --min-psnr 46
    """
    results: dict[str, Comparison] = {}
    folder = a.is_dir()
    for first, second in image_pairs(a, b):
        one, other = read_image(first), read_image(second)
        try:
            results[first.name] = compare_two(one, other, tolerance)
        except ImageError as error:
            raise ImageError(f"{first} and {second}: {error}") from None
        if heatmap is not None:
            target = heatmap / first.name if folder else heatmap
            write_png(heat_map(one, other), target)
    missed = [
        name
        for name, r in results.items()
        if (max_over is not None and r.over_tolerance_percent > max_over)
        or (min_psnr is not None and r.psnr_db < min_psnr)
        or (max_difference is not None and r.maximum > max_difference)
    ]
    _print(results, missed, tolerance, as_json)
    if missed:
        raise typer.Exit(EXIT_DIFFERENT)


def _print(results: dict[str, Comparison], missed: list[str], tolerance: int, as_json: bool) -> None:
    if as_json:
        plain = {
            name: {k: (None if isinstance(v, float) and math.isinf(v) else v) for k, v in asdict(r).items()}
            | {"within": name not in missed}
            for name, r in results.items()
        }
        typer.echo(json.dumps(plain, indent=1))
        return
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
