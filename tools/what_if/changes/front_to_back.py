"""Opaque draws of a frame from front to back, as far as depth decides what is seen.

Only draws in a row are exchanged, between which nothing but state is set. Each gets the state that it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilegpu.functional.capture import Call

from ..captured import CapturedFrame, is_draw
from ..declare import RefusedError, Transformation
from ..state_calls import Settings, UnknownStateError

NEARER = {"LESS": 1.0, "LEQUAL": 1.0, "GREATER": -1.0, "GEQUAL": -1.0}
"""Sign of depths, of which the least is seen, by the depth function."""

LEAST_DRAWS = 2
NO_CONTEXT = ""
MAKES_CURRENT = ("eglMakeCurrent", "glXMakeCurrent", "glXMakeContextCurrent", "wglMakeCurrent")

Run = list[tuple[int, Settings]]
"""Draws in a row: the place and the state of each."""


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Put runs of opaque draws in order."""
    by_call = {state["call"]: state for state in frame.states.values()}
    shared = len(by_call) < len(frame.states)
    if shared:
        raise RefusedError("a call makes several draws")
    settings, out, run, began = Settings(), list[Call](), Run(), 0
    contexts, moved = {NO_CONTEXT: settings}, 0
    start = settings
    for place, call in enumerate(frame.calls):
        state = by_call.get(call.number) if place >= frame.first else None
        if state is not None and movable(state):
            if not run:
                began, start = len(out), settings.copy()
            run.append((place, settings.copy()))
        elif is_draw(call.name) or not settings.take(call):
            if len(run) > 1:
                moved += _reorder(frame, by_call, out, began, start, run, settings)
            run = []
            settings.forget(call)
            settings = contexts.setdefault(_context_after(call, settings, contexts), Settings())
        out.append(call)
    if sum(movable(state) for state in by_call.values()) < LEAST_DRAWS:
        raise RefusedError("fewer than two of its draws are opaque and test and write depth")
    if not moved:
        raise RefusedError("its opaque draws are in order, or something other than state lies between them")
    return out


def _context_after(call: Call, settings: Settings, contexts: dict[str, Settings]) -> str:
    """Context that is current behind a call: that of the thread's last call which made one current."""
    if call.name in MAKES_CURRENT:
        return f"{call.thread} {call.arguments[-1]!r}"
    return next(name for name, each in contexts.items() if each is settings)


def movable(state: dict[str, Any]) -> bool:
    """Whether depth alone decides what is seen of a draw."""
    return bool(
        state["depth_test"]
        and state["depth_write"]
        and state["depth_function"] in NEARER
        and not (state["blend_enabled"] or state["logic_operation"] or state["stencil_test"])
        and not (state["alpha_to_coverage"] or state["special"])
        and state["sample_coverage"] == 1.0
        and set(state["color_masks"]) <= {15}
    )


def _reorder(
    frame: CapturedFrame,
    by_call: dict[int, dict[str, Any]],
    out: list[Call],
    began: int,
    start: Settings,
    run: Run,
    end: Settings,
) -> int:
    """Put the draws of a run in order, in the place of the calls from `began` on; the number of those that moved."""

    def nearness(each: tuple[int, Settings]) -> float:
        state = by_call[frame.calls[each[0]].number]
        # What covers nothing comes last.
        return float("inf") if state["depth"] is None else state["depth"] * NEARER[state["depth_function"]]

    ordered = sorted(run, key=nearness)
    moved = sum(one is not other for one, other in zip(ordered, run, strict=True))
    try:
        calls = list(_drawn(frame, start.copy(), ordered, end))
    except UnknownStateError:
        return 0
    if moved:
        out[began:] = calls
    return moved


def _drawn(frame: CapturedFrame, settings: Settings, ordered: Run, end: Settings) -> Iterator[Call]:
    """Draws of a run, and then the state behind it."""
    for place, state in ordered:
        yield from settings.towards(state)
        yield frame.calls[place]
    yield from settings.towards(end, everything=True)


TRANSFORMATION = Transformation(
    "front_to_back",
    "opaque draws from front to back",
    "pixels at which two of them have the same depth",
    apply,
    frozenset({"arithmetic", "texture_filtering", "texture_misses", "results", "early_depth", "bandwidth"}),
    whole_frame=True,
    exact=True,
    caution="ordered by the mean depth of each draw in this frame",
)
