"""The preprocessor's corners."""

import pytest

from tilegpu.functional.glsl import ShaderError
from tilegpu.functional.glsl.preprocessor import preprocess


def _text(source: str) -> str:
    return " ".join(token.text for token in preprocess(source, "fragment").tokens)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#define A 1\nA + A", "1 + 1"),
        ("#define F(x, y) x*y\nF(1, F(2, 3))", "1 * 2 * 3"),
        ("#define F(x) x\nF F(F)(2)", "F F ( 2 )"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define F() 7\nF()", "7"),
        ("#define A (1 /* a\nb */ + 2)\nA", "( 1 + 2 )"),
        ("#define LONG 1 \\\n + 2\nLONG", "1 + 2"),
        ("__LINE__\n__LINE__", "1 2"),
        ("__VERSION__", "100"),
        ("#version 300 es\n__VERSION__", "300"),
        ("GL_ES", "1"),
        ("#if 0 && UNKNOWN\na\n#else\nb\n#endif", "b"),
        ("#if defined A || !defined(B)\na\n#endif", "a"),
        ("#if (1 + 2 * 3 == 7) && (7 / 2 == 3) && (-7 % 3 == -1) && (1 << 4 == 16) && (~0 < 0)\na\n#endif", "a"),
        ("#ifdef A\n#if\n#unknown\n#endif\n#elif 1\nc\n#else\nd\n#endif", "c"),
        ("#define A\n#ifdef A\n#undef A\n#endif\n#ifndef A\nx\n#endif", "x"),
        ("#define F(x)  x + x\n#define F(x) x   +   x\nF(1)", "1 + 1"),
        ("// only a comment", ""),
    ],
)
def test_text(source: str, expected: str) -> None:
    assert _text(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "#define A 1\n#define A 2\n",
        "#define F(x) x\n#define F(y) y\n",
        "#define F(x, x) x\n",
        "#if 1 +\n#endif",
        "#if 1 / 0\n#endif",
        "#elif 1\n",
        "#if 1\n#else\n#else\n#endif",
        "#undef __LINE__\n",
        "#define GL_A 1\n",
        "#define F(x) x\nF(1, 2)",
        "#define F(x) x\nF(1",
        "#version 110\n",
        "int a;\n#version 100\n",
        "#extension GL_OES_texture_buffer : require\n",
        "#extension all : enable\n",
        "#line x\n",
        "#foo\n",
        "#define A a ## b\n",
    ],
)
def test_rejected(source: str) -> None:
    with pytest.raises(ShaderError):
        preprocess(source, "fragment")


def test_extensions_and_pragmas() -> None:
    result = preprocess(
        "#extension GL_OES_standard_derivatives : enable\n#extension GL_UNKNOWN_thing : warn\n"
        "#pragma STDGL invariant(all)\n#pragma optimize(off)\n",
        "fragment",
    )
    assert result.extensions == {"GL_OES_standard_derivatives": "enable"}
    assert result.invariant_all
