"""Rendering and Transaction Elimination on captured applications and bundled scenes: what is left out is what a plain
reading of the activity says, and no picture changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from test_transaction_elimination import equal_tiles

from tilegpu.functional.activity import TABLES
from tilegpu.functional.capture.call import CaptureError
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.loader import Loader
from tilegpu.tools.demo import SCENES, scene_folder

pytestmark = pytest.mark.engine("rendering_elimination")

RE, TE = "rendering_elimination", "transaction_elimination"
NO_STATE = {
    "frame", "draw", "number", "event", "pass", "object", "object_label", "collisionable", "first", "count",
    "index_bytes", "index_buffer", "index_offset_bytes", "index_stream", "instances", "attributes", "depth_format",
    "early_depth", "constants_version", "uploads",
}  # fmt: skip
"""Columns of a draw that say which it is, what its vertices are, and how it runs; whatever else there is, colours may
depend on."""
STATE = [column.name for column in TABLES["draws"].columns if column.name not in NO_STATE]
SPOILS = ("upload", "link", "copy", "blit", "resolve", "generate_mipmap")
FRAMES = FrameRange(2, 5)
"""The last one is compared with the first: there are two frame buffers."""


def traces() -> list[str]:
    """Bundled scenes, and the captures there are."""
    folder = os.environ.get("TILEGPU_CAPTURES", "")
    return [*SCENES, *sorted(path.stem for path in Path(folder).glob("*.trace") if folder)]


class PlainReader:
    """What is drawn into each tile, from the rows of the activity."""

    def __init__(self, loader: Loader) -> None:
        self.loader, self.constants = loader, {}
        self.kinds = {row["surface"]: row["kind"] for row in loader.source.table("surfaces").to_pylist()}

    def rows(self, name: str, number: int) -> list[dict[str, Any]]:
        """Rows of a table."""
        found: list[dict[str, Any]] = self.loader.source.frame(name, number).to_pylist()
        return found

    def on_screen(self, row: dict[str, Any]) -> bool:
        """Whether a pass draws to the window."""
        return any(self.kinds.get(a["surface"]) == "default_color" for a in row["attachments"])

    def spoiled(self, number: int) -> bool:
        """Whether something that draws read was written in the frame."""
        screens = {row["pass"]: self.on_screen(row) for row in self.rows("passes", number)}
        return any(
            event["kind"] in SPOILS
            or (event["kind"] in ("draw", "clear") and event["pass"] is not None and not screens[event["pass"]])
            for event in self.rows("events", number)
        )

    def looks(self, number: int) -> dict[int, str]:
        """What all primitives of a draw share, constants as they are then among it."""
        found = {}
        for row in sorted(self.rows("draws", number), key=lambda row: row["draw"]):
            for upload in row["uploads"] or ():
                held = self.constants.setdefault((row["program"], upload["stage"], upload["block"]), bytearray())
                end = upload["offset_bytes"] + len(upload["data"])
                held.extend(bytes(max(0, end - len(held))))
                held[upload["offset_bytes"] : end] = upload["data"]
            own = sorted((key, bytes(held)) for key, held in self.constants.items() if key[0] == row["program"])
            found[row["draw"]] = repr(([row[name] for name in STATE], own))
        return found

    def tiles(self, number: int) -> list[tuple[Any, ...]]:
        """Inputs of the tiles of the one pass, in the order of the table of tiles."""
        looks = self.looks(number)
        frame, loaded = self.loader.read(number)
        vertices = self.rows("vertices", number)
        shapes: dict[int, Any] = {}
        for place, row in zip(loaded.primitives.place.tolist(), self.rows("primitives", number), strict=True):
            corners = [vertices[row[f"vertex_{i}"]] for i in range(3) if row[f"vertex_{i}"] >= 0]
            shape = [(*(v[f"clip_{axis}"] for axis in "xyzw"), *v["outputs"]) for v in corners]
            shapes[place] = hash((repr(shape), row["point_size"], looks[row["draw"]]))
        events = [event for event in self.rows("events", number) if event["kind"] in ("draw", "clear")]
        first = next((i for i, event in enumerate(events) if event["kind"] == "draw"), len(events))
        words = [
            {k: v for k, v in event.items() if k not in ("event", "call", "frame", "pass", "surface")}
            for event in events
        ]
        begins = repr(words[:first])
        clears = iter(repr(w) for e, w in zip(events[first:], words[first:], strict=True) if e["kind"] == "clear")
        for place, row in enumerate(frame.binning.primitive):
            if row["clear"] >= 0:
                shapes[place] = next(clears)
        entry = frame.tiling.entry["primitive"].tolist()
        return [
            (begins, *(shapes[p] for p in entry[tile["first_entry"] : tile["last_entry"]]))
            for tile in frame.commands.tile
        ]

    def eliminable(self, number: int) -> bool:
        """Whether the frame has one pass that draws the whole screen anew, and nothing else."""
        rows = self.rows("passes", number)
        (row,) = rows if len(rows) == 1 else (None,)
        if row is None or not self.on_screen(row):
            return False
        kept = any(a["store"] == "store" for a in row["attachments"] if a["slot"] in ("depth", "stencil"))
        return not kept and all(a["load"] != "load" for a in row["attachments"])


def recorded(name: str, activity: Path) -> None:
    """Record the frames that are compared, with their pictures; skip what has fewer."""
    folder = scene_folder() if name in SCENES else Path(os.environ["TILEGPU_CAPTURES"])
    try:
        record(folder / f"{name}.trace", activity, FRAMES, groups=frozenset({"pass_images"}))
    except CaptureError:
        pytest.skip(f"{name} has fewer frames than are compared")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "board" else pytest.mark.slow) for n in traces()])
def test_what_is_left_out_is_what_is_drawn_again(name: str, tmp_path: Path) -> None:
    recorded(name, tmp_path / "a")
    configuration = load_configuration("re-2019", [f"techniques={RE}"])
    results = replay(tmp_path / "a", configuration, check_images=True)
    totals = results.totals()
    assert totals[f"techniques.{RE}.false_positives"] == 0
    assert totals["raster.early_depth.mismatched_quads"] == totals["raster.late_depth.mismatched_quads"] == 0
    loader = Loader(tmp_path / "a", configuration)
    if len(loader.frames) < 3:
        pytest.skip(f"{name} has fewer frames than are compared")
    reader = PlainReader(loader)
    inputs = [reader.tiles(number) for number in loader.frames]
    first, before, last = loader.frames
    skipped = {row["tile"] for row in results.tiles[2].to_pylist() if row["skipped_by"] == RE}
    comparable = all(reader.eliminable(number) for number in (first, last))
    comparable &= not any(reader.spoiled(number) for number in (before, last))
    equal = {i for i, (a, b) in enumerate(zip(inputs[0], inputs[2], strict=False)) if a == b}
    assert skipped == (equal if comparable else set())


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) for n in traces()])
def test_colours_that_are_there_are_not_written(name: str, tmp_path: Path) -> None:
    recorded(name, tmp_path / "a")
    configuration = load_configuration("re-2019", [f"techniques={TE}"])
    results = replay(tmp_path / "a", configuration)
    reader = PlainReader(Loader(tmp_path / "a", configuration))
    if len(results.frames) < 3:
        pytest.skip(f"{name} has fewer frames than are compared")
    eliminated = results.frame(results.frames[2])[f"techniques.{TE}.eliminated_tiles"]
    if all(reader.eliminable(number) for number in results.frames):
        assert eliminated == equal_tiles(tmp_path / "a", results.frames[2])


@pytest.mark.slow
def test_a_still_view_costs_least_where_tiles_are_left_out_before_they_are_rendered(tmp_path: Path) -> None:
    # The board stands still in these frames: all tiles are left out from the third frame on.
    record(scene_folder() / "board.trace", tmp_path / "a", FrameRange(0, 6), groups=frozenset({"pass_images"}))
    cycles, energy = {}, {}
    for technique in ("none", TE, RE):
        results = replay(tmp_path / "a", load_configuration("re-2019", [f"techniques={technique}"]), warm_up=2)
        cycles[technique] = results.totals()["gpu.cycles"]
        energy[technique] = results.energy().total_pj
        assert results.totals().get(f"techniques.{technique}.skipped_tiles", 0) == (4 * 240 if technique == RE else 0)
    assert cycles[RE] < cycles[TE] < cycles["none"]
    assert energy[RE] < energy[TE] < energy["none"]
