"""Frames of several applications as one frame whose tiles they share.

A pass of each application goes together with the passes of the others that have the same place in their frames: all
of their geometry is binned, one application after the other, then their tiles take turns. So each such pass has a row
of its own, with its geometry and without tiles, which its tiles refer to, and behind them comes a row of all these
tiles, without geometry. Of an application there may be several frames, whose tiles follow each other in its turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine import frame as f
from ..engine.unified_tables import Unified
from ..engine.work import FIRST_DRAW
from .source import ActivityError

Array = np.ndarray[Any, Any]

BY_PASS = ("batch", "stream", "primitive", "target", "written")
"""Tables whose rows go pass by pass; those of others lie application by application."""
AS_THEY_ARE = ("attribute", "state", "clear", "shader_depth", "saved", "instruction", "line", "move")
"""Tables that refer to no other."""
GEOMETRY, TILES = "geometry", "tiles"


@dataclass(frozen=True)
class Merged:
    """Frames of several applications as one.

    Parameters
    ----------
    frame
        For the machine to run.
    own
        Frames that it is made of.
    tile
        Of each own frame, rows of its tiles in the merged one.
    """

    frame: f.Frame
    own: tuple[f.Frame, ...]
    tile: tuple[Array, ...]

    def hand_back(self) -> None:
        """Enter what the machine has filled in into the frames that it is made of."""
        quads = saved = 0
        for own, tile in zip(self.own, self.tile, strict=True):
            mine = slice(quads, quads + len(own.depth.quad))
            own.depth.quad["passed"] = self.frame.depth.quad["passed"][mine]
            own.depth.blended["order"] = self.frame.depth.blended["order"][mine]
            own.commands.log[:] = np.asarray(self.frame.commands.log)[tile]
            own.depth.saved[:] = self.frame.depth.saved[saved : saved + len(own.depth.saved)]
            quads, saved = mine.stop, saved + len(own.depth.saved)


def merge(frames: Sequence[f.Frame], applications: Sequence[int], quantum_tiles: int | Mapping[int, int]) -> Merged:
    """Merge frames of several applications.

    Parameters
    ----------
    frames
        As loaded, without tables of techniques.
    applications
        Number of the application that each belongs to; frames of the same one follow each other.
    quantum_tiles
        How many tiles of one come before those of the next; by application, if these differ.

    Raises
    ------
    ActivityError
        If one dispatches compute programs, or its draws access buffers or images.
    """
    for number, frame in zip(applications, frames, strict=True):
        _check(number, frame)
    tables = [f.Tables.of(frame) for frame in frames]
    rows = _Rows(tables)
    made = {name: np.concatenate([getattr(each, name) for each in tables]) for name in AS_THEY_ARE}
    made |= _shaders(tables) | _lists(tables, rows) | _geometry(tables, rows, applications)
    quanta = dict.fromkeys(applications, quantum_tiles) if isinstance(quantum_tiles, int) else dict(quantum_tiles)
    render_pass, tile, places = _passes(tables, rows, applications, quanta)
    made |= {"render_pass": render_pass, "tile": tile}
    for name in ("target", "written"):
        made[name] = rows.joined(name, [getattr(each, name) for each in tables])
    merged = f.Tables(**made).frame()
    merged.depth.blended["row"] = np.concatenate([frame.depth.blended["row"] for frame in frames])
    machine = _machine([frame.machine for frame in frames], rows)
    return Merged(merged._replace(machine=machine), tuple(frames), tuple(places))


def _check(application: int, frame: f.Frame) -> None:
    machine = frame.machine
    if np.any(frame.commands.render_pass["last_dispatch"]):
        raise ActivityError(f"application {application} dispatches compute programs: share the GPU by frame")
    if isinstance(machine, Unified) and (len(machine.quad_access) or len(machine.stream_access)):
        raise ActivityError(f"draws of application {application} access buffers or images: share the GPU by frame")


class _Rows:
    """Places of the rows of each frame in the merged one.

    Parameters
    ----------
    tables
        Of each frame.
    """

    def __init__(self, tables: Sequence[f.Tables]) -> None:
        self.tables = tables
        most = max(len(each.render_pass) for each in tables)
        self.groups = [[k for k, each in enumerate(tables) if p < len(each.render_pass)] for p in range(most)]
        self._place = {name: self._places(name) for name in BY_PASS}

    def first(self, name: str, k: int) -> int:
        """First row of frame k in a table that lies application by application."""
        return sum(len(getattr(each, name)) for each in self.tables[:k])

    def range(self, name: str, k: int, p: int) -> tuple[int, int]:
        """Rows of pass p in a table of frame k that goes pass by pass."""
        each = self.tables[k]
        row = each.render_pass[p]
        if name == "primitive":
            before = each.render_pass["last_primitive"][p - 1] if p > 0 else 0
            return int(before), int(row["last_primitive"])
        if name != "stream":
            return int(row[f"first_{name}"]), int(row[f"last_{name}"])
        batch = each.batch[row["first_batch"] : row["last_batch"]]
        return (int(batch["first_stream"][0]), int(batch["last_stream"][-1])) if len(batch) else (0, 0)

    def place(self, name: str, k: int) -> Array:
        """Row in the merged table of each row of frame k, and behind the last one the end."""
        return self._place[name][k]

    def ends(self, name: str, k: int, end: Array) -> Array:
        """Ends of ranges that begin with the table of frame k, as ends in the merged table."""
        return np.where(end > 0, self.place(name, k)[np.maximum(end, 1) - 1] + 1, 0)

    def joined(self, name: str, parts: Sequence[Array]) -> Array:
        """A merged table, or a column of it, from those of the frames."""
        made = np.zeros(sum(map(len, parts)), parts[0].dtype)
        for k, part in enumerate(parts):
            made[self.place(name, k)[:-1]] = part
        return made

    def _places(self, name: str) -> list[Array]:
        places = [np.full(len(getattr(each, name)) + 1, -1, np.int64) for each in self.tables]
        end = 0
        for p, members in enumerate(self.groups):
            for k in members:
                first, last = self.range(name, k, p)
                places[k][first:last] = end + np.arange(last - first)
                end += last - first
        for place in places:
            # What belongs to no pass comes last.
            absent = np.flatnonzero(place[:-1] < 0)
            place[absent] = end + np.arange(len(absent))
            end += len(absent)
            place[-1] = end
        return places


def _moved(table: Array, **by: Array | int) -> Array:
    """Table with something added to some columns, -1 for none left as it is."""
    made = table.copy()
    for name, number in by.items():
        made[name] = np.where(made[name] >= 0, made[name] + number, made[name])
    return made


def _shaders(tables: Sequence[f.Tables]) -> dict[str, Array]:
    """Programs, and texture operations."""
    path, sequence, operation = [], [], []
    instructions = steps = lines = 0
    for each in tables:
        path.append(_moved(each.path, first=steps, last=steps))
        sequence.append(each.sequence + np.int32(instructions))
        operation.append(_moved(each.operation, first_line=lines))
        instructions, steps, lines = (
            instructions + len(each.instruction),
            steps + len(each.sequence),
            lines + len(each.line),
        )
    return {"path": np.concatenate(path), "sequence": np.concatenate(sequence), "operation": np.concatenate(operation)}


def _lists(tables: Sequence[f.Tables], rows: _Rows) -> dict[str, Array]:
    """Lists of tiles, and quads."""
    bins, entry, quad = [], [], []
    for k, each in enumerate(tables):
        quads = rows.first("quad", k)
        bins.append(_moved(each.bin, entry=rows.first("entry", k)))
        entry.append(_moved(each.entry, first_quad=quads, last_quad=quads))
        entry[-1]["primitive"] = rows.place("primitive", k)[each.entry["primitive"]]
        made = _moved(
            each.quad,
            path=rows.first("path", k),
            operation=rows.first("operation", k),
            shader_depth=rows.first("shader_depth", k),
        )
        made["primitive"] = rows.place("primitive", k)[each.quad["primitive"]]
        quad.append(made)
    return {"bin": np.concatenate(bins), "entry": np.concatenate(entry), "quad": np.concatenate(quad)}


def _geometry(tables: Sequence[f.Tables], rows: _Rows, applications: Sequence[int]) -> dict[str, Array]:
    """Draws, vertices and primitives, all on the account of their application."""
    batch, stream, primitive = [], [], []
    vertices = 0
    for k, (each, application) in enumerate(zip(tables, applications, strict=True)):
        attributes, bins = rows.first("attribute", k), rows.first("bin", k)
        batch.append(_moved(each.batch, first_attribute=attributes, last_attribute=attributes))
        count = each.batch["last_stream"] - each.batch["first_stream"]
        batch[-1]["first_stream"] = rows.place("stream", k)[each.batch["first_stream"]]
        batch[-1]["last_stream"] = batch[-1]["first_stream"] + count
        batch[-1]["primitives_before"] = rows.ends("primitive", k, each.batch["primitives_before"])
        # A vertex is known by its row in the activity: those of different applications are never the same.
        paths, operations = rows.first("path", k), rows.first("operation", k)
        stream.append(_moved(each.stream, path=paths, operation=operations, vertex=vertices))
        vertices += 1 + int(each.stream["vertex"].max(initial=0))
        made = _moved(
            each.primitive, state=rows.first("state", k), clear=rows.first("clear", k), first_bin=bins, last_bin=bins
        )
        made["stream_end"] = rows.ends("stream", k, each.primitive["stream_end"])
        primitive.append(made)
        for table in (batch[-1], stream[-1], made):
            table["work"] = FIRST_DRAW + application
    return {
        "batch": rows.joined("batch", batch),
        "stream": rows.joined("stream", stream),
        "primitive": rows.joined("primitive", primitive),
    }


def _passes(
    tables: Sequence[f.Tables], rows: _Rows, applications: Sequence[int], quanta: Mapping[int, int]
) -> tuple[Array, Array, list[Array]]:
    """Passes and tiles, and the places of each frame's tiles among them."""
    passes: list[Array] = []
    tiles: list[Array] = []
    places = [np.zeros(len(each.tile), np.int64) for each in tables]
    end = 0
    for p, members in enumerate(rows.groups):
        row_of = {k: len(passes) + i for i, k in enumerate(members)}
        for k in members:
            passes.append(_geometry_row(tables[k].render_pass[p : p + 1].copy(), rows, k, p, applications[k]))
        spans: dict[int, list[tuple[int, int, int]]] = {}
        for k in members:
            row = tables[k].render_pass[p]
            spans.setdefault(applications[k], []).append((k, int(row["first_tile"]), int(row["last_tile"])))
        began = end
        for k, first, last in _in_turns(spans, quanta):
            entries = rows.first("entry", k)
            made = _moved(tables[k].tile[first:last], first_entry=entries, last_entry=entries)
            made["render_pass"], made["application"] = row_of[k], applications[k]
            places[k][first:last] = end + np.arange(last - first)
            end += last - first
            tiles.append(made)
        for row in passes[-len(members) :]:
            row["first_tile"] = row["last_tile"] = began
        if len(members) > 1:
            passes.append(_tile_row(passes[-len(members) :]))
        passes[-1]["first_tile"], passes[-1]["last_tile"] = began, end
    none = np.zeros(0, f.Tile.dtype)
    return np.concatenate(passes), np.concatenate([*tiles, none]), places


def _geometry_row(row: Array, rows: _Rows, k: int, p: int, application: int) -> Array:
    """Row of a pass with its geometry, and what its tiles refer to."""
    for name in ("batch", "target", "written"):
        first, last = rows.range(name, k, p)
        row[f"first_{name}"] = rows.place(name, k)[first] if last > first else 0
        row[f"last_{name}"] = row[f"first_{name}"] + last - first
    first, last = rows.range("primitive", k, p)
    row["last_primitive"] = _last_primitive(rows, k, p)
    row = _moved(row, first_move=rows.first("move", k), last_move=rows.first("move", k))
    saved = rows.first("saved", k)
    row = _moved(row, load_depth=saved, store_depth=saved, load_stencil=saved, store_stencil=saved)
    row["application"] = application
    return row


def _last_primitive(rows: _Rows, k: int, p: int) -> int:
    """Primitives up to the end of a pass, those of other applications before it included."""
    count = 0
    for place, members in enumerate(rows.groups[: p + 1]):
        for each in members:
            if place == p and each > k:
                break
            first, last = rows.range("primitive", each, place)
            count += last - first
    return count


def _tile_row(members: Sequence[Array]) -> Array:
    """Row of the tiles of several passes, which come before it; when it is over all attachments are drawn to, and all
    their Parameter Buffers are read."""
    row = members[-1].copy()
    row["first_batch"] = row["last_batch"]
    row["first_move"] = row["last_move"]
    for name in ("target", "written"):
        some = [each for each in members if each[f"last_{name}"][0] > each[f"first_{name}"][0]]
        row[f"first_{name}"] = some[0][f"first_{name}"] if some else 0
        row[f"last_{name}"] = some[-1][f"last_{name}"] if some else 0
    row["dead_bytes"], row["dead_passes"] = 0, len(members)
    return row


def _in_turns(
    spans: Mapping[int, Sequence[tuple[int, int, int]]], quanta: Mapping[int, int]
) -> Iterator[tuple[int, int, int]]:
    """Runs of tiles, in turns of applications: frame, first and last tile.

    Parameters
    ----------
    spans
        By application, the same of its frames.
    quanta
        Tiles of a turn of each.
    """
    waiting = {application: list(reversed(of_frames)) for application, of_frames in spans.items()}
    while any(waiting.values()):
        for application, of_frames in waiting.items():
            room = quanta[application]
            while of_frames and room > 0:
                k, first, last = of_frames.pop()
                taken = min(room, last - first)
                room -= taken
                if taken:
                    yield k, first, first + taken
                if first + taken < last:
                    of_frames.append((k, first + taken, last))


def _machine(parts: Sequence[Any], rows: _Rows) -> Any:
    """Tables of the machine's own."""
    if not isinstance(parts[0], Unified):
        return parts[0]
    return parts[0]._replace(
        fragment_registers=np.concatenate([part.fragment_registers for part in parts]),
        vertex_registers=rows.joined("batch", [part.vertex_registers for part in parts]),
    )
