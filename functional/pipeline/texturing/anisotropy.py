"""Anisotropic filtering: several probes along a pixel's longer side (EXT_texture_filter_anisotropic).

The extension leaves the filter to the implementation; this is its example. Px and Py are the
changes of the texel coordinates to the next pixel right and up; N = min(ceil(Pmax / Pmin), limit) probes of the usual
filter at level log2(Pmax / N) are averaged. They lie at -1/2 + i / (N + 1), i from 1 to N, pixels along the longer
side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .filter import binary_logarithms

Lanes = NDArray[np.float32]


@dataclass(frozen=True)
class Footprint:
    """Probes of each lane.

    Attributes
    ----------
    count
        int32, (n,): probes, at least 1.
    step
        float32, (k, n): change of the coordinates along the longer side, to the next pixel.
    lod
        float32, (n,): level of detail of every probe.
    """

    count: NDArray[np.int32]
    step: Lanes
    lod: Lanes

    def offset(self, probe: int) -> Lanes:
        """Position of a probe (from 0) relative to the pixel's centre, float32 (k, n)."""
        return np.asarray(self.step * ((probe + 1) / (self.count + 1) - 0.5), np.float32)


def quad_gradients(coordinates: Lanes) -> tuple[Lanes, Lanes]:
    """Changes to the next pixel right and up inside each quad, the same in its lanes; float32 (k, n) each."""
    quads = coordinates.reshape(len(coordinates), -1, 4)
    right, up = quads[..., 1] - quads[..., 0], quads[..., 2] - quads[..., 0]
    return np.repeat(right, 4, axis=1), np.repeat(up, 4, axis=1)


def footprint(gradients: tuple[Lanes, Lanes], sizes: Lanes, limit: int) -> Footprint:
    """Probes for given gradients.

    Parameters
    ----------
    gradients
        float32, (k, n) each: changes of the coordinates in x and in y.
    sizes
        float32, (k,): texels per unit of each coordinate.
    limit
        Largest number of probes.
    """
    lengths = [
        np.sqrt(sum((g.astype(np.float64) * s) ** 2 for g, s in zip(gradient, sizes, strict=False)))
        for gradient in gradients
    ]
    along_x = lengths[0] >= lengths[1]
    longer, shorter = np.maximum(*lengths), np.minimum(*lengths)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(longer > 0, np.ceil(longer / shorter), 1.0)
        count = np.clip(np.nan_to_num(np.minimum(ratio, limit), nan=1.0), 1, None).astype(np.int32)
        lod = binary_logarithms((longer / count).astype(np.float32))
    step = np.where(along_x, *(g[: len(sizes)] for g in gradients)).astype(np.float32)
    return Footprint(count, step, lod)
