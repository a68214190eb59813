"""SSIM is scikit-image's."""

from __future__ import annotations

import numpy as np
import pytest
from skimage.metrics import structural_similarity

from tilegpu.functional.comparison import compare_images


@pytest.mark.parametrize("shape", [(7, 7, 3), (5, 9, 4), (64, 48, 3), (3, 100, 4), (270, 480, 4)], ids=str)
@pytest.mark.parametrize("most", [0, 9, 255])
def test_similarity_is_that_of_scikit_image(shape: tuple[int, int, int], most: int) -> None:
    made = np.random.default_rng(1)
    a = made.integers(0, 256, shape, dtype=np.uint8)
    b = np.clip(a.astype(int) + made.integers(-most, most + 1, shape), 0, 255).astype(np.uint8)
    window = min(7, *shape[:2])
    window -= 1 - window % 2
    expected = structural_similarity(a, b, channel_axis=2, data_range=255, win_size=window)
    assert compare_images(a, b).ssim == pytest.approx(expected, abs=1e-12)


def test_flat_images_are_compared_too() -> None:
    black, white = np.zeros((9, 9, 3), np.uint8), np.full((9, 9, 3), 255, np.uint8)
    expected = structural_similarity(black, white, channel_axis=2, data_range=255)
    assert compare_images(black, white).ssim == pytest.approx(expected, abs=1e-12)
    assert compare_images(black, black).ssim == 1
