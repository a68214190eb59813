"""The listener that records an activity: events, passes, draws, and the tables of every frame."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from ..activity import ActivityWriter
from ..frame_ranges import FrameRange, FrameSet
from ..gles.context import Context
from ..gles.framebuffers import Framebuffer
from ..gles.listener import Listener
from ..gles.programs import Program
from ..gles.resolve_memory import bound_image, bound_range
from ..gles.surfaces import Picture
from ..glsl.ir.program import Shader
from ..images import write_png
from ..pipeline.command import DrawCommand, Vertices
from ..pipeline.compute.dispatch import Dispatch
from ..pipeline.sampler import Sampler
from ..player import window_pixels
from .collisionable import Collisionable
from .dispatch_rows import RecordedDispatch, bound_buffers, bound_images
from .passes import Passes, no_picture, pass_picture, slots_of, slots_used
from .recorded_state import Detail, RecordedStates
from .resources import NOTHING_USED, Resources, UsedObject, UsedObjects
from .row_group import EVENT_COLUMNS, RowGroup
from .row_writing import RowWriting
from .sink import DrawSink

Level = Literal["summary", "visible", "all"]
_NOT_OF_DRAWS = (None,) * (len(EVENT_COLUMNS) - 2)


class ActivityListener(Listener):
    """Records what happens in some frames of a stream.

    Parameters
    ----------
    writer, writing
        Destination of the tables, and the writer of row groups.
    level
        summary: counts only; visible: quads that pass early depth are shaded and recorded; all: occluded quads, too.
    groups
        Optional groups: inputs, colors, pass_images.
    frames
        Frames to record.
    collisionable
        Decides by its label whether an object takes part in collision detection.
    """

    sees_skipped = False

    def __init__(
        self,
        writer: ActivityWriter,
        writing: RowWriting,
        level: Level = "visible",
        groups: frozenset[str] = frozenset(),
        frames: FrameRange | FrameSet | None = None,
        collisionable: Collisionable | None = None,
    ) -> None:
        self.writer, self.writing = writer, writing
        self.collisionable = collisionable or Collisionable()
        self.level, self.groups = level, groups
        self.frames = frames if frames is not None else FrameRange()
        self.number, self.recording = 0, 0 in self.frames
        self.events = self.first_event = self.draws = self.dispatches = 0
        self.worked = 0
        """Draws and dispatches of the frame so far."""
        self.recorded: list[int] = []
        self.resources = Resources()
        self.passes = Passes(partial(pass_picture, writer.partial) if "pass_images" in groups else no_picture)
        detail = Detail(level != "summary", level == "all", "inputs" in groups, "colors" in groups)
        self.states = RecordedStates(self.resources, detail)
        self._used = NOTHING_USED
        self.met: set[int] = set()
        self.rows = RowGroup()

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Record an event; before the recording, only note its objects."""
        event = self.events if self.recording else -1
        for name, meet in (("texture", self.resources.texture), ("buffer", self.resources.buffer)):
            if name in fields:
                meet(fields[name], event)
        if not self.recording:
            return
        columns = dict(fields)
        if "texture" in fields:
            columns["surface"] = fields["texture"].identity
        if "buffer" in fields:
            columns["buffer"] = fields["buffer"].identity
        if "box" in fields:
            columns |= dict(zip(("x", "y", "width", "height"), fields["box"], strict=True))
        if kind == "clear":
            columns |= self._clear(event, **fields)
        elif kind == "invalidate":
            self.passes.invalidate(fields["framebuffer"], frozenset(fields["slots"]))
        elif kind in ("blit", "resolve"):
            for attachment in (fields["source"], fields["goal"]):
                self.resources.attachment(attachment, event)
            columns["surface"] = fields["goal"].identity
            columns["level"], columns["layer"] = fields["goal"].level, fields["goal"].face
        self._add_event(kind, call, columns)

    def _add_event(self, kind: str, call: int, columns: dict[str, Any]) -> None:
        if self.level != "summary":
            self.rows.events.append((self.events, call, kind, *[columns.get(name) for name in EVENT_COLUMNS]))
        self.events += 1

    def _clear(self, event: int, framebuffer: Framebuffer, slots: dict[str, bool], **others: Any) -> dict[str, Any]:
        """Columns of a clear of some slots, complete or partial."""
        cleared = frozenset(slot for slot, whole in slots.items() if whole)
        number = self.passes.enter(framebuffer, event, cleared, frozenset(), frozenset(slots))
        attachments = slots_of(framebuffer)
        for attachment in attachments.values():
            self.resources.attachment(attachment, event)
        colors = [attachments[slot].identity for slot in slots if slot.startswith("color")]
        return {"pass": number, "surface": colors[0] if colors else None}

    def program_linked(self, program: Program, call: int) -> None:
        """Number the program."""
        number = self.resources.program(program)
        if self.recording:
            self._add_event("link", call, {"program": number})

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> RecordedDispatch | None:
        """Record a dispatch and return the sink for what its work groups do."""
        if not self.recording:
            return None
        number = self._met_program(program)
        self._meet_memory(context, dispatch.shader, self.events)
        self._meet_samplers(context, dispatch.samplers, self.events)
        rows = None
        if self.level != "summary":
            rows = self.rows.compute
            rows.add((self.dispatches, self.worked, self.events, number), context, program, dispatch)
        self.rows.summary.dispatch(number)
        self._add_event("dispatch", call, {"dispatch": self.dispatches})
        assert program.linked is not None
        paths = self.resources.paths(program.linked, "compute")
        sink = RecordedDispatch(rows, self.rows.summary, paths, dispatch, self.dispatches, number)
        self.dispatches += 1
        self.worked += 1
        return sink

    def _met_program(self, program: Program) -> int:
        """Number of a program that draws or dispatches."""
        number = self.resources.program(program)
        if number not in self.met:
            # The recording starts without constants, so the first draw of a program uploads them all.
            self.met.add(number)
            assert program.linked is not None
            program.dirty = {(stage, 0): len(program.constants.of(stage)) for stage in program.linked.shaders}
        return number

    def _meet_memory(self, context: Context, shader: Shader, event: int) -> None:
        for declared in shader.buffers:
            bound = bound_range(context, declared)
            if bound is not None:
                self.resources.buffer(bound.buffer, event)
        for image in shader.images:
            unit = bound_image(context, image)
            if unit is not None:
                self.resources.texture(unit[0], event)

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> DrawSink | None:
        """Record a draw and return the sink for what the pipeline does with it."""
        if not self.recording:
            return None
        framebuffer = context.framebuffer
        self._use(context, program, command, framebuffer)
        if command.memory and self.level != "summary":
            self._add_memory(context, command)
        add = partial(self._add_draws, framebuffer, program, command)
        add([(command.vertices, call)])
        return DrawSink(self.rows, self.states, command, self.draws - 1, program.identity, add)

    def _add_draws(
        self, framebuffer: Framebuffer, program: Program, command: DrawCommand, drawn: list[tuple[Vertices, int]]
    ) -> None:
        """Record the rows of draws of the state of a command, which use the objects last noted, by their calls."""
        event, last, slots = self.events, self.events + len(drawn) - 1, command.derived.slots
        if slots is None:
            slots = command.derived.slots = slots_used(command, framebuffer.draw_buffers)
        entered = self.passes.enter(framebuffer, event, frozenset(), *slots)
        if last > event:
            self.passes.enter(framebuffer, last, frozenset(), *slots)
        self._used.last_event = last
        self.rows.summary.draw(program.identity, len(drawn))
        if self.level != "summary":
            collides = self.collisionable(command.arrays.label)
            place = self.draws, self.worked, event, entered
            self.rows.draws.add(place, program, command, collides, [vertices for vertices, _ in drawn])
            add = self.rows.events.append
            for number, (_, call) in enumerate(drawn):
                # Draws have only the first two of these columns, and most events are draws.
                add((event + number, call, "draw", entered, self.draws + number, *_NOT_OF_DRAWS))
        self.events += len(drawn)
        self.draws += len(drawn)
        self.worked += len(drawn)

    def _use(self, context: Context, program: Program, command: DrawCommand, framebuffer: Framebuffer) -> None:
        """Note the objects that a draw uses; often those of the last one."""
        event, elements = self.events, None
        if command.vertices.index_source.buffer >= 0:
            elements = context.state.vertex_array.element_buffer
        revisions = context.group.objects_revision, framebuffer.revision, program.identity, program.units_revision
        used = self._used
        same = used.arrays is command.arrays and used.elements is elements and used.framebuffer is framebuffer
        if same and used.revisions == revisions and not command.memory:
            return
        used.end()
        self._met_program(program)
        lived = self._meet_vertices(context, command, event)
        samplers = command.state.samplers
        lived += self._meet_samplers(context, (*samplers.vertex, *samplers.fragment), event)
        lived += [self.resources.attachment(attachment, event) for attachment in framebuffer.attachments]
        for stage in command.memory:
            self._meet_memory(context, command.state.program.shaders[stage], event)
        self._used = UsedObjects(command.arrays, elements, framebuffer, revisions, lived, event)

    def _meet_vertices(self, context: Context, command: DrawCommand, event: int) -> list[UsedObject]:
        arrays, used = context.state.vertex_array, []
        for location, array in command.arrays.enabled.items():
            buffer = arrays.array(location).buffer
            if buffer is not None:
                used.append(self.resources.buffer(buffer, event))
            else:
                used.append(self.resources.client_array(array.buffer, len(array.data), event))
        if command.vertices.index_source.buffer >= 0 and arrays.element_buffer is not None:
            used.append(self.resources.buffer(arrays.element_buffer, event))
        return used

    def _add_memory(self, context: Context, command: DrawCommand) -> None:
        """Record what the buffers and images of a draw's shaders are bound to."""
        buffers: list[dict[str, Any]] = []
        images: list[dict[str, Any]] = []
        for stage, memory in command.memory.items():
            shader = command.state.program.shaders[stage]
            buffers += [{"stage": stage, **bound} for bound in bound_buffers(context, shader)]
            images += [{"stage": stage, **bound} for bound in bound_images(context, shader, memory)]
        self.rows.draw_memory.bound.add(draw=self.draws, buffers=buffers, images=images)

    def _meet_samplers(self, context: Context, samplers: tuple[Sampler, ...], event: int) -> list[UsedObject]:
        if not samplers:
            return []
        bound = {s.surface for s in samplers}
        met = {t.identity: t for t in (*context.state.units.values(), *context.default_textures.values())}
        return [self.resources.texture(met[identity], event) for identity in sorted(bound & met.keys())]

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """Write a row group of the frames so far, once there are enough rows."""
        if self.recording:
            self._add_event("swap", call, {})
            self.passes.close(picture.swapped)
            image = None
            if "pass_images" in self.groups:
                image = f"frame_{number:04d}.png"
                write_png(window_pixels(picture, alpha=True), self.writer.partial / image)
            self.rows.end_frame(number, (self.first_event, self.events - 1), picture, image, self.passes.take())
            self.recorded.append(number)
            self._used.end()
            self._used = NOTHING_USED
            self.resources.end_frame()
            if self.rows.full:
                self.write_rows()
        self.worked = 0
        self.number = number + 1
        self.recording = self.number in self.frames
        if not self.recording:
            # Constants that are uploaded until the next recorded frame are in no row.
            self.met.clear()
        self.first_event = self.events

    def write_rows(self) -> None:
        """Write the row groups of the frames that have ended since the last ones."""
        self.rows = self.writing.write(self.rows)

    def finish(self) -> None:
        """Write the tables of the whole recording, without a frame that never ended."""
        for row in self.passes.take():
            if row["image"] is not None:
                (self.writer.partial / row["image"]).unlink()
        for name, rows in self.resources.rows().items():
            self.writer.write(name, rows.columns())
