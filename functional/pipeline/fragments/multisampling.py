"""Multisampling: coverage and depth per sample, one shading per pixel (OpenGL ES 3.0, 3.4 and 4.1.3).

Samples are positions inside a pixel. Moving the geometry the other way puts them on pixel centres, so the stages for
pixel centres can be used, once per sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.samples import OFFSET_X, OFFSET_Y, SAMPLES
from ..command import DrawCommand
from ..geometry.set_up import Geometry
from ..geometry.setup_kernels import CULLED_EMPTY, NOT_CULLED
from ..state import Blending
from .rasterization import Quads, Scratch, rasterize


def shifted(geometry: Geometry, sample: int) -> Geometry:
    """Geometry shifted so that a sample is at pixel centres."""
    dx, dy = OFFSET_X[sample], OFFSET_Y[sample]
    window = geometry.window.copy()
    window[:, 0] -= np.float32(dx)
    window[:, 1] -= np.float32(dy)
    planes = geometry.planes.copy()
    planes[:, 0] += planes[:, 1] * dx + planes[:, 2] * dy
    return replace(
        geometry,
        window=window,
        memory_y=geometry.memory_y - np.float32(dy),
        x=geometry.x - int(dx * 256),
        y=geometry.y - int(dy * 256),
        planes=planes,
        culled=geometry.culled.copy(),
    )


def rasterize_samples(draw: DrawCommand, geometry: Geometry, scratch: Scratch) -> Iterator[Quads]:
    """Quads with a coverage bit per lane and sample: lane + 4 * sample; see `rasterize`.

    Samples that glSampleCoverage or glSampleMaski remove are not covered; quads without any remaining sample are left
    out.
    """
    drawn = geometry.culled == NOT_CULLED
    parts = []
    for sample in range(SAMPLES):
        for quads in rasterize(draw, shifted(geometry, sample), scratch):
            place = (quads.primitive.astype(np.int64) << 32) | (quads.y.astype(np.int64) << 16) | quads.x
            parts.append((place, quads.coverage << np.uint16(4 * sample)))
    if parts:
        places, inverse = np.unique(np.concatenate([place for place, _ in parts]), return_inverse=True)
        coverage = np.zeros(len(places), np.uint16)
        np.bitwise_or.at(coverage, inverse.reshape(-1), np.concatenate([mask for _, mask in parts]))
        primitive = (places >> 32).astype(np.int32)
        geometry.culled[np.setdiff1d(np.flatnonzero(drawn), primitive)] = CULLED_EMPTY
        x, y = (places & 0xFFFF).astype(np.uint16), (places >> 16 & 0xFFFF).astype(np.uint16)
        coverage &= np.uint16(fixed_coverage(draw.state.blending))
        yield Quads(primitive, x, y, coverage).take(np.flatnonzero(coverage))
    else:
        geometry.culled[drawn] = CULLED_EMPTY


def alpha_coverage(alpha: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Samples that remain after alpha to coverage, as masks of `Quads.coverage`, from alpha per lane (4 * quads,).

    Their number is implementation-defined; rounding up follows Mesa.
    """
    count = np.ceil(np.clip(np.nan_to_num(alpha), 0, 1) * SAMPLES).astype(np.int64).reshape(-1, 4)
    masks = np.zeros(len(count), np.uint16)
    for sample in range(SAMPLES):
        for lane in range(4):
            masks |= ((count[:, lane] > sample).astype(np.uint16) << np.uint16(lane + 4 * sample)).astype(np.uint16)
    return masks


def fixed_coverage(blending: Blending) -> int:
    """Mask of glSampleCoverage and glSampleMaski for all lanes of a quad; the number of samples of the former is
    rounded down, as in Mesa."""
    value, invert = blending.sample_coverage
    kept = min(max(int(value * SAMPLES), 0), SAMPLES)
    samples = [(sample < kept) != invert and blending.sample_mask >> sample & 1 for sample in range(SAMPLES)]
    return sum(0xF << 4 * sample for sample, on in enumerate(samples) if on)


def resolve(pixels: NDArray[Any]) -> NDArray[Any]:
    """One value per pixel: the mean of its samples for colours, the first sample for integers and depth."""
    if pixels.ndim == 4 and pixels.dtype == np.uint8:
        return np.asarray((pixels.astype(np.uint16).sum(0) + SAMPLES // 2) // SAMPLES, np.uint8)
    if pixels.ndim == 4 and pixels.dtype == np.float32:
        return np.asarray(pixels.mean(0), np.float32)
    return np.asarray(pixels[0])
