"""Fragments of a frame in the order in which tiles are processed, each with the hash of its inputs.

Inputs are the program, its constants, its textures with the number of what was written to them, and the varyings,
interpolated by the kernel that the renderer uses. The place on the screen is left out. A second number of 64 bits
distinguishes different inputs of one hash.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.kernels.interpolation import interpolate, lane_weights
from tilegpu.timing.declare.tiles import Tiles

from ...loading.compiled import kernel
from ...loading.loaded import Constants, apply_uploads
from ...loading.source import ActivityError, numbers
from ...loading.tile_order import tile_order
from ..shared import crc

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]
FLAT = 1 << 20
"""Added to the number of a component that is not interpolated."""
BLOCK_QUADS = 1 << 16
PLACED = re.compile(r"^DCL IN\[\d+\] (frag_coord|point_coord)\b", re.MULTILINE)
"""Inputs that follow from the place on the screen: such fragments are not kept."""


class Fragments(NamedTuple):
    """Fragments that are shaded.

    Parameters
    ----------
    hashes, identities
        int64 (32 bits used) and uint64, (n,).
    kept
        bool, (n,): whether the table may hold it.
    tile
        int64, (n,), ascending: place of its tile in the order of processing, all passes of the frame in a row.
    """

    hashes: Array
    identities: Array
    kept: Array
    tile: Array


def fragments_of(activity: Any, frame: int, constants: Constants, configuration: Hardware) -> Fragments:
    """Fragments of a frame that the early test lets through.

    Parameters
    ----------
    activity
        The activity.
    frame
        Number of the frame.
    constants
        As they are before the frame; changed to what they are after it.
    configuration
        Hardware: sizes and order of tiles.

    Raises
    ------
    ActivityError
        If quads refer to something that does not exist.
    """
    draws = sorted(activity.frame("draws", frame).to_pylist(), key=lambda row: row["draw"])
    primitives, quads = activity.frame("primitives", frame), activity.frame("quads", frame)
    draw = np.searchsorted([row["draw"] for row in draws], numbers(primitives, "draw"))
    primitive = numbers(quads, "primitive").astype(np.int64)
    if len(primitive) and (primitive.max() >= len(draw) or draw.max() >= len(draws)):
        raise ActivityError("quads: a quad belongs to a primitive or draw that does not exist")
    of_draw = draw[primitive]
    lanes = _shaded_lanes(quads, np.array([row["early_depth"] for row in draws], bool)[of_draw])
    words = [_message(row, constants) for row in draws]
    hashes, identities = np.zeros((len(quads), 4), np.int64), np.zeros((len(quads), 4), np.uint64)
    geometry = _Geometry(activity, frame, primitives)
    programs = {row["program"]: row for row in activity.table("programs").to_pylist()}
    reusable = np.zeros(len(draws), bool)
    for d, row in enumerate(draws):
        program = programs[row["program"]]
        reusable[d] = not PLACED.search(program["fragment_ir"])
        mine = np.flatnonzero((of_draw == d) & (lanes != 0))
        for first in range(0, len(mine), BLOCK_QUADS):
            part = mine[first : first + BLOCK_QUADS]
            inputs = geometry.inputs(quads, part, primitive[part], program, row)
            seed = crc.crc_of_bytes(crc.padded(words[d]))
            wide = int.from_bytes(hashlib.blake2b(words[d], digest_size=8).digest(), "little")
            own_hashes, own_identities = np.zeros(inputs.shape[1], np.int64), np.zeros(inputs.shape[1], np.uint64)
            table = crc.byte_table().astype(np.int64)
            hash_inputs(inputs.view(np.uint32), table, seed, np.uint64(wide), own_hashes, own_identities)
            hashes[part], identities[part] = own_hashes.reshape(-1, 4), own_identities.reshape(-1, 4)
    tile = _tiles(activity, frame, quads, np.array([row["pass"] for row in draws])[of_draw], configuration)
    order = np.argsort(tile, kind="stable")
    shaded = (lanes[order, None] >> np.arange(4) & 1).astype(bool)
    spread = np.broadcast_to(order[:, None], shaded.shape)[shaded]
    lane = np.broadcast_to(np.arange(4), shaded.shape)[shaded]
    return Fragments(hashes[spread, lane], identities[spread, lane], reusable[of_draw[spread]], tile[spread])


def _shaded_lanes(quads: Any, early: Array) -> Array:
    """Lanes of each quad that are shaded and seen, a bit each: of several samples, any."""
    samples = np.where(early, numbers(quads, "depth_pass"), numbers(quads, "coverage")).astype(np.int64)
    return (samples | samples >> 4 | samples >> 8 | samples >> 12) & 15


def _message(row: dict[str, Any], constants: Constants) -> bytes:
    """Inputs that all fragments of a draw share: program, textures, constants of the fragment stage."""
    apply_uploads(constants, row)
    textures = [binding for binding in row["bindings"] or () if binding["stage"] == "fragment"]
    words = [row["program"].to_bytes(8, "little"), repr(textures).encode()]
    words += [
        key[2].encode() + bytes(held)
        for key, held in sorted(constants.items())
        if key[:2] == (row["program"], "fragment")
    ]
    return b"\0".join(words)


@kernel
def hash_inputs(inputs: Any, table: Any, seed: int, wide: Any, hashes: Any, identities: Any) -> None:
    """Hash the inputs of fragments: CRC-32, and a product of 64 bits.

    Parameters
    ----------
    inputs
        uint32, (components, n): bits of the varyings.
    table
        int64, (256,): CRC of each byte.
    seed, wide
        Where both begin: what the draw contributes.
    hashes, identities
        int64 and uint64, (n,), to fill.
    """
    for i in range(inputs.shape[1]):
        register = seed
        mixed = wide
        for k in range(inputs.shape[0]):
            word = np.int64(inputs[k, i])
            for byte in range(4):
                index = (register >> 24) ^ (word >> (8 * byte) & 255)
                register = ((register << 8) & 0xFFFFFFFF) ^ table[index]
            mixed = (mixed ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        hashes[i] = register
        identities[i] = mixed


class _Geometry:
    """Vertices and primitives of a frame as the interpolation reads them."""

    def __init__(self, activity: Any, frame: int, primitives: Any) -> None:
        vertices = activity.frame("vertices", frame)
        self.clip = np.stack([numbers(vertices, f"clip_{axis}") for axis in "xyzw"], 1).astype(np.float64)
        outputs = vertices["outputs"].combine_chunks()
        self.offsets = np.asarray(outputs.offsets).astype(np.int64)
        self.flat = np.asarray(outputs.values).astype(np.float32)
        self.corners = np.stack([numbers(primitives, f"vertex_{i}") for i in range(3)], 1).astype(np.int32)
        self.facing = numbers(primitives, "front_facing")
        if len(self.corners) and self.corners.max() >= len(self.clip):
            raise ActivityError("primitives: a primitive has a vertex that does not exist")

    def inputs(self, quads: Any, rows: Array, primitive: Array, program: dict[str, Any], draw: dict[str, Any]) -> Array:
        """Inputs at each lane of some quads of a draw, float32, (components, 4 * quads): varyings, and the face."""
        own, places = np.unique(primitive, return_inverse=True)
        primitive, corners = places.astype(np.int32), self.corners[own]
        used, local = np.unique(corners[corners >= 0], return_inverse=True)
        renumbered = np.full(corners.shape, -1, np.int32)
        renumbered[corners >= 0] = local
        window = self._window(used, draw["viewport"])
        x, y = numbers(quads, "x")[rows], numbers(quads, "y")[rows]
        first, second = np.zeros((2, 4 * len(rows)), np.float32)
        lane_weights(primitive, x, y, renumbered, window, first, second)
        components = [
            4 * varying["slot"] + i + (FLAT if varying["interpolation"] == "flat" else 0)
            for varying in program["varyings"] or ()
            for i in range(varying["components"])
        ]
        values = np.zeros((len(components) + 1, 4 * len(rows)), np.float32)
        values[-1] = np.repeat(self.facing[own][primitive], 4)
        if components:
            outputs = self._outputs(used, 1 + max(component & (FLAT - 1) for component in components))
            interpolate(primitive, renumbered, outputs, first, second, np.array(components, np.int64), values[:-1])
        return values

    def _window(self, used: Array, viewport: list[float]) -> Array:
        clip, window = self.clip[used], np.zeros((len(used), 4), np.float32)
        w = np.where(clip[:, 3] == 0, 1.0, clip[:, 3])
        for axis in range(2):
            window[:, axis] = (clip[:, axis] / w + 1) * viewport[2 + axis] / 2 + viewport[axis]
        window[:, 3] = 1 / w
        return window

    def _outputs(self, used: Array, width: int) -> Array:
        starts, widths = self.offsets[used], np.diff(self.offsets)[used]
        if (widths < width).any():
            raise ActivityError("vertices: a vertex has fewer outputs than its program has varyings")
        gathered: Array = self.flat[starts[:, None] + np.arange(width)]
        return gathered


def _tiles(activity: Any, frame: int, quads: Any, of_pass: Array, configuration: Hardware) -> Array:
    """Place of each quad's tile in the order of processing."""
    tile, first = np.zeros(len(quads), np.int64), 0
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    x, y = numbers(quads, "x").astype(np.int64) * 2 // width, numbers(quads, "y").astype(np.int64) * 2 // height
    for row in sorted(activity.frame("passes", frame).to_pylist(), key=lambda row: row["pass"]):
        across, down = -(-row["width"] // width), -(-row["height"] // height)
        mine = np.flatnonzero(of_pass == row["pass"])
        if len(mine) and (x[mine].max() >= across or y[mine].max() >= down):
            raise ActivityError(f"quads: a quad lies outside pass {row['pass']}")
        rank = np.empty(across * down, np.int64)
        rank[tile_order(configuration.tile_order, across, down)] = np.arange(across * down)
        # Order counts from the top, pixels from the bottom.
        tile[mine] = first + rank[(down - 1 - y[mine]) * across + x[mine]]
        first += across * down
    return tile
