"""Compares two images: how many pixels differ, by how much, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from .errors import UserError

TOLERANCE = 2
"""Correct implementations differ by up to 2 of 255 (rounding, interpolation)."""
SSIM_WINDOW = 7
SSIM_CONSTANTS = 0.01, 0.03
"""K1 and K2 of its authors."""


class ImageError(UserError):
    """An image that cannot be read or compared; the message names it."""


@dataclass(frozen=True)
class Comparison:
    """Result of comparing two images.

    Attributes
    ----------
    maximum
        Largest difference of any channel, 0 to 255.
    over_tolerance_percent
        Share of pixels with any channel off by more than the tolerance.
    mse
        Mean squared error over all channels.
    psnr_db
        Peak signal-to-noise ratio in dB; infinite for equal images.
    ssim
        Structural similarity, 1 for equal images.
    """

    maximum: int
    over_tolerance_percent: float
    mse: float
    psnr_db: float
    ssim: float


def read_image(path: Path) -> NDArray[np.uint8]:
    """Image as uint8 (height, width, 3 or 4).

    Raises
    ------
    ImageError
        The file is missing or not an image.
    """
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("RGBA" if "A" in image.getbands() else "RGB"))
    except FileNotFoundError:
        raise ImageError(f"{path}: no such file") from None
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise ImageError(f"{path}: not a readable image ({str(error).splitlines()[0]})") from None


def differences(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Absolute differences per channel; alpha counts only if both images have it.

    Raises
    ------
    ImageError
        The sizes differ.
    """
    if a.shape[:2] != b.shape[:2]:
        raise ImageError(f"sizes differ: {a.shape[1]}x{a.shape[0]} and {b.shape[1]}x{b.shape[0]}")
    channels = min(a.shape[2], b.shape[2])
    return np.abs(a[..., :channels].astype(np.int16) - b[..., :channels].astype(np.int16))


def compare_images(a: NDArray[np.uint8], b: NDArray[np.uint8], tolerance: int = TOLERANCE) -> Comparison:
    """Compare two images.

    Parameters
    ----------
    a, b
        uint8, (height, width, 3 or 4).
    tolerance
        Difference of a channel that still counts as equal, 0 to 255.
    """
    difference = differences(a, b)
    mse = float(np.mean(difference.astype(np.float64) ** 2))
    psnr = float("inf") if mse == 0 else float(10 * np.log10(255.0**2 / mse))
    over = float(np.mean((difference > tolerance).any(2)) * 100)
    return Comparison(int(difference.max(initial=0)), over, mse, psnr, _ssim(a, b, difference.shape[2]))


def _ssim(a: NDArray[np.uint8], b: NDArray[np.uint8], channels: int) -> float:
    """SSIM with a window of 7, or the largest odd one that fits; mean over channels.

    Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, with a flat window
    and sample covariances, as scikit-image computes it.
    """
    window = min(SSIM_WINDOW, a.shape[0], a.shape[1])
    window -= 1 - window % 2
    if window < 3:
        return 1.0 if np.array_equal(a[..., :channels], b[..., :channels]) else 0.0
    return float(np.mean([_channel_ssim(a[..., c], b[..., c], window) for c in range(channels)]))


def _channel_ssim(a: NDArray[np.uint8], b: NDArray[np.uint8], window: int) -> float:
    """Mean over all windows that lie within the images."""
    x, y, area = a.astype(np.int64), b.astype(np.int64), window * window
    mean_x, mean_y = _window_sums(x, window) / area, _window_sums(y, window) / area
    sample = area / (area - 1)
    spread_x = sample * (_window_sums(x * x, window) / area - mean_x * mean_x)
    spread_y = sample * (_window_sums(y * y, window) / area - mean_y * mean_y)
    common = sample * (_window_sums(x * y, window) / area - mean_x * mean_y)
    c1, c2 = ((k * 255) ** 2 for k in SSIM_CONSTANTS)
    above = (2 * mean_x * mean_y + c1) * (2 * common + c2)
    return float(np.mean(above / ((mean_x**2 + mean_y**2 + c1) * (spread_x + spread_y + c2))))


def _window_sums(values: NDArray[np.int64], window: int) -> NDArray[np.int64]:
    """Sums of every square within the image."""
    for axis in (0, 1):
        summed = np.insert(values.cumsum(axis), 0, 0, axis)
        upper, lower = np.split(summed, [window], axis)[1], np.split(summed, [-window], axis)[0]
        values = upper - lower
    return values


def heat_map(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Heat map of two images' differences: black if equal, then blue, red, yellow, white at 64 and more; uint8 RGB."""
    level = np.minimum(differences(a, b).max(2), 64) / 64
    stops = np.array([0, 1 / 64, 0.25, 0.5, 1.0])
    colors = np.array([[0, 0, 0], [0, 0, 160], [220, 30, 30], [255, 210, 0], [255, 255, 255]])
    return np.stack([np.interp(level, stops, colors[:, c]) for c in range(3)], 2).astype(np.uint8)


@dataclass(frozen=True)
class ImagePairs:
    """Images to compare.

    Attributes
    ----------
    pairs
        Files of A and B that belong together.
    only_in_a, only_in_b
        Names of images that the other folder lacks.
    """

    pairs: list[tuple[Path, Path]]
    only_in_a: list[str]
    only_in_b: list[str]

    @property
    def lacking(self) -> bool:
        """Whether an image has no counterpart."""
        return bool(self.only_in_a or self.only_in_b)


def image_pairs(a: Path, b: Path) -> ImagePairs:
    """Images to compare: two files, or the files of equal name in two folders, and those that one of them lacks.

    Raises
    ------
    ImageError
        Only one is a folder, or the folders share no image.
    """
    for path in (a, b):
        if not path.exists():
            raise ImageError(f"{path}: no such file or folder")
    if a.is_dir() != b.is_dir():
        raise ImageError(f"{a} and {b}: compare two files or two folders")
    if not a.is_dir():
        return ImagePairs([(a, b)], [], [])
    in_a, in_b = ({path.name for path in folder.glob("*.png")} for folder in (a, b))
    names = sorted(in_a & in_b)
    if not names:
        raise ImageError(f"{a} and {b}: no PNG file has the same name in both folders")
    return ImagePairs([(a / name, b / name) for name in names], sorted(in_a - in_b), sorted(in_b - in_a))
