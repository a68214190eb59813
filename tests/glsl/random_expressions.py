"""Random GLSL ES 3.00 fragment shaders: typed expressions, and small functions with control flow.

Inputs are multiples of 1/4 below 4, so that sums and products of a few of them are exact and comparisons do not depend
on rounding; functions that round are applied last.
"""

from hypothesis import strategies as st

Text = st.SearchStrategy[str]
VECTORS = {
    base: {1: name, **{n: f"{prefix}vec{n}" for n in (2, 3, 4)}}
    for base, name, prefix in (("f", "float", ""), ("i", "int", "i"), ("u", "uint", "u"), ("b", "bool", "b"))
}
DECLARATIONS = """#version 300 es
precision highp float;
precision highp int;
flat in vec4 p;
flat in vec4 q;
flat in ivec4 k;
flat in uvec4 n;
"""
_NAMES = {"f": ("p", "q"), "i": ("k",), "u": ("n",)}
_LETTERS = "xyzw"


def _swizzle(draw: st.DrawFn, width: int) -> str:
    return "".join(draw(st.sampled_from(_LETTERS)) for _ in range(width))


def _leaf(draw: st.DrawFn, base: str, width: int) -> str:
    if base == "b":
        a, b = _leaf(draw, "f", 1), _leaf(draw, "f", 1)
        scalars = [f"({a} < {b})"] + [f"({_leaf(draw, 'i', 1)} >= {_leaf(draw, 'i', 1)})" for _ in range(width - 1)]
        return scalars[0] if width == 1 else f"bvec{width}({', '.join(scalars)})"
    if draw(st.integers(0, 3)) == 0:
        values = [draw(st.integers(-8, 8)) for _ in range(width)]
        texts = {
            "f": [f"{value / 4}" for value in values],
            "i": [f"{value}" for value in values],
            "u": [f"{abs(value)}u" for value in values],
        }[base]
        return f"({texts[0]})" if width == 1 else f"{VECTORS[base][width]}({', '.join(texts)})"
    return f"{draw(st.sampled_from(_NAMES[base]))}.{_swizzle(draw, width)}"


@st.composite
def exact(draw: st.DrawFn, base: str, width: int, depth: int) -> str:
    """An expression without rounding, of ``width`` components of a base type."""
    if depth == 0:
        return _leaf(draw, base, width)

    def part(of: str = base, size: int = width) -> str:
        return draw(exact(of, size, depth - 1))

    of = VECTORS[base][width]
    general = [
        lambda: f"({part('b', 1)} ? {part()} : {part()})",
        lambda: f"{of}({', '.join(part(size=1) for _ in range(width))})",
        lambda: f"{part(size=4)}.{_swizzle(draw, width)}",
    ]
    if base == "b":
        compare = draw(st.sampled_from(["lessThan", "greaterThanEqual", "equal", "notEqual"]))
        other = draw(st.sampled_from("fiu"))
        options = [
            lambda: f"(!{part()})" if width == 1 else f"not({part()})",
            (lambda: f"({part(other)} {draw(st.sampled_from(['<', '>', '<=', '>=', '==', '!=']))} {part(other)})")
            if width == 1
            else (lambda: f"{compare}({part(other)}, {part(other)})"),
            (lambda: f"({part()} {draw(st.sampled_from(['&&', '||', '^^']))} {part()})")
            if width == 1
            else (lambda: f"equal({part()}, {part()})"),
            (lambda: f"{draw(st.sampled_from(['any', 'all']))}({part(size=3)})") if width == 1 else general[2],
        ]
    elif base == "f":
        one = draw(st.sampled_from(["abs", "sign", "floor", "ceil", "trunc", "fract", "-"]))
        two = draw(st.sampled_from(["min", "max"]))
        options = [
            lambda: f"({part()} {draw(st.sampled_from('+-*'))} {part()})",
            lambda: f"({part()} * {part(size=1)})",
            lambda: f"{one}({part()})",
            lambda: f"{two}({part()}, {part()})",
            lambda: f"clamp({part()}, {_leaf(draw, 'f', width)}, {of}(4.0))",
            lambda: f"step({part()}, {part()})",
            lambda: f"mix({part()}, {part()}, {VECTORS['b'][width]}({part('b', width)}))",
            lambda: f"{of}(clamp({part('i')}, -99, 99))",
            (lambda: f"dot({part(size=3)}, {part(size=3)})") if width == 1 else general[1],
            (lambda: f"(mat3({part(size=3)}, {part(size=3)}, {part(size=3)}) * {part()})")
            if width == 3
            else (lambda: f"float[]({part(size=1)}, {part(size=1)})[{part('i', 1)} & 1] * {of}(0.5)"),
        ]
    else:
        operator = draw(st.sampled_from(["+", "-", "*", "&", "|", "^"]))
        shift = draw(st.sampled_from(["<<", ">>"]))
        one = "1" if base == "i" else "1u"
        mask = VECTORS[base][width] + ("(31)" if base == "i" else "(31u)")
        converted = f"clamp({part('f')}, 0.0, 99.0)"
        options = [
            lambda: f"({part()} {operator} {part()})",
            # The remainder of negative numbers is left open.
            lambda: (
                f"({part()} / (abs({part()} / 2) | {one}) + abs({part()} / 2) % (abs({part()} / 2) | {one}))"
                if base == "i"
                else f"({part()} {draw(st.sampled_from('/%'))} ({part()} | {one}))"
            ),
            lambda: f"({part()} {shift} ({part()} & {mask}))",
            lambda: f"~{part()}",
            lambda: f"{draw(st.sampled_from(['min', 'max']))}({part()}, {part()})",
            lambda: f"{of}({converted})",
            lambda: f"{of}({part('u' if base == 'i' else 'i')})",
            lambda: f"{of}({part('b')})",
        ]
    return draw(st.sampled_from(options + general))()


@st.composite
def rounded(draw: st.DrawFn, depth: int) -> str:
    """A vec4 expression of functions that round, over exact ones."""
    if depth == 0:
        return draw(exact("f", 4, 2))

    def part() -> str:
        return draw(rounded(depth - 1))

    unit = f"clamp({part()}, -0.99, 0.99)"
    positive = f"(abs({part()}) + 0.25)"
    options = [
        f"sin({part()})",
        f"cos({part()})",
        f"exp2(clamp({part()}, -8.0, 8.0))",
        f"log2({positive})",
        f"sqrt({positive})",
        f"inversesqrt({positive})",
        f"pow({positive}, clamp({part()}, -3.0, 3.0))",
        f"({part()} / {positive})",
        f"mix({part()}, {part()}, 0.75)",
        f"smoothstep(-1.0, 2.0, {part()})",
        f"normalize({positive})",
        f"vec4(length({part()}))",
        f"vec4(distance({part()}, {part()}))",
        f"reflect({part()}, vec4(0.5))",
        f"asin({unit})",
        f"acos({unit})",
        f"atan({part()})",
        f"atan({positive}, {positive})",
        f"sinh(clamp({part()}, -4.0, 4.0))",
        f"cosh(clamp({part()}, -4.0, 4.0))",
        f"tanh({part()})",
        f"asinh({part()})",
        f"acosh({positive} + 1.0)",
        f"atanh(clamp({part()}, -0.9, 0.9))",
        f"tan(clamp({part()}, -1.2, 1.2))",
        f"vec4(cross({part()}.xyz, {part()}.yzw), 1.0)",
        f"vec4(determinant(mat3({part()}.xyz, {part()}.xyz, {part()}.xyz)))",
        f"(transpose(mat4({part()}, {part()}, p, q)) * {part()})",
        f"vec4(unpackHalf2x16(packHalf2x16({part()}.xy)), 0.0, 1.0)",
        "vec4(unpackSnorm2x16(n.x), unpackUnorm2x16(n.y))",
        f"radians({part()})",
        f"exp(clamp({part()}, -4.0, 4.0))",
        f"log({positive})",
        f"faceforward({part()}, p, q)",
        f"refract(normalize({positive}), normalize({positive}), 0.75)",
    ]
    return draw(st.sampled_from(options))


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function ``vec4 work(inout int i)`` of a few statements with control flow."""

    def statements(depth: int, in_loop: bool) -> str:
        return " ".join(statement(depth, in_loop) for _ in range(draw(st.integers(1, 3))))

    def statement(depth: int, in_loop: bool) -> str:
        kinds = ["f", "v", "i", "a"] + (["if", "for", "switch", "while"] * (depth > 0))
        kinds += ["leave"] if in_loop else []
        kind = draw(st.sampled_from(kinds))
        value = draw(exact("f", 4, 1))
        number = draw(exact("i", 1, 1))
        if kind == "f":
            return f"f = clamp(f * 0.5 + {value}.x, -8.0, 8.0);"
        if kind == "v":
            return f"v.{draw(st.sampled_from(['xy', 'zw', 'yx', 'wx']))} = {value}.xz + vec2(f, float(i & 7));"
        if kind == "i":
            return f"i {draw(st.sampled_from(['+=', '-=', '^=', '*=']))} {number};"
        if kind == "a":
            return f"a[i & 3] += {value}.y; v[{number} & 3] = a[{draw(st.integers(0, 3))}];"
        if kind == "leave":
            return f"if (i {draw(st.sampled_from(['>', '<', '==']))} {number}) " + draw(
                st.sampled_from(["break;", "continue;", "return v + f;"])
            )
        body = statements(depth - 1, in_loop or kind in ("for", "while"))
        if kind == "if":
            return f"if ({draw(exact('b', 1, 1))}) {{ {body} }} else {{ {statements(depth - 1, in_loop)} }}"
        if kind == "for":
            limit = draw(st.sampled_from(["3", "5", "(k.x & 3)"]))
            name = f"j{depth}"
            return f"for (int {name} = 0; {name} < {limit}; {name}++) {{ i += {name}; {body} }}"
        if kind == "while":
            name = f"w{draw(st.integers(0, 99))}_{depth}"
            return f"int {name} = 0; do {{ {name}++; {body} }} while ({name} < (k.y & 3));"
        ends = [draw(st.sampled_from(["break;", "", "if (f > 0.0) break;"])) for _ in range(3)]
        return (
            f"switch (i & 3) {{ case 0: {body} {ends[0]} case 2: v.x += 1.0; {ends[1]} "
            f"default: f += 0.5; {ends[2]} case 1: i++; }}"
        )

    body = statements(2, False)
    variables = "float f = p.x; vec4 v = q; float a[4] = float[](p.y, q.x, 1.0, f);"
    return f"vec4 work(inout int i) {{ {variables} {body} return v + f; }}"
