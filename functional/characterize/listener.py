"""Counts passes, images and dispatches of a frame, and collects the work of its draws."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

from ..frame_ranges import FrameRange
from ..gles.context import Context
from ..gles.framebuffers import Framebuffer
from ..gles.listener import Listener
from ..gles.programs import Program
from ..gles.surfaces import Picture
from ..glsl.block_layout import SLOT_BYTES
from ..glsl.ir.analysis import has_flow
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch
from ..pipeline.derived import StateDerived
from ..pipeline.fused.counting_state import Work
from ..pipeline.target import Target
from ..recording.passes import Passes, slots_used
from .counter import DrawCounter
from .schema import COUNTED
from .signatures import DISTANCES, WRITES
from .used_blocks import BUFFERS, TEXELS, rows_of

Row = dict[str, Any]
_NONE: frozenset[str] = frozenset()


class CharacterizingListener(Listener):
    """Makes the rows of the frames of a range.

    Parameters
    ----------
    counter
        Counts the work of draws.
    frames
        Frames to characterize; those before them are only compared with.

    Attributes
    ----------
    rows
        Rows by table of the frames that have ended.
    """

    restarts = True
    sees_contents = False

    def __init__(self, counter: DrawCounter, frames: FrameRange) -> None:
        self.counter, self.frames = counter, frames
        self.rows: dict[str, list[Row]] = {name: [] for name in COUNTED}
        self.forget()

    def forget(self) -> None:
        """Forget what happened so far, in which no frame ended."""
        self.counter.take()
        self.counter.take_marks()
        self.counter.fetched.take()
        self.counter.signatures.begin()
        self._passes = Passes()
        self._drawn: set[int] = set()
        # Target of the draw before, and states of draws to it, with their programs: further draws add nothing.
        self._target: Target | None = None
        self._entered: dict[StateDerived, Program] = {}
        self._dispatches = self._constant_bytes = 0
        self._computed: dict[int, Row] = {}
        self.counter.active = self._counts(0)

    def _counts(self, number: int) -> bool:
        return any(number + distance in self.frames for distance in (0, *DISTANCES))

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Follow the passes."""
        if not self.counter.active:
            return
        if kind == "clear":
            self._entered.clear()
            self._clear(**fields)
        elif kind == "invalidate":
            self._entered.clear()
            self._passes.invalidate(fields["framebuffer"], frozenset(fields["slots"]))
        elif kind in WRITES:
            self.counter.signatures.spoil()

    def _clear(self, framebuffer: Framebuffer, slots: dict[str, bool], **others: Any) -> None:
        cleared = frozenset(slot for slot, whole in slots.items() if whole)
        self._passes.enter(framebuffer, 0, cleared, _NONE, frozenset(slots))
        self._sign(framebuffer)
        if framebuffer.name == 0:
            self.counter.signatures.clear(repr((sorted(slots.items()), sorted(others.items()))))

    def _sign(self, framebuffer: Framebuffer) -> None:
        """Note a draw or clear that is not to the window, which later ones may read."""
        if framebuffer.name:
            self.counter.signatures.spoil()

    def program_linked(self, program: Program, call: int) -> None:
        """Number the program."""
        self.counter.signatures.spoil()
        if program.linked is not None:
            self.counter.name(program.linked, program.identity)

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> None:
        """Note the pass; the counter finds the work of the draw, perhaps joined with others."""
        if not self.counter.active:
            return
        if program.dirty:
            self._constant_bytes += SLOT_BYTES * sum(program.dirty.values())
        if self._entered.get(command.derived) is not program:
            self._enter(context.framebuffer, program, command)

    def _enter(self, framebuffer: Framebuffer, program: Program, command: DrawCommand) -> None:
        """Note the pass and the program of a draw."""
        target = command.state.target
        if target is not self._target:
            self._target = target
            self._entered.clear()
        self._entered[command.derived] = program
        self.counter.name(command.state.program, program.identity)
        slots = command.derived.slots
        if slots is None:
            slots = command.derived.slots = slots_used(command, framebuffer.draw_buffers)
        self._drawn.add(self._passes.enter(framebuffer, 0, _NONE, *slots))
        self._sign(framebuffer)

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> None:
        """Count a dispatch; counting does not change how it is executed."""
        if not self.counter.active:
            return
        self._dispatches += 1
        shader = dispatch.shader
        row = self._computed.setdefault(
            program.identity,
            {"program": program.identity, "stage": "compute", "invocations": 0, "instructions": None},
        )
        row["invocations"] += prod(dispatch.groups) * prod(shader.local_size)
        if not has_flow(shader):
            row["instructions"] = row["invocations"] * len(shader.instructions)

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """Make the rows of the frame."""
        if self.counter.active:
            self._passes.close(picture.swapped)
            self._add_rows(number, picture)
        self._passes.take()
        self._drawn.clear()
        self._entered.clear()
        self._computed.clear()
        self._dispatches = self._constant_bytes = 0
        self.counter.active = self._counts(number + 1)

    def take(self) -> dict[str, list[Row]]:
        """Rows since this was called last."""
        taken, self.rows = self.rows, {name: [] for name in self.rows}
        return taken

    def _add_rows(self, number: int, picture: Picture) -> None:
        passes, programs = self._passes.take(), self.counter.take()
        lists = self.counter.lists.take()
        used = {TEXELS: self.counter.take_marks(), BUFFERS: self.counter.fetched.take()}
        total: Counter[str] = Counter()
        for one in programs.values():
            total.update(one._asdict())
        pixels = _pixels(passes, self._drawn)
        repeated = self.counter.signatures.end_frame(_comparable(passes, picture))
        if number not in self.frames:
            return
        repeated["tiles"] = prod(self.counter.tile.grid(picture.width, picture.height))
        size = {"frame": number, "width": picture.width, "height": picture.height}
        others = {"constant_bytes": self._constant_bytes, "dispatches": self._dispatches, "passes": len(passes)}
        counts = {name: total[name] for name in _WORK}
        for kind, of in used.items():
            blocks = rows_of(number, kind, of)
            self.rows[kind.table] += blocks
            counts[kind.table] = sum(row["blocks"] for row in blocks)
        self.rows["tile_lists"] += [{"frame": number, **row._asdict()} for row in lists]
        overdraw = total["fragments_shaded"] / pixels if pixels else None
        self.rows["frames"].append({**size, **counts, **others, **repeated, "pixels": pixels, "overdraw": overdraw})
        for program, one in programs.items():
            self.rows["programs"] += [{"frame": number, "program": program, **row} for row in _stages(one)]
        self.rows["programs"] += [{"frame": number, **row} for _, row in sorted(self._computed.items())]


_WORK = (
    "draws",
    "vertices",
    "primitives",
    "primitives_visible",
    "tile_entries",
    "fragments",
    "fragments_shaded",
    "texels",
)


def _stages(work: Work) -> list[Row]:
    return [
        {"stage": "vertex", "invocations": work.vertices, "instructions": work.vertex_instructions},
        {"stage": "fragment", "invocations": work.fragments_shaded, "instructions": work.fragment_instructions},
    ]


def _comparable(passes: list[Row], picture: Picture) -> bool:
    """Whether the window is drawn in one pass, to one colour, on top of nothing."""
    screen = picture.attachment.identity
    drawn = [row["attachments"] for row in passes if any(a["surface"] == screen for a in row["attachments"])]
    if len(drawn) != 1:
        return False
    kept = any(a["load"] == "load" or (a["store"] == "store" and not a["slot"].startswith("color")) for a in drawn[0])
    return not kept and sum(a["slot"].startswith("color") for a in drawn[0]) == 1


def _pixels(passes: list[Row], drawn: set[int]) -> int:
    """Pixels of the images drawn to, each once at its largest."""
    sizes: dict[Any, tuple[int, int]] = {}
    for row in passes:
        if row["pass"] in drawn:
            first = next(iter(row["attachments"]), None)
            key = (first["surface"], first["level"], first["layer"]) if first else row["pass"]
            width, height = sizes.get(key, (0, 0))
            sizes[key] = max(width, row["width"]), max(height, row["height"])
    return sum(width * height for width, height in sizes.values())
