"""Windows of applications as the textures of a compositor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilegpu.functional.activity.reader import Activity

from ..assembly.loader import Loader
from ..engine.frame import Frame
from ..loading.source import ActivityError

WINDOW, TEXTURE = "default_color", "texture_2d"
"""Kinds of surfaces."""


@dataclass(frozen=True)
class Window:
    """Window of an application: its surface, and its size in pixels."""

    surface: int
    width: int
    height: int


def window_of(activity: Activity) -> Window:
    """The first window of an application.

    Raises
    ------
    ActivityError
        If it has none.
    """
    windows = _surfaces(activity, WINDOW)
    if not windows:
        raise ActivityError(f"{activity.folder}: draws to no window that a compositor could show")
    return windows[0]


def _surfaces(activity: Activity, kind: str) -> list[Window]:
    rows = activity.table("surfaces", ["surface", "kind", "levels"]).to_pylist()
    return [
        Window(row["surface"], row["levels"][0]["width"], row["levels"][0]["height"])
        for row in rows
        if row["kind"] == kind and row["levels"]
    ]


class Composition:
    """Frames of a compositor, whose textures are the windows of the applications.

    Parameters
    ----------
    loader
        Of an activity with a 2D texture for each application, in their order and of the sizes of their windows; its
        first frame is the one that is drawn each time.
    applications
        Loaders of the applications.

    Raises
    ------
    ActivityError
        If the textures are not such.
    """

    def __init__(self, loader: Loader, applications: Sequence[Loader]) -> None:
        self.loader, self._applications = loader, applications
        self._windows = [window_of(each.source) for each in applications]
        self._textures = _surfaces(loader.source, TEXTURE)
        sizes = [[(each.width, each.height) for each in some] for some in (self._textures, self._windows)]
        if sizes[0] != sizes[1]:
            raise ActivityError(
                f"{loader.source.folder}: its textures are {_words(sizes[0])}, the windows {_words(sizes[1])} pixels"
            )

    def frame(self, shown: Sequence[int]) -> Frame:
        """Tables of its frame, where it shows a frame of each application."""
        resources = self.loader.resources
        for texture, window, loader, number in zip(
            self._textures, self._windows, self._applications, shown, strict=True
        ):
            level = resources.surface[resources.surface_row[texture.surface]]["first_level"]
            resources.level[level]["address"] = loader.resources.address(window.surface, 0, 0, number)
        return self.loader.load(self.loader.frames[0])


def _words(sizes: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{width} x {height}" for width, height in sizes) or "none"
