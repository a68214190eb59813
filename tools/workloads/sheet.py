"""Contact sheets: what twins look like."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.player import Player

from ..outputs import PICTURE
from .make import make
from .twin import Twin

TIMES = (5.0, 48.0)
WIDTH, LABEL_HEIGHT = 300, 14


def pictures(twin: Twin, times: Sequence[float] = TIMES) -> list[NDArray[np.uint8]]:
    """Frames of a twin as they are shown, uint8 (height, width, 3), row 0 at the top."""
    with tempfile.TemporaryDirectory(prefix="tilegpu-") as folder:
        path = Path(folder) / "twin.trace"
        make(twin, path, times)
        return [frame.pixels[..., :3] for frame in Player(path, backend=choose_backend()[0]).run()]


def contact_sheet(twins: Sequence[Twin], path: Path, width: int = WIDTH, columns: int = 3) -> None:
    """Write frames of each twin side by side with their names; the suffix of the path decides the format."""
    cells = [_cell(twin, width) for twin in twins]
    height = max(cell.height for cell in cells)
    rows = -(-len(cells) // columns)
    sheet = Image.new("RGB", (columns * cells[0].width, rows * height), (24, 24, 28))
    for i, cell in enumerate(cells):
        sheet.paste(cell, (i % columns * cells[0].width, i // columns * height))
    with whole_file(path) as partial:
        note = PngInfo()
        note.add_text("Software", PICTURE)
        sheet.save(partial, Image.registered_extensions()[path.suffix.lower()], pnginfo=note, comment=PICTURE.encode())


def _cell(twin: Twin, width: int) -> Image.Image:
    images = [Image.fromarray(pixels) for pixels in pictures(twin)]
    height = round(width * twin.height / twin.width)
    cell = Image.new("RGB", (width * len(images), height + LABEL_HEIGHT), (24, 24, 28))
    for i, image in enumerate(images):
        cell.paste(image.resize((width, height), Image.Resampling.LANCZOS), (i * width, LABEL_HEIGHT))
    ImageDraw.Draw(cell).text((4, 1), f"{twin.name}   {twin.title}", fill=(235, 235, 235))
    return cell
