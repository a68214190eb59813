"""The texture unit: executes a shader's texture operations and notes which texels they read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import TextureRequest
from ..sampler import WRAP_CODES, Sampler, Storage
from .anisotropy import footprint, quad_gradients
from .filter import CUBE, LAYERS, VOLUME, Texture, binary_logarithms, cube_faces, quad_lod
from .gather import ORDER, compare_all, gather_places, gathered
from .reads import Reads, SamplingNotes
from .sampling import sample, sample_compared, sample_whole

INCOMPLETE = 0.0, 0.0, 0.0, 1.0
"""Texel that incomplete textures read as."""
MAX_LOD_BIAS = MAX_ANISOTROPY = 16.0
_SHAPES = {"cube": CUBE, "3d": VOLUME}
_SPATIAL = {"2d": 2, "cube": 3, "3d": 3, "2d_array": 2}
Lanes = NDArray[np.float32]


class TextureUnit:
    """Samples the textures of one stage of one draw.

    Parameters
    ----------
    samplers
        Textures by sampler number.
    derivatives
        Whether lanes come in quads, so that a level of detail can be derived (fragment stage).
    reads
        Where reads are noted; None to note none.
    """

    def __init__(self, samplers: tuple[Sampler, ...], derivatives: bool, reads: list[Reads] | None) -> None:
        self.samplers = samplers
        self.derivatives = derivatives
        self.reads = reads

    def __call__(self, request: TextureRequest) -> Lanes:
        """Result of an operation for all lanes, float32 (4, n); integers as their bits."""
        sampler = self.samplers[request.sampler]
        coordinates = np.ascontiguousarray(request.coordinates, np.float32)
        lanes = coordinates.shape[1]
        storage = sampler.storage
        if storage is None:
            texel = np.array(INCOMPLETE, np.float32)[:, None]
            return np.repeat(texel[[request.component] * 4] if request.operation == "gather" else texel, lanes, axis=1)
        if request.operation == "size":
            return _size(storage, sampler.target, request, lanes)
        if request.operation == "fetch":
            noted = Reads.blank((request.pc, request.sampler), lanes, 0, request.active)
            out = _fetched(request, sampler, storage, coordinates, noted)
            self._note(noted, sampler)
        elif request.operation == "gather":
            return self._gathered(request, sampler, storage, coordinates)
        elif self._anisotropic(request, sampler):
            out = self._probed(request, sampler, storage, coordinates)
        else:
            noted = Reads.blank((request.pc, request.sampler), lanes, 0, request.active)
            lod = self._lod(request, sampler, storage, coordinates)
            out = self._filtered(request, sampler, storage, coordinates, lod, noted)
            self._note(noted, sampler)
        return out if sampler.swizzle == (0, 1, 2, 3) else _swizzled(out, sampler.swizzle, storage)

    def _note(self, noted: Reads, sampler: Sampler) -> None:
        if self.reads is not None:
            if sampler.base_level:
                noted.levels[noted.levels >= 0] += sampler.base_level
            self.reads.append(noted)

    def _anisotropic(self, request: TextureRequest, sampler: Sampler) -> bool:
        """Whether anisotropic probes are used: only if texels are filtered and gradients are known."""
        has_gradients = request.operation == "grad" or (self.derivatives and request.operation in ("implicit", "bias"))
        return has_gradients and probes(sampler) > 1

    def _probed(self, request: TextureRequest, sampler: Sampler, storage: Storage, coordinates: Lanes) -> Lanes:
        sizes = _texels_per_unit(sampler, storage)
        gradients = request.gradients if request.operation == "grad" else quad_gradients(coordinates)
        assert gradients is not None
        pixel = footprint(
            (np.asarray(gradients[0])[: len(sizes)], np.asarray(gradients[1])[: len(sizes)]),
            sizes,
            probes(sampler),
        )
        lod = _adjusted(pixel.lod, request, sampler)
        total = np.zeros((4, coordinates.shape[1]), np.float32)
        for probe in range(int(pixel.count.max(initial=1))):
            takes = pixel.count > probe
            active = takes if request.active is None else takes & request.active
            noted = Reads.blank((request.pc, request.sampler), len(takes), probe, active)
            at = coordinates.copy()
            at[: len(sizes)] += pixel.offset(probe)
            values = self._filtered(request, sampler, storage, at, lod, noted)
            total += np.where(takes, values, np.float32(0))
            self._note(noted, sampler)
        return np.asarray(total / pixel.count, np.float32)

    def _filtered(
        self,
        request: TextureRequest,
        sampler: Sampler,
        storage: Storage,
        coordinates: Lanes,
        lod: Lanes,
        noted: Reads,
    ) -> Lanes:
        lanes = coordinates.shape[1]
        s, t = self._placed(sampler.target, coordinates, storage, noted)
        texture = _texture(request, sampler, storage)
        out = np.zeros((4, lanes), np.float32)
        reads = SamplingNotes(noted.levels, noted.x, noted.y, noted.face, noted.linear)
        r = coordinates[2] if texture.shape == VOLUME else s
        if storage.texels.dtype == np.int32:
            sample_whole(texture, s, t, r, lod, out.view(np.int32), reads)
        elif sampler.compare >= 0 and request.reference is not None:
            reference = np.ascontiguousarray(np.broadcast_to(request.reference, lanes), np.float32)
            compared = np.zeros(lanes, np.float32)
            texture = texture._replace(texels=storage.texels.astype(np.float32, copy=False))
            sample_compared(texture, s, t, lod, reference, sampler.compare, compared, reads)
            # Swizzles choose from the outcome as from any texel of one channel.
            out[0], out[3] = compared, 1
        else:
            sample(texture, s, t, r, lod, out, reads)
        return out

    def _gathered(self, request: TextureRequest, sampler: Sampler, storage: Storage, coordinates: Lanes) -> Lanes:
        """A component of each of four texels (textureGather)."""
        lanes = coordinates.shape[1]
        noted = Reads.blank((request.pc, request.sampler), lanes, 0, request.active)
        s, t = self._placed(sampler.target, coordinates, storage, noted)
        texture, places = _texture(request, sampler, storage), np.empty((4, lanes), np.int64)
        gather_places(texture, s, t, places, SamplingNotes(noted.levels, noted.x, noted.y, noted.face, noted.linear))
        self._note(noted, sampler)
        compared = sampler.compare >= 0 and request.reference is not None
        channel = sampler.swizzle[request.component]
        if channel > 3 or (compared and channel):
            # Of an outcome as of any texel of one channel, the others are 0, 0 and 1.
            one = np.int32(1).view(np.float32) if texture.texels.dtype == np.int32 else np.float32(1)
            return np.full((4, lanes), one if channel in (3, 5) else 0, np.float32)
        values = gathered(texture, places, channel)
        if compared:
            assert request.reference is not None
            reference = np.ascontiguousarray(np.broadcast_to(request.reference, lanes), np.float32)
            outcomes = np.zeros((4, lanes), np.float32)
            compare_all(sampler.compare, reference, values.astype(np.float32), outcomes)
            return outcomes[list(ORDER)]
        if values.dtype == np.int32:
            return np.asarray(np.ascontiguousarray(values[list(ORDER)]).view(np.float32))
        return np.asarray(values[list(ORDER)].astype(np.float32) * texture.scale)

    def _placed(self, target: str, coordinates: Lanes, storage: Storage, noted: Reads) -> tuple[Lanes, Lanes]:
        """Coordinates on the image, and the image in `noted.face`."""
        if target == "cube":
            s, t = np.empty_like(coordinates[0]), np.empty_like(coordinates[0])
            cube_faces(coordinates[:3], noted.face, s, t)
            return s, t
        if target == "2d_array":
            layer = np.floor(np.nan_to_num(coordinates[2]) + 0.5)
            noted.face[:] = np.clip(layer, 0, storage.layers[0] - 1).astype(np.int32)
        return coordinates[0], coordinates[1]

    def _lod(self, request: TextureRequest, sampler: Sampler, storage: Storage, coordinates: Lanes) -> Lanes:
        lanes = coordinates.shape[1]
        sizes = _texels_per_unit(sampler, storage)
        lod = np.zeros(lanes, np.float32)
        if request.operation == "lod" and request.lod_or_bias is not None:
            lod = np.ascontiguousarray(np.broadcast_to(request.lod_or_bias, lanes), np.float32).copy()
        elif request.operation == "grad":
            lod = _gradient_lod(request, sizes)
        elif self.derivatives:
            quad_lod(coordinates[: len(sizes)], sizes, lod)
        return _adjusted(lod, request, sampler)


def _texture(request: TextureRequest, sampler: Sampler, storage: Storage) -> Texture:
    """A texture and how an operation samples it."""
    wraps = np.array([WRAP_CODES[w] for w in (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r)], np.int64)
    shift = np.zeros(3, np.int64)
    shift[: len(request.offsets or ())] = request.offsets or ()
    scale = np.float32(1) / np.float32(255) if storage.texels.dtype == np.uint8 else np.float32(1)
    border = np.array(sampler.border, storage.texels.dtype if storage.texels.dtype == np.int32 else np.float32)
    sizes = storage.offsets, storage.widths, storage.heights, storage.layers
    filters = sampler.min_filter, sampler.mag_filter
    shape = _SHAPES.get(sampler.target, LAYERS)
    return Texture(storage.texels, *sizes, *filters, wraps, shift, scale, border, shape)


def _fetched(request: TextureRequest, sampler: Sampler, storage: Storage, coordinates: Lanes, noted: Reads) -> Lanes:
    """Single texels by integer position and level, or sample (texelFetch)."""
    lanes = coordinates.shape[1]
    at = coordinates.view(np.int32).astype(np.int64)
    level = np.zeros(lanes, np.int64)
    if request.lod_or_bias is not None:
        named = np.ascontiguousarray(np.broadcast_to(request.lod_or_bias, lanes), np.float32)
        level = named.view(np.int32).astype(np.int64)
    layer = at[2] if sampler.target in ("3d", "2d_array") else np.zeros_like(at[0])
    if sampler.target == "2d_ms":
        level, layer = layer, level
    level = np.clip(level, 0, len(storage.widths) - 1)
    position = [at[0], at[1], layer]
    for axis, shift in zip(position, request.offsets or (), strict=False):
        axis += shift
    x, y, layer = position
    noted.levels[0], noted.x[0], noted.y[0] = level, x, y
    width, height = storage.widths[level], storage.heights[level]
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    layer = np.clip(layer, 0, storage.layers[level] - 1)
    noted.face[:] = layer
    first = storage.offsets[level] + 4 * ((layer * height + y) * width + x)
    texels = storage.texels[first[None] + np.arange(4)[:, None]]
    if texels.dtype == np.int32:
        return np.asarray(np.ascontiguousarray(texels).view(np.float32))
    return np.asarray(texels.astype(np.float32) / np.float32(255 if texels.dtype == np.uint8 else 1))


def probes(sampler: Sampler) -> int:
    """Most anisotropic probes of a texture; 1 if it is not filtered."""
    if sampler.storage is None or not sampler.min_filter & 1:
        return 1
    return max(1, int(min(sampler.anisotropy, MAX_ANISOTROPY)))


def _texels_per_unit(sampler: Sampler, storage: Storage) -> Lanes:
    """Texels of the base level per unit of each coordinate that counts for the level of detail, float32."""
    width, height = float(storage.widths[0]), float(storage.heights[0])
    # A direction's component ranges from -1 to 1 across a face: half as many texels per unit.
    sizes = [width / 2] * 3 if sampler.target == "cube" else [width, height, float(storage.layers[0])]
    return np.array(sizes[: _SPATIAL.get(sampler.target, 2)], np.float32)


def _adjusted(lod: Lanes, request: TextureRequest, sampler: Sampler) -> Lanes:
    """Level of detail with biases and limits (OpenGL ES 3.0, 3.8.9.1)."""
    if request.operation == "bias" and request.lod_or_bias is not None:
        lod = lod + np.clip(request.lod_or_bias, -MAX_LOD_BIAS, MAX_LOD_BIAS)
    if sampler.lod_bias:
        lod = lod + np.float32(np.clip(sampler.lod_bias, -MAX_LOD_BIAS, MAX_LOD_BIAS))
    if sampler.min_lod > -1000 or sampler.max_lod < 1000:
        lod = np.clip(lod, sampler.min_lod, sampler.max_lod)
    return np.ascontiguousarray(lod, np.float32)


def _gradient_lod(request: TextureRequest, sizes: Lanes) -> Lanes:
    assert request.gradients is not None
    changes = [np.abs(np.asarray(g, np.float32)[: len(sizes)]) * sizes[:, None] for g in request.gradients]
    # NaN counts as no change.
    return binary_logarithms(np.fmax.reduce(np.concatenate(changes), axis=0, initial=np.float32(0)))


def _size(storage: Storage, target: str, request: TextureRequest, lanes: int) -> Lanes:
    """Size of a level as integer bits (textureSize)."""
    level: Any = np.zeros(lanes, np.int64)
    if request.lod_or_bias is not None:
        bits = np.ascontiguousarray(np.broadcast_to(request.lod_or_bias, lanes), np.float32).view(np.int32)
        level = np.clip(bits, 0, len(storage.widths) - 1)
    out = np.zeros((4, lanes), np.int32)
    out[0], out[1] = storage.widths[level], storage.heights[level]
    if target in ("3d", "2d_array"):
        out[2] = storage.layers[level]
    return np.asarray(out.view(np.float32))


def _swizzled(out: Lanes, swizzle: tuple[int, int, int, int], storage: Storage) -> Lanes:
    one = np.int32(1).view(np.float32) if storage.texels.dtype == np.int32 else np.float32(1)
    rows = [out[c] if c < 4 else np.full_like(out[0], one if c == 5 else 0) for c in swizzle]
    return np.stack(rows)
