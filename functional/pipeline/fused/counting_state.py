"""Counts of draws as kernels add to them."""

from __future__ import annotations

from typing import NamedTuple

from ...compile.blocks import Address, FloatRows, Words, places
from ..texturing.reads import LoggedReads
from .counted_reads import CountedOperations


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
    vertex_instructions, fragment_instructions
        Instructions that vertices and shaded fragments execute, following branches.
    """

    draws: int
    vertices: int
    primitives: int
    primitives_visible: int
    tile_entries: int
    fragments: int
    fragments_shaded: int
    texels: int
    vertex_instructions: int
    fragment_instructions: int


WORK = places(Work)
"""Words of its fields."""


class Tiles(NamedTuple):
    """Counts of the tiles of an image, for kernels to add to.

    Attributes
    ----------
    width, height
        Of a tile, in pixels.
    entries, attributes
        int64: by tile the entries of its list; the attributes of primitives, positions included.
    across
        Tiles in a row.
    signatures, key
        int64, by tile: its signature, empty if tiles are not signed; the key of the draw without its constants.
    """

    width: int
    height: int
    entries: Words
    attributes: Words
    across: int
    signatures: Words
    key: int


class SignedConstants(NamedTuple):
    """Constants of both stages, which change in place."""

    vertex: FloatRows
    fragment: FloatRows


class Counting(NamedTuple):
    """Instructions for a kernel that counts.

    Attributes
    ----------
    vertices, in_parts
        See `ObserverHeader`.
    counts
        `Work`, to add to.
    texels_of_lane
        Texels that each shaded lane requests, if that is known without notes.
    notes
        Where texture operations note what they read, a `ReadBlock` for each; empty to note nothing so.
    reads
        The notes, a record for each operation.
    operations
        How they are counted.
    fragment_branches
        Whether the fragment shader has branches, and its kernel notes the instructions of each lane.
    times
        int64, by distinct vertex: draws that have it, empty if each is in one.
    tiles
        Address of `Tiles`, of the image drawn to.
    constants
        Of the draws, which sign tiles as well.
    """

    vertices: Address
    in_parts: bool
    counts: Words
    texels_of_lane: int
    notes: Words
    reads: LoggedReads
    operations: CountedOperations
    fragment_branches: bool
    times: Words
    tiles: Address
    constants: SignedConstants
