"""The listener that follows one frame, operation by operation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..gles.context import Context
from ..gles.framebuffers import Attachment, Framebuffer
from ..gles.listener import Listener
from ..gles.programs import Program
from ..gles.surfaces import Picture
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch
from ..pipeline.draw import Renderer
from ..pipeline.fragments.fragment_shading import ShadedQuads
from ..pipeline.fragments.rasterization import Quads
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices, fetch_vertices
from ..pipeline.geometry.vertex_shading import ShadedVertices
from ..recording.collisionable import Collisionable
from ..recording.draws import DRAWN, attribute_rows, drawn_row, state_row
from ..recording.passes import Passes, slots_used
from .complexity import Complexity
from .geometry import mesh, vertex_table
from .operations import DrawDetail, Operation, SeenPlane, SeenProgram
from .outcomes import Outcomes, any_sample
from .planes import Plane, PlaneKey, changed, plane, planes_of
from .textures import Textures
from .uniforms import uniform_rows

_Batch = tuple[Quads, NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint16] | None]
"""Quads, and what `Outcomes.add` takes of them."""
_NO_FACING = np.zeros(0, np.bool_)
_QUIET = frozenset({"buffer_update", "link"})
"""Events that are no operation on pixels; their calls are listed."""


class FrameListener(Listener):
    """Follows a frame.

    Parameters
    ----------
    frame
        Its number, from 0.
    renderer
        Plans draws as `tilegpu render` would execute them.
    overdraw
        Whether pixels of the window are counted.

    Attributes
    ----------
    operations, programs, textures
        Of the frame, in order.
    planes
        Planes that operations of the frame may change, by key.
    first
        What planes held before the operation of that number, for those that are not wholly overwritten first.
    latest
        What planes hold now.
    complexity
        What draws to the window cover and write; None if that is not asked for, or nothing is drawn there.
    ends
        Numbers of the calls that ended the frame before, None for the first one, and this one.
    """

    def __init__(self, frame: int, renderer: Renderer, overdraw: bool = False) -> None:
        self.frame, self.renderer, self.overdraw = frame, renderer, overdraw
        self.complexity: Complexity | None = None
        self.number = self.worked = 0
        self.ends: tuple[int | None, int] = None, -1
        self.operations: list[Operation] = []
        self.programs: list[SeenProgram] = []
        self.textures = Textures()
        self.planes: dict[PlaneKey, SeenPlane] = {}
        self.first: dict[PlaneKey, Plane] = {}
        self.tables: dict[tuple[int, str], PathTable] = {}
        self.latest: dict[PlaneKey, Plane] = {}
        self._met: dict[PlaneKey, Attachment] = {}
        self._linked: list[LinkedProgram] = []
        self._places: dict[int, int] = {}
        self._passes, self._collisionable = Passes(), Collisionable()

    def _meet(self, framebuffer: Framebuffer, before: bool, cleared: frozenset[str] = frozenset()) -> list[PlaneKey]:
        """Keys of a framebuffer's planes.

        What new ones hold is kept if it is what was there before the operation, unless it is wholly cleared.
        """
        keys = []
        for slot, key, attachment in planes_of(framebuffer):
            self._met[key] = attachment
            if self.number != self.frame:
                continue
            keys.append(key)
            if key in self.planes:
                continue
            content = plane(attachment, key.kind)
            if content is None:
                continue
            owner = "window" if framebuffer.name == 0 else f"framebuffer {framebuffer.name}"
            label = f"{owner} {slot if not slot.startswith('color') else _color_label(slot, key)}"
            self.planes[key] = SeenPlane(key, label, content.shape[1], content.shape[0])
            if slot in cleared:
                self.latest.pop(key, None)
            elif before or key in self.latest:
                self.first[key] = self.latest.setdefault(key, content.copy())
        return keys

    def settle(self, operation: Operation) -> None:
        """Note what an operation that has just been executed changed."""
        for key in operation.planes:
            attachment = self._met.get(key)
            content = plane(attachment, key.kind) if attachment is not None else None
            if content is None:
                continue
            delta = changed(self.latest.get(key), content)
            if delta is not None:
                operation.changes.append((key, delta))
                self.latest[key] = content.copy()

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> _DrawSink | None:
        """A draw begins."""
        keys = self._meet(context.framebuffer, before=True)
        if self.number != self.frame:
            return None
        slots = slots_used(command, context.framebuffer.draw_buffers)
        entered = self._passes.enter(context.framebuffer, len(self.operations), frozenset(), *slots)
        row = _row(command, program, context)
        times = f" x {row['instances']}" if row["instances"] != 1 else ""
        title = f"{row['topology'].lower().replace('_', ' ')}, {row['count']:,} vertices{times}"
        detail = DrawDetail(
            self._program(program),
            command.arrays.label,
            self._collisionable(command.arrays.label),
            row,
            uniform_rows(command),
            self.textures.bound(command, {t.identity: t.name for t in context.state.units.values()}),
            self.renderer.plan(command, None).ways,
        )
        operation = Operation("draw", call, title, entered, keys, detail=detail, number=self._work())
        self.operations.append(operation)
        in_window = self.overdraw and context.framebuffer.name == 0
        if in_window and self.complexity is None:
            self.complexity = Complexity(*context.framebuffer.size)
        return _DrawSink(self, operation, command, self.complexity if in_window else None)

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> None:
        """A dispatch begins; what it does is not followed."""
        if self.number == self.frame:
            groups = " x ".join(str(int(n)) for n in dispatch.groups)
            facts = [("program", str(program.name))]
            self.operations.append(
                Operation("dispatch", call, f"{groups} work groups", facts=facts, number=self._work())
            )

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Something other than a draw has happened."""
        framebuffer: Framebuffer | None = fields.get("framebuffer")
        slots: dict[str, bool] = fields.get("slots", {}) if kind == "clear" else {}
        cleared = frozenset(slot for slot, whole in slots.items() if whole)
        keys = self._meet(framebuffer, False, cleared) if framebuffer is not None else []
        if self.number != self.frame or kind in _QUIET:
            return
        operation = Operation(kind, call, _title(kind, fields), planes=keys, facts=_facts(fields))
        if kind == "clear" and framebuffer is not None:
            event = len(self.operations)
            operation.pass_number = self._passes.enter(framebuffer, event, cleared, frozenset(), frozenset(slots))
        self.operations.append(operation)
        self.settle(operation)

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """A frame was completed: note its end or, before the chosen one, what attachments hold."""
        if number == self.frame:
            self.ends = self.ends[0], call
        self.number = number + 1
        if self.number == self.frame:
            self.ends = call, -1
            for key, attachment in self._met.items():
                content = plane(attachment, key.kind)
                if content is not None:
                    self.latest[key] = content.copy()
        if self.number < self.frame:
            # Attachments of the frame just before the chosen one are kept; others are read when a draw meets them.
            self._met.clear()

    def _work(self) -> int:
        """Number of the next draw or dispatch."""
        self.worked += 1
        return self.worked - 1

    def _program(self, program: Program) -> int:
        linked = program.linked
        assert linked is not None
        if id(linked) not in self._places:
            self._linked.append(linked)
            self._places[id(linked)] = len(self.programs)
            sources: dict[str, str] = {}
            for stage, source in zip(linked.shaders, program.sources, strict=False):
                sources[stage] = source
            counts: dict[str, int] = {stage: len(shader.instructions) for stage, shader in linked.shaders.items()}
            self.programs.append(SeenProgram(program.name, sources, counts))
        return self._places[id(linked)]


def _row(command: DrawCommand, program: Program, context: Context) -> dict[str, Any]:
    """See `DrawDetail.row`."""
    linked = command.state.program
    return {
        **dict(zip(DRAWN, drawn_row(command.vertices), strict=True)),
        "attributes": attribute_rows(command),
        **state_row(command),
        "constants_version": program.version,
        "program": {
            "uniforms": [uniform.name for uniform in linked.uniforms],
            "attributes": {attribute.name: attribute.location for attribute in linked.attributes},
            "vertex_instructions": len(linked.vertex.instructions),
            "fragment_instructions": len(linked.fragment.instructions),
        },
        "framebuffer": context.state.framebuffer,
    }


def _color_label(slot: str, key: PlaneKey) -> str:
    number, kind = slot.removeprefix("color"), "colour" if key.kind == "color" else key.kind
    return f"{kind} {number}" if int(number) else kind


def _title(kind: str, fields: dict[str, Any]) -> str:
    if kind == "clear":
        return ", ".join(fields["slots"]) or "nothing"
    if "box" in fields:
        x, y, width, height = fields["box"]
        return f"{width}x{height} at {x}, {y}"
    return kind.replace("_", " ")


def _facts(fields: dict[str, Any]) -> list[tuple[str, str]]:
    plain = {n: v for n, v in fields.items() if isinstance(v, bool | int | float | str | tuple | list)}
    return [(name.replace("_", " "), _plain(value)) for name, value in plain.items() if value is not None]


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


class _DrawSink:
    """Follows one draw.

    Parameters
    ----------
    listener, operation, command
        Where it is noted, and the draw.
    complexity
        Where its pixels are counted.
    """

    joining = None
    shade_occluded, colors = False, False

    def __init__(
        self, listener: FrameListener, operation: Operation, command: DrawCommand, complexity: Complexity | None
    ) -> None:
        self._listener, self._operation, self._command, self._complexity = listener, operation, command, complexity
        self._outcomes = Outcomes(command)
        self._batches: list[_Batch] = []
        self._quads: Quads
        self._alpha: NDArray[np.uint16] | None = None

    def observer(self) -> None:
        """Nothing: it is notified of stages."""

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the executed paths of a stage."""
        tables, key = self._listener.tables, (id(program), stage)
        if key not in tables:
            tables[key] = PathTable(program.shaders[stage])
        return tables[key]

    def begin_batch(self, quads: Quads) -> None:
        """Keep a batch, whose arrays are used again."""
        self._quads = Quads(quads.primitive.copy(), quads.x.copy(), quads.y.copy(), quads.coverage.copy())
        self._alpha = None

    def add_part(self, part: ShadedQuads) -> None:
        """Keep what alpha to coverage leaves."""
        if part.alpha_coverage is not None:
            if self._alpha is None:
                self._alpha = np.full(self._quads.number, 0xFFFF, np.uint16)
            self._alpha[part.quads] = part.alpha_coverage

    def end_batch(self, passed: NDArray[np.uint16], discarded: NDArray[np.uint8]) -> None:
        """Note the outcome of a batch, or keep it until it is known which primitives face the viewer."""
        if self._outcomes.needs_facing:
            self._batches.append((self._quads, passed.copy(), discarded.copy(), self._alpha))
        else:
            self._add((self._quads, passed, discarded, self._alpha), _NO_FACING)

    def _add(self, batch: _Batch, front: NDArray[np.bool_]) -> None:
        detail = self._operation.detail
        assert detail is not None
        self._outcomes.add(*batch, front)
        quads, passed, _, _ = batch
        detail.covered += quads.number
        if self._complexity is not None:
            self._complexity.add(quads, any_sample(quads.coverage), any_sample(passed))

    def drop_batch(self) -> None:
        """Keep nothing of a batch whose shading failed."""

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Note an instance; after the last one, what the draw changed."""
        detail = self._operation.detail
        assert detail is not None
        for batch in self._batches:
            self._add(batch, geometry.front)
        self._batches.clear()
        self._outcomes.add_uncovered(geometry)
        if instance == 0:
            detail.vertices = vertex_table(self._command, fetch_vertices(self._command, instance), shaded)
            detail.mesh = mesh(self._command, geometry)
        if instance == self._command.vertices.instances - 1:
            detail.fragments = self._outcomes.fragments
            detail.outcomes = self._outcomes.result()
            self._listener.settle(self._operation)
