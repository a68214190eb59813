"""Entry points of shaders and programs, and of the locations of uniforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call
from ...glsl.ir.program import Stage
from ...opengl import enums as gl
from ...opengl.errors import GLError, Unsupported
from ...opengl.limits import MAX_UNIFORM_BUFFER_BINDINGS, MAX_VERTEX_ATTRIBS
from ..arguments import made, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import COMPARED, HARMLESS, SAMPLING
from ..programs import Program, Shader
from .table import EntryPoints

entry = EntryPoints()
STAGES: dict[int, Stage] = {
    gl.VERTEX_SHADER: "vertex",
    gl.FRAGMENT_SHADER: "fragment",
    gl.COMPUTE_SHADER: "compute",
}
INVALID_INDEX = 0xFFFFFFFF


def shader_object(context: Context, name: int) -> Shader:
    """Shader of a name; GLError if there is none (OpenGL ES 3.0, 2.12.1)."""
    if name not in context.group.shaders:
        code = gl.INVALID_OPERATION if name in context.group.programs else gl.INVALID_VALUE
        raise GLError(code, f"{name} is not a shader")
    return context.group.shaders[name]


def program_object(context: Context, name: int) -> Program:
    """Program of a name; GLError if there is none."""
    if name not in context.group.programs:
        code = gl.INVALID_OPERATION if name in context.group.shaders else gl.INVALID_VALUE
        raise GLError(code, f"{name} is not a program")
    return context.group.programs[name]


@entry.with_call("glCreateShader")
def glCreateShader(context: Context, call: Call) -> None:
    kind, name = whole(call.at(0)), made(call)
    check_enum(kind, STAGES, "shader type")
    if name:
        context.group.shaders[name] = Shader(name, STAGES[kind], desktop=context.desktop)


@entry()
def glShaderSource(context: Context, shader: int, count: int, strings: Sequence[str], lengths: Any) -> None:
    target = shader_object(context, shader)
    check_value(count >= 0, f"{count} strings")
    target.source = "".join(strings)


@entry.with_call("glCompileShader")
def glCompileShader(context: Context, call: Call) -> None:
    target = shader_object(context, whole(call.at(0)))
    if not target.compile():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])
    if target.log:
        message = f"{target.log.splitlines()[0]}; compiled nevertheless, as drivers do"
        context.report.note(context.report.tolerated, "GLSL beyond the specification", call, message)


@entry()
def glDeleteShader(context: Context, shader: int) -> None:
    if shader:
        target = shader_object(context, shader)
        target.deleted = True
        _forget_shader(context, target)


def _forget_shader(context: Context, shader: Shader) -> None:
    """Drop a shader that is marked for deletion and attached nowhere."""
    if shader.deleted and not shader.attached and context.group.shaders.get(shader.name) is shader:
        del context.group.shaders[shader.name]


@entry.with_call("glCreateProgram")
def glCreateProgram(context: Context, call: Call) -> None:
    name = made(call)
    if name:
        context.group.programs[name] = Program(name)


@entry()
def glAttachShader(context: Context, program: int, shader: int) -> None:
    target, attached = program_object(context, program), shader_object(context, shader)
    check_operation(attached.stage not in target.shaders, f"the program has a {attached.stage} shader already")
    target.shaders[attached.stage] = attached
    attached.attached += 1


@entry()
def glDetachShader(context: Context, program: int, shader: int) -> None:
    target, detached = program_object(context, program), shader_object(context, shader)
    check_operation(target.shaders.get(detached.stage) is detached, f"shader {shader} is not attached")
    _detach(context, target, detached)


def _detach(context: Context, program: Program, shader: Shader) -> None:
    del program.shaders[shader.stage]
    shader.attached -= 1
    _forget_shader(context, shader)


@entry()
def glBindAttribLocation(context: Context, program: int, index: int, name: str) -> None:
    target = program_object(context, program)
    check_value(0 <= index < MAX_VERTEX_ATTRIBS, f"attribute {index}")
    check_operation(not name.startswith("gl_"), f"{name} is reserved")
    target.attribute_locations[name] = index


@entry()
def glLinkProgram(context: Context, program: int) -> None:
    target = program_object(context, program)
    capturing = any(f.active and f.program is target for f in context.feedbacks.values())
    check_operation(not capturing, "transform feedback of this program is active")
    link(context, target)


def link(context: Context, target: Program) -> None:
    """Link the shaders of a program; GLError without a code if they do not match."""
    if not target.link():
        raise GLError(gl.NO_ERROR, target.log.splitlines()[0])
    target.identity = context.identities.take("program")
    assert target.linked is not None
    if target.linked.shaders.keys() not in ({"vertex"}, {"fragment"}):
        # Stages by themselves are in the recording once a pipeline combines them.
        context.listener.program_linked(target, context.call)


@entry(effect=COMPARED)
def glUseProgram(context: Context, program: int) -> None:
    chosen = program_object(context, program) if program else None
    if chosen is not None and chosen.linked is None:
        raise GLError(gl.INVALID_OPERATION, f"program {program} is not linked")
    check_operation(not context.feedback.capturing, "transform feedback is active")
    use_program(context, chosen)


def use_program(context: Context, chosen: Program | None) -> None:
    """Make a program the current one of the context, and release the one before."""
    before = context.state.program
    if chosen is before:
        return
    if chosen is not None:
        chosen.users += 1
    context.state.program = chosen
    if before is not None:
        before.users -= 1
        if before.deleted:
            forget_program(context, before)


@entry()
def glDeleteProgram(context: Context, program: int) -> None:
    if program:
        target = program_object(context, program)
        target.deleted = True
        forget_program(context, target)


def forget_program(context: Context, program: Program) -> None:
    """Drop a program that is marked for deletion and used by no context."""
    if program.deleted and not program.users and context.group.programs.get(program.name) is program:
        del context.group.programs[program.name]
        context.forget()
        for shader in list(program.shaders.values()):
            _detach(context, program, shader)


@entry.with_call("glGetUniformLocation", effect=HARMLESS)
def glGetUniformLocation(context: Context, call: Call) -> None:
    program, name = call.at(0), call.at(1)
    target = linked_program(context, whole(program))
    if isinstance(call.result, int) and isinstance(name, str):
        target.place(name, call.result)
    if context.on_answer is not None:
        context.answer(call, target.location_of(name) if isinstance(name, str) else -1)


def linked_program(context: Context, name: int) -> Program:
    """Program of a name; GLError if there is none, or it was never linked."""
    program = program_object(context, name)
    check_operation(program.linked is not None, f"program {name} is not linked")
    return program


@entry(effect=SAMPLING)
def glUniformBlockBinding(context: Context, program: int, index: int, binding: int) -> None:
    target = linked_program(context, program)
    assert target.linked is not None
    exists = 0 <= index < len(target.linked.blocks) or index in target.block_names
    check_value(exists and 0 <= binding < MAX_UNIFORM_BUFFER_BINDINGS, f"block {index}, binding {binding}")
    target.block_bindings[index] = binding


@entry()
def glValidateProgram(context: Context, program: int) -> None:
    target = program_object(context, program)
    target.validated = target.linked is not None


@entry("glProgramParameteri", "glProgramParameteriEXT")
def glProgramParameteri(context: Context, program: int, name: int, value: int) -> None:
    target = program_object(context, program)
    check_enum(name, (gl.PROGRAM_BINARY_RETRIEVABLE_HINT, gl.PROGRAM_SEPARABLE), "program parameter")
    check_value(value in (0, 1), f"{value}")
    if name == gl.PROGRAM_SEPARABLE:
        target.separable = bool(value)


@entry("glProgramBinary", "glProgramBinaryOES")
def glProgramBinary(context: Context, program: int, form: int, binary: Any, *_: Any) -> None:
    program_object(context, program)
    raise Unsupported("a program binary of the captured driver; its source is not in the stream")


@entry("glShaderBinary")
def glShaderBinary(context: Context, count: int, shaders: Any, form: int, *_: Any) -> None:
    raise GLError(gl.INVALID_ENUM, f"shader binary format {form:#06x}; no such format is supported")
