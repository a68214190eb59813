"""GLSL ES: source text to typed tree to IR."""

from ..errors import CompilerFault
from .block_layout import BlockMember
from .captured import CapturedOutput
from .errors import LinkError, ShaderError
from .interface import Attribute, Uniform, Varying
from .link import CompiledShader, LinkedProgram, compile_shader, link_compute, link_program
from .storage_blocks import BufferVariable, CounterBuffer, StorageBlock
from .uniform_blocks import UniformBlock

__all__ = [
    "Attribute",
    "BlockMember",
    "BufferVariable",
    "CapturedOutput",
    "CompilerFault",
    "CompiledShader",
    "CounterBuffer",
    "LinkError",
    "LinkedProgram",
    "ShaderError",
    "StorageBlock",
    "Uniform",
    "UniformBlock",
    "Varying",
    "compile_shader",
    "link_compute",
    "link_program",
]
