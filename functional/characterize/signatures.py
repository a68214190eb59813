"""Tiles of the window whose inputs are those that they had one and two frames before: what Rendering Elimination finds
(Anglada et al., HPCA 2019, III)."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..pipeline.command import DrawCommand
from ..pipeline.fused.counted_state import TileSize
from ..pipeline.fused.signing_kernels import FACTOR, SHIFT
from ..pipeline.sampler import Versioned
from ..pipeline.state import DrawState
from ..pipeline.target import Target

DISTANCES = 1, 2
"""Frames between those that are compared: each, or each second one where two frame buffers take turns."""
WRITES = frozenset({"upload", "link", "copy", "blit", "resolve", "generate_mipmap"})
"""Events after which a tile may look different though its inputs are the same."""
_NOTHING = np.zeros(0, np.int64)


class _Frame(NamedTuple):
    signatures: NDArray[np.int64] | None
    spoiled: bool


class TileSignatures:
    """Signs the tiles of the window, and compares them with those of the frames before.

    Parameters
    ----------
    tile
        Size of a tile.
    """

    def __init__(self, tile: TileSize) -> None:
        self.tile = tile
        self._before: list[_Frame] = []
        self.begin()

    def begin(self) -> None:
        """Begin a frame."""
        self._size, self._tiles = (0, 0), _NOTHING
        self._target: Target | None = None
        self._begins, self._spoiled = 0, False
        self._clears: list[str] = []

    def of(self, draw: DrawCommand) -> tuple[NDArray[np.int64], int]:
        """Signatures that a draw adds to: int64, by tile, empty for one that is not to the window; and its key."""
        target = draw.state.target
        if not target.flipped:
            return _NOTHING, 0
        if self._clears:
            self._sign_clears()
        if target is not self._target:
            self._resize(target)
        return self._tiles, _key(draw)

    def _resize(self, target: Target) -> None:
        """Begin the tiles of a window that changes its size: those of a frame are those of its last size."""
        self._target = target
        if self._size != (target.width, target.height):
            self._size = target.width, target.height
            self._tiles = np.full(prod(self.tile.grid(*self._size)), self._begins, np.int64)

    def clear(self, content: str) -> None:
        """Sign a clear of the window; one of a part counts for all tiles."""
        self._clears.append(content)

    def _sign_clears(self) -> None:
        """Sign the clears since the draw before as one."""
        if self._clears:
            word = np.array([hash(tuple(self._clears))], np.int64)
            self._begins = int(_mixed(np.array([self._begins], np.int64), word)[0])
            self._tiles[:] = _mixed(self._tiles, word)
            self._clears.clear()

    def spoil(self) -> None:
        """Note that something that draws read was written."""
        self._spoiled = True

    def end_frame(self, comparable: bool) -> dict[str, int]:
        """Tiles of the window whose inputs are those of each distance before, by the names of the columns.

        Parameters
        ----------
        comparable
            Whether the window is drawn in one pass that begins empty; otherwise equal inputs may give other colours.
        """
        self._sign_clears()
        self._before.append(_Frame(self._tiles if comparable else None, self._spoiled))
        self.begin()
        counts = {f"tiles_repeated_{distance}": self._equal(distance) for distance in DISTANCES}
        del self._before[: -max(DISTANCES)]
        return counts

    def _equal(self, distance: int) -> int:
        if len(self._before) <= distance or any(frame.spoiled for frame in self._before[-distance:]):
            return 0
        now, before = self._before[-1].signatures, self._before[-1 - distance].signatures
        if now is None or before is None or len(now) != len(before):
            return 0
        return int((now == before).sum())


def _mixed(signatures: NDArray[np.int64], word: NDArray[np.int64]) -> NDArray[np.int64]:
    """As the kernels mix; see `signing_kernels.mixed`."""
    together = (signatures ^ word) * np.int64(FACTOR)
    return together ^ (together >> SHIFT)


def _key(draw: DrawCommand) -> int:
    """A number for all that a draw depends on apart from its vertices and constants: program, state and textures."""
    key_and_textures = draw.derived.key
    if key_and_textures is None:
        key_and_textures = draw.derived.key = _key_of_state(draw.state)
    key, textures = key_and_textures
    topology = draw.vertices.topology
    if not textures:
        return key ^ topology
    return hash((key, topology, *[texture.version for texture in textures]))


def _key_of_state(state: DrawState) -> tuple[int, tuple[Versioned, ...]]:
    """See `StateDerived.key`."""
    samplers = *state.samplers.vertex, *state.samplers.fragment
    seen = [
        (s.surface, s.version if s.source is None else -1)
        + (s.min_filter, s.mag_filter, s.wrap_s, s.wrap_t, s.wrap_r, s.swizzle, s.border)
        for s in samplers
    ]
    key = hash((id(state.program), state.raster, state.depth_stencil, state.blending, *seen))
    return key, tuple(s.source for s in samplers if s.source is not None)
