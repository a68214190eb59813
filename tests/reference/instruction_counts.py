"""Static instruction counts beside Mesa softpipe's, for every program of captured applications.

    python -m tests.reference.instruction_counts CAPTURE.trace... > table.md

Needs Mesa's software drivers and moderngl. Softpipe prints each linked shader's TGSI on standard error; a process of
its own per batch of programs reads it from there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tilegpu.functional.capture import Trace
from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.functional.glsl.ir import Shader, count_by_class

_LINE = re.compile(r"^\s*\d+:\s+([A-Z0-9_]+)", re.MULTILINE)
_TEXTURES = frozenset(("TEX", "TXP", "TXB", "TXL", "TXD", "TXF", "TXQ", "TEX2", "TXB2", "TXL2", "TEX_LZ"))
ENVIRONMENT = {
    "EGL_PLATFORM": "surfaceless",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "softpipe",
    "MESA_SHADER_CACHE_DISABLE": "true",
    "SOFTPIPE_DEBUG": "vs,fs",
}


@dataclass(frozen=True)
class Counts:
    """Instructions and texture instructions of a vertex and a fragment shader, END included."""

    vertex: int
    fragment: int
    vertex_textures: int
    fragment_textures: int


def programs(trace: Path) -> Iterator[tuple[str, str]]:
    """Sources of every program a capture links."""
    sources: dict[int, str] = {}
    stages: dict[int, int] = {}
    attached: dict[int, list[int]] = {}
    for call in Trace(trace).calls():
        arguments = call.arguments
        if call.name == "glCreateShader":
            stages[int(call.result)] = int(arguments[0])  # type: ignore[arg-type]
        elif call.name == "glShaderSource":
            lengths = arguments[3] or [-1] * len(arguments[2])  # type: ignore[arg-type]
            texts = [t if n < 0 else t[:n] for t, n in zip(arguments[2], lengths, strict=True)]  # type: ignore
            sources[int(arguments[0])] = "".join(texts)  # type: ignore[arg-type]
        elif call.name == "glAttachShader":
            attached.setdefault(int(arguments[0]), []).append(int(arguments[1]))  # type: ignore[arg-type]
        elif call.name == "glLinkProgram":
            shaders = {stages[s]: sources[s] for s in attached[int(arguments[0])]}  # type: ignore[arg-type]
            yield shaders[0x8B31], shaders[0x8B30]


def our_counts(vertex: str, fragment: str) -> Counts:
    """What this compiler makes of a program."""
    program = link_program(compile_shader(vertex, "vertex"), compile_shader(fragment, "fragment"), {})

    def textures(shader: Shader) -> int:
        return count_by_class(shader)["tex"]

    return Counts(
        len(program.vertex.instructions),
        len(program.fragment.instructions),
        textures(program.vertex),
        textures(program.fragment),
    )


def mesa_counts(pairs: list[tuple[str, str]]) -> list[Counts]:
    """What softpipe makes of programs."""
    worker = [sys.executable, "-m", __spec__.name if __spec__ else __name__, "--worker"]
    done = subprocess.run(
        worker, input=json.dumps(pairs), capture_output=True, text=True, env={**os.environ, **ENVIRONMENT}, check=True
    )
    found = []
    for part in done.stderr.split("=== program\n")[1:]:
        stages = {"VERT": [], "FRAG": []}  # type: dict[str, list[str]]
        for text in re.split(r"^(?=VERT$|FRAG$)", part, flags=re.MULTILINE)[1:]:
            stages[text[:4]] = _LINE.findall(text)
        vertex, fragment = stages["VERT"], stages["FRAG"]
        found.append(
            Counts(
                len(vertex),
                len(fragment),
                sum(opcode in _TEXTURES for opcode in vertex),
                sum(opcode in _TEXTURES for opcode in fragment),
            )
        )
    return found


def _worker() -> None:
    import moderngl

    context = moderngl.create_context(standalone=True, backend="egl")
    for vertex, fragment in json.load(sys.stdin):
        sys.stderr.write("=== program\n")
        sys.stderr.flush()
        context.program(vertex_shader=_versioned(vertex), fragment_shader=_versioned(fragment))


def _versioned(source: str) -> str:
    """The source with the version that OpenGL ES takes where none is said."""
    return source if "#version" in source else "#version 100\n#line 1\n" + source


def is_off(ours: int, theirs: int) -> bool:
    """Whether counts differ by more than 3 and more than a fifth."""
    return abs(ours - theirs) > max(3, 0.2 * theirs)


def main(traces: list[Path]) -> None:
    """Print the table."""
    pairs: dict[tuple[str, str], str] = {}
    for trace in traces:
        for number, pair in enumerate(programs(trace)):
            pairs.setdefault(pair, f"{trace.stem}, program {number}")
    print("| program | vertex | in Mesa | fragment | in Mesa | textures | in Mesa | |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    total = [0, 0, 0, 0]
    for (pair, name), mesa in zip(pairs.items(), mesa_counts(list(pairs)), strict=True):
        ours = our_counts(*pair)
        off = is_off(ours.vertex, mesa.vertex) or is_off(ours.fragment, mesa.fragment)
        textures = ours.vertex_textures + ours.fragment_textures, mesa.vertex_textures + mesa.fragment_textures
        note = "off" if off or textures[0] != textures[1] else ""
        cells = [ours.vertex, mesa.vertex, ours.fragment, mesa.fragment]
        total = [a + b for a, b in zip(total, cells, strict=True)]
        print(f"| {name} | {' | '.join(map(str, cells))} | {textures[0]} | {textures[1]} | {note} |")
    shares = f"{total[0] / total[1] - 1:+.1%} vertex, {total[2] / total[3] - 1:+.1%} fragment"
    print(f"| total | {' | '.join(map(str, total))} | | | {shares} |")


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        _worker()
    else:
        main([Path(argument) for argument in sys.argv[1:]])
