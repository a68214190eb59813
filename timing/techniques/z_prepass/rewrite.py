"""The frame as an application with a Z-prepass draws it (appendix A.3.1): first what is opaque, without colours, then
everything.

Draws of the first pass have vertices, commands and quads of their own, and no attribute but position. In the second
pass opaque draws do not write their depths any more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine import frame as f
from ..shared.hidden_surfaces import classify

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]
NAME = "z_prepass"


class Plan(NamedTuple):
    """Draws that are drawn twice: `draw` as `hidden_surfaces` classifies them; `again`: places of those."""

    draw: Array
    again: Array


def plan(source: Any, frame: Any) -> Plan:
    """Opaque draws up to the first barrier or clear of their pass."""
    draws, barrier = classify(source.draws.rows, source.draws.state, frame.depth.state)
    stopped: dict[int, int] = {}
    for place, row in enumerate(source.draws.rows):
        if barrier[place]:
            stopped[row["pass"]] = min(row["event"], stopped.get(row["pass"], row["event"]))
    numbers = [row["pass"] for row in source.passes.rows]
    for event, row in source.passes.clears:
        stopped[numbers[row]] = min(event, stopped.get(numbers[row], event))
    again = [
        place
        for place, row in enumerate(source.draws.rows)
        if draws[place]["opaque"] and row["event"] < stopped.get(row["pass"], row["event"] + 1)
    ]
    return Plan(draws, np.array(again, np.int64))


def rewrite(source: Any, configuration: Hardware, frame: Any) -> f.Frame:
    """The frame with the draws of the first pass before those of the second; `source` is a `loading.loaded.Loaded`."""
    rewriting = plan(source, frame)
    source.carried.kept[NAME] = rewriting
    drawn_twice = np.zeros(len(rewriting.draw), bool)
    drawn_twice[rewriting.again] = True
    primitive, new_place, copies = _primitives(frame, drawn_twice, len(rewriting.draw))
    entry, bins, quad = _copies(frame, primitive, new_place, copies)
    batch, render_pass = _batches(source, frame, drawn_twice, primitive)
    rewritten = replace(
        f.Tables.of(frame),
        render_pass=render_pass,
        batch=batch,
        primitive=primitive,
        bin=bins,
        entry=entry,
        state=_states(frame.depth.state, rewriting.again),
        quad=quad,
    ).frame(sorts=False)
    rewritten.depth.blended["row"] = -1
    rewritten.depth.blended["row"][: len(frame.depth.quad)] = frame.depth.blended["row"]
    return rewritten


def _states(state: Array, again: Array) -> Array:
    """States of all draws, then those of the first pass."""
    first = state[again].copy()
    first["late"] = first["blends"] = first["writes_color"] = 0
    second = state.copy()
    second["depth_write"][again] = 0
    return np.concatenate([second, first])


def _pass_of(frame: Any) -> Array:
    """Pass of each primitive, clears among them."""
    last = frame.commands.render_pass["last_primitive"]
    return np.searchsorted(last, np.arange(len(frame.binning.primitive)), side="right")


def _primitives(frame: Any, twice: Array, draws: int) -> tuple[Array, Array, Array]:
    """Primitives in their new order; the new place of each old one, and of its copy or -1."""
    table = frame.binning.primitive
    render_pass = _pass_of(frame)
    copied = np.flatnonzero((table["clear"] < 0) & twice[table["state"]])
    # In each pass the copies come first.
    key = np.concatenate([2 * render_pass + 1, 2 * render_pass[copied]])
    order = np.argsort(key, kind="stable")
    rows = np.concatenate([table, table[copied]])
    number = np.cumsum(twice) - 1
    rows["state"][len(table) :] = draws + number[table["state"][copied]]
    rows["attributes"][len(table) :] = 1
    place = np.empty(len(rows), np.int64)
    place[order] = np.arange(len(rows))
    copies = np.full(len(table), -1, np.int64)
    copies[copied] = place[len(table) :]
    return rows[order], place[: len(table)], copies


def _copies(frame: Any, primitive: Array, place: Array, copies: Array) -> tuple[Array, Array, Array]:
    """Entries, bins and quads, those of the copies behind the others; primitives get their bins."""
    entry, quad = frame.binning.entry.copy(), frame.depth.quad.copy()
    copied = np.flatnonzero(copies[entry["primitive"]] >= 0)
    counts = (entry["last_quad"] - entry["first_quad"])[copied]
    rows = np.repeat(entry["first_quad"][copied] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    further, quads = entry[copied].copy(), quad[rows].copy()
    further["first_quad"] = len(quad) + np.cumsum(counts) - counts
    further["last_quad"] = further["first_quad"] + counts
    further["primitive"] = copies[entry["primitive"][copied]]
    quads["primitive"] = copies[quads["primitive"]]
    entry["primitive"], quad["primitive"] = place[entry["primitive"]], place[quad["primitive"]]
    entries = np.concatenate([entry, further])
    order = np.argsort(entries["primitive"], kind="stable")
    bins = np.zeros(len(entries), f.Bin.dtype)
    bins["entry"] = order
    limits = np.searchsorted(entries["primitive"][order], np.arange(len(primitive) + 1))
    primitive["first_bin"], primitive["last_bin"] = limits[:-1], limits[1:]
    return entries, bins, np.concatenate([quad, quads])


def _batches(source: Any, frame: Any, twice: Array, primitive: Array) -> tuple[Array, Array]:
    """Batches in their new order, passes with theirs; primitives know which vertices must have arrived."""
    batch, passes = frame.vertices.batch, frame.commands.render_pass.copy()
    draw_of = np.repeat(np.arange(len(twice)), [len(starts) for starts in source.draws.stream_start])
    order: list[int] = []
    reached: list[int] = []
    draws = len(twice)
    before = np.zeros(draws + int(twice.sum()), np.int64)
    number, committed = np.cumsum(twice) - 1, 0
    primitives = np.bincount(_pass_of(frame), minlength=len(passes))
    copied = frame.binning.primitive
    is_copied = (copied["clear"] < 0) & twice[copied["state"]]
    primitives += np.bincount(_pass_of(frame)[is_copied], minlength=len(passes))
    for row in passes:
        mine = np.arange(row["first_batch"], row["last_batch"])
        row["first_batch"] = len(order)
        for copy, chosen in ((True, mine[twice[draw_of[mine]]]), (False, mine)):
            for b in chosen:
                draw = draw_of[b]
                state = draws + number[draw] if copy else draw
                if b == 0 or draw_of[b - 1] != draw:
                    before[state] = committed - batch["first_stream"][b]
                reached.append(committed)
                committed += int(batch["last_stream"][b] - batch["first_stream"][b])
                order.append(int(b))
        row["last_batch"] = len(order)
    passes["last_primitive"] = np.cumsum(primitives)
    drawn = primitive["clear"] < 0
    primitive["stream_end"][drawn] += before[primitive["state"][drawn]].astype(np.int32)
    for place in np.flatnonzero(~drawn):
        primitive["stream_end"][place] = primitive["stream_end"][place - 1] if place else 0
    batch = batch[order]
    ends = np.maximum.accumulate(primitive["stream_end"])
    before = np.searchsorted(ends, np.array(reached, np.int64), side="right")
    batch["primitives_before"] = np.where(batch["primitives_before"] > 0, before, 0)
    return batch, passes
