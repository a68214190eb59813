"""What the table of resources foretells of a texture is what half of its size saves."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import Results, load_configuration, replay
from tilegpu.timing.instruments import resource_costs
from tilegpu.timing.results.resources import RESOURCES
from tilegpu.tools.scenes import sprite_scene, sprites, textures

BYTES = "memory.dram.bytes"


def replayed(folder: Path) -> Results:
    """Replay of a frame of the scene of sprites, by resource."""
    folder.mkdir()
    sprites.record(folder / "sprites.trace")
    record(folder / "sprites.trace", folder / "activity", FrameRange(1, 2))
    return replay(folder / "activity", load_configuration("ptr-2022"), instrument=resource_costs.NAME)


@pytest.mark.engine("tile_based by resource")
def test_a_halved_texture_saves_what_its_bytes_foretell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = replayed(tmp_path / "whole")
    table = pa.concat_tables(before.own[RESOURCES]).to_pylist()
    dearest = max((row for row in table if row["kind"] == "texture"), key=lambda row: row[BYTES])
    assert (dearest["width"], dearest["height"]) == (128, 128)
    monkeypatch.setattr(sprite_scene.textures, "atlas", partial(textures.atlas, 64))
    after = replayed(tmp_path / "halved")
    # A quarter of its texels is left.
    foretold = 3 / 4 * dearest[BYTES]
    assert before.totals()[BYTES] - after.totals()[BYTES] == pytest.approx(foretold, rel=0.1)
