"""Whatever a shader says, it compiles and links, or is refused in one line."""

from __future__ import annotations

import re
from random import Random

import pytest

from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

from ..glsl.mesa import VERTEX
from ..glsl.random_vectors import program

_WORD = re.compile(r"[A-Za-z_]\w*|\d+\.\d*|\d+u?|[-+*/%<>=!&|^]{1,2}|\n|\S")
_OTHERS = [
    "void",
    "float",
    "vec2",
    "vec3",
    "mat3",
    "ivec2",
    "bool",
    "sampler2D",
    "S",
    "f0",
    "main",
    "0",
    "1",
    "-1",
    "2147483648",
    "1.0",
    "x",
    "xyz",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "==",
    "+",
    "=",
    "++",
    "?",
    ":",
    ",",
    "const",
    "uniform",
    "in",
    "inout",
    "struct",
    "return",
    "break",
    "continue",
    "discard",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    ".length()",
    "[1000]",
    "highp",
    "layout",
    "flat",
    "precision",
    "invariant",
    "texture",
    "sin",
    "dFdx",
    "gl_FragCoord",
    "gl_DepthRange",
    ".",
    "!",
    "~",
    "<<",
    "%",
    "&&",
]


def mutated(seed: int) -> str:
    """A random program with a word left out, put in or replaced."""
    random = Random(seed)
    words = _WORD.findall(program(random.randrange(60)).glsl)
    names = [i for i, word in enumerate(words) if word[0].isalpha()]
    chance = random.random()
    if chance < 0.1:
        del words[random.randrange(len(words))]
    elif chance < 0.4:
        words.insert(random.randrange(len(words)), random.choice(_OTHERS))
    elif chance < 0.6:
        words[random.randrange(len(words))] = random.choice(_OTHERS)
    else:
        # Names as long as each other are often of a kind: variables, components, types.
        place = random.choice(names)
        words[place] = random.choice([words[i] for i in names if len(words[i]) == len(words[place])])
    # The first line is the version's and no word may come before it.
    return "".join(word if word == "\n" else f"{word} " for word in words).replace("# version", "#version")


def _compile(seeds: range) -> None:
    vertex = compile_shader(VERTEX, "vertex")
    compiled = 0
    for seed in seeds:
        source = mutated(seed)
        try:
            link_program(vertex, compile_shader(source, "fragment"), {})
            compiled += 1
        except (ShaderError, LinkError) as error:
            assert len(str(error).splitlines()) == 1, source
    assert compiled > len(seeds) // 10


def test_five_hundred() -> None:
    _compile(range(500))


@pytest.mark.slow
def test_twenty_thousand() -> None:
    _compile(range(500, 20_000))
