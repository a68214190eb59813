"""Transaction Elimination (Arm; as modelled by Anglada et al., HPCA 2019, IV-C): tiles whose colours are those that the
frame buffer holds already are not written.

Colours are signed when a tile is finished. The paper counts the energy of that and no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.records import Record, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import RASTER, Structure, stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine.hooks import GO, SKIP
from ..engine.jit import inline
from ..engine.technique import Technique
from ..loading.source import ActivityError
from ..memory.request import DEPTH
from .shared import crc

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Commands
    from ..memory.gpu import Gpu


MAX_SLOTS = 1 << 16
MAX_SETS = 5
NO_FRAME = -1
NAME = "techniques.transaction_elimination"

TILE = np.dtype([("crc", "i8"), ("slot", "i4"), ("subblocks", "i4")], align=True)
RENDER_PASS = np.dtype([("frame", "i4"), ("on_screen", "i1"), ("signing", "i1"), ("slots", "i4")], align=True)


class Tables(NamedTuple):
    """Signatures of the colours of tiles, and which passes they are used in."""

    tile: np.ndarray[Any, Any]
    render_pass: np.ndarray[Any, Any]


class State(Record):
    """State of the technique. `signature`: sets of a frame each; `distance`: frames between those that share a frame
    buffer."""

    sets: i8
    set: i8
    distance: i8
    frame: Rows[i8] = room(MAX_SETS)
    signature: Rows[i8] = room(MAX_SETS * MAX_SLOTS)
    signed_tiles: i8
    signed_subblocks: i8
    eliminated_tiles: i8


def setup(chip: Chip, state: Any) -> None:
    """A set of signatures for the frame at work, and one for each frame buffer."""
    state.distance = chip.configuration.memory.frame_buffers
    state.sets = state.distance + 1
    state.frame[:] = NO_FRAME


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """A new set of signatures; tiles that are not rendered at all keep those of the same buffer."""
    state = gpu.technique.transaction_elimination
    row = own.render_pass[render_pass]
    if row.on_screen != 0:
        state.set = state.set + 1 if state.set + 1 < state.sets else 0
        state.frame[state.set] = row.frame if row.signing != 0 else NO_FRAME
        other = earlier(state)
        for slot in range(row.slots):
            state.signature[state.set * MAX_SLOTS + slot] = state.signature[other * MAX_SLOTS + slot]
    return GO


@inline
def earlier(state: State) -> int:
    """Set of signatures of the frame that was written to the same buffer last."""
    other = state.set - state.distance
    return int(other + state.sets if other < 0 else other)


@inline
def tile_flush(gpu: Gpu, own: Tables, commands: Commands, r: int, tile: int, t: int) -> int:
    """Sign the colours of a finished tile; do not write them where memory has them already."""
    state = gpu.technique.transaction_elimination
    row = own.tile[tile]
    if own.render_pass[commands.tile[tile].render_pass].signing == 0:
        return GO
    state.signed_tiles += 1
    state.signed_subblocks += row.subblocks
    other = earlier(state)
    before = state.signature[other * MAX_SLOTS + row.slot]
    state.signature[state.set * MAX_SLOTS + row.slot] = row.crc
    comparable = state.frame[other] >= 0 and state.frame[other] == state.frame[state.set] - state.distance
    if not comparable or before != row.crc:
        return GO
    state.eliminated_tiles += 1
    return SKIP


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Signatures from the recorded picture of the screen's pass."""
    screens = [source.draws_screen(row) for row in source.passes.rows]
    if any(screens) and "pass_images" not in source.activity.manifest.groups:
        raise ActivityError(
            f"{source.activity.folder}: transaction_elimination needs the pictures of passes; "
            "record with --with pass_images"
        )
    tiles, render_pass = frame.commands.tile, frame.commands.render_pass
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    tile, passes = np.zeros(len(tiles), TILE), np.zeros(len(render_pass), RENDER_PASS)
    for p, row in enumerate(source.passes.rows):
        of_pass = slice(int(render_pass["first_tile"][p]), int(render_pass["last_tile"][p]))
        targets = frame.commands.target[render_pass["first_target"][p] : render_pass["last_target"][p]]
        across = -(-row["width"] // width)
        tile["slot"][of_pass] = tiles["y"][of_pass] // height * across + tiles["x"][of_pass] // width
        stored = bool(((targets["source"] == DEPTH) & (targets["store"] != 0)).any())
        slots = of_pass.stop - of_pass.start
        usable = screens[p] and sum(screens) == 1 and not stored and row["image"] and slots <= MAX_SLOTS
        passes[p] = source.frame, screens[p], usable, min(slots, MAX_SLOTS)
        if usable:
            picture = np.asarray(Image.open(source.activity.folder / row["image"]).convert("RGBA"))
            _sign(tile[of_pass], tiles[of_pass], picture, width, height)
    return Tables(tile, passes)


def _sign(tile: Any, tiles: Any, picture: Any, width: int, height: int) -> None:
    """CRC of the pixels of each tile, row by row; tiles of one size together."""
    rows, columns = picture.shape[:2]
    sizes = np.minimum(height, rows - tiles["y"]) * (width + 1) + np.minimum(width, columns - tiles["x"])
    for size in np.unique(sizes):
        of_size = np.flatnonzero(sizes == size)
        messages = []
        for x, y in zip(tiles["x"][of_size], tiles["y"][of_size], strict=True):
            # Tiles count from the bottom, rows of a picture from the top.
            part = picture[max(0, rows - y - height) : rows - y, x : x + width]
            messages.append(crc.padded(part.tobytes()))
        together = np.frombuffer(b"".join(messages), np.uint8).reshape(len(of_size), -1)
        tile["crc"][of_size] = crc.crc_of(together)
        tile["subblocks"][of_size] = together.shape[1] // crc.SUBBLOCK_BYTES


def _screen_tiles(c: Hardware) -> int:
    """Tiles of the screen of the paper's Table I, which the buffer is sized for."""
    return -(-1196 // int(c.of(Tiles).width)) * -(-768 // int(c.of(Tiles).height))


TECHNIQUE = Technique(
    "transaction_elimination",
    "Transaction Elimination (as in Anglada et al., HPCA 2019, IV-C)",
    record=State,
    setup=setup,
    load=load,
    statistics=(
        Stat(f"{NAME}.signed_tiles", "tiles", "tiles whose colours were signed", "signed_tiles"),
        Stat(f"{NAME}.signed_subblocks", "subblocks", "subblocks of 64 bits that were signed", "signed_subblocks"),
        Stat(
            f"{NAME}.eliminated_tiles",
            "tiles",
            "tiles that were not written, their colours are there",
            "eliminated_tiles",
        ),
    ),
    structures=(
        Structure(
            "transaction_elimination.signature_buffer",
            RASTER,
            lambda c: 1,
            lambda c: Ram(_screen_tiles(c) * (c.memory.frame_buffers + 1), 32),
            stat(f"{NAME}.signed_tiles"),
            stat(f"{NAME}.signed_tiles"),
        ),
        Structure(
            "transaction_elimination.crc_tables",
            RASTER,
            lambda c: 12,
            lambda c: Ram(256, 32),
            stat(f"{NAME}.signed_subblocks", 12),
        ),
    ),
    order=20,
    machines=("tile_based", "unified"),
)
