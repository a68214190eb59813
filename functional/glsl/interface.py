"""Registers for a shader's interface: inputs, outputs, uniforms, samplers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..opengl.limits import MAX_STAGE_TEXTURE_UNITS, MAX_UNIFORM_VECTORS
from .block_layout import COMPONENT_BYTES, constant_slots, shared_bytes
from .compatibility import SIZED_BY_USE
from .emit import Emitter, Interface
from .errors import LinkError
from .gl_types import gl_type
from .ir.program import Declaration, Sampler, Shader, Stage
from .matching import MAXIMUM_VARYING_VECTORS
from .memory_interface import memory_interface
from .ssa import Code, Value
from .ssa.values import TEXTURE_OPS, walk
from .typed import CheckedShader, Variable
from .types import (
    ArrayType,
    BasicType,
    CounterType,
    ImageType,
    SamplerType,
    StructType,
    Type,
    component_count,
    leaf_count,
)

_QUAD_OPCODES = frozenset(("DDX", "DDY", "TEX", "TXP", "TXB", "TEX2", "TXB2"))


@dataclass(frozen=True, slots=True)
class Attribute:
    """An active attribute; a matrix takes a location per column. ``gl_type`` is OpenGL's enumerant."""

    name: str
    gl_type: int
    size: int
    location: int


@dataclass(frozen=True, slots=True)
class Uniform:
    """An active uniform of basic type.

    ``array_size`` is 0 unless it is an array, whose elements count up to the last one that is read, as in Mesa, of
    ``declared_size``. `slots` has the first vec4 of the constant file of each stage that reads it; one slot per matrix
    column, elements follow each other. Samplers have, per stage that reads any, a sampler index per element instead, -1
    for one that is not read. `location` and `binding` are those of layout qualifiers. Images and atomic counters have
    the stages that access them in `accessed`; counters have their offset in the buffer, in bytes.
    """

    name: str
    gl_type: int
    array_size: int
    slots: dict[Stage, int] = field(default_factory=dict)
    samplers: dict[Stage, tuple[int, ...]] = field(default_factory=dict)
    declared_size: int = 0
    location: int | None = None
    binding: int = 0
    accessed: list[Stage] = field(default_factory=list)
    counter_offset: int | None = None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Stages that read it."""
        return tuple(dict.fromkeys((*self.slots, *self.samplers, *self.accessed)))

    @property
    def sampler(self) -> bool:
        """Whether it is a sampler, or an array of them."""
        return bool(self.samplers)


@dataclass(frozen=True, slots=True)
class Varying:
    """A varying: ``slots`` vec4 slots from ``slot`` on, ``components`` used in each."""

    name: str
    slot: int
    interpolation: str
    components: int
    slots: int = 1


@dataclass(slots=True)
class BuiltShader:
    """An emitted shader, and the slots of its uniforms."""

    shader: Shader
    checked: CheckedShader
    used: dict[Variable, set[int]]
    interface: Interface


def assign_varyings(vertex: CheckedShader, fragment_code: Code, whole: bool = False) -> tuple[Varying, ...]:
    """Assign slots to the varyings that the fragment shader reads, in the vertex shader's order.

    Parameters
    ----------
    whole
        Whether gl_TexCoord has slots that are not read.

    Raises
    ------
    LinkError
        If more than 16 slots are needed.
    """
    read: dict[str, int] = {}
    for n in walk(fragment_code.nodes):
        if isinstance(n, Value) and n.op == "INPUT" and n.data[0].semantic == "varying":
            variable, offset = n.data
            exact = variable.name == SIZED_BY_USE and not (whole or n.args)
            slots = offset + 1 if exact else leaf_count(variable.type)
            read[variable.key] = max(slots, read.get(variable.key, 0))
    varyings, slot = [], 0
    for variable in vertex.globals:
        if variable.semantic == "varying" and variable.key in read:
            count = read[variable.key]
            per_slot = component_count(variable.type) // leaf_count(variable.type)
            varyings.append(Varying(variable.name, slot, variable.interpolation, per_slot, count))
            slot += count
    if slot > MAXIMUM_VARYING_VECTORS:
        raise LinkError(f"varyings need {slot} vectors, there are {MAXIMUM_VARYING_VECTORS}")
    return tuple(varyings)


def build_shader(
    checked: CheckedShader, code: Code, locations: Mapping[str, int], slots: Mapping[str, int]
) -> BuiltShader:
    """Emit a shader with registers for everything it uses.

    Raises
    ------
    LinkError
        If uniforms or samplers exceed the limits.
    """
    used = _used_registers(code)
    inputs: list[tuple[Variable, int]] = []
    constants: dict[Variable, int] = {}
    samplers: list[tuple[Variable, int]] = []
    constant_count = 0
    for variable in [v for v in checked.globals if v in used]:
        if variable.storage == "uniform":
            constants[variable] = constant_count
            constant_count += constant_slots(variable)
        else:
            inputs += [(variable, offset) for offset in sorted(used[variable])]
    for node in walk(code.nodes):
        if isinstance(node, Value) and node.op in TEXTURE_OPS:
            key = (node.data.variable, node.data.offset)
            if key not in samplers:
                samplers.append(key)
    samplers.sort(key=lambda key: (checked.globals.index(key[0]), key[1]))
    loose = sum(leaf_count(variable.type) for variable in constants if not variable.block)
    if loose > MAX_UNIFORM_VECTORS:
        message = f"uniforms need {loose} vectors of {MAX_UNIFORM_VECTORS}"
        raise LinkError(f"{checked.stage} shader: {message}")
    if len(samplers) > MAX_STAGE_TEXTURE_UNITS:
        raise LinkError(f"{checked.stage} shader: {len(samplers)} samplers of {MAX_STAGE_TEXTURE_UNITS}")
    outputs = list(dict.fromkeys((variable, offset) for variable, offset, _ in code.outputs))
    interface = Interface(
        {key: i for i, key in enumerate(inputs)},
        {key: i for i, key in enumerate(outputs)},
        constants,
        {key: i for i, key in enumerate(samplers)},
        memory_interface(code, checked.stage),
    )
    emitter = Emitter(code, interface)
    instructions, lines, temporary_count = emitter.run()
    opcodes = {i.opcode for i in instructions}
    shader = Shader(
        name=checked.name,
        stage=checked.stage,
        instructions=instructions,
        lines=lines,
        inputs=tuple(_declaration(v, offset, locations, slots) for v, offset in inputs),
        outputs=tuple(_declaration(v, offset, locations, slots) for v, offset in outputs),
        constant_count=constant_count,
        immediates=emitter.immediates.file(),
        samplers=tuple(Sampler(_sampler_name(v, offset), _target(v, offset)) for v, offset in samplers),
        temporary_count=temporary_count,
        buffers=tuple(interface.memory.buffers.values()),
        images=tuple(interface.memory.images.values()),
        shared_bytes=shared_bytes(checked),
        local_size=checked.local_size or (1, 1, 1),
        early_tests=checked.early_tests,
        blend_support=tuple(sorted(checked.blend_support)),
        discards=bool(opcodes & {"KILL", "KILL_IF"}),
        writes_depth=any(v.semantic == "depth" for v, _ in outputs),
        reads_derivatives=checked.stage == "fragment" and bool(opcodes & _QUAD_OPCODES),
    )
    return BuiltShader(shader, checked, used, interface)


def _used_registers(code: Code) -> dict[Variable, set[int]]:
    """Registers read of every input and uniform; all of them if one is chosen at run time."""
    used: dict[Variable, set[int]] = {}
    for node in walk(code.nodes):
        if isinstance(node, Value) and node.op in ("UNIFORM", "INPUT"):
            variable, offset = node.data
            whole = range(leaf_count(variable.type))
            used.setdefault(variable, set()).update(whole if node.args else (offset,))
    return used


def _declaration(
    variable: Variable, offset: int, locations: Mapping[str, int], slots: Mapping[str, int]
) -> Declaration:
    slot = offset
    if variable.semantic == "attribute":
        slot += locations[variable.name]
    elif variable.semantic == "varying":
        slot += slots[variable.key]
    elif variable.semantic == "color" and variable.location is not None:
        slot += variable.location
    return Declaration(variable.name, variable.semantic, slot, variable.interpolation)


def flatten(name: str, of: Type, offset: int = 0) -> Iterator[tuple[str, Type, int]]:
    """Uniforms of basic type (or arrays of them) that a uniform consists of, with their GL names and offsets."""
    if isinstance(of, StructType):
        for member in of.fields:
            yield from flatten(f"{name}.{member.name}", member.type, offset)
            offset += leaf_count(member.type)
    elif isinstance(of, ArrayType) and isinstance(of.element, (StructType, ArrayType)):
        for i in range(of.size):
            yield from flatten(f"{name}[{i}]", of.element, offset + i * leaf_count(of.element))
    else:
        yield name, of, offset


def _leaf_at(variable: Variable, offset: int) -> tuple[str, SamplerType]:
    for name, of, start in flatten(variable.name, variable.type):
        element = of.element if isinstance(of, ArrayType) else of
        if start <= offset < start + leaf_count(of) and isinstance(element, SamplerType):
            return (f"{name}[{offset - start}]" if isinstance(of, ArrayType) else name), element
    raise LinkError(f"{variable.name} is not a sampler")


def _sampler_name(variable: Variable, offset: int) -> str:
    return _leaf_at(variable, offset)[0]


def _target(variable: Variable, offset: int) -> str:
    sampler = _leaf_at(variable, offset)[1]
    return ("shadow_" if sampler.shadow else "") + sampler.target


def list_uniforms(
    stages: Sequence[BuiltShader], locations: Mapping[str, int], bindings: Mapping[str, int]
) -> tuple[Uniform, ...]:
    """Every active uniform, those of the first stage first; locations and bindings by name."""
    by_name: dict[str, Uniform] = {}
    read = _elements_read(*stages)
    for built in stages:
        for variable in built.checked.globals:
            if variable.storage == "uniform" and not variable.block:
                location, binding = locations.get(variable.name), bindings.get(variable.name)
                for leaf in map(_Leaf._make, flatten(variable.name, variable.type)):
                    _add_uniform(by_name, built, variable, leaf, (location, binding))
                    if location is not None:
                        location += leaf.type.size if isinstance(leaf.type, ArrayType) else 1
    return tuple(_cut(uniform, read) for uniform in by_name.values() if not _beyond(uniform.name, read))


def _elements_read(*stages: BuiltShader) -> dict[str, int]:
    """Number of elements, up to the last one that any stage reads, of each array of uniforms by its name.

    Of an array inside a structure, and of an array of arrays, all elements are active, as in Mesa.
    """
    read: dict[str, int] = {}
    for built in stages:
        places = [(variable, offset) for variable, offsets in built.used.items() for offset in offsets]
        images = [(key[0], key[1]) for key in built.interface.memory.images if isinstance(key, tuple)]
        for variable, offset in [*places, *built.interface.samplers, *images]:
            if variable.storage != "uniform" or variable.block or not isinstance(variable.type, ArrayType):
                continue
            if not isinstance(variable.type.element, ArrayType):
                count = offset // leaf_count(variable.type.element) + 1
                read[variable.name] = max(read.get(variable.name, 0), count)
    return read


def _beyond(name: str, read: Mapping[str, int]) -> bool:
    """Whether a uniform belongs to an element of an array of structures after the last one that is read."""
    array, bracket, rest = name.partition("[")
    return bool(bracket) and array in read and int(rest.partition("]")[0]) >= read[array]


def _cut(uniform: Uniform, read: Mapping[str, int]) -> Uniform:
    """A uniform with as many elements as are read."""
    if not uniform.array_size or uniform.name not in read:
        return uniform
    return replace(uniform, array_size=min(uniform.array_size, read[uniform.name]))


def _is_nested(of: Type) -> bool:
    return isinstance(of, ArrayType) and isinstance(of.element, ArrayType)


class _Leaf(NamedTuple):
    """Part of a variable that is a uniform: its name, its type, and the leaves of the variable before it."""

    name: str
    type: Type
    offset: int


def _add_uniform(
    uniforms: dict[str, Uniform],
    built: BuiltShader,
    variable: Variable,
    leaf: _Leaf,
    place: tuple[int | None, int | None],
) -> None:
    (name, of, offset), (location, bound) = leaf, place
    element = of.element if isinstance(of, ArrayType) else of
    slot: int | None = None
    samplers: tuple[int, ...] = ()
    if isinstance(element, SamplerType):
        slots = built.interface.samplers
        samplers = tuple(slots.get((variable, i), -1) for i in range(offset, offset + leaf_count(of)))
        if max(samplers) < 0 and not (_is_nested(variable.type) and any(v is variable for v, _ in slots)):
            return
    elif isinstance(element, BasicType) and variable in built.used:
        # As in Mesa, all members of a structure are active as soon as one is.
        slot = built.interface.constants[variable] + offset
    elif isinstance(element, (ImageType, CounterType)):
        known_images = [key for key in built.interface.memory.images if isinstance(key, tuple)]
        if not (variable.used if isinstance(element, CounterType) else any(key[0] is variable for key in known_images)):
            return
    else:
        return
    size, stage = of.size if isinstance(of, ArrayType) else 0, built.checked.stage
    if name not in uniforms:
        binding = 0 if bound is None else bound + offset
        uniforms[name] = Uniform(name, gl_type(of), size, declared_size=size, location=location, binding=binding)
        if isinstance(element, CounterType):
            start = (variable.offset_bytes or 0) + COMPONENT_BYTES * offset
            uniforms[name] = replace(uniforms[name], binding=bound or 0, counter_offset=start)
    if samplers:
        uniforms[name].samplers[stage] = samplers
    elif slot is not None:
        uniforms[name].slots[stage] = slot
    else:
        uniforms[name].accessed.append(stage)
