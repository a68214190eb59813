"""Pixels that are read though the flush of their tile was left out, counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from drawn_texture import NOISE, RAMP, record_drawn

from tilegpu.timing import load_configuration, techniques
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.registry import add_plugins
from tilegpu.timing.results.own_pictures import OwnPictures

TILE = 32 * 32
SIDE = 64
ALL = (0, 0, SIDE, SIDE, 0.5)
UNWRITTEN = "pictures.unwritten_pixels"
LAZY = """
from typing import Any
from ..engine.hooks import GO, SKIP
from ..engine.jit import inline
from ..engine.technique import Technique

@inline
def tile_flush(gpu: Any, own: Any, commands: Any, r: int, tile: int, t: int) -> int:
    left_out = WHEN
    return SKIP if left_out else GO

TECHNIQUE = Technique("NAME", "leaves the flush of some tiles out")
"""
WHEN = {
    "lazy_texture": "commands.tile[tile].render_pass == 0 and tile % 2 == 0",
    "lazy_window": "commands.tile[tile].render_pass == 1 and commands.tile[tile].x == 0",
}


@pytest.fixture(autouse=True)
def lazy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Techniques that leave flushes out of the texture, or of the left half of the window."""
    monkeypatch.setattr(techniques, "__path__", list(techniques.__path__))
    (tmp_path / "techniques").mkdir()
    for name, when in WHEN.items():
        text = LAZY.replace("WHEN", when).replace("NAME", name)
        (tmp_path / "techniques" / f"{name}.py").write_text(text, "utf-8")
    add_plugins(tmp_path, ("techniques",))


def unwritten(new_machine: Any, folder: Path, technique: str) -> list[float]:
    """Unwritten pixels that are read in each frame of an activity; other pictures are as recorded."""
    configuration = load_configuration("ptr-2022", ["dram=simple", f"techniques={technique}"])
    one, loader = new_machine(configuration, compiled=False), Loader(folder, configuration)
    pictures, found = OwnPictures(loader.source, one.chip), []
    for number in loader.frames:
        frame = loader.load(number)
        one.run(frame)
        counts = pictures.check(number, frame)
        assert counts["pictures.different_pixels"] == 0 < counts["pictures.passes"]
        found.append(counts[UNWRITTEN])
    return found


def test_a_texture_of_which_half_the_tiles_are_not_written(new_machine: Any, tmp_path: Path) -> None:
    """Two of four tiles. Nobody ever writes them."""
    folder = record_drawn(tmp_path, RAMP, [[ALL]] * 2)
    assert unwritten(new_machine, folder, "none") == [0, 0]
    assert unwritten(new_machine, folder, "lazy_texture") == [2 * TILE, 2 * TILE]


def test_the_window_counts_when_it_is_shown(new_machine: Any, tmp_path: Path) -> None:
    """Its left half, two tiles: they are never written, so they hold nothing that could be right."""
    folder = record_drawn(tmp_path, NOISE, [[ALL]] * 3)
    assert unwritten(new_machine, folder, "lazy_window") == [2 * TILE] * 3


def test_transaction_elimination_leaves_out_only_what_is_there(new_machine: Any, tmp_path: Path) -> None:
    folder = record_drawn(tmp_path, RAMP, [[ALL]] * 5)
    assert unwritten(new_machine, folder, "transaction_elimination") == [0] * 5
