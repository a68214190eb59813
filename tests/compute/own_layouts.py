"""What this renderer answers about the places of members of blocks, in the form of `mesa.layouts`."""

from __future__ import annotations

from typing import Any

from tests.gles.session import Session
from tilegpu.functional.opengl import enums as gl

from .layout_rules import Place
from .mesa_layouts import BUFFER_DATA_SIZE, BUFFER_VARIABLE, PROPERTIES, STORAGE_BLOCK, UNIFORM, UNIFORM_BLOCK


def layouts(source: str) -> tuple[dict[str, int], dict[str, Place]]:
    """Sizes of the blocks of a compute shader, and places of their members, by the names that programs ask for."""
    s = Session()
    program, shader = s.glCreateProgram(), s.glCreateShader(gl.COMPUTE_SHADER)
    s.glShaderSource(shader, 1, [source], None)
    s.glCompileShader(shader)
    s.glAttachShader(program, shader)
    s.glLinkProgram(program)

    def listed(interface: int, properties: list[int]) -> dict[str, list[Any]]:
        found = {}
        for index in range(s.answer("glGetProgramInterfaceiv", program, interface, gl.ACTIVE_RESOURCES)):
            name = s.answer("glGetProgramResourceName", program, interface, index, 512, None, None)
            given = len(properties), properties, len(properties), None, None
            found[name] = s.answer("glGetProgramResourceiv", program, interface, index, *given)
        return found

    blocks = listed(STORAGE_BLOCK, [BUFFER_DATA_SIZE]) | listed(UNIFORM_BLOCK, [BUFFER_DATA_SIZE])
    places = {name: Place(*given) for name, given in listed(BUFFER_VARIABLE, PROPERTIES).items()}
    places |= {name: Place(*given) for name, given in listed(UNIFORM, PROPERTIES[:-1]).items()}
    return {name: size for name, (size,) in blocks.items()}, places
