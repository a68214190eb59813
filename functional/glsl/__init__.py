"""GLSL ES: source text to typed tree to IR."""

from .errors import LinkError, ShaderError
from .interface import Attribute, Uniform, Varying
from .link import CompiledShader, LinkedProgram, compile_shader, link_program

__all__ = [
    "Attribute",
    "CompiledShader",
    "LinkError",
    "LinkedProgram",
    "ShaderError",
    "Uniform",
    "Varying",
    "compile_shader",
    "link_program",
]
