"""Whether a machine's own pictures are the recorded ones: the recorded colours of its quads, blended in the order in
which the machine blended them, with the samples that passed its own depth test.

The first colour attachment of each pass is compared. Tiles that a technique left out show what their frame buffer held.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from tilegpu.functional.opengl.channel_bits import SRGB
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine.chip import Chip
from ..engine.frame import Frame
from ..loading.open_passes import frame_passes, kept_open
from ..loading.source import Activity, ActivityError, screen_surfaces
from .blended import BITS, LANES, STATE, Blended, States, Surface, compose, misplaced
from .unwritten import UNWRITTEN, Unwritten

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
Key = tuple[int, int, int]
"""Surface, level and layer of an attachment."""

STATS = (
    Stat("pictures.passes", "passes", "passes whose pictures were compared; with --check-images", measured=True),
    Stat(
        "pictures.unknown_passes",
        "passes",
        "passes not compared: no picture, a format of more than 8 bits, or colours from elsewhere; with --check-images",
        measured=True,
    ),
    Stat("pictures.pixels", "pixels", "pixels compared; with --check-images", measured=True),
    Stat(
        "pictures.different_pixels",
        "pixels",
        "pixels that are not as recorded when quads are blended in this machine's order; with --check-images",
        measured=True,
        wrong=True,
    ),
    UNWRITTEN,
)


class FrameDraws(NamedTuple):
    """Draws of a frame: all events, and event and blend state of each draw."""

    events: list[Row]
    draw_events: list[int]
    states: States


@dataclass
class OwnPictures:
    """Follows a machine through an activity that has the groups `colors` and `pass_images`.

    Parameters
    ----------
    activity
        What it replays.
    chip
        The machine.
    """

    activity: Activity
    chip: Chip
    _held: dict[Key, Array] = field(default_factory=dict)
    _screens: deque[dict[Key, Array]] = field(init=False)
    _unwritten: Unwritten = field(init=False)
    _window: frozenset[int] = field(init=False)
    _open: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._screens = deque(maxlen=self.chip.configuration.memory.frame_buffers)
        surfaces = self.activity.table("surfaces", ["surface", "kind"])
        self._window = screen_surfaces(self.activity)
        self._unwritten = Unwritten(self.chip, self._window)
        self._open = kept_open(surfaces, self.chip.configuration, self.chip.machine.sorts)

    def check(self, number: int, frame: Frame) -> dict[str, float]:
        """Compare the pictures of a frame that has just ended.

        Returns
        -------
        dict of str to float
            Values of `STATS`.

        Raises
        ------
        ActivityError
            If a quad lies outside the picture of its pass.
        """
        counts = dict.fromkeys((stat.name for stat in STATS), 0.0)
        events = self.activity.frame("events", number)
        draws = self.activity.frame("draws", number, ["event", "pass", "bindings", *STATE]).to_pylist()
        drawn = FrameDraws(events.to_pylist(), [draw["event"] for draw in draws], States(draws))
        of_pass, quads = self._blended(number, frame)
        before = dict(self._held)
        done = -1.0
        rows = list(frame_passes(self.activity.frame("passes", number), events, self._open))
        ends = [*(row["first_event"] for row in rows[1:]), math.inf]
        for place, (row, end) in enumerate(zip(rows, ends, strict=True)):
            counts[UNWRITTEN.name] += self._read(row, draws)
            self._forget(drawn.events, done, row["last_event"])
            done = row["last_event"]
            # The picture is taken when the next pass begins, and shows what was written until then.
            foreign = _written(drawn.events, row["first_event"] - 1, end) & {_surface(row)}
            recorded = None if foreign else self._recorded(row)
            surface = None if recorded is None else self._start(row, recorded)
            if recorded is None or surface is None:
                counts["pictures.unknown_passes"] += 1
                continue
            self._play(surface, row, drawn, quads.take(np.flatnonzero(of_pass == place)))
            key = _first_color(row)
            self._left_out(frame, place, key, before, surface)
            self._held[key] = surface.pixels
            if self._unwritten.follows:
                self._unwritten.drawn(frame, place, key, surface.pixels)
            different = (surface.picture()[..., : recorded.shape[2]] != recorded).any(axis=2)
            counts["pictures.passes"] += 1
            counts["pictures.pixels"] += different.size
            counts["pictures.different_pixels"] += int(different.sum()) + surface.misplaced
        self._forget(drawn.events, done, math.inf)
        counts[UNWRITTEN.name] += self._unwritten.show()
        self._screens.append({key: held.copy() for key, held in self._held.items() if key[0] in self._window})
        return counts

    def _blended(self, number: int, frame: Frame) -> tuple[Array, Blended]:
        """Pass of each quad that was blended, as a row of the machine's table, and the quads."""
        depth, passes = frame.depth, frame.commands.render_pass
        which = np.flatnonzero((depth.blended["order"] > 0) & (depth.blended["row"] >= 0))
        quad, row = np.asarray(depth.quad)[which], depth.blended["row"][which].astype(np.int64)
        of_pass = np.searchsorted(passes["last_primitive"], quad["primitive"], side="right")
        column = self.activity.frame("quads", number, ["colors"])["colors"].combine_chunks()
        has_colours = column.is_valid().to_numpy(zero_copy_only=False)
        # An offset into the values of the whole column, which a slice shares.
        offset = column.offsets.to_numpy()[:-1].astype(np.int64)
        values = np.append(column.values.to_numpy(zero_copy_only=False), np.zeros(4 * LANES, np.float32))
        # Quads that were not shaded have no colour: the picture shows what the buffer held before.
        start = np.where(has_colours[row], offset[row], len(values) - 4 * LANES)
        colors = values[start[:, None] + np.arange(4 * LANES)].astype(np.float32)
        return of_pass, Blended(
            quad["x"].astype(np.int64),
            quad["y"].astype(np.int64),
            quad["passed"],
            depth.primitive["state"][quad["primitive"]].astype(np.int64),
            colors,
            depth.blended["order"][which].astype(np.int64),
        )

    def _recorded(self, row: Row) -> Array | None:
        """Picture of a pass, (height, width, channels), from the top; None where there is none to compare with."""
        attachment = next((a for a in row["attachments"] if a["slot"] == "color0"), None)
        if attachment is None or row["image"] is None or attachment["format"] not in BITS:
            return None
        picture = np.asarray(Image.open(self.activity.folder / row["image"]))
        return picture.reshape(*picture.shape[:2], -1)

    def _start(self, row: Row, recorded: Array) -> Surface | None:
        """Initial contents of a pass's first colour attachment; None where they are unknown."""
        attachment = next(a for a in row["attachments"] if a["slot"] == "color0")
        shape = max(1, row["samples"]), *recorded.shape[:2], 4
        held = self._held.pop(_first_color(row), None)
        if held is None or held.shape != shape:
            if attachment["load"] == "load":
                if shape[0] == 1 and recorded.shape[2] == 4:
                    # The next pass on it can be compared.
                    self._held[_first_color(row)] = recorded[None, ::-1].copy()
                return None
            held = np.zeros(shape, np.uint8)
        name = attachment["format"]
        return Surface(held.copy(), np.array(BITS[name], np.int64), name in SRGB)

    def _play(self, surface: Surface, row: Row, drawn: FrameDraws, quads: Blended) -> None:
        """Draw a pass into its first colour attachment."""
        outside = surface.outside(quads)
        if len(outside):
            x, y = 2 * quads.x[outside[0]], 2 * quads.y[outside[0]]
            height, width = surface.pixels.shape[1:3]
            raise ActivityError(
                f"{self.activity.folder}: {row['image']}: a quad of pass {row['pass']} at pixel {x}, {y} lies outside "
                f"the picture of {width} x {height} pixels"
            )
        numbers = {row["pass"], *row.get("clears_of", ())}
        clears = [e for e in drawn.events if e["pass"] in numbers and e["kind"] == "clear" and e["color_mask"]]
        # One of another attachment than the first names that.
        clears = [event for event in clears if event["surface"] == _first_color(row)[0]]
        after = np.searchsorted([e["event"] for e in clears], drawn.draw_events)
        segment = after[quads.draw] if len(quads.draw) else quads.draw
        surface.misplaced = misplaced(quads, segment)
        for number in range(len(clears) + 1):
            if number:
                surface.clear(clears[number - 1])
            compose(surface, quads.take(np.flatnonzero(segment == number)), drawn.states)

    def _forget(self, events: list[Row], after: float, until: float) -> None:
        """Colours that come from elsewhere: uploads, copies and the like, up to the end of a pass."""
        written = _written(events, after, until)
        for key in [key for key in self._held if key[0] in written]:
            del self._held[key]
        self._unwritten.forget(written)

    def _read(self, row: Row, draws: list[Row]) -> int:
        """Pixels that a pass reads, from attachments that it loads and from textures, and that were never written."""
        loaded = [(a["surface"], a["level"], a["layer"]) for a in row["attachments"] if a["load"] == "load"]
        bound = {b["surface"] for draw in draws if draw["pass"] == row["pass"] for b in draw["bindings"] or ()}
        return self._unwritten.read(loaded, bound)

    def _shown_before(self, key: Key) -> Array | None:
        """Colours that the frame buffer of a window's attachment held before the frame; None for others."""
        if key[0] not in self._window:
            return None
        full = len(self._screens) == self._screens.maxlen
        return self._screens[0].get(key) if full else None

    def _left_out(self, frame: Frame, place: int, key: Key, before: dict[Key, Array], surface: Surface) -> None:
        """Tiles of a pass that a technique left out show what their frame buffer held before the frame."""
        tile, log = frame.commands.tile, frame.commands.log
        skipped = np.flatnonzero((tile["render_pass"] == place) & (log["skipped_by"] > 0))
        if not len(skipped):
            return
        held = self._shown_before(key) if key[0] in self._window else before.get(key)
        across, down = self.chip.configuration.of(Tiles).width, self.chip.configuration.of(Tiles).height
        for x, y in zip(tile["x"][skipped], tile["y"][skipped], strict=True):
            part = np.s_[:, y : y + down, x : x + across]
            surface.pixels[part] = 0 if held is None else held[part]


def _written(events: list[Row], after: float, until: float) -> set[int]:
    """Surfaces that are written by events that neither draw nor clear."""
    others = (e for e in events if e["kind"] not in ("draw", "clear", "read_pixels", "swap"))
    return {e["surface"] for e in others if after < e["event"] <= until}


def _surface(row: Row) -> int:
    """Surface of a pass's first colour attachment, -1 if there is none."""
    return next((a["surface"] for a in row["attachments"] if a["slot"] == "color0"), -1)


def _first_color(row: Row) -> Key:
    attachment = next(a for a in row["attachments"] if a["slot"] == "color0")
    return attachment["surface"], attachment["level"], attachment["layer"]
