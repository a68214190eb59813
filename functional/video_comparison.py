"""Compares two sequences of images as a viewer sees them: VSSIM.

Wang, Lu, Bovik: "Video quality assessment based on structural distortion measurement", 2004. TEAPOT judges techniques
by it that change pictures (Tomás, 2022, 3.1).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .comparison import SSIM_CONSTANTS, ImageError, differences

WINDOW = 8
MOST_WINDOWS = 2048
"""The authors draw windows at random; these lie evenly in the image, so that results repeat."""
CHANNEL_WEIGHTS = 0.8, 0.1, 0.1
"""Of luma and the two chroma differences."""
DARK, BRIGHT = 40, 50
"""Mean lumas of a window up to which it counts nothing and from which it counts whole."""
MOTION_UNIT = 16
"""Pixels of motion that count as 1."""
SLOW, FAST = 0.8, 1.2
"""Mean motions of a frame up to which it counts whole and from which it counts nothing."""
SEARCH = 32
"""Motion in pixels that is looked for in x and y; frames that move faster may count as slower ones."""
MOTION_WINDOWS = 4
"""Motion is measured for every fourth window."""

Array = NDArray[np.float64]


def vssim(pairs: Iterable[tuple[NDArray[np.uint8], NDArray[np.uint8]]]) -> float:
    """Video structural similarity of a sequence and its reference.

    Parameters
    ----------
    pairs
        Images of both in their order, each uint8 (height, width, 3 or 4); alpha is ignored.

    Returns
    -------
    float
        1 for equal sequences; NaN if no frame counts, as all are dark or move fast.

    Raises
    ------
    ImageError
        Sizes differ, or an image is smaller than a window of 8x8 pixels.
    """
    weighted, weights, before = 0.0, 0.0, None
    for image, reference in pairs:
        differences(image, reference)
        if min(reference.shape[:2]) < WINDOW:
            raise ImageError(f"an image of {reference.shape[1]}x{reference.shape[0]} has no window of 8x8 pixels")
        places = _windows(reference)
        channels = [_channels(of) for of in (reference, image)]
        luma = _blocks(channels[0][0], *places)
        quality = sum(
            weight * _ssim(_blocks(one, *places), _blocks(other, *places))
            for weight, one, other in zip(CHANNEL_WEIGHTS, *channels, strict=True)
        )
        light = np.clip((luma.mean((1, 2)) - DARK) / (BRIGHT - DARK), 0, 1)
        moved = 0.0
        if before is not None and before.shape == channels[0][0].shape:
            y, x = (of[::MOTION_WINDOWS] for of in places)
            moved = float(_motion(before, luma[::MOTION_WINDOWS], y, x).mean()) / MOTION_UNIT
        speed = float(np.clip((FAST - moved) / (FAST - SLOW), 0, 1))
        weighted += speed * float((light * quality).sum())
        weights += speed * float(light.sum())
        before = channels[0][0]
    return weighted / weights if weights else float("nan")


def _channels(image: NDArray[np.uint8]) -> tuple[Array, Array, Array]:
    """Luma, blue and red difference (ITU-R BT.601, 0 to 255)."""
    red, green, blue = (image[..., c].astype(np.float64) for c in range(3))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402


def _windows(image: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Upper left corners of the windows, row by row."""
    height, width = (side - WINDOW + 1 for side in image.shape[:2])
    step = max(WINDOW // 2, int(np.ceil(np.sqrt(height * width / MOST_WINDOWS))))
    y, x = np.meshgrid(np.arange(0, height, step), np.arange(0, width, step), indexing="ij")
    return y.reshape(-1), x.reshape(-1)


def _blocks(values: Array, y: NDArray[np.int64], x: NDArray[np.int64]) -> Array:
    """Contents of windows, (windows, 8, 8)."""
    return np.lib.stride_tricks.sliding_window_view(values, (WINDOW, WINDOW))[y, x]


def _ssim(a: Array, b: Array) -> Array:
    """Structural similarity of each window."""
    mean_a, mean_b = a.mean((1, 2)), b.mean((1, 2))
    spread_a, spread_b = a.var((1, 2), ddof=1), b.var((1, 2), ddof=1)
    area = WINDOW * WINDOW
    common = ((a * b).mean((1, 2)) - mean_a * mean_b) * area / (area - 1)
    c1, c2 = ((k * 255) ** 2 for k in SSIM_CONSTANTS)
    above = (2 * mean_a * mean_b + c1) * (2 * common + c2)
    return np.asarray(above / ((mean_a**2 + mean_b**2 + c1) * (spread_a + spread_b + c2)))


def _motion(before: Array, blocks: Array, y: NDArray[np.int64], x: NDArray[np.int64]) -> Array:
    """Distance in pixels of each window from the place in the frame before that is most like it, by the sum of
    absolute differences; the nearest one of several."""
    bottom, right = (side - WINDOW for side in before.shape)
    least, distance = np.full(len(blocks), np.inf), np.zeros(len(blocks))
    offsets = [(dy, dx) for dy in range(-SEARCH, SEARCH + 1) for dx in range(-SEARCH, SEARCH + 1)]
    left = np.arange(len(blocks))
    for dy, dx in sorted(offsets, key=lambda o: (o[0] ** 2 + o[1] ** 2, o)):
        at_y, at_x = y[left] + dy, x[left] + dx
        inside = (at_y >= 0) & (at_y <= bottom) & (at_x >= 0) & (at_x <= right)
        which = left[inside]
        apart = np.abs(_blocks(before, at_y[inside], at_x[inside]) - blocks[which]).sum((1, 2))
        nearer = apart < least[which]
        least[which[nearer]], distance[which[nearer]] = apart[nearer], np.hypot(dy, dx)
        left = left[least[left] > 0]
    return distance
