"""Passes that only clear the window, joined with the draws on it that follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from window_and_texture import write_window_and_texture

from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.open_passes import joined

WINDOW = frozenset({0, 1})


def one(number: int, events: tuple[int, int], surface: int, load: str) -> dict[str, Any]:
    color = {"slot": "color0", "surface": surface, "level": 0, "layer": 0, "load": load, "store": "store"}
    return {"pass": number, "first_event": events[0], "last_event": events[1], "attachments": [color]}


def happened(*events: tuple[int, str, int]) -> list[dict[str, Any]]:
    return [{"event": event, "kind": kind, "pass": number} for event, kind, number in events]


CLEAR, TEXTURE, DRAW = one(0, (1, 1), 0, "clear"), one(1, (2, 3), 7, "clear"), one(2, (5, 5), 0, "load")
EVENTS = happened((1, "clear", 0), (2, "clear", 1), (3, "draw", 1), (5, "draw", 2))


def test_a_clear_waits_for_the_draws() -> None:
    found = joined([CLEAR, TEXTURE, DRAW], EVENTS, WINDOW)
    assert [row["pass"] for row in found] == [1, 2]
    assert found[1]["clears_of"] == (0,)
    assert found[1]["attachments"][0]["load"] == "clear"
    assert DRAW["attachments"][0]["load"] == "load"


@pytest.mark.parametrize(
    ("rows", "events", "window"),
    [
        # Something is drawn in the first pass, too.
        ([CLEAR, TEXTURE, DRAW], [*EVENTS, *happened((1, "draw", 0))], WINDOW),
        # It is no window: somebody may sample it.
        ([CLEAR, TEXTURE, DRAW], EVENTS, {1}),
        # It is copied between the two.
        ([CLEAR, TEXTURE, DRAW], [*EVENTS, *happened((4, "copy", -1))], WINDOW),
        # Nothing is drawn on it later.
        ([CLEAR, TEXTURE], EVENTS, WINDOW),
        # It goes on with what was there before, but for a part.
        ([CLEAR | {"attachments": DRAW["attachments"]}, TEXTURE, DRAW], EVENTS, WINDOW),
    ],
)
def test_what_stays_as_it_is(rows: list[dict[str, Any]], events: list[dict[str, Any]], window: set[int]) -> None:
    assert joined(rows, events, window) == rows


def test_a_window_that_is_cleared_before_a_texture_is_drawn_to(tmp_path: Path) -> None:
    """One pass on the window, cleared and not loaded; with the machine's default two, the second loaded."""
    write_window_and_texture(tmp_path / "two.trace")
    record(tmp_path / "two.trace", tmp_path / "activity")
    recorded = Loader(tmp_path / "activity", load_configuration("ptr-2022")).load(0)
    opened = Loader(tmp_path / "activity", load_configuration("ptr-2022", ["command_processor.passes=open"])).load(0)
    assert len(recorded.commands.render_pass) == 3
    assert len(opened.commands.render_pass) == 2
    first, second = opened.commands.render_pass
    assert (first["width"], second["width"]) == (16, 64)
    assert second["clear_depth"] == recorded.commands.render_pass[0]["clear_depth"]
    assert second["load_depth"] == -1
    loads = [target["load"] for target in opened.commands.target]
    assert sum(loads) == 0 < sum(target["load"] for target in recorded.commands.target)
