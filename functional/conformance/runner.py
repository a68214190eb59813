"""Runs conformance cases: compile, link, run a quad per row of values, and let the shader compare."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CompilerFault, ExecutionError
from ..execute.backend import Backend, TextureRequest
from ..execute.numpy_backend import NumpyBackend
from ..glsl import LinkedProgram, LinkError, ShaderError, compile_shader, link_program
from ..glsl.ir.program import Shader, Stage
from ..glsl.link import CompiledShader
from ..glsl.link_separate import link_pair, link_stage
from ..glsl.preprocessor.directives import EXTENSIONS_300, EXTENSIONS_310
from ..opengl import enums as gl
from ..opengl.limits import LIMITS
from .files import OTHER_STAGES, Case, read_cases
from .sources import SHAPES, Templates, variants

_EXTENSIONS = {
    100: ("GL_OES_standard_derivatives", "GL_EXT_shader_texture_lod", "GL_EXT_draw_buffers", "GL_EXT_frag_depth"),
    300: EXTENSIONS_300,
    310: EXTENSIONS_310,
}
"""Extensions that cases may require, by the versions that are judged."""
_BUILD_ONLY = ("build_successful", "compile_fail", "link_fail", "compile_or_link_fail")
_STAGES: dict[str, Stage] = {"vertex": "vertex", "fragment": "fragment"}
_QUAD = 4
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a case.

    Attributes
    ----------
    case : str
        Group and name, with "_vertex" or "_fragment" if the case is run in both stages.
    status : str
        "passed", "failed" or "unsupported".
    expected, got : str
        The file's expectation, and what happened.
    """

    case: str
    status: str
    expected: str
    got: str


def run_file(path: Path, backend: Backend | None = None) -> list[Outcome]:
    """Run every case of a test file, with numpy or another back end.

    Raises
    ------
    ConformanceError
        If the file is not in dEQP's format.
    """
    outcomes = []
    for case in read_cases(path):
        for suffix, vertex, fragment in variants(case):
            outcomes.append(run_case(case, case.name + suffix, vertex, fragment, backend))
    return outcomes


def run_case(case: Case, name: str, vertex: str, fragment: str, backend: Backend | None = None) -> Outcome:
    """Run a case with these sources."""
    missing = [f"requires {r}" for r in case.requires if not _is_met(r, case.version)]
    present = {stage for stages in (case.stages, *case.programs) for stage in stages}
    missing += [f"{stage} shader" for stage in OTHER_STAGES if stage in present]
    if case.version not in _EXTENSIONS:
        missing.append(f"version {case.version}")
    if missing:
        return Outcome(name, "unsupported", case.expect, missing[0])
    got = _verdict(case, vertex, fragment, backend or NumpyBackend())
    return Outcome(name, "passed" if _agrees(case.expect, got) else "failed", case.expect, got)


def _is_met(requirement: str, version: int) -> bool:
    words = requirement.split()
    if words[0] == "extension":
        return any(name in words for name in _EXTENSIONS.get(version, ()))
    if words[0] == "limit":
        answer = LIMITS.get(getattr(gl, words[1].removeprefix("GL_"), 0), ())
        return words[2] == ">" and bool(answer) and float(answer[0]) > float(words[3])
    return words[0] in ("full_glsl_es_100_support", "only_glsl_es_100_support", "exactly_one_draw_buffer")


def _agrees(expected: str, got: str) -> bool:
    verdict = got.split(" ", 1)[0]
    if expected == "compile_or_link_fail":
        return verdict in ("compile_fail", "link_fail")
    if expected in ("compile_fail", "link_fail", "validation_fail"):
        return verdict == expected
    return verdict == "pass"


def _verdict(case: Case, vertex_source: str, fragment_source: str, backend: Backend) -> str:
    """ "pass", "wrong", or "compile_fail", "link_fail", "validation_fail" or "error" with the message."""
    if case.programs:
        return _pipeline_verdict(case)
    try:
        vertex = compile_shader(vertex_source, "vertex", "vertex")
        fragment = compile_shader(fragment_source, "fragment", "fragment")
        program = link_program(vertex, fragment, {})
    except (ShaderError, LinkError, CompilerFault) as failure:
        return _build_failure(failure)
    if case.expect in _BUILD_ONLY or not any(v.storage == "output" for v in case.values):
        return "pass"
    try:
        return "pass" if all(_is_white(case, program, rows, backend) for rows in _row_groups(case)) else "wrong"
    except ExecutionError as error:
        return f"error {error}"


def _pipeline_verdict(case: Case) -> str:
    """The same of separable programs, which are only built and combined."""
    shaders: dict[str, CompiledShader] = {}
    try:
        for program in case.programs:
            for stage, source in program.items():
                shaders[stage] = compile_shader(Templates(case, stage, False).fill(source), _STAGES[stage], stage)
                link_stage(shaders[stage], {})
    except (ShaderError, LinkError, CompilerFault) as failure:
        return _build_failure(failure)
    try:
        link_pair(shaders["vertex"], shaders["fragment"], {})
    except LinkError as error:
        return f"validation_fail {error}"
    return "pass"


def _build_failure(failure: ShaderError | LinkError | CompilerFault) -> str:
    match failure:
        case ShaderError():
            return f"compile_fail {failure}"
        case LinkError():
            return f"link_fail {failure}"
    return f"error {failure}"


def _row_groups(case: Case) -> list[list[int]]:
    """Groups of rows that can run at once because they agree in every uniform."""
    groups: dict[tuple[tuple[float, ...], ...], list[int]] = {}
    uniforms = [v for v in case.values if v.storage == "uniform"]
    for row in range(max((len(value.rows) for value in case.values), default=1)):
        key = tuple(tuple(v.rows[row % len(v.rows)]) for v in uniforms)
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _is_white(case: Case, program: LinkedProgram, rows: list[int], backend: Backend) -> bool:
    """Run both stages, a quad of equal lanes per row; all lanes must be white."""
    lanes = [row for row in rows for _ in range(_QUAD)]
    inputs = _inputs(case, program.vertex, lanes)
    vertex = backend.run(program.vertex, inputs, _constants(case, program, program.vertex, rows[0]), _no_texture)
    inputs = _inputs(case, program.fragment, lanes)
    written = {(d.name, d.slot): i for i, d in enumerate(program.vertex.outputs)}
    for index, declaration in enumerate(program.fragment.inputs):
        source = written.get((declaration.name, declaration.slot))
        # References, and values that a generated vertex shader only passes on, do not depend on the vertex shader.
        given = declaration.name.startswith("ref_") or "both" in case.stages
        if source is not None and (declaration.name == "dEQP_Result" or not given):
            inputs[index] = vertex.outputs[source]
    fragment = backend.run(program.fragment, inputs, _constants(case, program, program.fragment, rows[0]), _no_texture)
    colors = [i for i, d in enumerate(program.fragment.outputs) if d.semantic == "color" and d.slot == 0]
    return bool(colors) and bool(np.all(fragment.outputs[colors[0]] == 1.0))


def _no_texture(request: TextureRequest) -> Array:
    return np.zeros((4, request.coordinates.shape[1]), np.float32)


def _bits(values: NDArray[np.float64], of: str) -> Array:
    if of == "bool" or of.startswith("bvec"):
        return np.where(values != 0, -1, 0).astype(np.int32).view(np.float32)
    if of in ("int", "uint") or of.startswith(("ivec", "uvec")):
        return values.astype(np.int64).astype(np.int32).view(np.float32)
    return values.astype(np.float32)


def _constants(case: Case, program: LinkedProgram, shader: Shader, row: int) -> Array:
    constants = np.zeros((shader.constant_count, 4), np.float32)
    for uniform in program.uniforms:
        slot = uniform.slots.get(shader.stage)
        for value in case.values:
            name, _, element = value.name.partition("[")
            index = int(element.rstrip("]")) if element.rstrip("]").isdigit() else 0
            plain = value.name == uniform.name or (element and name == uniform.name)
            if slot is None or value.storage != "uniform" or not plain:
                continue
            columns, rows = SHAPES[value.type]
            first = slot + (index * columns if value.name != uniform.name else 0)
            numbers = _bits(np.array(value.rows[row % len(value.rows)]), value.type).reshape(columns, rows)
            constants[first : first + columns, :rows] = numbers
    return constants


def _inputs(case: Case, shader: Shader, lanes: list[int]) -> Array:
    inputs = np.full((len(shader.inputs), 4, len(lanes)), 0.5, np.float32)
    values = {value.name: value for value in case.values if value.storage != "uniform"}
    first: dict[str, int] = {}
    for index, declaration in enumerate(shader.inputs):
        value = values.get(declaration.name.removeprefix("ref_").removeprefix("raw_"))
        base = first.setdefault(declaration.name, declaration.slot)
        if value is None:
            continue
        columns, rows = SHAPES[value.type]
        numbers = np.array(value.rows, np.float32).reshape(-1, columns, rows)
        chosen = numbers[np.array(lanes) % len(numbers), declaration.slot - base]
        inputs[index] = 0.0
        inputs[index, :rows] = chosen.T
    return inputs
