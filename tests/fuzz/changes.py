"""Changes to captures: arguments, data, texts, shaders, the order of calls, and calls of other captures."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tilegpu.functional.capture import Call, Pointer, Value

_POWERS = (8, 12, 16, 20, 31, 32, 40, 62, 63, 64)
NUMBERS = (*range(-2, 5), 7, 15, *((1 << n) + step for n in _POWERS for step in (-1, 0)), -(1 << 31), -(1 << 63))
ENUMS = (0x1406, 0x0DE1, 0x8892, 0x8D40, 0x8B31, 0x90D2, 0x8A11, 0x8C8E, 0x8513, 0x806F, 0x8C1A, 0x1908, 0x8058)
TEXTS = ("", "(", "}", ";", "if", "0.0", "\udcff", "caf\udce9", "#define x x\n", "vec4", "name", "[0]", "\0", "x" * 300)
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-40, 3.4e38, -3.4e38, float("inf"), float("nan"), 0.5, 1e9, -2.5)
_WORDS = """void float vec2 vec3 vec4 mat2 mat3 mat4 int uint ivec2 uvec4 bool sampler2D gl_Position gl_FragCoord
discard if else for while do switch case return break continue const in out inout uniform buffer shared highp lowp
flat struct ( ) [ ] { } ; , . + - * / % = == < > && || ! ~ ^ << >> ? : 0 1 2 3 -1 65536 2147483647 1.0 0.0 1e38
texture sin pow dFdx imageLoad imageStore atomicAdd barrier() layout(location=0) layout(binding=1) .x .xyzw .length()
[7] main #define #if #endif #version #extension"""
WORDS = _WORDS.split()
_WORD = re.compile(r"[A-Za-z_]\w*|\d+\.?\d*|\s+|\S")


def changed_number(value: int | float, choose: random.Random) -> Value:
    """Another number: near, a multiple, a limit, an enum, or a float."""
    kind = choose.random()
    if kind < 0.3:
        return value + choose.choice((-2, -1, 1, 2))
    if kind < 0.45:
        return value * choose.choice((2, 3, 16, 1000))
    if kind < 0.9:
        return choose.choice((*NUMBERS, *ENUMS))
    return choose.choice(FLOATS)


def changed_source(source: str, choose: random.Random) -> str:
    """A shader with words left out, put in, replaced or repeated."""
    words = _WORD.findall(source)
    for _ in range(choose.randint(1, 3)):
        if not words:
            break
        at, kind = choose.randrange(len(words)), choose.random()
        if kind < 0.25:
            del words[at]
        elif kind < 0.5:
            words.insert(at, f" {choose.choice(WORDS)} ")
        elif kind < 0.75:
            words[at] = choose.choice((choose.choice(WORDS), choose.choice(words)))
        elif kind < 0.9:
            end = min(len(words), at + choose.randint(1, 40))
            words[at:at] = words[at:end] * choose.choice((1, 1, 2, 30))
        else:
            words[at] = choose.choice(TEXTS)
    return "".join(words)


def changed_data(data: bytes, choose: random.Random) -> bytes:
    """Data with bits changed, cut, grown or repeated."""
    kind = choose.random()
    if kind < 0.5 and data:
        content = bytearray(data)
        for _ in range(choose.randint(1, 8)):
            content[choose.randrange(len(content))] = choose.choice((0, 1, 127, 128, 255, choose.randrange(256)))
        return bytes(content)
    if kind < 0.7:
        return data[: choose.randrange(len(data) + 1)]
    return data + (data[: 1 << 16] if kind < 0.85 else bytes(choose.randrange(64)))


def changed_value(value: Value, choose: random.Random) -> Value:
    """Another value, mostly of the same type."""
    if choose.random() < 0.1:
        number, real = choose.choice((*NUMBERS, *ENUMS)), choose.choice(FLOATS)
        return choose.choice((number, real, None, True, choose.choice(TEXTS), b"bytes", [1, 2], [], Pointer(16)))
    if isinstance(value, list):
        copy = list(value)
        if copy and choose.random() < 0.8:
            copy[choose.randrange(len(copy))] = changed_value(choose.choice(copy), choose)
        return copy[: choose.randrange(len(copy) + 1)] if choose.random() < 0.2 else copy
    if isinstance(value, bytes):
        return changed_data(value, choose)
    if isinstance(value, str):
        return changed_source(value, choose)
    if isinstance(value, int | float):
        return changed_number(value, choose)
    return choose.choice((*NUMBERS, *ENUMS))


def _argument(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    at = choose.randrange(len(calls))
    old = calls[at]
    new = Call(0, old.signature, list(old.arguments), old.thread, old.result)
    new.fake = old.fake
    if new.arguments and choose.random() < 0.97:
        place = choose.randrange(len(new.arguments))
        new.arguments[place] = changed_value(new.arguments[place], choose)
    elif choose.random() < 0.5:
        new.result = changed_value(new.result, choose)
    else:
        new.thread = choose.choice((0, 1, 7))
    calls[at] = new


def _shader(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    shaders = [i for i, call in enumerate(calls) if call.name in ("glShaderSource", "glCreateShaderProgramv")]
    if not shaders:
        _argument(calls, others, choose)
        return
    at = choose.choice(shaders)
    arguments = [
        [changed_source(text, choose) if isinstance(text, str) else text for text in one]
        if isinstance(one, list)
        else one
        for one in calls[at].arguments
    ]
    calls[at] = Call(0, calls[at].signature, arguments, calls[at].thread, calls[at].result)


def _drop(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    at = choose.randrange(len(calls))
    del calls[at : at + choose.choice((1, 1, 1, 4, 20))]


def _repeat(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    at, size = choose.randrange(len(calls)), choose.choice((1, 1, 3, 10))
    to = choose.randrange(len(calls))
    calls[to:to] = calls[at : at + size] * choose.choice((1, 1, 2, 5))


def _swap(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    a, b = choose.randrange(len(calls)), choose.randrange(len(calls))
    calls[a], calls[b] = calls[b], calls[a]


def _turn(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    at = choose.randrange(len(calls))
    calls[at : at + 12] = choose.sample(calls[at : at + 12], len(calls[at : at + 12]))


def _splice(calls: list[Call], others: Sequence[Call], choose: random.Random) -> None:
    at, place = choose.randrange(len(others)), choose.randrange(len(calls))
    calls[place:place] = others[at : at + choose.randint(1, 30)]


_CHANGES: dict[Callable[[list[Call], Sequence[Call], random.Random], None], int] = {
    _argument: 60, _shader: 10, _drop: 8, _repeat: 8, _swap: 5, _turn: 4, _splice: 8,
}  # fmt: skip
"""Kinds of changes, and how often each is made."""


def changed(calls: Sequence[Call], others: Sequence[Call], choose: random.Random) -> list[Call]:
    """A copy of a stream with some changes; calls of other streams may come into it."""
    out = list(calls)
    for change in choose.choices(list(_CHANGES), list(_CHANGES.values()), k=choose.randint(1, 8)):
        if out:
            change(out, others, choose)
    return out


def damaged(content: bytes, choose: random.Random) -> bytes:
    """A file with some bytes changed, cut or repeated."""
    out = bytearray(content)
    for _ in range(choose.randint(1, 8)):
        out[choose.randrange(len(out))] = choose.randrange(256)
    if choose.random() < 0.3:
        at = choose.randrange(len(out))
        out[at:at] = out[at : at + choose.randrange(4096)]
    if choose.random() < 0.3:
        del out[choose.randrange(len(out)) :]
    return bytes(out)
