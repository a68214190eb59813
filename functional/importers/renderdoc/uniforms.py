"""Uniforms: their locations in the stream that is written, which are not those of the captured driver."""

from __future__ import annotations

import re
from typing import Any

from ...opengl import enums as gl
from .bindings import Bindings
from .chunks import ChunkError, Node
from .objects import Objects

_MATRICES = {
    gl.FLOAT_MAT2: "2", gl.FLOAT_MAT3: "3", gl.FLOAT_MAT4: "4",
    gl.FLOAT_MAT2x3: "2x3", gl.FLOAT_MAT2x4: "2x4", gl.FLOAT_MAT3x2: "3x2",
    gl.FLOAT_MAT3x4: "3x4", gl.FLOAT_MAT4x2: "4x2", gl.FLOAT_MAT4x3: "4x3",
}  # fmt: skip
_IMAGES = range(0x904C, 0x906D)
"""Types of images, whose units OpenGL ES sets in shaders alone."""
_LETTERS = {"float": "f", "int": "i", "uint": "ui"}
_SCALARS = re.compile(r"\d(f|i|ui)$")


class Uniforms:
    """Sets uniforms by the locations of the captured driver.

    Parameters
    ----------
    bindings, objects
        Of the stream.
    """

    def __init__(self, bindings: Bindings, objects: Objects) -> None:
        self._bindings, self._objects = bindings, objects
        self._locations: dict[tuple[int, int], int] = {}

    def begin(self, program: Node, contents: Node) -> None:
        """Ask for the locations of a program's uniforms, and set them and the bindings of its blocks.

        Parameters
        ----------
        program
            The program.
        contents
            RenderDoc's `ProgramUniforms`.
        """
        name = self._objects.name(program)
        with_values = [uniform for uniform in contents["ValueUniforms"].children if uniform["Values"].children]
        for uniform in with_values:
            for element, value in enumerate(uniform["Values"].children):
                full = uniform["Basename"].text + (f"[{element}]" if uniform["IsArray"].whole else "")
                location = self._bindings.call("glGetUniformLocation", name, full)
                self._locations.setdefault((program.whole, value["Location"].whole), location)
        if with_values:
            self._bindings.call("glUseProgram", name)
        for uniform in with_values:
            if uniform["Values"].element(0)["Type"].whole not in _IMAGES:
                self._set_all(program.whole, uniform["Values"].children)
        for block in contents["UBOBindings"].children:
            index = self._bindings.call("glGetUniformBlockIndex", name, block["Name"].text)
            self._bindings.call("glUniformBlockBinding", name, index, block["Binding"].whole)

    def _set_all(self, program: int, elements: list[Node]) -> None:
        """Set a uniform of the program in use, all elements of an array at once."""
        first, kind = elements[0], elements[0]["Type"].whole
        data = [value for element in elements for value in element["data"].values]
        letter = _LETTERS.get(first["data"].element(0).kind)
        if letter is None:
            raise ChunkError("a uniform is neither a number nor made of numbers")
        location = self._locations[program, first["Location"].whole]
        if kind in _MATRICES:
            self._bindings.call(f"glUniformMatrix{_MATRICES[kind]}fv", location, len(elements), False, data)
        else:
            width = len(first["data"].children)
            if not 1 <= width <= 4:
                raise ChunkError("a uniform has more than four components")
            self._bindings.call(f"glUniform{width}{letter}v", location, len(elements), data)

    def set(self, chunk: Node) -> None:
        """Record a call that sets a uniform; of a program that is not in use, as glProgramUniform."""
        program = chunk.get("Program") or chunk["program"]
        name, location = self._objects.name(program), chunk["location"].whole
        function = chunk.name.replace("glProgramUniform", "glUniform").removesuffix("EXT")
        values: list[Any] = chunk["values"].values
        arguments: list[Any] = [self._locations.get((program.whole, location), location)]
        if _SCALARS.search(function):
            arguments += values
        else:
            transpose = chunk.get("transpose")
            arguments += [chunk["count"].whole, *([transpose.whole] if transpose is not None else []), values]
        if self._bindings.program != name:
            function = function.replace("glUniform", "glProgramUniform")
            arguments.insert(0, name)
        self._bindings.call(function, *arguments)
