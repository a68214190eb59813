"""Entry points of program pipelines and separable programs (OpenGL ES 3.1, 7.3 and 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..arguments import made, texts, whole
from ..checks import check_enum, check_operation, check_value, listed
from ..context import Context
from ..effects import HARMLESS, SAMPLING
from ..pipelines import ProgramPipeline
from ..programs import Program, Shader
from .programs import STAGES, forget_program, link, program_object
from .table import EntryPoints

entry = EntryPoints()
_BITS = {0x1: "vertex", 0x2: "fragment", 0x20: "compute"}
ALL_STAGES = 0xFFFFFFFF


@entry.with_call("glCreateShaderProgramv", "glCreateShaderProgramvEXT")
def glCreateShaderProgramv(context: Context, call: Call) -> None:
    kind, count, name = whole(call.at(0)), whole(call.at(1)), made(call)
    check_enum(kind, STAGES, "shader type")
    check_value(count >= 0, f"{count} strings")
    if not name:
        return
    program = context.group.programs[name] = Program(name, separable=True)
    shader = Shader(name, STAGES[kind], "".join(texts(call.at(2))[:count]), desktop=context.desktop)
    if not shader.compile():
        program.log = shader.log
        raise GLError(gl.NO_ERROR, shader.log.splitlines()[0])
    program.shaders[shader.stage] = shader
    try:
        link(context, program)
    finally:
        program.shaders.clear()


@entry("glGenProgramPipelines", "glGenProgramPipelinesEXT", effect=HARMLESS)
def glGenProgramPipelines(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.pipelines.setdefault(name, ProgramPipeline(name))


@entry("glDeleteProgramPipelines", "glDeleteProgramPipelinesEXT", effect=SAMPLING)
def glDeleteProgramPipelines(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        gone = context.pipelines.pop(name, None)
        if gone is None:
            continue
        if context.state.pipeline is gone:
            context.state.pipeline = None
        for stage in list(gone.stages):
            _set_stage(context, gone, stage, None)
        _activate(context, gone, None)
        context.forget()


@entry.answers("glIsProgramPipeline", "glIsProgramPipelineEXT")
def glIsProgramPipeline(context: Context, name: int) -> bool:
    return name in context.pipelines and context.pipelines[name].bound


def _pipeline(context: Context, name: int) -> ProgramPipeline:
    """Pipeline of a name that glGenProgramPipelines made; it exists from now on."""
    check_operation(name in context.pipelines, f"{name} is not a program pipeline")
    context.pipelines[name].bound = True
    return context.pipelines[name]


@entry("glBindProgramPipeline", "glBindProgramPipelineEXT", effect=SAMPLING)
def glBindProgramPipeline(context: Context, name: int) -> None:
    check_operation(not context.feedback.capturing, "transform feedback is active")
    context.state.pipeline = _pipeline(context, name) if name else None


@entry("glUseProgramStages", "glUseProgramStagesEXT", effect=SAMPLING)
def glUseProgramStages(context: Context, name: int, stages: int, program: int) -> None:
    pipeline = _pipeline(context, name)
    used = context.state.pipeline is pipeline and context.state.program is None
    check_operation(not (used and context.feedback.capturing), "transform feedback is active")
    every = stages & ALL_STAGES == ALL_STAGES
    check_value(every or not stages & ~sum(_BITS), f"stages {stages:#x}")
    chosen = program_object(context, program) if program else None
    if chosen is not None:
        check_operation(chosen.linked is not None, f"program {program} is not linked")
        check_operation(chosen.linked_separable, f"program {program} is not separable")
    pipeline.validated = False
    for bit, stage in _BITS.items():
        if every or stages & bit:
            present = chosen is not None and chosen.linked is not None and stage in chosen.linked.shaders
            _set_stage(context, pipeline, stage, chosen if present else None)


def _set_stage(context: Context, pipeline: ProgramPipeline, stage: Any, chosen: Program | None) -> None:
    before = pipeline.stages.pop(stage, None)
    if chosen is not None:
        chosen.users += 1
        pipeline.stages[stage] = chosen
    _release(context, before)


def _activate(context: Context, pipeline: ProgramPipeline, chosen: Program | None) -> None:
    before, pipeline.active = pipeline.active, chosen
    if chosen is not None:
        chosen.users += 1
    _release(context, before)


def _release(context: Context, program: Program | None) -> None:
    if program is not None:
        program.users -= 1
        forget_program(context, program)


@entry("glActiveShaderProgram", "glActiveShaderProgramEXT", effect=HARMLESS)
def glActiveShaderProgram(context: Context, name: int, program: int) -> None:
    chosen = program_object(context, program) if program else None
    pipeline = _pipeline(context, name)
    check_operation(chosen is None or chosen.linked is not None, f"program {program} is not linked")
    _activate(context, pipeline, chosen)


@entry("glValidateProgramPipeline", "glValidateProgramPipelineEXT")
def glValidateProgramPipeline(context: Context, name: int) -> None:
    pipeline = _pipeline(context, name)
    pipeline.log = pipeline.problem(context.note_combined)
    pipeline.validated = not pipeline.log


@entry.answers("glGetProgramPipelineiv", "glGetProgramPipelineivEXT")
def glGetProgramPipelineiv(context: Context, name: int, parameter: int, *_: Any) -> int:
    pipeline = _pipeline(context, name)
    names: dict[str, int] = {stage: program.name for stage, program in pipeline.stages.items()}
    values = {
        gl.ACTIVE_PROGRAM: pipeline.active.name if pipeline.active is not None else 0,
        **{kind: names.get(stage, 0) for kind, stage in STAGES.items()},
        gl.VALIDATE_STATUS: int(pipeline.validated),
        gl.INFO_LOG_LENGTH: len(pipeline.log) + 1 if pipeline.log else 0,
    }
    check_enum(parameter, values, "pipeline parameter")
    return values[parameter]


@entry.answers("glGetProgramPipelineInfoLog", "glGetProgramPipelineInfoLogEXT")
def glGetProgramPipelineInfoLog(context: Context, name: int, size: int, *_: Any) -> str:
    check_operation(name in context.pipelines, f"{name} is not a program pipeline")
    check_value(size >= 0, f"{size} bytes")
    return context.pipelines[name].log[: max(0, size - 1)]
