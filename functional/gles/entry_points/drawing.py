"""Entry points that draw; they resolve the state to a `DrawCommand`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError, Unsupported
from ...pipeline.command import NOT_INDEXED, DrawCommand, Feedback, IndexSource, Vertices
from ...pipeline.draw import Outcome
from ...pipeline.index_stream import IndexStream, consecutive, indexed_by_bytes
from ...pipeline.sink import Sink
from ..arguments import handle
from ..context import Context
from ..draw_queue import DrawQueue
from ..effects import BASE_INSTANCE, PIXELS, PLAIN_DRAW
from ..feedback import VERTICES_PER_PRIMITIVE
from ..fixed.built_ins import load_built_ins
from ..fixed.variations import varied
from ..programs import Program
from ..queries import OCCLUSION, PRIMITIVES_WRITTEN
from ..resolve import resolve_draw
from ..resolve_arrays import array_locations, from_instance
from ..resolve_memory import Resolved, resolve_memory
from ..undefined import load_blocks, note_undefined
from .table import EntryPoints

entry = EntryPoints()
MAX_WITHOUT_ARRAYS = 1 << 22
"""Most vertices of a draw, whatever its arrays hold."""
INDEX_BYTES = {gl.UNSIGNED_BYTE: 1, gl.UNSIGNED_SHORT: 2, gl.UNSIGNED_INT: 4}


@entry(effect=PLAIN_DRAW)
def glDrawArrays(context: Context, mode: int, first: int, count: int) -> None:
    if context.passes_over and _passed_over(context, mode):
        return
    _check(context, mode, count)
    if first < 0:
        raise GLError(gl.INVALID_VALUE, f"first {first}")
    _draw(context, mode, first, count, 1)


@entry(effect=PLAIN_DRAW)
def glDrawElements(context: Context, mode: int, count: int, kind: int, indices: Any) -> None:
    if context.passes_over and _passed_over(context, mode):
        return
    _check(context, mode, count)
    _draw(context, mode, 0, count, 1, _indices(context, count, kind, indices))


@entry(effect=PLAIN_DRAW)
def glDrawRangeElements(context: Context, mode: int, start: int, end: int, count: int, kind: int, indices: Any) -> None:
    if end < start:
        raise GLError(gl.INVALID_VALUE, f"range {start} to {end}")
    glDrawElements(context, mode, count, kind, indices)


def _passed_over(context: Context, mode: int) -> bool:
    """Leave out a draw of which nothing is needed, and which is known to be valid; whatever changes more than pixels of
    the window takes the long way."""
    if context.executes or context.state.framebuffer or context.default_framebuffer is None:
        return False
    program = _program(context, mode)
    linked = program.linked if program is not None else None
    if (
        program is None
        or linked is None
        or linked.blocks
        or program.depth_range
        or program.built_ins
        or linked.accesses_memory
        or context.feedback.capturing
    ):
        return False
    arrays = [context.state.vertex_array.array(n) for n in array_locations(linked)]
    # Client-side arrays get a number in every draw.
    if context.active_queries or any(a.enabled and a.buffer is None for a in arrays):
        return False
    context.flush()
    program.dirty.clear()
    context.default_framebuffer.touched()
    return True


def _program(context: Context, mode: int) -> Program | None:
    """Program that a draw uses."""
    program = context.program
    if program is None and context.fixed_functions:
        program = context.fixed_programs.program(context, mode == gl.POINTS)
    return program


def _joins_as_before(context: Context, call: Call) -> bool:
    """Let a draw join those that wait, where its indices are known; whatever else there is to it takes the long way."""
    queue, state, arguments = context.queue, context.state, call.arguments
    buffer = state.vertex_array.element_buffer
    if queue is None or buffer is None or len(arguments) != 4:
        return False
    mode, count, kind, indices = arguments
    if indices is None:
        indices = 0
    if not (type(mode) is type(count) is type(kind) is int and isinstance(indices, int)) or kind not in INDEX_BYTES:
        return False
    size = INDEX_BYTES[kind]
    restart = (1 << 8 * size) - 1 if gl.PRIMITIVE_RESTART_FIXED_INDEX in state.enabled else -1
    stream = buffer.cached_stream(indices, count, size, restart)
    if stream is None:
        return False
    if queue.sink is not None:
        vertices = Vertices(mode, 0, 1, stream, IndexSource(size, buffer.identity, indices))
        return queue.take_recorded(vertices, call.number)
    return queue.take(mode, stream, call.number not in context.skipped) is True


entry.joining["glDrawElements"] = _joins_as_before


@entry("glDrawArraysInstanced", "glDrawArraysInstancedANGLE", "glDrawArraysInstancedEXT", effect=PIXELS)
def glDrawArraysInstanced(context: Context, mode: int, first: int, count: int, instances: int) -> None:
    _check(context, mode, count)
    if first < 0 or instances < 0:
        raise GLError(gl.INVALID_VALUE, f"first {first}, {instances} instances")
    _draw(context, mode, first, count, instances)


@entry("glDrawElementsInstanced", "glDrawElementsInstancedANGLE", "glDrawElementsInstancedEXT", effect=PIXELS)
def glDrawElementsInstanced(context: Context, mode: int, count: int, kind: int, indices: Any, instances: int) -> None:
    _check(context, mode, count)
    if instances < 0:
        raise GLError(gl.INVALID_VALUE, f"{instances} instances")
    _draw(context, mode, 0, count, instances, _indices(context, count, kind, indices))


def _with_suffixes(name: str) -> tuple[str, str, str]:
    return name, f"{name}EXT", f"{name}OES"


@entry(*_with_suffixes("glDrawElementsBaseVertex"), effect=PIXELS)
def glDrawElementsBaseVertex(context: Context, mode: int, count: int, kind: int, indices: Any, base: int) -> None:
    _check(context, mode, count)
    _draw(context, mode, 0, count, 1, _indices(context, count, kind, indices, base))


@entry(*_with_suffixes("glDrawRangeElementsBaseVertex"), effect=PIXELS)
def glDrawRangeElementsBaseVertex(
    context: Context, mode: int, start: int, end: int, count: int, kind: int, indices: Any, base: int
) -> None:
    if end < start:
        raise GLError(gl.INVALID_VALUE, f"range {start} to {end}")
    glDrawElementsBaseVertex(context, mode, count, kind, indices, base)


@entry(*_with_suffixes("glDrawElementsInstancedBaseVertex"), effect=PIXELS)
def glDrawElementsInstancedBaseVertex(
    context: Context, mode: int, count: int, kind: int, indices: Any, instances: int, base: int
) -> None:
    _check(context, mode, count)
    if instances < 0:
        raise GLError(gl.INVALID_VALUE, f"{instances} instances")
    _draw(context, mode, 0, count, instances, _indices(context, count, kind, indices, base))


@entry("glDrawElementsInstancedBaseInstanceEXT", effect=BASE_INSTANCE)
def glDrawElementsInstancedBaseInstance(
    context: Context, mode: int, count: int, kind: int, indices: Any, instances: int, first: int
) -> None:
    with from_instance(context, first):
        glDrawElementsInstancedBaseVertex(context, mode, count, kind, indices, instances, 0)


@entry("glDrawElementsInstancedBaseVertexBaseInstanceEXT", effect=BASE_INSTANCE)
def glDrawElementsInstancedBaseVertexBaseInstance(
    context: Context, mode: int, count: int, kind: int, indices: Any, instances: int, base: int, first: int
) -> None:
    with from_instance(context, first):
        glDrawElementsInstancedBaseVertex(context, mode, count, kind, indices, instances, base)


@entry("glDrawArraysInstancedBaseInstanceEXT", effect=BASE_INSTANCE)
def glDrawArraysInstancedBaseInstance(
    context: Context, mode: int, first: int, count: int, instances: int, instance: int
) -> None:
    with from_instance(context, instance):
        glDrawArraysInstanced(context, mode, first, count, instances)


def _check(context: Context, mode: int, count: int) -> None:
    if mode not in gl.TOPOLOGIES:
        if context.desktop and mode in gl.QUADRANGLES:
            raise Unsupported(f"GL_{gl.QUADRANGLES[mode]}, which OpenGL ES lacks")
        raise GLError(gl.INVALID_ENUM, f"mode {mode:#06x}")
    if count < 0:
        raise GLError(gl.INVALID_VALUE, f"count {count}")


class _Elements(NamedTuple):
    """Indices of a draw, and their place in memory."""

    stream: IndexStream
    source: IndexSource


def _indices(context: Context, count: int, kind: int, indices: Any, base: int = 0) -> _Elements:
    """Vertices of an indexed draw, which are indices plus a base, and the location of the indices."""
    if base:
        plain, source = _indices(context, count, kind, indices)
        if len(plain.distinct) and plain.distinct[0] + base < 0:
            raise GLError(gl.INVALID_OPERATION, f"index {plain.distinct[0]} with base vertex {base}")
        return _Elements(plain.shifted(base), source)
    size = INDEX_BYTES.get(kind)
    if size is None:
        raise GLError(gl.INVALID_ENUM, f"index type {kind:#06x}")
    if count == 0:
        return _Elements(consecutive(0, 0), IndexSource(size, -1, 0))
    restart = (1 << 8 * size) - 1 if gl.PRIMITIVE_RESTART_FIXED_INDEX in context.state.enabled else -1
    if isinstance(indices, bytes):
        _check_room(count, size, 0, len(indices))
        return _Elements(indexed_by_bytes(indices, count, size, restart), IndexSource(size, -1, 0))
    buffer = context.state.vertex_array.element_buffer
    if buffer is None:
        raise GLError(gl.INVALID_OPERATION, "no indices: no element array buffer is bound and the stream has none")
    offset = indices if type(indices) is int else handle(indices)
    stream = buffer.cached_stream(offset, count, size, restart)
    if stream is None:
        _check_room(count, size, offset, len(buffer.data))
        note_undefined(context, buffer, "an indexed draw")
        stream = buffer.index_stream(offset, count, size, restart)
    return _Elements(stream, IndexSource(size, buffer.identity, offset))


def _check_room(count: int, size: int, offset: int, room: int) -> None:
    if offset < 0 or offset + count * size > room:
        raise GLError(gl.INVALID_OPERATION, f"{count} indices from byte {offset} leave the buffer of {room} bytes")


def _consecutive(context: Context, first: int, count: int) -> IndexStream:
    """Consecutive vertices; GLError for more than any array can hold."""
    if count > MAX_WITHOUT_ARRAYS:
        arrays = [a for a in context.state.vertex_array.attributes if a.enabled]
        longest = max((len(a.buffer.data if a.buffer is not None else a.client or b"") for a in arrays), default=0)
        if first + count > max(longest, MAX_WITHOUT_ARRAYS):
            raise GLError(gl.OUT_OF_MEMORY, f"{count} vertices from {first} on; no array is that large")
    return consecutive(first, count)


def draw_arrays(context: Context, mode: int, count: int) -> None:
    """Draw consecutive vertices of arrays that exist for this draw only."""
    _draw(context, mode, 0, count, 1, plain=False)


def _feedback(context: Context, program: Program, mode: int, vertices: int, indexed: bool) -> Feedback:
    """Destination of a draw's captured vertices; GLError if the draw does not match the active transform feedback."""
    feedback = context.feedback
    if indexed or mode != feedback.mode or program is not feedback.program:
        raise GLError(gl.INVALID_OPERATION, "this draw does not match the active transform feedback")
    return feedback.streams(program, vertices)


def _captured(context: Context, feedback: Feedback, written: int) -> None:
    """Note what transform feedback wrote."""
    context.feedback.vertices += written * feedback.vertices_per_primitive
    query = context.active_queries.get(PRIMITIVES_WRITTEN)
    if query is not None:
        query.result += written
    for number, stream in enumerate(feedback.streams):
        buffer = context.feedback.bindings[number].buffer
        buffer.version += 1
        size = written * feedback.vertices_per_primitive * stream.stride_bytes
        context.listener.event(
            "buffer_update", context.call, buffer=buffer, offset_bytes=stream.first_byte, size_bytes=size
        )


def _waits(context: Context, command: DrawCommand, sink: Sink | None, executes: bool) -> bool:
    """Let a draw, executed or not, wait for others of the same state if nothing needs its result now."""
    may = context.joins_draws and command.vertices.instances == 1 and command.state.target.flipped
    observed = context.active_queries or command.feedback is not None or command.memory
    arrays, call = context.resolved_arrays, context.current_call
    if sink is not None and sink.joining is None:
        return False
    if not may or observed or arrays is None or call is None:
        return False
    if arrays.room < 0:
        # Client-side arrays exist for this draw only, so no other can join it.
        return False
    context.queue = DrawQueue(call, command, arrays.room, executes, sink)
    return True


def _joins(context: Context, vertices: Vertices) -> bool:
    """Join a draw with the waiting ones: since they wait, nothing has changed since the first was resolved."""
    queue, call, mode, stream = context.queue, context.current_call, vertices.topology, vertices.stream
    if queue is None or call is None:
        return False
    if queue.sink is not None:
        return queue.take_recorded(vertices, call.number)
    taken = queue.take(mode, stream, context.executes)
    if taken is None:
        following = queue.following(call, mode, stream, context.executes)
        context.flush()
        context.queue = following
    return taken is not False


def _draw(
    context: Context,
    mode: int,
    first: int,
    count: int,
    instances: int,
    elements: _Elements | None = None,
    plain: bool = True,
) -> None:
    stream, source = elements if elements is not None else (_consecutive(context, first, count), NOT_INDEXED)
    drawn = Vertices(mode, first, instances, stream, source)
    if plain and count and instances == 1 and context.queue is not None and _joins(context, drawn):
        return
    program = context.state.program or _program(context, mode)
    linked = program.linked if program is not None else None
    if program is None or linked is None or len(linked.shaders) < 2:
        # Undefined, but not an error in the specification (OpenGL ES 3.0, 2.12.3).
        raise GLError(gl.NO_ERROR, "no linked program with both stages is in use; nothing is drawn")
    if context.desktop and context.state.program is not None:
        program = varied(context, program, mode)
        linked = program.linked
        assert linked is not None
    per_primitive, feedback = VERTICES_PER_PRIMITIVE.get(mode, 1), None
    vertices = count // per_primitive * per_primitive * instances
    if context.feedback.capturing:
        feedback = _feedback(context, program, mode, vertices, elements is not None)
    if count == 0 or instances == 0:
        return
    if linked.blocks:
        load_blocks(context, program)
    if program.depth_range:
        program.load_depth_range(context.state.depth_range)
    if program.built_ins:
        load_built_ins(context, program)
    if instances > 1:
        context.check_work(vertices, "invocations for vertices")
    command = resolve_draw(context, program, drawn, feedback)
    memory: Resolved | None = None
    if linked.accesses_memory:
        memory = resolve_memory(context, linked.shaders)
        command = command._replace(memory=memory.stages)
    if context.queue is not None:
        context.flush()
    sink = None if context.unobserved else context.listener.draw(context, program, command, context.call)
    outcome = None
    executes = sink is not None or context.executes
    if not plain or not _waits(context, command, sink, executes):
        if executes:
            outcome = context.run_draw(command, sink)
        else:
            outcome = Outcome(primitives_written=vertices // per_primitive if feedback is not None else 0)
    program.dirty.clear()
    if memory is not None:
        memory.finish()
    context.framebuffer.touched()
    if outcome is None:
        return
    if feedback is not None:
        _captured(context, feedback, outcome.primitives_written)
    for target in OCCLUSION:
        if target in context.active_queries and outcome.any_passed:
            context.active_queries[target].result = 1
