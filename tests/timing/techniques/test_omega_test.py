"""The Omega-Test: which quads wait and when they follow, counted by hand, with equal pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from layers import LESS, QUADS, SIZE, Layer, record_layers

from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.results.own_pictures import OwnPictures

pytestmark = pytest.mark.engine("omega_test")

OMEGA = "techniques=omega_test"
OWN = "technique.omega_test."
NAME = "techniques.omega_test"
LINES = 64
"""Of the depths of a tile of 32 x 32 pixels, 4 bytes each."""
TILES = 4


@pytest.fixture(scope="module")
def back_to_front(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three frames of five layers that fill the screen, the farthest first."""
    layers = [Layer(f"layer {n}", 0.8 - 0.3 * n, function=LESS) for n in range(5)]
    return record_layers(tmp_path_factory.mktemp("layers"), [layers] * 3)


def play(new_machine: Any, folder: Path, *overrides: str) -> list[dict[str, float]]:
    """Statistics of the frames of an activity; their pictures are checked."""
    one = new_machine(
        load_configuration("ptr-2022", ["dram=simple", OMEGA, f"{OWN}deferred_quads=2048", *overrides]), compiled=False
    )
    loader = Loader(folder, one.chip.configuration)
    pictures, found = OwnPictures(loader.source, one.chip), []
    for number in loader.frames:
        frame = loader.load(number)
        found.append(one.run(frame))
        assert pictures.check(number, frame)["pictures.different_pixels"] == 0
    return found


def test_what_was_hidden_waits_for_what_is_in_front(new_machine: Any, back_to_front: Path) -> None:
    """In the first frame every quad is shaded. In the next ones all quads are compared and those of four layers wait:
    they are killed. Depths of a tile are 64 lines, written in each frame and read from the second on."""
    found = play(new_machine, back_to_front)
    assert [s["fragment.processor.quads"] for s in found] == [5 * QUADS, QUADS, QUADS]
    assert [s[f"{NAME}.compared"] for s in found] == [0, 5 * QUADS, 5 * QUADS]
    assert [s[f"{NAME}.deferred"] for s in found] == [0, 4 * QUADS, 4 * QUADS]
    assert [s[f"{NAME}.lines_read"] for s in found] == [0, TILES * LINES, TILES * LINES]
    assert [s["memory.dram.read_bytes.depth"] for s in found] == [0, *[TILES * LINES * 64] * 2]
    assert sum(s[f"{NAME}.lines_written"] for s in found) == 3 * TILES * LINES


def test_on_the_chip_depths_take_no_requests(new_machine: Any, back_to_front: Path) -> None:
    found = play(new_machine, back_to_front, f"{OWN}depths=on_chip")
    assert [s["fragment.processor.quads"] for s in found] == [5 * QUADS, QUADS, QUADS]
    assert all(s[f"{NAME}.lines_read"] == s[f"{NAME}.lines_written"] == 0 for s in found)


def test_no_more_wait_than_there_is_room_for(new_machine: Any, back_to_front: Path) -> None:
    """The first 100 quads of each tile wait; all others are drawn back to front, and 100 less are shaded."""
    found = play(new_machine, back_to_front, f"{OWN}deferred_quads=100")
    assert found[1][f"{NAME}.deferred"] == TILES * 100
    assert found[1]["fragment.processor.quads"] == 5 * QUADS - TILES * 100


def test_a_wrong_prediction_is_drawn_all_the_same(new_machine: Any, tmp_path: Path) -> None:
    """The front goes away in the second frame: what lies behind it waits, is not hidden, and is shaded."""
    back, front = Layer("back", 0.5), Layer("front", -0.5)
    folder = record_layers(tmp_path, [[back, front], [back]])
    first, second = play(new_machine, folder)
    assert first["fragment.processor.quads"] == 2 * QUADS
    assert second[f"{NAME}.deferred"] == second["fragment.processor.quads"] == QUADS


def test_what_keeps_its_place_follows_what_waits(new_machine: Any, tmp_path: Path) -> None:
    """A blended layer comes between: the layer behind it waits for the end of its own segment only."""
    layers = [
        Layer("back", 0.5),
        Layer("middle", 0.2),
        Layer("glass", 0.0, blend=True, right=SIZE // 2),
        Layer("front", -0.5, right=SIZE // 2),
    ]
    folder = record_layers(tmp_path, [layers] * 2)
    first, second = play(new_machine, folder)
    # In the right half the middle hides the back. In the left half both lie behind the last depths, and follow in their
    # order; the glass and the front, of later segments, come after them.
    assert second["fragment.processor.quads"] == first["fragment.processor.quads"] - QUADS / 2
    assert second[f"{NAME}.deferred"] == QUADS + QUADS / 2
