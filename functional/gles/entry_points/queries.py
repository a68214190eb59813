"""Entry points of query and sync objects (OpenGL ES 3.0, 2.14 and 5.2; EXT_occlusion_query_boolean)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..arguments import Handle, whole
from ..checks import check_enum, check_operation, check_value, listed
from ..context import Context
from ..effects import HARMLESS
from ..queries import OCCLUSION, TARGETS, TIMESTAMP, Query, Sync
from .table import EntryPoints

entry = EntryPoints()
FLUSH_BIT, TIMEOUT_IGNORED = 1, (1 << 64) - 1


@entry("glGenQueries", "glGenQueriesEXT", effect=HARMLESS)
def glGenQueries(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.queries.setdefault(name, Query(name))


@entry("glDeleteQueries", "glDeleteQueriesEXT")
def glDeleteQueries(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        gone = context.queries.pop(name, None)
        if gone is not None and gone.active:
            context.active_queries.pop(gone.target, None)


def _active(context: Context, target: int) -> Query | None:
    """Active query of a target; the two kinds of occlusion queries exclude each other."""
    kinds = OCCLUSION if target in OCCLUSION else {target}
    return next((context.active_queries[kind] for kind in kinds if kind in context.active_queries), None)


@entry("glBeginQuery", "glBeginQueryEXT")
def glBeginQuery(context: Context, target: int, name: int) -> None:
    check_enum(target, TARGETS, "query target")
    query = context.queries.get(name)
    if query is None or query.active or query.target not in (0, target) or _active(context, target) is not None:
        raise GLError(gl.INVALID_OPERATION, f"query {name} does not exist, is of another kind, or one is active")
    query.target, query.active, query.result = target, True, 0
    context.active_queries[target] = query


@entry("glEndQuery", "glEndQueryEXT")
def glEndQuery(context: Context, target: int) -> None:
    check_enum(target, TARGETS, "query target")
    check_operation(target in context.active_queries, "no query of this kind is active")
    context.active_queries.pop(target).active = False


@entry("glQueryCounterEXT")
def glQueryCounter(context: Context, name: int, target: int) -> None:
    check_enum(target, (TIMESTAMP,), "query target")
    check_operation(name in context.queries and not context.queries[name].active, f"query {name}")
    context.queries[name].target = target


@entry.answers("glGetQueryiv", "glGetQueryivEXT")
def glGetQueryiv(context: Context, target: int, name: int, *_: Any) -> int:
    check_enum(target, TARGETS | {TIMESTAMP}, "query target")
    check_enum(name, (gl.CURRENT_QUERY, gl.QUERY_COUNTER_BITS), "query parameter")
    if name == gl.QUERY_COUNTER_BITS:
        return 0
    active = context.active_queries.get(target)
    return active.name if active is not None else 0


@entry.answers(
    "glGetQueryObjectuiv",
    "glGetQueryObjectuivEXT",
    "glGetQueryObjectivEXT",
    "glGetQueryObjecti64vEXT",
    "glGetQueryObjectui64vEXT",
)
def glGetQueryObject(context: Context, name: int, parameter: int, *_: Any) -> int:
    query = context.queries.get(name)
    if query is None or query.active:
        raise GLError(gl.INVALID_OPERATION, f"query {name} does not exist, or is active")
    check_enum(parameter, (gl.QUERY_RESULT, gl.QUERY_RESULT_AVAILABLE), "query parameter")
    return query.result if parameter == gl.QUERY_RESULT else 1


@entry.answers("glIsQuery", "glIsQueryEXT")
def glIsQuery(context: Context, name: int) -> bool:
    return name in context.queries and context.queries[name].target != 0


@entry.with_call("glFenceSync", "glFenceSyncAPPLE")
def glFenceSync(context: Context, call: Call) -> None:
    condition, flags = whole(call.at(0)), whole(call.at(1))
    check_enum(condition, (gl.SYNC_GPU_COMMANDS_COMPLETE,), "condition")
    check_value(flags == 0, f"flags {flags}")
    if isinstance(call.result, int) and call.result:
        context.group.syncs[int(call.result)] = Sync(int(call.result))


def _sync(context: Context, handle: Handle) -> Sync:
    if handle not in context.group.syncs:
        raise GLError(gl.INVALID_VALUE, "no such sync object")
    return context.group.syncs[handle]


@entry.answers("glClientWaitSync", "glClientWaitSyncAPPLE")
def glClientWaitSync(context: Context, handle: Handle, flags: int, timeout: Any) -> int:
    check_value(not flags & ~FLUSH_BIT, f"flags {flags}")
    _sync(context, handle)
    return gl.ALREADY_SIGNALED


@entry("glWaitSync", "glWaitSyncAPPLE")
def glWaitSync(context: Context, handle: Handle, flags: int, timeout: Any) -> None:
    check_value(flags == 0 and timeout in (TIMEOUT_IGNORED, -1), f"flags {flags}, timeout {timeout}")
    _sync(context, handle)


@entry("glDeleteSync", "glDeleteSyncAPPLE")
def glDeleteSync(context: Context, handle: Handle) -> None:
    if handle:
        _sync(context, handle)
        del context.group.syncs[handle]


@entry.answers("glIsSync", "glIsSyncAPPLE")
def glIsSync(context: Context, handle: Handle) -> bool:
    return handle in context.group.syncs


@entry.answers("glGetSynciv", "glGetSyncivAPPLE")
def glGetSynciv(context: Context, handle: Handle, name: int, *_: Any) -> int:
    _sync(context, handle)
    values = {
        gl.OBJECT_TYPE: gl.SYNC_FENCE,
        gl.SYNC_CONDITION: gl.SYNC_GPU_COMMANDS_COMPLETE,
        gl.SYNC_STATUS: gl.SIGNALED,
        gl.SYNC_FLAGS: 0,
    }
    check_enum(name, values, "sync parameter")
    return values[name]
