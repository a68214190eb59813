"""GLSL ES: source text to typed tree to IR."""

from .block_layout import BlockMember
from .captured import Captured
from .errors import CompilerFault, LinkError, ShaderError
from .interface import Attribute, Uniform, Varying
from .link import CompiledShader, LinkedProgram, compile_shader, link_compute, link_program
from .uniform_blocks import UniformBlock

__all__ = [
    "Attribute",
    "BlockMember",
    "Captured",
    "CompilerFault",
    "CompiledShader",
    "LinkError",
    "LinkedProgram",
    "ShaderError",
    "Uniform",
    "UniformBlock",
    "Varying",
    "compile_shader",
    "link_compute",
    "link_program",
]
