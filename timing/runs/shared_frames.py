"""Frames of an activity, loaded once for all runs that read them alike.

What a frame looks like depends on some fields of the configuration (sizes of tiles, layouts, bytes of a line) and not
on others. Which ones is seen while loading: a run whose configuration agrees in all fields that were looked at gets the
same frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from pydantic import BaseModel

from tilegpu.timing.declare.parameters import Group as Parameters

from ..assembly.loader import Loader
from ..config.fields import field_value
from ..config.schema import Configuration
from ..engine.frame import Frame

BUDGET_BYTES = 4 << 30
"""Frames held for sharing; those beyond are loaded by each run."""


class Watched:
    """A configuration, or a part of it, that notes which fields are read."""

    def __init__(self, of: BaseModel, seen: dict[str, Any], prefix: str = "") -> None:
        self._of, self._seen, self._prefix = of, seen, prefix

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._of, name)
        if isinstance(value, BaseModel):
            return Watched(value, self._seen, f"{self._prefix}{name}.")
        self._seen[self._prefix + name] = value
        return value

    def of(self, section: str | type[Parameters]) -> Any:
        """Section of a class of parameters, or of a technique (`Configuration.of`, `TechniqueParameters.of`)."""
        part: Any = self
        for name in (section if isinstance(section, str) else section.section).split("."):
            part = getattr(part, name)
        return part

    def cache(self, kind: str) -> Any:
        """Section of a kind of caches (`Configuration.cache`)."""
        return getattr(self, kind)


@dataclass
class Group:
    """Frames that runs with these values of the fields in `seen` share; `saved` is depth as it is before them."""

    loader: Loader
    saved: np.ndarray[Any, Any]
    seen: dict[str, Any]
    frames: dict[int, Frame] = field(default_factory=dict)

    def fits(self, configuration: Configuration) -> bool:
        """Whether a run reads the frames as they were loaded."""
        return all(field_value(configuration, name) == value for name, value in self.seen.items())


class SharedLoader:
    """Stands in for a run's own loader."""

    def __init__(self, folder: Path, configuration: Configuration, group: Group) -> None:
        self._folder, self._configuration, self._group = folder, configuration, group
        self._own: Loader | None = None
        self._saved = group.saved.copy()
        self.frames = group.loader.frames
        self.source = group.loader.source

    def load(self, frame: int) -> Frame:
        """Tables of one frame, with depth of this run's own."""
        loaded = self._group.frames.get(frame)
        if loaded is None:
            if self._own is None:
                self._own = Loader(self._folder, self._configuration)
            loaded = self._own.load(frame)
        return loaded._replace(depth=loaded.depth._replace(saved=self._saved))


class SharedFrames:
    """Loads frames ahead of the runs.

    Parameters
    ----------
    folder
        Activity.
    configurations
        Of all runs.
    frames
        Numbers of the frames, all where None.
    budget_bytes
        How much to hold.
    """

    def __init__(
        self,
        folder: Path,
        configurations: Sequence[Configuration],
        frames: Sequence[int] | None = None,
        budget_bytes: int = BUDGET_BYTES,
    ) -> None:
        self.folder = folder
        self.groups: list[Group] = []
        budget_left = budget_bytes
        for configuration in configurations:
            if any(group.fits(configuration) for group in self.groups):
                continue
            seen: dict[str, Any] = {}
            loader = Loader(folder, cast(Configuration, Watched(configuration, seen)))
            group = Group(loader, loader.saved.values.copy(), seen)
            for number in loader.frames if frames is None else frames:
                frame = loader.load(number)
                budget_left -= size_bytes(frame)
                if budget_left < 0 and group.frames:
                    break
                group.frames[number] = frame
            self.groups.append(group)

    def loader(self, configuration: Configuration) -> SharedLoader:
        """Frames for a run."""
        group = next(group for group in self.groups if group.fits(configuration))
        return SharedLoader(self.folder, configuration, group)


def size_bytes(frame: Frame) -> int:
    """Bytes of a frame's tables, each once."""
    tables = {id(table): table.nbytes for table in _tables(frame)}
    return sum(tables.values())


def _tables(part: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(part, np.ndarray):
        yield part
        return
    for inner in part:
        yield from _tables(inner)


def emptied(frame: Frame) -> Frame:
    """A frame of the same tables without rows: for the engine to be compiled on."""
    return cast(Frame, _emptied(frame))


def _emptied(part: Any) -> Any:
    if isinstance(part, np.ndarray):
        return part[:0]
    inner = [_emptied(table) for table in part]
    return type(part)(*inner) if hasattr(part, "_fields") else tuple(inner)
