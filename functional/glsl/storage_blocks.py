"""Storage blocks and buffers of atomic counters of a program, as queries list them (OpenGL ES 3.1, 7.3.1 and 7.7)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..opengl.limits import MAX_ATOMIC_COUNTERS, MAX_STORAGE_BLOCK_BYTES
from .block_layout import BlockMember, Layout, layout_of, rounded
from .errors import LinkError
from .interface import BuiltShader, Uniform
from .ir.program import Stage
from .typed import Variable
from .types import ArrayType, BasicType, StructType

MAXIMUM_MEMBERS = 1 << 16
"""Members of basic type of a block, each of which queries list."""


@dataclass(frozen=True, slots=True)
class BufferVariable:
    """A member of basic type of a storage block.

    Attributes
    ----------
    member : BlockMember
        Its name, with that of the block if programs need it, and its place.
    top_level_size, top_level_stride_bytes : int
        Elements (0: as many as the buffer holds) and their distance of the array at the top of the block that it
        belongs to; 1 and 0 if there is none.
    """

    member: BlockMember
    top_level_size: int = 1
    top_level_stride_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StorageBlock:
    """A storage block, or an element of an array of blocks ("name[0]").

    Attributes
    ----------
    size_bytes : int
        Least size of a buffer for it; of an array without a size, it has one element.
    stages : tuple of str
        Stages that access it.
    """

    name: str
    size_bytes: int
    members: tuple[BufferVariable, ...]
    binding: int = 0
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True)
class CounterBuffer:
    """A buffer of atomic counters: ``size_bytes`` reach to the end of the last active one."""

    binding: int
    size_bytes: int
    counters: tuple[str, ...]
    stages: tuple[Stage, ...]


def list_storage(stages: Sequence[BuiltShader], bindings: Mapping[str, int]) -> tuple[StorageBlock, ...]:
    """Every storage block that a stage declares, those of the first stage first; bindings by name.

    Raises
    ------
    LinkError
        If a block is too large or has too many members.
    """
    by_name: dict[str, StorageBlock] = {}
    for built in stages:
        for variable in built.checked.globals:
            if variable.storage == "buffer" and variable.block:
                for number, block in enumerate(_instances(variable, bindings.get(variable.block, 0))):
                    here = (built.checked.stage,) if (variable, number) in built.interface.memory.buffers else ()
                    earlier = by_name.get(block.name, block)
                    by_name[block.name] = StorageBlock(
                        block.name, block.size_bytes, block.members, block.binding, (*earlier.stages, *here)
                    )
    return tuple(by_name.values())


def list_counter_buffers(uniforms: tuple[Uniform, ...]) -> tuple[CounterBuffer, ...]:
    """The buffers that active atomic counters lie in, by their bindings.

    Raises
    ------
    LinkError
        If a stage has too many counters.
    """
    buffers = []
    counters = [(u, u.counter_offset) for u in uniforms if u.counter_offset is not None]
    for stage in {stage for u, _ in counters for stage in u.accessed}:
        count = sum(max(1, u.declared_size) for u, _ in counters if stage in u.accessed)
        if count > MAX_ATOMIC_COUNTERS:
            raise LinkError(f"{stage} shader: {count} atomic counters of {MAX_ATOMIC_COUNTERS}")
    for binding in sorted({u.binding for u, _ in counters}):
        here = [(u, offset) for u, offset in counters if u.binding == binding]
        size = max(offset + 4 * max(1, u.declared_size) for u, offset in here)
        stages = tuple(dict.fromkeys(stage for u, _ in here for stage in u.accessed))
        buffers.append(CounterBuffer(binding, size, tuple(u.name for u, _ in here), stages))
    return tuple(buffers)


def _instances(variable: Variable, binding: int) -> Iterator[StorageBlock]:
    array = variable.type if isinstance(variable.type, ArrayType) else None
    block = array.element if array is not None else variable.type
    assert isinstance(block, StructType)
    size = _least_bytes(layout_of(variable), block)
    if size > MAX_STORAGE_BLOCK_BYTES:
        raise LinkError(f"block {variable.block} takes {size} bytes of {MAX_STORAGE_BLOCK_BYTES}")
    members = tuple(islice(_members(variable, block), MAXIMUM_MEMBERS + 1))
    if len(members) > MAXIMUM_MEMBERS:
        raise LinkError(f"block {variable.block} has more than {MAXIMUM_MEMBERS} members")
    for number in range(array.size if array is not None else 1):
        name = f"{variable.block}[{number}]" if array is not None else variable.block
        yield StorageBlock(name, size, members, binding + number)


def _least_bytes(layout: Layout, block: StructType) -> int:
    """Bytes up to the end of the first element of an array without a size, rounded up as the block is."""
    last = block.fields[-1]
    if not isinstance(last.type, ArrayType) or last.type.size:
        return layout.size_bytes(block)
    stride = layout.of(last.row_major).array_stride_bytes(last.type.element)
    return rounded(layout.member_offsets(block)[-1] + stride, layout.alignment_bytes(block))


def _members(variable: Variable, block: StructType) -> Iterator[BufferVariable]:
    layout = layout_of(variable)
    prefix = f"{variable.block}." if variable.named else ""
    for field, offset in zip(block.fields, layout.member_offsets(block), strict=True):
        rules, of, name = layout.of(field.row_major), field.type, prefix + field.name
        top = (1, 0)
        if isinstance(of, ArrayType) and not isinstance(of.element, BasicType):
            # Of arrays at the top only the first element is listed.
            top = (of.size, rules.array_stride_bytes(of.element))
            name, of = f"{name}[0]", of.element
        for member in rules.members(name, of, offset):
            yield BufferVariable(member, *top)
