"""Rendering Elimination: signatures are real CRCs, cycles are those of the paper, what is left out looks as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from activity_builder import Clear, Rectangle, Scene
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.results.energy.report import report
from tilegpu.timing.sharing import Application, share
from tilegpu.timing.techniques.rendering_elimination import messages, structures, tables
from tilegpu.timing.techniques.rendering_elimination.state import MAX_SLOTS
from tilegpu.timing.techniques.shared import crc
from tilegpu.tools.demo import scene_folder

pytestmark = pytest.mark.engine("rendering_elimination")

NAME = "rendering_elimination"
ON = f"techniques={NAME}"
PARAMETERS = f"technique.{NAME}"


def bitwise_crc(message: bytes) -> int:
    """The textbook's shift register: bits of the message in, most significant first, then nothing more."""
    register = 0
    for byte in message:
        for bit in range(7, -1, -1):
            carry = register >> 31 ^ (byte >> bit & 1)
            register = (register << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if carry else 0)
    return register


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_a_crc_is_that_of_a_shift_register(message: bytes) -> None:
    assert crc.crc_of_bytes(crc.padded(message)) == bitwise_crc(crc.padded(message))


@given(st.lists(st.binary(min_size=1, max_size=100), min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)
def test_signatures_of_parts_make_that_of_the_whole(parts: list[bytes]) -> None:
    messages = [crc.padded(part) for part in parts]
    signature = 0
    for message in messages:
        factor = crc.factor_of(len(message) // crc.SUBBLOCK_BYTES)
        signature = crc.multiply(signature, factor) ^ crc.crc_of_bytes(message)
    assert signature == bitwise_crc(b"".join(messages))


class Bench:
    """The Signature Unit of a plain machine, by itself: blocks of given lengths, tiles put into its queue by hand."""

    def __init__(self, primitives: list[tuple[int, int]], blocks: list[int], *overrides: str) -> None:
        configuration = load_configuration("re-2019", [ON, *overrides])
        self.chip = build(configuration).plain()
        self.gpu: Any = self.chip.gpu
        self.unit = load_part(f"techniques.{NAME}.signature_unit", False, "tile_based", (NAME,))
        plain = load_part("engine.plain", False, "tile_based", (NAME,)).plain
        tile = np.zeros(16, tables.TILE)
        tile["slot"] = np.arange(16)
        entry = np.zeros(16, tables.ENTRY)
        entry["tile"] = np.arange(16)
        primitive = np.zeros(len(primitives), tables.PRIMITIVE)
        primitive["subblocks"], primitive["block"] = zip(*primitives, strict=True)
        block = np.zeros(len(blocks), tables.BLOCK)
        block["subblocks"] = blocks
        own = tables.Tables(np.zeros(1, tables.RENDER_PASS), block, primitive, entry, tile)
        self.own: Any = plain(own)
        self.state = self.gpu.technique.rendering_elimination
        self.state.signing, self.state.block = 1, -1
        self.t = 0

    def take(self, primitive: int) -> bool:
        return bool(self.unit.take(self.gpu, self.own, self.state, primitive, self.t))

    def enqueue(self, primitive: int, tile: int) -> bool:
        return bool(self.unit.enqueue(self.gpu, self.own, self.state, primitive, tile))

    def run(self) -> int:
        """Cycle in which the last tile is signed."""
        while self.gpu.signature_unit.queue.count > 0:
            self.unit.tick(self.gpu, self.own, self.t)
            self.t += 1
        return self.t - 1


def test_the_papers_constants_take_8_cycles_and_its_primitives_18() -> None:
    # III-G: 16 values of four bytes are 8 subblocks; three attributes of 48 bytes are 18.
    assert messages.signed(bytes(16 * 4), 8)[2] == 8
    assert messages.signed(bytes(3 * 48), 8)[2] == 18
    bench = Bench([(18, 0)], [8])
    assert bench.take(0)
    assert bench.gpu.signature_unit.compute_due == 8 + 18


@pytest.mark.parametrize(("width", "steps"), [(1, 144), (4, 36), (8, 18), (16, 9), (32, 5), (64, 3)])
def test_a_wider_unit_signs_more_in_a_cycle(width: int, steps: int) -> None:
    # Three attributes are 144 bytes. Where they end within a subblock, zeros come first: the CRC stays the same.
    message = bytes(range(144))
    found, factor, subblocks = messages.signed(message, width)
    assert (found, subblocks) == (bitwise_crc(message), steps)
    zeros = bytes(steps * width - 144)
    assert int(crc.multiply(found, factor)) ^ found == bitwise_crc(message + zeros + message)


LETTER = f"{PARAMETERS}.accumulate=subblock"


@pytest.mark.parametrize(
    ("overrides", "of_a_tile"),
    [
        # Constants and the primitive are two blocks, a cycle each.
        ((), 1 + 1),
        ((f"{PARAMETERS}.accumulate_cycles=3",), 3 + 3),
        # Algorithm 3: a cycle for each subblock of both.
        ((LETTER,), 8 + 18),
        ((LETTER, f"{PARAMETERS}.accumulate_cycles=2"), 16 + 36),
    ],
)
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_tiles_are_signed_one_after_the_other(overrides: tuple[str, ...], of_a_tile: int, tiles: int) -> None:
    # Compute CRC signs 8 subblocks of constants and 18 of the primitive: its CRC is there in cycle 26.
    bench = Bench([(18, 0)], [8], *overrides)
    assert bench.take(0)
    assert all(bench.enqueue(0, tile) for tile in range(tiles))
    assert bench.run() == 26 + tiles * of_a_tile
    steps = (8 + 18 if LETTER in overrides else 2) * tiles
    assert bench.gpu.signature_unit.accumulate_steps == steps
    assert bench.gpu.signature_unit.accumulated_blocks == 2 * tiles


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        # The first primitive: 26 cycles to sign constants and attributes; the tile takes two blocks. The second is
        # signed in 18 and adds one block; that of another draw in 4 + 6, and adds two. One cycle passes between runs.
        ((), (26 + 2, 1 + 18 + 1, 1 + 10 + 2)),
        ((LETTER,), (26 + 26, 1 + 18 + 18, 1 + 10 + 10)),
    ],
)
def test_constants_are_added_once_per_draw_and_tile(overrides: tuple[str, ...], expected: tuple[int, int, int]) -> None:
    bench = Bench([(18, 0), (18, 0), (6, 1)], [8, 4], *overrides)
    assert bench.take(0) and bench.enqueue(0, 3)
    first = bench.run()
    assert bench.take(1) and bench.enqueue(1, 3)
    second = bench.run()
    assert bench.take(2) and bench.enqueue(2, 3)
    third = bench.run()
    assert (first, second - first, third - second) == expected


def test_constants_without_a_value_take_no_step() -> None:
    # Signed with signature=paper before anything is set: 6 cycles to sign, one to add the primitive.
    bench = Bench([(6, 0)], [0])
    assert bench.take(0) and bench.enqueue(0, 0)
    assert bench.run() == 6 + 1


def test_a_full_ot_queue_refuses_and_goes_on_when_a_tile_leaves() -> None:
    bench = Bench([(6, 0)], [0], f"{PARAMETERS}.ot_queue=2")
    assert bench.take(0)
    assert [bench.enqueue(0, tile) for tile in range(3)] == [True, True, False]
    while bench.t < 6 + 1:
        bench.unit.tick(bench.gpu, bench.own, bench.t)
        assert not bench.enqueue(0, 2)
        bench.t += 1
    bench.unit.tick(bench.gpu, bench.own, bench.t)
    assert bench.enqueue(0, 2)


@pytest.mark.parametrize(("overlap", "taken"), [("yes", True), ("no", False)])
def test_whether_the_next_primitive_is_signed_meanwhile_is_a_choice(overlap: str, taken: bool) -> None:
    bench = Bench([(6, 0), (6, 0), (6, 0)], [0], f"{PARAMETERS}.overlap_compute={overlap}")
    assert bench.take(0) and bench.enqueue(0, 0)
    for bench.t in range(7):
        bench.unit.tick(bench.gpu, bench.own, bench.t)
    assert bench.take(1) is taken
    # There are two registers: a third primitive waits until the first one's tiles are signed.
    bench.t = 20
    assert not bench.take(2)


def moving(frames: int) -> Scene:
    """A still background with one small rectangle that moves in every second pair of frames."""
    still = [Rectangle(0, 0, 64, 64, 0.9), Rectangle(4, 4, 8, 8, 0.5)]
    return Scene(frames=[[*still, Rectangle(32 + 4 * (n // 2), 40, 6, 6, 0.3)] for n in range(frames)])


def inputs_of_tiles(loader: Loader, number: int) -> list[tuple[Any, ...]]:
    """What is drawn into each tile, read from the activity in plain Python: positions, varyings, textures, state."""
    rows = loader.source.frame("primitives", number).to_pylist()
    vertices = loader.source.frame("vertices", number).to_pylist()
    draws = {row["draw"]: row for row in loader.source.frame("draws", number).to_pylist()}
    found: list[tuple[Any, ...]] = [()] * 16
    for row in rows:
        corners = [vertices[row[f"vertex_{i}"]] for i in range(3)]
        names = ("clip_x", "clip_y", "clip_z", "clip_w")
        shape = tuple(tuple(v[name] for name in names) + tuple(v["outputs"]) for v in corners)
        draw = draws[row["draw"]]
        look = str([draw[name] for name in ("program", "bindings", "viewport", "blend", "depth_function", "uploads")])
        xs, ys = ([row[f"{axis}_{i}"] / 256 for i in range(3)] for axis in "xy")
        for tile in range(16):
            left, bottom = tile % 4 * 16, tile // 4 * 16
            if max(xs) > left and min(xs) < left + 16 and max(ys) > bottom and min(ys) < bottom + 16:
                found[tile] = (*found[tile], (shape, look))
    return found


def test_tiles_of_equal_inputs_are_left_out_and_no_others(tmp_path: Path) -> None:
    folder = moving(8).write(tmp_path / "a")
    configuration = load_configuration(
        "re-2019", [ON, "dram=simple", "parameter_buffer.overlap=bounding_box", f"{PARAMETERS}.compare_cycles=3"]
    )
    results = replay(folder, configuration)
    loader = Loader(folder, configuration)
    inputs = [inputs_of_tiles(loader, number) for number in loader.frames]
    for number in loader.frames:
        rows = results.tiles[number].to_pylist()
        skipped = {row["y"] // 16 * 4 + row["x"] // 16 for row in rows if row["skipped_by"] == NAME}
        equal = {i for i in range(16) if number > 1 and inputs[number][i] == inputs[number - 2][i]}
        assert skipped == equal, number
    # The rectangle moves between every frame and the one two before it: only the tiles it covers are rendered.
    assert 0 < results.totals()[f"techniques.{NAME}.skipped_tiles"] < 6 * 16


def test_applications_that_share_a_gpu_keep_their_signatures(tmp_path: Path) -> None:
    folders = [
        moving(6).write(tmp_path / "moving"),
        Scene(frames=[[Rectangle(0, 0, 64, 64, 0.5)]] * 6).write(tmp_path / "still"),
    ]
    shared = share([Application(folder) for folder in folders], load_configuration("re-2019", [ON, "dram=simple"]))
    skipped = [
        [results.frame(number)[f"techniques.{NAME}.skipped_tiles"] for number in range(6)]
        for results in (*shared.alone, *shared.together)
    ]
    assert skipped[2:] == skipped[:2]
    assert skipped[1] == [0, 0, 16, 16, 16, 16]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_frames_are_compared_with_the_one_in_the_same_buffer(tmp_path: Path, depth: int) -> None:
    folder = Scene(frames=[[Rectangle(0, 0, 64, 64, 0.5)]] * 5).write(tmp_path / "a")
    results = replay(folder, load_configuration("re-2019", [ON, "dram=simple", f"frame_buffers={depth}"]))
    skipped = [results.frame(number)[f"techniques.{NAME}.skipped_tiles"] for number in range(5)]
    assert skipped == [0] * depth + [16] * (5 - depth)


def test_a_tile_has_the_crc_of_all_it_is_made_of(tmp_path: Path) -> None:
    scene = Scene(frames=[[Rectangle(0, 0, 40, 40, 0.9), Clear(0.8), Rectangle(8, 8, 40, 8, 0.5)]])
    folder = scene.write(tmp_path / "a")
    configuration = load_configuration("re-2019", [ON, "dram=simple"])
    engine = load_part("engine.clock", False, "tile_based", (NAME,))
    chip = build(configuration).plain()
    loader = Loader(folder, configuration)
    frame = loader.load(0)
    begin_frame(chip)
    assert engine.run(chip.gpu, load_part("engine.plain", False, "tile_based", (NAME,)).plain(frame), False, 1 << 30)
    own = frame.extra[0]
    loaded = loader.read(0)[1]
    constants, of_draw = messages.constant_messages(loaded, True)
    attributes = _primitive_messages(loader)
    state = chip.gpu.technique.rendering_elimination
    for tile in range(len(frame.commands.tile)):
        row = frame.commands.tile[tile]
        # What the pass begins with and clears between draws are signed as 64-bit identities.
        message, signature, draws = b"", int(own.render_pass["crc"][0]), set()
        for entry in range(row["first_entry"], row["last_entry"]):
            primitive = int(frame.tiling.entry["primitive"][entry])
            block = int(own.primitive["block"][primitive])
            if block >= 0 and block not in draws:
                draws.add(block)
                message += constants[block]
            place = list(loaded.primitives.place)
            if primitive in place:
                message += attributes[place.index(primitive)]
            else:
                message += messages.identity(messages.content(loaded.clear_event(0)))
        factor = crc.factor_of(len(message) // 8)
        expected = int(crc.multiply(signature, factor)) ^ bitwise_crc(message)
        assert int(state.signature[int(state.set) * MAX_SLOTS + int(own.tile["slot"][tile])]) == expected
    assert of_draw[0] == 0


def _primitive_messages(loader: Loader) -> list[bytes]:
    """Attributes of each primitive as bytes, in plain Python: position, then varyings; three vertices each."""
    vertices = loader.source.frame("vertices", 0).to_pylist()
    messages = []
    for row in loader.source.frame("primitives", 0).to_pylist():
        corners = [vertices[row[f"vertex_{i}"]] for i in range(3)]
        floats = [[v[f"clip_{axis}"] for v in corners for axis in "xyzw"]]
        for slot in range(len(corners[0]["outputs"]) // 4):
            floats.append([x for v in corners for x in v["outputs"][4 * slot : 4 * slot + 4]])
        messages.append(np.array(floats, "<f4").tobytes())
    return messages


def test_pictures_of_a_bundled_scene_are_what_they_were(tmp_path: Path) -> None:
    record(scene_folder() / "sprites.trace", tmp_path / "a", FrameRange(2, 6), groups=frozenset({"pass_images"}))
    results = replay(tmp_path / "a", load_configuration("re-2019", [ON]), check_images=True)
    totals = results.totals()
    name = f"techniques.{NAME}"
    assert totals[f"{name}.false_positives"] == 0
    assert totals[f"{name}.skipped_tiles"] > 0.8 * totals[f"{name}.checked_tiles"] > 0
    assert totals[f"{name}.redundant_tiles"] == totals[f"{name}.skipped_tiles"] + totals[f"{name}.equal_color_tiles"]


@pytest.mark.parametrize(("first", "unsignable"), [(0, [0, 0, 0, 0, 0]), (2, [1, 0, 0, 0, 0])])
def test_a_frame_whose_constants_were_set_before_the_recording_has_no_signature(
    tmp_path: Path, first: int, unsignable: list[int]
) -> None:
    """With signature=paper: its first draws have all constants, and would differ from a later frame that sets some."""
    record(scene_folder() / "sprites.trace", tmp_path / "a", FrameRange(first, first + 5))
    results = replay(tmp_path / "a", load_configuration("re-2019", [ON, f"{PARAMETERS}.signature=paper"]))
    frames = [results.frame(first + i) for i in range(5)]
    name = f"techniques.{NAME}"
    assert [frame[f"{name}.frames_without_signatures"] for frame in frames] == unsignable
    # In the first frame of the stream textures are uploaded.
    assert [frame[f"{name}.signature_unit.tiles"] > 0 for frame in frames] == [False, True, True, True, True]
    # With two buffers, the third frame is compared with the first, which has no signature, the fourth with the second.
    assert frames[2][f"{name}.skipped_tiles"] == 0 < frames[3][f"{name}.skipped_tiles"]


def areas(*overrides: str) -> dict[str, float]:
    """Area of each structure of the Signature Unit, mm2."""
    configuration = load_configuration("re-2019", [ON, *(f"{PARAMETERS}.{override}" for override in overrides)])
    return {row.name: row.area_mm2 for row in report(configuration).structures if row.name.startswith("signature")}


def test_tables_follow_the_width_of_the_unit_and_how_it_shifts() -> None:
    default, wide, letter = areas(), areas("compute_bytes_per_cycle=32"), areas("accumulate=subblock")
    # A table for each byte of a subblock, and four to shift.
    table = default["signature_unit.compute_tables"] / 12
    assert wide["signature_unit.compute_tables"] == pytest.approx(36 * table)
    assert default["signature_unit.factor_tables"] == pytest.approx(4 * table)
    assert letter["signature_unit.accumulate_tables"] == pytest.approx(4 * table)
    assert letter.keys() == default.keys() - {"signature_unit.factor_tables", "signature_unit.shifter"} | {
        "signature_unit.accumulate_tables"
    }


def test_the_shifter_is_a_product_of_polynomials() -> None:
    # 32 partial products of 32 bits, 31 sums of them, and the remainders of the 31 powers of x from 32 on.
    remainders = [bitwise_crc((1 << i).to_bytes(4, "big")) for i in range(31)]
    ones = sum(bin(remainder).count("1") for remainder in remainders)
    assert structures.multiplier_words() == 32 + 31 + -(-ones // 32)


def test_signatures_take_as_many_sets_as_the_paper_counts_and_one_more_for_soundness() -> None:
    assert areas()["signature_buffer"] > 1.3 * areas("signature=paper")["signature_buffer"]


@pytest.mark.parametrize("seed", range(3))
def test_idle_cycles_may_be_skipped_and_the_compiler_changes_nothing(tmp_path: Path, machine: Any, seed: int) -> None:
    overrides = (ON, "tiles.width=16", "tiles.height=16", f"{PARAMETERS}.ot_queue={1 + 3 * seed}")
    overrides += (f"{PARAMETERS}.overlap_compute={('yes', 'no')[seed % 2]}", f"raster_units={1 + seed % 2}")
    overrides += (f"{PARAMETERS}.accumulate={('block', 'subblock')[seed % 2]}",)
    overrides += (f"{PARAMETERS}.compute_bytes_per_cycle={(8, 2, 32)[seed]}",)
    folder = moving(4).write(tmp_path / "a")
    machines = [machine(*overrides), machine(*overrides), machine(*overrides, compiled=False)]
    loader = Loader(folder, machines[0].chip.configuration)
    for number in loader.frames:
        frame = loader.load(number)
        skipping = machines[0].run(frame)
        assert skipping == machines[1].run(frame, every=True)
        assert skipping == machines[2].run(frame)
