"""Memory that accesses of warps touch: sectors and lines, banks of shared memory, texels of images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...memory.texture_layout import LAYOUTS, column_offset, row_offset, row_pitch
from ...units.warp_operations import SECTOR_BYTES
from ..compiled import kernel

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]


class Touched(NamedTuple):
    """Lines of some accesses: how many each touches, their addresses in order of accesses, and the sectors in them that
    are touched, a bit each; of atomic operations, how many lanes want the same word of a line at most."""

    counts: Array
    address: Array
    sectors: Array
    lanes: Array | int = 1


def touched(addresses: Array, size_bytes: int, line_bytes: int) -> Touched:
    """Lines that accesses touch.

    Parameters
    ----------
    addresses
        int64 (accesses, lanes): first byte of each lane; -1 for lanes that access nothing.
    size_bytes
        Bytes that a lane accesses.
    line_bytes
        Of a cache line, a multiple of a sector.
    """
    first = addresses // SECTOR_BYTES
    sectors = np.concatenate([first, np.where(addresses < 0, -1, (addresses + size_bytes - 1) // SECTOR_BYTES)], 1)
    sectors.sort(1)
    new = sectors >= 0
    new[:, 1:] &= sectors[:, 1:] != sectors[:, :-1]
    access, _ = np.nonzero(new)
    line = sectors[new] * SECTOR_BYTES // line_bytes
    begins = np.ones(len(line), bool)
    begins[1:] = (line[1:] != line[:-1]) | (access[1:] != access[:-1])
    starts = np.flatnonzero(begins)
    bits = 1 << sectors[new] % (line_bytes // SECTOR_BYTES)
    counts = np.bincount(access[starts], minlength=len(addresses))
    return Touched(counts, line[starts] * line_bytes, np.add.reduceat(bits, starts) if len(starts) else bits)


def same_words(addresses: Array, lines: Touched, line_bytes: int) -> Array:
    """Lanes of an access that want the same word, at most, for each line that `touched` has.

    Parameters
    ----------
    addresses
        int64 (accesses, lanes): the word of each lane; -1 for lanes that access nothing.
    lines
        Lines of these accesses.
    """
    words = np.sort(addresses, 1)
    access, _ = np.nonzero(words >= 0)
    word = words[words >= 0]
    begins = np.ones(len(word), bool)
    begins[1:] = (word[1:] != word[:-1]) | (access[1:] != access[:-1])
    starts = np.flatnonzero(begins)
    runs = np.diff(np.append(starts, len(word)))
    line, owner = word[starts] // line_bytes, access[starts]
    first = np.ones(len(starts), bool)
    first[1:] = (line[1:] != line[:-1]) | (owner[1:] != owner[:-1])
    firsts = np.flatnonzero(first)
    assert len(firsts) == len(lines.address)
    return np.maximum.reduceat(runs, firsts) if len(firsts) else runs


def bank_cycles(words: Array, count: int, banks: int, atomic: bool) -> Array:
    """Cycles that accesses to shared memory take: words of the bank that is wanted most; lanes that want the same word
    get it at once, unless they change it atomically.

    Parameters
    ----------
    words
        int64 (accesses, lanes): first word of each lane; -1 for lanes that access nothing.
    count
        Words that a lane accesses, one after the other.
    """
    cycles = np.zeros(len(words), np.int64)
    for i in range(count):
        wanted = np.where(words < 0, -1, words + i)
        wanted.sort(1)
        counted = wanted >= 0
        if not atomic:
            counted[:, 1:] &= wanted[:, 1:] != wanted[:, :-1]
        access, _ = np.nonzero(counted)
        load = np.bincount(access * banks + wanted[counted] % banks, minlength=len(words) * banks)
        cycles += load.reshape(len(words), banks).max(1)
    return np.maximum(cycles, 1)


def texel_addresses(
    texels: Array, image: dict[str, Any], surface: Any, place: tuple[int, int], configuration: Hardware
) -> tuple[Array, int]:
    """First byte of texels, and bytes of each.

    Parameters
    ----------
    texels
        int64: numbers of texels, row by row and layer by layer; -1 for none.
    image
        Of the row of a dispatch: width and height in texels.
    surface
        Row of the surface.
    place
        Address of the first layer, and bytes of a layer.
    """
    layout = LAYOUTS.index(configuration.memory.texture_layout)
    addresses = np.empty_like(texels)
    size = max(1, image["width"]), max(1, image["height"])
    bits = int(surface["across_bits"]), int(surface["down_bits"])
    line = configuration.memory.line_bytes
    _texel_addresses(
        texels.reshape(-1), size, place, (layout, int(surface["stored"]), line, *bits), addresses.reshape(-1)
    )
    return addresses, int(surface["stored"])


@kernel
def _texel_addresses(texels: Any, size: Any, place: Any, grid: Any, addresses: Any) -> None:
    width, height = size
    address, layer_bytes = place
    layout, stored, line_bytes, across_bits, down_bits = grid
    pitch = row_pitch(layout, width, stored, line_bytes, across_bits)
    for i in range(len(texels)):
        if texels[i] < 0:
            addresses[i] = -1
            continue
        x, row = texels[i] % width, texels[i] // width
        column = column_offset(layout, x, stored, across_bits, down_bits)
        inside = row_offset(layout, row % height, pitch, stored, across_bits, down_bits)
        addresses[i] = address + row // height * layer_bytes + column + inside
