"""Running dEQP shader cases: compile, link, run one lane per row of values, let the shader compare."""

import re

import numpy as np

from tilegpu.functional.execute.backend import TextureRequest
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

from .deqp_format import Case, Value

_SHAPES = {
    "float": (1, 1), "int": (1, 1), "uint": (1, 1), "bool": (1, 1),
    **{f"{p}vec{n}": (1, n) for p in ("", "i", "u", "b") for n in (2, 3, 4)},
    **{f"mat{n}": (n, n) for n in (2, 3, 4)},
    **{f"mat{c}x{r}": (c, r) for c in (2, 3, 4) for r in (2, 3, 4)},
}


def _float_type(of: str) -> str:
    if of.startswith("mat"):
        return of
    rows = _SHAPES[of][1]
    return f"vec{rows}" if rows > 1 else "float"


def _is_float(of: str) -> bool:
    return of == _float_type(of)


def _comparison(value: Value) -> str:
    reference = f"ref_{value.name}"
    if not _is_float(value.type):
        wrapped = f"{value.type}({reference})"
        return f"({value.name} == {wrapped})"
    columns, rows = _SHAPES[value.type]
    terms = []
    for column in range(columns):
        for row in range(rows):
            index = f"[{column}][{row}]" if columns > 1 else (f"[{row}]" if rows > 1 else "")
            a, b = f"{value.name}{index}", f"{reference}{index}"
            tolerance = "0.05" if columns > 1 else f"(0.05 * abs({b}) + 0.05)"
            terms.append(f"abs({a} - {b}) <= {tolerance}")
    return "(" + " && ".join(terms) + ")"


class Templates:
    """Text for a case's templates in one stage; ``incoming`` is "attribute" or "varying"."""

    def __init__(self, case: Case, stage: str, both: bool) -> None:
        modern = case.version >= 300
        self.case = case
        self.stage = stage
        self.incoming = "in" if modern else ("attribute" if stage == "vertex" else "varying")
        inputs = [v for v in case.values if v.storage == "input"]
        outputs = [v for v in case.values if v.storage == "output"]
        lines, setup = [], []
        compares = both or stage == "fragment"
        if stage == "vertex":
            lines.append(f"{self.incoming} highp vec4 dEQP_Position;")
        if both or stage == "vertex":
            for value in inputs:
                lines += self._incoming(value.type, value.name)
                if not _is_float(value.type):
                    setup.append(f"{value.name} = {value.type}(raw_{value.name});")
        out = "out" if modern else "varying"
        if compares:
            lines += [f"{self.incoming} highp {_float_type(v.type)} ref_{v.name};" for v in outputs]
            lines += [f"{'highp ' if v.type[0] != 'b' else ''}{v.type} {v.name};" for v in outputs]
        elif stage == "vertex":
            lines += [f"{out} highp {_float_type(v.type)} ref_{v.name};" for v in outputs]
        if both and stage == "vertex":
            lines.append(f"{out} highp vec4 dEQP_Result;")
        color = "dEQP_Result" if stage == "vertex" else "dEQP_FragColor" if modern else "gl_FragColor"
        if modern and stage == "fragment":
            lines.append("layout(location = 0) out mediump vec4 dEQP_FragColor;")
        position = "gl_Position = dEQP_Position;\n"
        result = ""
        if compares:
            conditions = " && ".join(_comparison(v) for v in outputs) or "true"
            result = f"{color} = vec4({conditions});\n"
        text = case.stages.get("both", case.stages.get(stage, ""))
        for value in case.values:
            declared = re.search(rf"uniform\b[^;]*\b{re.escape(value.name.split('.')[0])}\b", text)
            if value.storage == "uniform" and not declared and "." not in value.name:
                lines.append(f"uniform {'highp ' if value.type[0] != 'b' else ''}{value.type} {value.name};")
        self.declarations = "\n".join(lines) + "\n"
        self.setup = "\n".join(setup) + "\n"
        self.output = (position if stage == "vertex" else "") + result
        self.color = color
        self.position = "gl_Position" if stage == "vertex" else color

    def _incoming(self, of: str, name: str) -> list[str]:
        if _is_float(of):
            return [f"{self.incoming} highp {of} {name};"]
        precision = "" if of[0] == "b" else "highp "
        return [f"{self.incoming} highp {_float_type(of)} raw_{name};", f"{precision}{of} {name};"]

    def fill(self, text: str) -> str:
        """The source with its templates replaced."""
        prefix = "VERTEX_" if self.stage == "vertex" else "FRAGMENT_"
        replacements = {
            "DECLARATIONS": self.declarations, "SETUP": self.setup, "OUTPUT": self.output,
            "POSITION_FRAG_COLOR": self.position, "FRAG_COLOR": self.color,
        }
        for key, value in replacements.items():
            for name in (prefix + key, key):
                text = text.replace(f"${{{name}}}", value)
                text = text.replace(f"${{{name}:single-line}}", value.replace("\n", " "))
        return re.sub(r"\$\{[A-Z_:\s]*\}", "", text)


def _passed_name(value: Value) -> str:
    """Name under which a value travels between the stages."""
    if value.storage == "output":
        return f"ref_{value.name}"
    return value.name if _is_float(value.type) else f"raw_{value.name}"


def variants(case: Case) -> list[tuple[str, str, str]]:
    """(suffix, vertex source, fragment source) of a case; "both" makes two."""
    version = "#version 300 es\n" if case.version >= 300 else ""
    if "both" not in case.stages:
        vertex = Templates(case, "vertex", False).fill(case.stages.get("vertex", ""))
        fragment = Templates(case, "fragment", False).fill(case.stages.get("fragment", ""))
        return [("", version + vertex, version + fragment)]
    incoming, outgoing = ("in", "out") if version else ("attribute", "varying")
    color = "dEQP_FragColor" if version else "gl_FragColor"
    declared = "layout(location = 0) out mediump vec4 dEQP_FragColor;\n" if version else ""
    passed = [
        (_float_type(v.type), _passed_name(v)) for v in case.values if v.storage != "uniform"
    ]
    pass_vertex = f"{incoming} highp vec4 dEQP_Position;\n" + "".join(
        f"{outgoing} highp {of} {name};\n" for of, name in passed
    ) + "void main() { gl_Position = dEQP_Position; }\n"
    show = f"precision mediump float;\n{declared}{'in' if version else 'varying'} highp vec4 dEQP_Result;\n"
    show += f"void main() {{ {color} = dEQP_Result; }}\n"
    text = case.stages["both"]
    if "${DECLARATIONS" not in text and case.expect == "build_successful":
        show = "void main() { gl_FragColor = vec4(1.0); }\n"
    return [
        ("_vertex", version + Templates(case, "vertex", True).fill(text), version + show),
        ("_fragment", version + pass_vertex, version + Templates(case, "fragment", True).fill(text)),
    ]


def _no_texture(request: TextureRequest) -> np.ndarray:
    return np.zeros((4, request.coordinates.shape[1]), np.float32)


def _bits(values: np.ndarray, of: str) -> np.ndarray:
    if of == "bool" or of.startswith("bvec"):
        return np.where(values != 0, -1, 0).astype(np.int32).view(np.float32)
    if of in ("int", "uint") or of.startswith(("ivec", "uvec")):
        return values.astype(np.int64).astype(np.int32).view(np.float32)
    return values.astype(np.float32)


def _constants(case: Case, program, stage: str, count: int, row: int) -> np.ndarray:
    constants = np.zeros((count, 4), np.float32)
    for uniform in program.uniforms:
        slot = uniform.vertex_slot if stage == "vertex" else uniform.fragment_slot
        value = next((v for v in case.values if v.name == uniform.name), None)
        if slot is None or value is None:
            continue
        columns, rows = _SHAPES[value.type]
        numbers = _bits(np.array(value.rows[row % len(value.rows)]), value.type).reshape(columns, rows)
        constants[slot : slot + columns, :rows] = numbers
    return constants


def _inputs(case: Case, shader, lanes: list[int]) -> np.ndarray:
    inputs = np.zeros((len(shader.inputs), 4, len(lanes)), np.float32)
    first: dict[str, int] = {}
    for index, declaration in enumerate(shader.inputs):
        name = declaration.name.removeprefix("ref_").removeprefix("raw_")
        value = next((v for v in case.values if v.name == name and v.storage != "uniform"), None)
        base = first.setdefault(declaration.name, declaration.slot)
        if value is None:
            inputs[index] = 0.5
            continue
        columns, rows = _SHAPES[value.type]
        column = declaration.slot - base
        for lane, row in enumerate(lanes):
            numbers = np.array(value.rows[row % len(value.rows)], np.float32).reshape(columns, rows)
            inputs[index, :rows, lane] = numbers[column]
    return inputs


def run_case(case: Case, vertex_source: str, fragment_source: str) -> str:
    """What happens to a case: "pass", "compile_fail", "link_fail" or "wrong"."""
    try:
        vertex = compile_shader(vertex_source, "vertex", "vertex")
        fragment = compile_shader(fragment_source, "fragment", "fragment")
    except ShaderError as error:
        return f"compile_fail {error}"
    try:
        program = link_program(vertex, fragment, {})
    except LinkError as error:
        return f"link_fail {error}"
    if case.expect in ("build_successful", "compile_fail", "link_fail", "compile_or_link_fail"):
        return "pass"
    return "pass" if all(_row_is_right(case, program, row) for row in range(_row_count(case))) else "wrong"


def _row_count(case: Case) -> int:
    return max((len(value.rows) for value in case.values), default=1)


def _row_is_right(case: Case, program, row: int) -> bool:
    """Run vertex and fragment shader of a row over a quad; the quad must be white."""
    backend = NumpyBackend()
    lanes = [row] * 4
    stages = {}
    for stage, shader in (("vertex", program.vertex), ("fragment", program.fragment)):
        inputs = _inputs(case, shader, lanes)
        if stage == "fragment":
            outputs = {(d.name, d.slot): i for i, d in enumerate(program.vertex.outputs)}
            for index, declaration in enumerate(shader.inputs):
                source = outputs.get((declaration.name, declaration.slot))
                given = declaration.name.startswith("ref_") or "both" in case.stages
                if source is not None and (declaration.name == "dEQP_Result" or not given):
                    inputs[index] = stages["vertex"].outputs[source]
        constants = _constants(case, program, stage, shader.constant_count, row)
        stages[stage] = backend.run(shader, inputs, constants, _no_texture)
    colors = [i for i, d in enumerate(program.fragment.outputs) if d.semantic == "color" and d.slot == 0]
    if not any(v.storage == "output" for v in case.values):
        return True
    return bool(colors) and bool(np.all(stages["fragment"].outputs[colors[0]] == 1.0))


def agrees(case: Case, result: str) -> bool:
    """Whether a result is what the case expects."""
    verdict = result.split(" ", 1)[0]
    if case.expect == "compile_or_link_fail":
        return verdict in ("compile_fail", "link_fail")
    if case.expect in ("compile_fail", "link_fail"):
        return verdict == case.expect
    return verdict == "pass"
