"""Counts of draws as kernels add to them."""

from __future__ import annotations

from typing import NamedTuple

from ...jit.blocks import Address, FlagRows, SignedPlanes, Words, places


class Work(NamedTuple):
    """Work of draws, counted as in an activity.

    Attributes
    ----------
    draws, vertices
        Draw calls, and the distinct vertices of each.
    primitives, primitives_visible
        Primitives as assembled; and after clipping those that are not culled and cover a sample.
    tile_entries
        Pairs of a visible primitive and a tile that it touches.
    fragments, fragments_shaded
        Covered lanes of quads, and those that are shaded.
    texels
        Texels that fragments request: one, or 4 or 8 where they are filtered, each once per level and probe.
    """

    draws: int
    vertices: int
    primitives: int
    primitives_visible: int
    tile_entries: int
    fragments: int
    fragments_shaded: int
    texels: int


WORK = places(Work)
"""Words of its fields."""


class Visits(NamedTuple):
    """Lanes by the node of a shader's decisions where they ended.

    Attributes
    ----------
    tree
        A `TreeBlock`.
    lanes
        int64, by node: lanes that ended there, to add to.
    grow
        Address of a function that makes room for more nodes, and returns 1; its argument means nothing.
    """

    tree: Words
    lanes: Words
    grow: Address


class Counting(NamedTuple):
    """Instructions for a kernel that counts.

    Attributes
    ----------
    counts
        `Work`, to add to.
    texels_of_lane
        Texels that each shaded lane requests, if that is known without notes.
    notes
        Where texture operations note what they read, a `ReadBlock` for each; empty to note nothing.
    levels, linear
        The notes; see `Reads`.
    filtered
        Texels of a filtered read of each operation, 0 if its reads are not counted.
    tile_width, tile_height
        Of a tile, in pixels.
    vertex_visits, fragment_visits
        Addresses of `Visits`, 0 for a shader without branches.
    times
        int64, by distinct vertex: draws that have it, empty if each is in one.
    signatures, tiles_across, key
        int64, by tile: its signature, to add to, empty if tiles are not signed; tiles in a row; the key of the draw.
    """

    counts: Words
    texels_of_lane: int
    notes: Words
    levels: SignedPlanes
    linear: FlagRows
    filtered: Words
    tile_width: int
    tile_height: int
    vertex_visits: Address
    fragment_visits: Address
    times: Words
    signatures: Words
    tiles_across: int
    key: int
