"""Frame buffer compression: what is written and read of textures that are drawn to, worked out by hand."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from activity_builder import Rectangle, Scene
from drawn_texture import CONSTANT, INT, NOISE, RAMP, SHORT, Box, record_drawn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from random_machines import random_overrides

from tilegpu.functional.activity import ActivityError
from tilegpu.functional.activity.kernels.depth import quantize_depth
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.memory.texture_layout import LAYOUTS, column_offset, row_offset, row_pitch, tile_blocks
from tilegpu.timing.results.units import spent_cycles
from tilegpu.timing.techniques.frame_buffer_compression import places
from tilegpu.timing.techniques.frame_buffer_compression.payload import COLORS, DEPTHS, picture_sizes

pytestmark = pytest.mark.engine("frame_buffer_compression")

NAME = "techniques.frame_buffer_compression"
SETTINGS = ("techniques=frame_buffer_compression", "tiles.width=16", "tiles.height=16")
WHOLE: Box = (0, 0, 64, 64, 0.5)
SUPERBLOCKS = 16
"""Of 64x64 pixels."""


@pytest.fixture
def play(machine: Any, tmp_path: Path) -> Any:
    """Function that gives the statistics of each frame of boxes, and the machine, which has one texture cache."""

    def run(fragment: str, frames: list[list[Box]], *settings: str, **scene: Any) -> tuple[list[dict[str, float]], Any]:
        one = machine(*SETTINGS, "fragment_stage.processors=1", *settings)
        loader = Loader(record_drawn(tmp_path, fragment, frames, **scene), one.chip.configuration)
        return [one.run(loader.load(number)) for number in loader.frames], one

    return run


def test_what_was_cleared_or_has_one_colour_is_headers(play: Any) -> None:
    for boxes in ([], [WHOLE]):
        (s,), _ = play(CONSTANT, [boxes])
        assert s[f"{NAME}.superblocks"] == s[f"{NAME}.solid_superblocks"] == SUPERBLOCKS
        assert s[f"{NAME}.header_bytes"] == s[f"{NAME}.written_bytes"] == 16 * SUPERBLOCKS
        assert s[f"{NAME}.uncompressed_bytes"] == 64 * 64 * 4
        # The window is not compressed.
        assert s["memory.dram.write_bytes.color"] == 64 * 64 * 4 + 16 * SUPERBLOCKS
        # Four headers share a line; the L2 reads each line once.
        assert s[f"{NAME}.header_reads"] == s["memory.texture_cache.read_misses"] == 64 * 64 * 4 / 64
        assert s[f"{NAME}.payload_reads"] == 0
        assert s["memory.l2_cache.misses.texture"] == SUPERBLOCKS / 4


def test_a_ramp_takes_what_its_differences_take(play: Any) -> None:
    """Red is the column x, all else 0 but alpha, so that luma is x >> 2, blue less green 0 and red less green x.

    Of 4x4 pixels, luma is 8 bits and five counts of 4, the first difference 9 and 20, alpha 8 and 20. The second
    difference is 9 and 20, 2 bits for each of four quads (0 or 2 above the least), and 1 bit for each of 16 pixels:
    28 + 29 + 53 + 28 = 138 bits are 18 bytes, 288 for a superblock.
    """
    (s,), _ = play(RAMP, [[WHOLE]])
    assert s[f"{NAME}.solid_superblocks"] == 0
    assert s[f"{NAME}.payload_bytes"] == 288 * SUPERBLOCKS
    assert s["memory.dram.write_bytes.color"] == 64 * 64 * 4 + (288 + 16) * SUPERBLOCKS
    # 18 bytes after 18 bytes: of 16 subblocks, those at 54, 126, 180 and 252 straddle two lines.
    assert s[f"{NAME}.header_reads"] == 16 * SUPERBLOCKS
    straddling = sum(18 * i // 64 != (18 * i + 17) // 64 for i in range(16))
    assert s[f"{NAME}.payload_reads"] == (16 + straddling) * SUPERBLOCKS
    # Each payload begins at a line of its own and takes four and a half.
    assert s["memory.l2_cache.misses.texture"] == 5 * SUPERBLOCKS + SUPERBLOCKS / 4


def test_counts_of_fewer_bits_take_less(play: Any) -> None:
    (s,), _ = play(RAMP, [[WHOLE]], "technique.frame_buffer_compression.count_bits=2")
    # Ten bits less for each of four components: 98 bits are 13 bytes.
    assert s[f"{NAME}.payload_bytes"] == 13 * 16 * SUPERBLOCKS


def test_noise_costs_its_headers(play: Any) -> None:
    (s,), _ = play(NOISE, [[WHOLE]])
    assert s[f"{NAME}.payload_bytes"] == s[f"{NAME}.uncompressed_bytes"] == 64 * 64 * 4
    assert s[f"{NAME}.written_bytes"] == 64 * 64 * 4 + 16 * SUPERBLOCKS


def test_time_of_the_flush(play: Any) -> None:
    """Two pixels per cycle: a superblock that was drawn on is 128 cycles, one of a clear its header's."""
    busy = "raster.tile_flush.busy_cycles"
    two = "tile_flush.pixels_per_cycle=2"
    pixels = "technique.frame_buffer_compression.clean_tiles=pixels"
    (drawn,), _ = play(CONSTANT, [[(0, 0, 32, 64, 0.5)]], two)
    (clean,), _ = play(CONSTANT, [[]], two)
    (looked_at,), _ = play(CONSTANT, [[]], two, pixels)
    assert drawn[busy] - clean[busy] == 127 * SUPERBLOCKS / 2
    assert looked_at[busy] - clean[busy] == 127 * SUPERBLOCKS


def test_what_was_drawn_is_read_again_by_tiles_that_go_on_with_it(play: Any) -> None:
    (first, second), _ = play(RAMP, [[WHOLE], [(0, 0, 16, 16, 0.25)]], clear=False)
    assert first[f"{NAME}.loaded_bytes"] == 0
    assert second[f"{NAME}.loaded_bytes"] == first[f"{NAME}.written_bytes"] == second[f"{NAME}.written_bytes"]
    assert second["memory.dram.read_bytes.color"] == first[f"{NAME}.written_bytes"]


def test_of_a_texture_with_mipmaps_the_level_that_is_drawn_to_is_compressed(play: Any) -> None:
    (plain,), _ = play(RAMP, [[WHOLE]])
    (s,), one = play(RAMP, [[WHOLE]], mipmaps=True)
    assert one.gpu.technique.frame_buffer_compression.levels == 1
    assert s["gpu.transfer_cycles"] > plain["gpu.transfer_cycles"] >= 0
    for name in ("written_bytes", "header_reads", "payload_reads"):
        assert s[f"{NAME}.{name}"] == plain[f"{NAME}.{name}"]


def lines_of_ramp(side: int) -> set[tuple[str, int]]:
    """Lines of headers and payloads that reading all texels of a ramp touches, from what the documents say."""
    picture = np.zeros((side, side, 4), np.uint8)
    picture[..., 0], picture[..., 3] = np.arange(side), 255
    sizes = picture_sizes(picture, COLORS["RGBA8"], 4)
    across, found = -(-side // 128) * 8, set()
    for y, x in np.ndindex(-(-side // 16), -(-side // 16)):
        # 8x8 superblocks lie together, along a Z curve.
        inner = sum((x >> i & 1) << 2 * i | (y >> i & 1) << 2 * i + 1 for i in range(3))
        number = (y // 8 * (across // 8) + x // 8) * 64 + inner
        found.add(("header", number * 16 // 64))
        offset = 0
        for i, size in enumerate(sizes[y, x].tolist()):
            column, row = (i & 1) + (i >> 1 & 2), (i >> 1 & 1) + (i >> 2 & 2)
            if 16 * x + 4 * column < side and 16 * y + 4 * row < side:
                bytes_of = range(number * 1024 + offset, number * 1024 + offset + size)
                found |= {("payload", byte // 64) for byte in bytes_of}
            offset += size
    return found


@pytest.mark.parametrize("layout", ["tiled", "morton"])
def test_lines_that_reading_a_large_texture_touches(play: Any, layout: str) -> None:
    (s,), _ = play(RAMP, [[(0, 0, 136, 136, 0.5)]], f"memory.texture_layout={layout}", side=136)
    # Nothing leaves the L2, which holds more than the texture.
    assert s["memory.l2_cache.misses.texture"] == len(lines_of_ramp(136))


@pytest.mark.parametrize(("kind", "name", "steps"), [(SHORT, "DEPTH16", 0), (INT, "DEPTH24", 1)])
def test_depths_are_compressed_byte_by_byte(play: Any, kind: int, name: str, steps: int) -> None:
    boxes: list[Box] = [(3, 5, 30, 20, 0.3), (20, 10, 40, 40, 0.7), (40, 2, 20, 50, 0.1)]
    (s,), one = play(CONSTANT, [boxes], depth=kind)
    depth = np.full((64, 64), quantize_depth(1.0, steps), np.int64)
    for x, y, width, height, z in boxes:
        part = depth[y : y + height, x : x + width]
        # As the pipeline has it: clip coordinates in single precision.
        window = float(np.float32(np.float32(2 * z - 1) * np.float32(0.5) + np.float32(0.5)))
        part[:] = np.minimum(part, quantize_depth(window, steps))
    stored = np.stack([depth >> shift & 255 for shift in (0, 8, 16, 32)], -1).astype(np.uint8)
    expected = picture_sizes(stored, DEPTHS[name], 4)
    state = one.gpu.technique.frame_buffer_compression
    assert np.array(state.subblock_bytes[: 16 * SUPERBLOCKS]).reshape(4, 4, 16).tolist() == expected.tolist()
    assert s[f"{NAME}.payload_bytes"] == (-(-expected.sum(-1, dtype=int) // 16) * 16).sum()
    assert 0 < s[f"{NAME}.solid_superblocks"] == (expected.sum(-1) == 0).sum() < SUPERBLOCKS


def plain_size(values: list[list[tuple[int, ...]]], bits: tuple[int, ...], count_bits: int) -> int:
    """Bits of 4x4 pixels, component by component."""
    found = 0
    for c, width in enumerate(bits):
        quads = [[values[2 * v + j][2 * u + i][c] for j in (0, 1) for i in (0, 1)] for v in (0, 1) for u in (0, 1)]
        lows = [min(quad) for quad in quads]
        found += width + 5 * count_bits + 4 * (max(lows) - min(lows)).bit_length()
        found += sum(4 * (max(quad) - min(quad)).bit_length() for quad in quads)
    return found


def plain_components(pixel: Any, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Components of a pixel and their bits."""
    coding = COLORS[name]
    found = [int(pixel[c]) >> 8 - b for c, b in zip(coding.channels, coding.bits, strict=True)]
    if not coding.transform:
        return tuple(found), coding.bits
    r, g, b, *alpha = found
    wide = coding.bits[0] + 1
    return ((r + 2 * g + b) // 4, b - g, r - g, *alpha), (coding.bits[0], wide, wide, *coding.bits[3:])


@given(
    st.sampled_from(sorted(COLORS)),
    st.integers(1, 6),
    arrays(np.uint8, (16, 32, 4), elements=st.one_of(st.integers(0, 255), st.integers(96, 104))),
    st.booleans(),
)
def test_sizes_of_random_pictures(name: str, count_bits: int, picture: np.ndarray, flat: bool) -> None:
    if flat:
        picture[:, :16] = picture[0, 0]
    found = picture_sizes(picture, COLORS[name], count_bits)
    assert found.shape == (1, 2, 16)
    for column in (0, 1):
        part = picture[:, 16 * column : 16 * column + 16]
        pixels = [[plain_components(pixel, name)[0] for pixel in row] for row in part]
        if len({pixel for row in pixels for pixel in row}) == 1:
            assert found[0, column].tolist() == [0] * 16
            continue
        for number in range(16):
            x, y = (number & 1) + (number >> 1 & 2), (number >> 1 & 1) + (number >> 2 & 2)
            block = [row[4 * x : 4 * x + 4] for row in pixels[4 * y : 4 * y + 4]]
            size = -(-plain_size(block, plain_components(part[0, 0], name)[1], count_bits) // 8)
            assert found[0, column, number] == min(size, 2 * sum(COLORS[name].bits))


@pytest.mark.parametrize("side", [(37, 50), (200, 130)])
@pytest.mark.parametrize(("layout", "tile_bytes"), [("tiled", 64), ("tiled", 1024), ("morton", 64)])
@pytest.mark.parametrize("stored", [1, 2, 4])
def test_a_line_of_texels_is_found_where_the_layout_has_put_it(
    side: tuple[int, int], layout: str, tile_bytes: int, stored: int
) -> None:
    across, down = (size.bit_length() - 1 for size in tile_blocks(stored, tile_bytes))
    number = LAYOUTS.index(layout)
    pitch = row_pitch(number, side[0], stored, 64, across)
    level = SimpleNamespace(address=4096, layout=number, stored=stored, across_bits=across, down_bits=down, pitch=pitch)
    find = getattr(places.first_texel, "py_func", places.first_texel)
    for y in range(0, side[1], 3):
        for x in range(0, side[0], 3):
            at = column_offset(number, x, stored, across, down) + row_offset(number, y, pitch, stored, across, down)
            assert find(level, 4096 + at) == x | y << 16


def random_machine(seed: int) -> list[str]:
    rnd = random.Random(seed)
    found = [*random_overrides(rnd), *SETTINGS]
    found.append(f"memory.texture_layout={rnd.choice(('tiled', 'morton'))}")
    found.append(f"tile_flush.pixels_per_cycle={rnd.choice((0, 1, 2, 16))}")
    found.append(f"technique.frame_buffer_compression.clean_tiles={rnd.choice(('header', 'pixels'))}")
    return found


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Activities of colours that stay from frame to frame, of a large texture, and of depths."""
    boxes: list[list[Box]] = [[(0, 0, 40, 64, 0.5)], [(8, 8, 50, 20, 0.25), (0, 40, 9, 9, 0.75)]]
    make = partial(record_drawn, frames=boxes)
    return {
        "kept": make(tmp_path_factory.mktemp("kept"), RAMP, clear=False),
        "large": make(tmp_path_factory.mktemp("large"), NOISE, side=136),
        "depth": make(tmp_path_factory.mktemp("depth"), CONSTANT, depth=INT),
    }


@pytest.mark.parametrize("seed", [pytest.param(i, marks=() if i < 9 else pytest.mark.slow) for i in range(60)])
def test_skipping_idle_units_changes_nothing(machine: Any, drawn: dict[str, Path], seed: int) -> None:
    one, other = (machine(*random_machine(seed)) for _ in range(2))
    loader = Loader(list(drawn.values())[seed % 3], one.chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        s = one.run(frame)
        assert s == other.run(frame, every=True)
        assert s["raster.early_depth.mismatched_quads"] == 0
        # A superblock at an edge is written in full.
        assert s[f"{NAME}.payload_bytes"] <= s[f"{NAME}.superblocks"] * 16 * 16 * 4
        assert s[f"{NAME}.header_bytes"] == 16 * s[f"{NAME}.superblocks"]
        others = s["memory.dram.write_bytes.color"] + s["memory.dram.write_bytes.depth"] - s[f"{NAME}.written_bytes"]
        assert others == frame.commands.render_pass["width"][-1] * frame.commands.render_pass["height"][-1] * 4
        assert s["fragment.texture_unit.lines"] == s["memory.texture_cache.accesses"]
        assert s[f"{NAME}.header_reads"] + s[f"{NAME}.payload_reads"] <= s["memory.l2_cache.accesses"]
    assert spent_cycles(one.chip) == spent_cycles(other.chip)


@pytest.mark.parametrize("seed", (100, 101, 102))
def test_compiled_and_plain_machines_agree(machine: Any, drawn: dict[str, Path], seed: int) -> None:
    one, other = machine(*random_machine(seed)), machine(*random_machine(seed), compiled=False)
    loader = Loader(list(drawn.values())[seed % 3], one.chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        assert one.run(frame) == other.run(frame)


def test_a_tile_of_several_superblocks_holds_the_same(machine: Any, drawn: dict[str, Path]) -> None:
    found = []
    for side in (16, 32):
        one = machine(SETTINGS[0], f"tiles.width={side}", f"tiles.height={side}")
        loader = Loader(drawn["large"], one.chip.configuration)
        found.append([one.run(loader.load(number)) for number in loader.frames])
    for name in ("superblocks", "solid_superblocks", "payload_bytes", "uncompressed_bytes"):
        small, large = ([s[f"{NAME}.{name}"] for s in frames] for frames in found)
        assert small == large
    # 136 pixels are eight superblocks and a half.
    assert found[0][0][f"{NAME}.superblocks"] == 9 * 9
    assert found[0][0][f"{NAME}.uncompressed_bytes"] == 136 * 136 * 4


def test_pictures_stay_as_they_are(drawn: dict[str, Path]) -> None:
    for name in ("kept", "large"):
        totals = replay(drawn[name], load_configuration("re-2019", [SETTINGS[0]]), check_images=True).totals()
        assert totals["raster.early_depth.mismatched_quads"] == totals["pictures.different_pixels"] == 0
        assert totals[f"{NAME}.superblocks"] > 0


def test_what_cannot_be_compressed_is_told_in_one_line(tmp_path: Path, drawn: dict[str, Path]) -> None:
    record(drawn["kept"].parent / "drawn.trace", tmp_path / "bare")
    for folder, settings, words in (
        (drawn["kept"], (*SETTINGS, "tiles.width=8"), "tiles of whole superblocks"),
        (drawn["kept"], (*SETTINGS, "memory.texture_layout=linear"), "texture_layout"),
        (tmp_path / "bare", SETTINGS, "record with --with pass_images"),
    ):
        with pytest.raises(ActivityError, match=words) as error:
            replay(folder, load_configuration("re-2019", list(settings)))
        assert "\n" not in str(error.value)


def test_an_activity_that_draws_to_no_texture_needs_no_pictures(tmp_path: Path) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 8, 8)]]).write(tmp_path / "a")
    totals = replay(folder, load_configuration("re-2019", [SETTINGS[0]])).totals()
    assert totals[f"{NAME}.superblocks"] == 0
