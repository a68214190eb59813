"""An engine compiled beside other work is the one that replays want."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.functional.compile.arguments import kind_of
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly import ahead
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.engine.frame import Frame


class Recorded:
    """In the place of a process: whether one was started and waited for."""

    def __init__(self, **_: Any) -> None:
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *_: self.calls.append(name)


def test_types_are_those_of_recorded_frames(tmp_path: Path) -> None:
    """Else the engine would be compiled twice."""
    activity = Scene(frames=[[Rectangle(0, 0, 10, 10)]]).write(tmp_path / "activity")
    recorded = Loader(activity, load_configuration("ptr-2022")).load(0)
    assert kind_of(recorded) == kind_of(ahead.empty_frame())
    simt = load_configuration("emerald-case2")
    assert kind_of(Loader(activity, simt).load(0)) == kind_of(ahead.empty_frame_for(simt))


def test_an_empty_frame_has_no_rows() -> None:
    frame = ahead.empty_frame()
    assert isinstance(frame, Frame)
    assert sum(len(table) for group in frame for table in group if len(table)) == 0


def test_nothing_is_compiled_where_it_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Recorded] = []

    class Context:
        def Process(self, **options: Any) -> Recorded:
            started.append(Recorded(**options))
            return started[-1]

    monkeypatch.setattr(ahead.multiprocessing, "get_context", lambda _: Context())
    monkeypatch.setattr(ahead.os, "sched_getaffinity", lambda _: {0, 1})
    for cached in (True, False):
        monkeypatch.setattr(type(ahead.engine_of(load_configuration("ptr-2022"))), "is_cached", lambda _, c=cached: c)
        with ahead.compiled_ahead(load_configuration("ptr-2022")):
            pass
        assert len(started) == (not cached)
    assert started[0].calls[:2] == ["start", "join"]
