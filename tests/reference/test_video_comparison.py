"""VSSIM against its formulas, written down once more window by window, and by hand."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from typer.testing import CliRunner

from tilegpu.functional.comparison import ImageError
from tilegpu.functional.video_comparison import vssim
from tilegpu.tools.main import app

Image8 = NDArray[np.uint8]


def noise(seed: int, low: int = 60, high: int = 200, shape: tuple[int, int] = (24, 28)) -> Image8:
    return np.random.default_rng(seed).integers(low, high, (*shape, 3)).astype(np.uint8)


def plain_vssim(frames: list[Image8], references: list[Image8]) -> float:
    """The same by loops over windows every 4 pixels, without motion."""

    def channel(pixel: NDArray[np.uint8], c: int) -> float:
        r, g, b = (float(v) for v in pixel)
        luma = 0.299 * r + 0.587 * g + 0.114 * b
        return (luma, 128 + (b - luma) / 1.772, 128 + (r - luma) / 1.402)[c]

    above = below = 0.0
    for frame, reference in zip(frames, references, strict=True):
        for y in range(0, frame.shape[0] - 7, 4):
            for x in range(0, frame.shape[1] - 7, 4):
                places = [(y + i, x + j) for i in range(8) for j in range(8)]
                quality = 0.0
                for c, weight in enumerate((0.8, 0.1, 0.1)):
                    p = [channel(reference[at], c) for at in places]
                    q = [channel(frame[at], c) for at in places]
                    if c == 0:
                        light = min(1.0, max(0.0, (statistics.fmean(p) - 40) / 10))
                    c1, c2 = 6.5025, 58.5225
                    m, n = statistics.fmean(p), statistics.fmean(q)
                    quality += (
                        weight
                        * ((2 * m * n + c1) * (2 * statistics.covariance(p, q) + c2))
                        / ((m * m + n * n + c1) * (statistics.variance(p) + statistics.variance(q) + c2))
                    )
                above, below = above + light * quality, below + light
    return above / below


def test_equal_sequences() -> None:
    frames = [noise(seed) for seed in range(3)]
    assert vssim(zip(frames, frames, strict=True)) == pytest.approx(1)


def test_formulas() -> None:
    # Means of windows around the bound of what counts; noise hardly moves far.
    references = [noise(1, 20, 70), noise(2)]
    frames = [np.clip(r.astype(int) + noise(k, 0, 40), 0, 255).astype(np.uint8) for k, r in enumerate(references)]
    assert vssim([(frames[0], references[0])]) == pytest.approx(plain_vssim(frames[:1], references[:1]))
    assert vssim([(frames[1], references[1])]) == pytest.approx(plain_vssim(frames[1:], references[1:]))


def test_dark_places_do_not_count() -> None:
    reference = noise(0)
    reference[:, :14] = 30
    frame = reference.copy()
    frame[:, :6] = 0
    assert vssim([(frame, reference)]) == pytest.approx(1)
    assert math.isnan(vssim([(frame * 0, reference * 0)]))


@pytest.mark.parametrize(("step", "counts"), [(0, 1.0), (12, 1.0), (16, 0.5), (20, 0.0)])
def test_frames_that_move_fast_count_less(step: int, counts: float) -> None:
    # A texture passes by; the second frame is worse than the first.
    wide = noise(3, shape=(40, 400))
    references = [wide[:, 100:300], wide[:, 100 + step : 300 + step]]
    frames = [references[0], (references[1] // 2 + 60).astype(np.uint8)]
    first, second = (vssim([(frames[k], references[k])]) for k in range(2))
    together = vssim(zip(frames, references, strict=True))
    # Windows near the edge have no counterpart.
    assert together == pytest.approx((first + counts * second) / (1 + counts), abs=0.03)


def test_small_images_are_refused() -> None:
    with pytest.raises(ImageError, match="no window"):
        vssim([(noise(0, shape=(7, 20)), noise(0, shape=(7, 20)))])


def test_folders_are_videos(tmp_path: Path) -> None:
    for name, change in (("mine", 40), ("reference", 0)):
        (tmp_path / name).mkdir()
        for number in (9999, 10000):
            image = noise(number) // 2 + change
            Image.fromarray(image.astype(np.uint8)).save(tmp_path / name / f"frame_{number}.png")
    folders = [str(tmp_path / name) for name in ("mine", "reference")]
    found = json.loads(CliRunner().invoke(app, ["compare", *folders, "--video", "--json"]).stdout)
    pairs = [
        tuple(np.asarray(Image.open(tmp_path / name / f"frame_{number}.png")) for name in ("mine", "reference"))
        for number in (9999, 10000)
    ]
    assert found["vssim"] == pytest.approx(vssim(pairs))
    assert len(found["images"]) == 2
    image = str(tmp_path / "mine" / "frame_9999.png")
    assert CliRunner().invoke(app, ["compare", image, image, "--video"]).exit_code == 2
