"""The reason why Mesa refuses a shader or a program."""

from __future__ import annotations

import ctypes
from ctypes import c_int

from tests.gles.mesa import Mesa

COMPILE_STATUS, LINK_STATUS = 0x8B81, 0x8B82


def check(mesa: Mesa, name: str, made: int) -> None:
    """Raise with Mesa's log if glCompileShader or glLinkProgram, whichever was called, went wrong."""
    of, asked = ("Shader", COMPILE_STATUS) if name == "glCompileShader" else ("Program", LINK_STATUS)
    if not mesa.get(f"glGet{of}iv", made, asked)[0]:
        text = ctypes.create_string_buffer(4096)
        getattr(mesa.gles, f"glGet{of}InfoLog")(c_int(made), c_int(len(text)), None, text)
        raise AssertionError(text.value.decode())
