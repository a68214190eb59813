"""Shader sources of a conformance case: the file's text with its templates filled in."""

import re

from .files import Case, Value

SHAPES = {
    "float": (1, 1),
    "int": (1, 1),
    "uint": (1, 1),
    "bool": (1, 1),
    **{f"{p}vec{n}": (1, n) for p in ("", "i", "u", "b") for n in (2, 3, 4)},
    **{f"mat{n}": (n, n) for n in (2, 3, 4)},
    **{f"mat{c}x{r}": (c, r) for c in (2, 3, 4) for r in (2, 3, 4)},
}


def float_type(of: str) -> str:
    if of.startswith("mat"):
        return of
    rows = SHAPES[of][1]
    return f"vec{rows}" if rows > 1 else "float"


def is_float(of: str) -> bool:
    return of == float_type(of)


def _comparison(value: Value) -> str:
    reference = f"ref_{value.name}"
    if not is_float(value.type):
        wrapped = f"{value.type}({reference})"
        return f"({value.name} == {wrapped})"
    columns, rows = SHAPES[value.type]
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
                if not is_float(value.type):
                    setup.append(f"{value.name} = {value.type}(raw_{value.name});")
        out = "out" if modern else "varying"
        if compares:
            lines += [f"{self.incoming} highp {float_type(v.type)} ref_{v.name};" for v in outputs]
            lines += [f"{'highp ' if v.type[0] != 'b' else ''}{v.type} {v.name};" for v in outputs]
        elif stage == "vertex":
            lines += [f"{out} highp {float_type(v.type)} ref_{v.name};" for v in outputs]
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
        if is_float(of):
            return [f"{self.incoming} highp {of} {name};"]
        precision = "" if of[0] == "b" else "highp "
        return [f"{self.incoming} highp {float_type(of)} raw_{name};", f"{precision}{of} {name};"]

    def fill(self, text: str) -> str:
        """The source with its templates replaced."""
        prefix = "VERTEX_" if self.stage == "vertex" else "FRAGMENT_"
        replacements = {
            "DECLARATIONS": self.declarations,
            "SETUP": self.setup,
            "OUTPUT": self.output,
            "POSITION_FRAG_COLOR": self.position,
            "FRAG_COLOR": self.color,
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
    return value.name if is_float(value.type) else f"raw_{value.name}"


def variants(case: Case) -> list[tuple[str, str, str]]:
    """(suffix, vertex source, fragment source) of a case; "both" gives two.

    Missing shaders are generated: a vertex shader that passes everything on, a fragment shader that shows the result.
    Text of the file contains its own #version.
    """
    version = f"#version {case.version} es\n" if case.version >= 300 else ""
    if "both" not in case.stages:
        vertex = Templates(case, "vertex", False).fill(case.stages.get("vertex", ""))
        fragment = Templates(case, "fragment", False).fill(case.stages.get("fragment", ""))
        return [("", vertex, fragment)]
    incoming, outgoing = ("in", "out") if version else ("attribute", "varying")
    color = "dEQP_FragColor" if version else "gl_FragColor"
    declared = "layout(location = 0) out mediump vec4 dEQP_FragColor;\n" if version else ""
    passed = [(float_type(v.type), _passed_name(v)) for v in case.values if v.storage != "uniform"]
    pass_vertex = (
        f"{incoming} highp vec4 dEQP_Position;\n"
        + "".join(f"{outgoing} highp {of} {name};\n" for of, name in passed)
        + "void main() { gl_Position = dEQP_Position; }\n"
    )
    show = f"precision mediump float;\n{declared}{'in' if version else 'varying'} highp vec4 dEQP_Result;\n"
    show += f"void main() {{ {color} = dEQP_Result; }}\n"
    text = case.stages["both"]
    if "${DECLARATIONS" not in text and case.expect == "build_successful":
        show = f"{version and 'precision mediump float;'}{declared}void main() {{ {color} = vec4(1.0); }}\n"
    return [
        ("_vertex", Templates(case, "vertex", True).fill(text), version + show),
        ("_fragment", version + pass_vertex, Templates(case, "fragment", True).fill(text)),
    ]
