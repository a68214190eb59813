"""Frame rates measured on real boards: a CSV file, a row per scene."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..declare import StudyError

COLUMNS = ("board", "gpu", "cores", "gpu_mhz", "clock_note", "driver", "width", "height", "scene", "capture", "fps",
           "source")  # fmt: skip
NUMBERS = "gpu_mhz", "fps"
MAX_BYTES = 1 << 24


@dataclass(frozen=True)
class Measurement:
    """A scene on a board.

    Attributes
    ----------
    board, gpu
        What it ran on.
    cores
        Cores of the GPU, as the file has it.
    gpu_mhz, clock_note
        Clock of the GPU, and how it is known; other clocks that it may have had, in MHz.
    driver
        Of the GPU.
    scene
        The scene as the benchmark calls it, with its options.
    capture
        File of the same scene within the folder of captures; empty where there is none.
    fps
        Frames per second.
    source
        Where the figure was published.
    """

    board: str
    gpu: str
    cores: str
    gpu_mhz: int
    clock_note: str
    driver: str
    scene: str
    capture: str
    fps: float
    source: str

    @property
    def frame_ms(self) -> float:
        """Time per frame."""
        return 1000 / self.fps


def published() -> Path:
    """The file that comes with the package: results that owners of boards have published."""
    return Path(str(files("tilegpu.data").joinpath("boards", "measured.csv")))


def read_measurements(path: Path) -> tuple[Measurement, ...]:
    """Read a file of measurements.

    Parameters
    ----------
    path
        CSV file with the columns of `COLUMNS`, in any order; others are not looked at.

    Raises
    ------
    StudyError
        With one line that says what is wrong where.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise StudyError(f"{path}: too large for a file of measurements")
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise StudyError(f"{path}: lacks the column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
            measurements = tuple(_measurement(row, f"{path}, line {reader.line_num}") for row in reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise StudyError(f"{path}: not readable ({error}); give a CSV file, a row per scene") from None
    if not measurements:
        raise StudyError(f"{path}: has no rows; a row is a scene on a board")
    twice = [key for key, n in Counter((m.board, m.gpu, m.scene) for m in measurements).items() if n > 1]
    if twice:
        raise StudyError(f"{path}: scene {twice[0][2]!r} of {twice[0][0]!r} stands there twice; keep one row")
    return measurements


def _measurement(row: Mapping[str, Any], where: str) -> Measurement:
    if any(row[name] is None for name in COLUMNS):
        raise StudyError(f"{where}: too few values; a row has one for each column of the first line")
    values = {name: str(row[name]).strip() for name in COLUMNS}
    for name in ("board", "gpu", "scene"):
        if not values[name]:
            raise StudyError(f"{where}: {name} is empty; say which")
    numbers = {name: _positive(values[name], name, where) for name in NUMBERS}
    capture = values["capture"]
    if Path(capture).is_absolute() or ".." in Path(capture).parts:
        raise StudyError(f"{where}: capture {capture!r} leaves the folder of captures; name a file in it")
    if numbers["gpu_mhz"] != round(numbers["gpu_mhz"]):
        raise StudyError(f"{where}: gpu_mhz is {values['gpu_mhz']}; give whole MHz")
    return Measurement(
        values["board"],
        values["gpu"],
        values["cores"],
        round(numbers["gpu_mhz"]),
        values["clock_note"],
        values["driver"],
        values["scene"],
        capture,
        numbers["fps"],
        values["source"],
    )


def _positive(text: str, name: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise StudyError(f"{where}: {name} is {text!r}; give a number above 0")
    return value


def labels(measurements: Sequence[Measurement]) -> dict[tuple[str, str], str]:
    """A short name for each board and GPU: the GPU's, or the board's where boards share a GPU."""
    boards = list(dict.fromkeys((m.board, m.gpu) for m in measurements))
    shared = Counter(slug(gpu) for _, gpu in boards)
    return {(board, gpu): slug(gpu) if shared[slug(gpu)] == 1 else slug(board) for board, gpu in boards}


def slug(text: str) -> str:
    """Letters and digits in lower case, a hyphen between them."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
