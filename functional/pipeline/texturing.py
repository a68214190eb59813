"""The texture unit: answers a shader's texture operations and notes which texels they read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..execute.backend import TextureRequest
from .command import Sampler
from .texture_filter import cube_faces, quad_lod, sample

MAX_LOD_BIAS = 16.0


@dataclass(frozen=True)
class Reads:
    """Texels that one texture operation read, lane by lane.

    Attributes
    ----------
    pc, sampler
        The operation.
    levels
        int8, (2, n): levels read, -1 for none.
    x, y
        int32, (2, n): base texels before wrapping.
    face
        int32, (n,): layer, face or slice.
    linear
        bool, (n,): 2x2 texels or one.
    active
        bool, (n,): lanes that execute the operation; None for all.
    """

    pc: int
    sampler: int
    levels: NDArray[np.int8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    face: NDArray[np.int32]
    linear: NDArray[np.bool_]
    active: NDArray[np.bool_] | None


class TextureUnit:
    """Samples the textures of one stage of one draw.

    Parameters
    ----------
    samplers
        Textures by sampler number.
    derivatives
        Lanes come in quads, so that a level of detail can be derived (fragment stage).
    reads
        Where reads are noted; None to note none.
    """

    def __init__(self, samplers: tuple[Sampler, ...], derivatives: bool, reads: list[Reads] | None) -> None:
        self.samplers = samplers
        self.derivatives = derivatives
        self.reads = reads

    def __call__(self, request: TextureRequest) -> NDArray[np.float32]:
        """Filtered texels of all lanes, float32 (4, n)."""
        sampler = self.samplers[request.sampler]
        coordinates = np.ascontiguousarray(request.coordinates, np.float32)
        lanes = coordinates.shape[1]
        out = np.empty((4, lanes), np.float32)
        storage = sampler.storage
        if storage is None:
            out[:3], out[3] = 0.0, 1.0
            return out
        face = np.zeros(lanes, np.int32)
        if sampler.cube:
            s, t = np.empty(lanes, np.float32), np.empty(lanes, np.float32)
            cube_faces(coordinates[:3], face, s, t)
        else:
            s, t = coordinates[0], coordinates[1]
        lod = self._lod(request, sampler, coordinates)
        levels, linear = np.empty((2, lanes), np.int8), np.empty(lanes, np.bool_)
        x, y = np.empty((2, lanes), np.int32), np.empty((2, lanes), np.int32)
        sample(
            storage.texels,
            storage.offsets,
            storage.widths,
            storage.heights,
            s,
            t,
            face,
            lod,
            sampler.min_filter,
            sampler.mag_filter,
            sampler.wrap_s,
            sampler.wrap_t,
            out,
            levels,
            x,
            y,
            linear,
        )
        if self.reads is not None:
            self.reads.append(Reads(request.pc, request.sampler, levels, x, y, face, linear, request.active))
        return out

    def _lod(self, request: TextureRequest, sampler: Sampler, coordinates: NDArray[np.float32]) -> NDArray[np.float32]:
        lanes = coordinates.shape[1]
        given = request.lod_or_bias
        if request.operation == "lod":
            assert given is not None
            return np.ascontiguousarray(np.broadcast_to(given, lanes), np.float32)
        lod = np.zeros(lanes, np.float32)
        assert sampler.storage is not None
        width, height = float(sampler.storage.widths[0]), float(sampler.storage.heights[0])
        # A direction's component runs from -1 to 1 across a face: half as many texels per unit.
        sizes = np.array([width / 2] * 3 if sampler.cube else [width, height], np.float32)
        if request.operation == "grad":
            return self._gradient_lod(request, sizes)
        if self.derivatives:
            quad_lod(coordinates[: len(sizes)], sizes, lod)
        if request.operation == "bias" and given is not None:
            lod += np.clip(given, -MAX_LOD_BIAS, MAX_LOD_BIAS)
        return lod

    @staticmethod
    def _gradient_lod(request: TextureRequest, sizes: NDArray[np.float32]) -> NDArray[np.float32]:
        assert request.gradients is not None
        changes = [np.abs(np.asarray(g)[: len(sizes)]) * sizes[:, None] for g in request.gradients]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log2(np.max(np.concatenate(changes), axis=0)), np.float32)
