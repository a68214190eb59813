"""Entry points of KHR_debug, EXT_debug_marker and EXT_debug_label: groups and labels name what is drawn."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import MAX_DEBUG_GROUPS, MAX_LABEL_BYTES
from ..arguments import Handle
from ..buffers import Buffer
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import HARMLESS
from ..state import VertexArrayObject
from .table import EntryPoints

entry = EntryPoints()
_KINDS = MappingProxyType(
    {
        gl.BUFFER: "buffer",
        gl.BUFFER_OBJECT_EXT: "buffer",
        gl.SHADER: "shader",
        gl.SHADER_OBJECT_EXT: "shader",
        gl.PROGRAM: "program",
        gl.PROGRAM_OBJECT_EXT: "program",
        gl.VERTEX_ARRAY: "vertex array",
        gl.VERTEX_ARRAY_OBJECT_EXT: "vertex array",
        gl.QUERY: "query",
        gl.QUERY_OBJECT_EXT: "query",
        gl.PROGRAM_PIPELINE: "pipeline",
        gl.PROGRAM_PIPELINE_OBJECT_EXT: "pipeline",
        gl.TRANSFORM_FEEDBACK: "transform feedback",
        gl.SAMPLER: "sampler",
        gl.TEXTURE: "texture",
        gl.RENDERBUFFER: "renderbuffer",
        gl.FRAMEBUFFER: "framebuffer",
    }
)
"""Kinds of objects by the enums of KHR_debug and of EXT_debug_label."""


@entry("glPushDebugGroup", "glPushDebugGroupKHR")
def glPushDebugGroup(context: Context, source: int, number: int, length: int, message: str) -> None:
    check_enum(source, (gl.DEBUG_SOURCE_APPLICATION, gl.DEBUG_SOURCE_THIRD_PARTY), "source")
    if len(context.debug_groups) >= MAX_DEBUG_GROUPS - 1:
        raise GLError(gl.STACK_OVERFLOW, f"{MAX_DEBUG_GROUPS} debug groups")
    context.debug_groups.append(_cut(message, length))


@entry()
def glPushGroupMarkerEXT(context: Context, length: int, marker: str) -> None:
    # Here a length of 0, too, means that the text is null-terminated.
    if len(context.debug_groups) < MAX_DEBUG_GROUPS - 1:
        context.debug_groups.append(_cut(marker, length or -1))


def _cut(text: str, length: int) -> str:
    return text if length < 0 else text[:length]


@entry("glPopDebugGroup", "glPopDebugGroupKHR")
def glPopDebugGroup(context: Context) -> None:
    if not context.debug_groups:
        raise GLError(gl.STACK_UNDERFLOW, "no debug group is open")
    context.debug_groups.pop()


@entry()
def glPopGroupMarkerEXT(context: Context) -> None:
    if context.debug_groups:
        context.debug_groups.pop()


def _labelled(context: Context, kind: str, name: int) -> Buffer | VertexArrayObject | None:
    """Object that stores its own label; None for kinds whose labels do not name geometry."""
    labelled: Any = None
    if kind == "buffer":
        labelled = context.group.buffers.get(name)
    elif kind == "vertex array":
        labelled = context.vertex_arrays.get(name)
    exists = labelled is not None or kind not in ("buffer", "vertex array")
    check_value(exists, f"no {kind} {name}")
    return labelled  # type: ignore[no-any-return]


@entry("glObjectLabel", "glObjectLabelKHR")
def glObjectLabel(context: Context, identifier: int, name: int, length: int, label: Any) -> None:
    check_enum(identifier, _KINDS, "kind of object")
    text = _cut(label, length) if isinstance(label, str) else ""
    check_value(len(text) < MAX_LABEL_BYTES, f"a label of {len(text)} characters")
    kind = _KINDS[identifier]
    target = _labelled(context, kind, name)
    if target is not None:
        target.label = text
        context.group.labelled = True
    context.labels[kind, name] = text


@entry()
def glLabelObjectEXT(context: Context, kind: int, name: int, length: int, label: Any) -> None:
    check_value(length >= 0, f"length {length}")
    glObjectLabel(context, kind, name, length or -1, label)


@entry.answers("glGetObjectLabel", "glGetObjectLabelKHR", "glGetObjectLabelEXT")
def glGetObjectLabel(context: Context, identifier: int, name: int, size: int, *_: Any) -> str:
    check_enum(identifier, _KINDS, "kind of object")
    check_value(size >= 0, f"size {size}")
    _labelled(context, _KINDS[identifier], name)
    return context.labels.get((_KINDS[identifier], name), "")[: max(0, size - 1)]


@entry("glObjectPtrLabel", "glObjectPtrLabelKHR")
def glObjectPtrLabel(context: Context, pointer: Handle, length: int, label: Any) -> None:
    check_value(pointer in context.group.syncs, "no such sync object")


_NAMES = """
glDebugMessageControl glDebugMessageControlKHR glDebugMessageCallback glDebugMessageCallbackKHR glDebugMessageInsert
glDebugMessageInsertKHR glGetDebugMessageLog glGetDebugMessageLogKHR glInsertEventMarkerEXT glStringMarkerGREMEDY
glGetObjectPtrLabel glGetObjectPtrLabelKHR glGetPointervKHR
"""


def _nothing(context: Context, call: Call) -> None:
    return


for _name in _NAMES.split():
    entry.with_call(_name, effect=HARMLESS)(_nothing)
