"""Captures without what tells whose they are: names in shaders, labels and comments, and images.

Identifiers of shaders have other names everywhere in the capture, except one-letter words and those that may select
components (`xyz`); comments go, lines stay where they are. Images get a pattern that compresses about as well.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from tilegpu.functional.capture import Call
from tilegpu.functional.capture.call import Value
from tilegpu.functional.glsl import keywords, memory_functions, prototypes

NAME = "anonymous"
"""In the place of the name of the capture."""
CHUNK_BYTES = 256
"""Of a pattern: noise, then one value."""
_IMAGES = re.compile(r"gl(Compressed)?Tex(Sub)?Image\dD")
_LABELS = (
    "glObjectLabel", "glLabelObject", "glPushDebugGroup", "glPushGroupMarker", "glInsertEventMarker",
    "glDebugMessageInsert", "glStringMarker", "glObjectPtrLabel",
)  # fmt: skip
_OF_DRIVERS = ("glGetString", "glX", "wgl", "egl")
"""Beginnings of the names of calls whose texts are not the program's."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"\b(?:0[xX][0-9a-fA-F]+[uU]?|[0-9][\w.]*|[A-Za-z_]\w*)")
_KEPT_LINES = re.compile(r"[ \t]*#[ \t]*(version|extension|pragma|line|error)\b[^\n]*")
_LAYOUT = re.compile(r"\blayout\s*\([^)]*\)")
_COMPONENTS = re.compile(r"[xyzw]{1,4}$|[rgba]{1,4}$|[stpq]{1,4}$")
_WORDS = """
define undef if ifdef ifndef else elif endif defined main __VERSION__ __LINE__ __FILE__ length
shadow2D shadow2DProj ftransform texture1D texture2DRect
"""
"""Of directives and of desktop GLSL."""


def without_names(calls: Sequence[Call]) -> list[Call]:
    """Calls with other identifiers in shaders and in all that names them, and numbers in the place of labels."""
    names: dict[str, str] = {}
    for call in calls:
        if call.name.startswith(("glShaderSource", "glCreateShaderProgram")):
            for word in identifiers(_joined(call)):
                names.setdefault(word, f"n{len(names)}")
    return [_renamed(call, names, place) for place, call in enumerate(calls)]


def is_image(call: Call) -> bool:
    """Whether a call hands texels over."""
    return bool(_IMAGES.match(call.name)) and any(isinstance(value, bytes) and any(value) for value in call.arguments)


def without_image(call: Call, seed: int) -> Call:
    """A call with a pattern in the place of its texels; another seed makes another one."""
    return call.with_arguments(
        [pattern(value, seed) if isinstance(value, bytes) and any(value) else value for value in call.arguments]
    )


def pattern(content: bytes, seed: int) -> bytes:
    """Bytes of the same number that compress about as well."""
    share = min(1.0, len(zlib.compress(content, 1)) / len(content))
    chunks = -(-len(content) // CHUNK_BYTES)
    values = np.repeat((np.arange(chunks) * 37 + seed).astype(np.uint8)[:, None], CHUNK_BYTES, 1)
    noisy = int(share * CHUNK_BYTES)
    values[:, :noisy] = np.random.default_rng(seed).integers(0, 256, (chunks, noisy), np.uint8)
    return values.tobytes()[: len(content)]


def _renamed(call: Call, names: dict[str, str], place: int) -> Call:
    if call.name.startswith(_OF_DRIVERS):
        return call
    if call.name.startswith(_LABELS):
        return call.with_arguments([f"label {place}" if isinstance(v, str) else v for v in call.arguments])
    if call.name.startswith(("glShaderSource", "glCreateShaderProgram")):
        return _with_source(call, rewritten(_joined(call), names))
    return call.with_arguments([_named(value, names) for value in call.arguments], _named(call.result, names))


def _joined(call: Call) -> str:
    """Source of a shader, whose pieces may have lengths."""
    pieces = next((v for v in call.arguments if isinstance(v, list) and v and all(isinstance(p, str) for p in v)), [])
    return "".join(map(str, pieces))


def _with_source(call: Call, source: str) -> Call:
    """The call with a source, in the first of its pieces; lists of numbers are the pieces' lengths."""
    arguments: list[Value] = []
    for value in call.arguments:
        if isinstance(value, list) and value and all(isinstance(piece, str) for piece in value):
            arguments.append([source, *[""] * (len(value) - 1)])
        elif isinstance(value, list) and value and all(isinstance(length, int) for length in value):
            arguments.append([len(source.encode("utf-8", "surrogateescape")), *[0] * (len(value) - 1)])
        else:
            arguments.append(value)
    return call.with_arguments(arguments)


def _named(value: Value, names: dict[str, str]) -> Value:
    """A value with the new names in its texts: `lights[2].color`."""
    if isinstance(value, list):
        return [_named(each, names) for each in value]
    if not isinstance(value, str):
        return value
    return _WORD.sub(lambda word: names.get(word[0], word[0]), value)


def rewritten(source: str, names: dict[str, str]) -> str:
    """A shader without comments, with other names."""
    return "".join(
        text if kept else _WORD.sub(lambda word: names.get(word[0], word[0]), text) for kept, text in _parts(source)
    )


def identifiers(source: str) -> Iterator[str]:
    """Words of a shader that are the program's own, in their order."""
    for kept, text in _parts(source):
        for word in () if kept else _WORD.findall(text):
            is_name = not word[0].isdigit() and not word.startswith(("gl_", "GL_")) and word not in _language()
            if is_name and len(word) > 1 and not _COMPONENTS.match(word):
                yield word


def _parts(source: str) -> Iterator[tuple[bool, str]]:
    """Parts of a shader without its comments, each with whether it stays as it is."""
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n") or " ", source)
    at = 0
    for part in re.finditer(f"{_KEPT_LINES.pattern}|{_LAYOUT.pattern}", text):
        yield False, text[at : part.start()]
        yield True, part[0]
        at = part.end()
    yield False, text[at:]


@cache
def _language() -> frozenset[str]:
    """Words of the language: keywords, built-in functions, directives."""
    words = set(_WORDS.split())
    for table in (keywords.KEYWORDS, keywords.RESERVED, keywords.EXTENSION_KEYWORDS):
        words |= {word for each in table.values() for word in ([each] if isinstance(each, str) else each)}
    for module in (prototypes, memory_functions):
        texts = (value for value in vars(module).values() if isinstance(value, str))
        words |= {word for text in texts for word in re.findall(r"\w+", text)}
    return frozenset(words)
