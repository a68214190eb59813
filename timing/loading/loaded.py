"""Parts of an activity that techniques may read when a frame is loaded, and the pictures that they are checked
against."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image

from .draws import Draws
from .passes import Passes
from .primitives import Primitives
from .resources import Resources
from .source import Activity, ActivityError, RecordedFrame

Constants = dict[tuple[int, str, str], bytearray]
"""Constants of programs, by program, stage and block."""


def apply_uploads(constants: Constants, row: dict[str, Any]) -> None:
    """Set the constants that were uploaded for a draw."""
    for upload in row["uploads"]:
        held = constants.setdefault((row["program"], upload["stage"], upload["block"]), bytearray())
        end = upload["offset_bytes"] + len(upload["data"])
        held.extend(bytes(max(0, end - len(held))))
        held[upload["offset_bytes"] : end] = upload["data"]


@dataclass
class Carried:
    """Constants as they are before a frame, and what techniques keep (`kept`), from one frame to the next."""

    frame: int = -1
    constants: Constants = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    def before(self, activity: Activity, frame: int) -> Constants:
        """Constants at the beginning of a frame."""
        if self.frame > frame:
            self.frame, self.constants = -1, {}
        for number in activity.frames:
            if self.frame <= number < frame:
                for row in activity.frame("draws", number, ["program", "uploads"]).to_pylist():
                    apply_uploads(self.constants, row)
                self.frame = number + 1
        return deepcopy(self.constants)


class Pictures:
    """Pictures of the frames of an activity.

    Parameters
    ----------
    activity
        Recorded with the group `pass_images`.

    Raises
    ------
    ActivityError
        If there are none.
    """

    def __init__(self, activity: Activity) -> None:
        self.activity = activity
        if "pass_images" not in activity.manifest.groups:
            raise ActivityError(f"{activity.folder}: there are no pictures to check; record with --with pass_images")

    def frame(self, number: int) -> np.ndarray[Any, Any] | None:
        """Picture of a frame, shape (height, width, channels), uint8, from the top; None if it was not recorded."""
        if number not in self.activity.frames:
            return None
        name = self.activity.frame("frames", number)["image"][0].as_py()
        return None if name is None else np.asarray(Image.open(self.activity.folder / name))


@dataclass(frozen=True)
class Loaded:
    """A frame on its way to the machine.

    Parameters
    ----------
    recorded
        What is drawn, as techniques amend it.
    draws, primitives, passes
        As loaded.
    carried
        Constants of the frames before.
    resources
        Addresses.
    """

    recorded: RecordedFrame
    draws: Draws
    primitives: Primitives
    passes: Passes
    carried: Carried
    resources: Resources

    @property
    def activity(self) -> Activity:
        """The activity."""
        return self.recorded.activity

    @property
    def frame(self) -> int:
        """Number of the frame."""
        return self.recorded.frame

    @property
    def constants_before(self) -> Constants:
        """Constants at the beginning of the frame, which the caller may change."""
        return self.carried.before(self.activity, self.frame)

    @property
    def primitive_rows(self) -> pa.Table:
        """Table `primitives` of the frame."""
        return self.recorded.primitives

    @cached_property
    def vertices(self) -> pa.Table:
        """Table `vertices` of the frame."""
        return self.activity.frame("vertices", self.frame)

    def events_of(self, number: int) -> list[dict[str, Any]]:
        """Events of a pass of the frame, in order."""
        return [row for row in self._events if row["pass"] == number]

    @cached_property
    def _events(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.activity.frame("events", self.frame).to_pylist()
        return rows

    def clear_event(self, row: int) -> dict[str, Any]:
        """Event of a clear between draws, by its row in the machine's table of clears."""
        number = self.passes.clears[row][0]
        return next(event for event in self._events if event["event"] == number)

    def kinds_of_events(self, frame: int) -> Iterator[tuple[str, bool]]:
        """Kind of each event of a frame, and whether it draws to something else than the screen."""
        if frame not in self.activity.frames:
            return
        rows = self.activity.frame("passes", frame).to_pylist()
        screens = {row["pass"] for row in rows if self.draws_screen(row)}
        events = self.activity.frame("events", frame, ["kind", "pass"])
        for kind, number in zip(events["kind"].to_pylist(), events["pass"].to_pylist(), strict=True):
            yield kind, number is not None and number not in screens

    def draws_screen(self, row: dict[str, Any]) -> bool:
        """Whether a pass draws to the default framebuffer."""
        return self.recorded.draws_screen(row)
