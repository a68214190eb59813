"""Uniform blocks of a program: their sizes, members and places in the stages' constants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..opengl.limits import MAX_STAGE_UNIFORM_BLOCKS, MAX_UNIFORM_BLOCK_BYTES
from .block_layout import SLOT_BYTES, STD140, BlockMember
from .errors import LinkError
from .interface import BuiltShader
from .ir.program import Stage
from .types import ArrayType


@dataclass(frozen=True, slots=True)
class UniformBlock:
    """A uniform block, or an element of an array of blocks ("name[0]"), in std140 layout.

    Attributes
    ----------
    size_bytes : int
        Least size of a buffer for it.
    members : tuple of BlockMember
        All members, down to basic types.
    binding : int
        Uniform buffer binding before the program sets another one.
    slots : dict
        Slot of its first 16 bytes in the constant file of each stage that reads it; the others follow.
    """

    name: str
    size_bytes: int
    members: tuple[BlockMember, ...]
    binding: int = 0
    slots: dict[Stage, int] = field(default_factory=dict)


def list_blocks(stages: Sequence[BuiltShader], bindings: Mapping[str, int]) -> tuple[UniformBlock, ...]:
    """Every uniform block that a stage declares, those of the first stage first; bindings by name.

    Raises
    ------
    LinkError
        If a block is too large, or a stage has too many.
    """
    by_name: dict[str, UniformBlock] = {}
    for built in stages:
        stage = built.checked.stage
        blocks = [v for v in built.checked.globals if v.block and v.storage == "uniform"]
        count = 0
        for variable in blocks:
            array = variable.type if isinstance(variable.type, ArrayType) else None
            element = array.element if array else variable.type
            size = STD140.size_bytes(element)
            if size > MAX_UNIFORM_BLOCK_BYTES:
                raise LinkError(f"block {variable.block} takes {size} bytes of {MAX_UNIFORM_BLOCK_BYTES}")
            first = built.interface.constants.get(variable)
            for i in range(array.size if array else 1):
                name = f"{variable.block}[{i}]" if array else variable.block
                if name not in by_name:
                    members = tuple(STD140.members(variable.block if variable.named else "", element))
                    binding = bindings[variable.block] + i if variable.block in bindings else 0
                    by_name[name] = UniformBlock(name, size, members, binding)
                if first is not None:
                    by_name[name].slots[stage] = first + i * size // SLOT_BYTES
                count += 1
        if count > MAX_STAGE_UNIFORM_BLOCKS:
            raise LinkError(f"{stage} shader: {count} uniform blocks of {MAX_STAGE_UNIFORM_BLOCKS}")
    return tuple(by_name.values())
