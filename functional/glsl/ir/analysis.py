"""Analysis of a shader's instructions: blocks, counts by class, origin of texture coordinates."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from .program import File, Instruction, Shader

CoordinateOrigin = Literal["varying", "alu", "texture"]
_Result = TypeVar("_Result")
_More = ParamSpec("_More")
_FLAT = ("2d", "rect", "external", "2d_ms")
"""Targets with two coordinates."""
_REFERENCES = {"shadow_2d": (2,), "shadow_cube": (3,), "shadow_2d_array": (3,)}
"""Position of the reference that depths are compared with."""
_FOURTH = ("TXP", "TXB", "TXL", "TXF")
"""Texture instructions with a divisor, bias, level or sample in the fourth position."""


def kept(
    analysis: Callable[Concatenate[Shader, _More], _Result],
) -> Callable[Concatenate[Shader, _More], _Result]:
    """Keep the results of an analysis with the shader, by further arguments: every state that it draws in asks."""
    name = f"_{analysis.__name__}"

    @wraps(analysis)
    def analysed(shader: Shader, /, *more: _More.args, **named: _More.kwargs) -> _Result:
        results: dict[object, _Result] = shader.__dict__.setdefault(name, {})
        if more not in results:
            results[more] = analysis(shader, *more, **named)
        return results[more]

    return analysed


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions ``first`` to ``last`` (inclusive), always executed one after the other."""

    first: int
    last: int


def blocks(shader: Shader) -> tuple[Block, ...]:
    """Basic blocks in order of their first pc.

    A block begins at pc 0, after every flow instruction that can jump, and at every jump's target.
    """
    leaders = {0}
    for pc, instruction in enumerate(shader.instructions):
        if instruction.opcode in ("UIF", "ELSE", "BRK", "CONT", "ENDLOOP", "BGNLOOP"):
            leaders.add(pc + 1)
            if instruction.opcode != "BGNLOOP" and instruction.flow_target is not None:
                leaders.add(instruction.flow_target)
        if instruction.opcode == "ENDIF":
            leaders.add(pc)
    starts = sorted(leader for leader in leaders if leader < len(shader.instructions))
    ends = [start - 1 for start in starts[1:]] + [len(shader.instructions) - 1]
    return tuple(Block(first, last) for first, last in zip(starts, ends, strict=True))


@kept
def reads_in_loops(shader: Shader) -> bool:
    """Whether a texture instruction may be executed more than once."""
    depth, reads = 0, False
    for instruction in shader.instructions:
        depth += {"BGNLOOP": 1, "ENDLOOP": -1}.get(instruction.opcode, 0)
        reads |= depth > 0 and instruction.info.shape == "texture"
    return reads


@kept
def texture_operations(shader: Shader) -> tuple[tuple[int, int, Instruction], ...]:
    """Texture instructions that have a sampler: pc, sampler, instruction."""
    every = [(pc, i.sampler, i) for pc, i in enumerate(shader.instructions) if i.info.shape == "texture"]
    return tuple((pc, sampler, i) for pc, sampler, i in every if sampler is not None)


@kept
def has_flow(shader: Shader) -> bool:
    """Whether lanes may take different paths."""
    return any(i.opcode in ("UIF", "BGNLOOP") for i in shader.instructions)


@kept
def filtered_samplers(shader: Shader) -> frozenset[int]:
    """Samplers that some instruction samples, rather than fetches texels or sizes from."""
    return frozenset(
        i.sampler
        for i in shader.instructions
        if i.info.shape == "texture" and i.sampler is not None and i.opcode not in ("TXF", "TXQ")
    )


@kept
def read_samplers(shader: Shader) -> frozenset[int]:
    """Samplers that some instruction reads texels of, rather than sizes alone."""
    reading = [i.sampler for i in shader.instructions if i.info.shape == "texture" and i.opcode != "TXQ"]
    return frozenset(sampler for sampler in reading if sampler is not None)


@kept
def shifted_samplers(shader: Shader) -> frozenset[int]:
    """Samplers that some instruction samples with texel offsets."""
    sampling = [i for i in shader.instructions if i.opcode != "TXF" and any(i.offsets or ())]
    return frozenset(i.sampler for i in sampling if i.sampler is not None)


@kept
def graded_samplers(shader: Shader) -> frozenset[int]:
    """Samplers that some instruction samples with gradients."""
    return frozenset(i.sampler for i in shader.instructions if i.opcode == "TXD" and i.sampler is not None)


def count_by_class(shader: Shader) -> dict[str, int]:
    """Static number of instructions per class ("alu", "sfu", "tex", "mem", "flow"), END included in "flow"."""
    counts = Counter(instruction.info.operation_class for instruction in shader.instructions)
    return {name: counts[name] for name in ("alu", "sfu", "tex", "mem", "flow")}


def register_components(instruction: Instruction, source_index: int) -> tuple[int, ...]:
    """Components of the source register that the instruction reads."""
    source = instruction.sources[source_index]
    shape = instruction.info.shape
    if shape == "component" and instruction.destination:
        positions: tuple[int, ...] = instruction.destination.components
    else:
        positions = tuple(range({"dot2": 2, "dot3": 3, "dot4": 4, "kill": 4}.get(shape, 1)))
        if shape == "texture":
            positions = _texture_positions(instruction, source_index)
    return tuple(sorted({source.swizzle[p] for p in positions}))


def _texture_positions(instruction: Instruction, source_index: int) -> tuple[int, ...]:
    """Positions of a source that a texture instruction reads: coordinates, reference, bias, level or divisor."""
    opcode, target = instruction.opcode, str(instruction.target)
    if opcode == "TXQ" or (source_index and opcode != "TXD"):
        return (0,)
    coordinates: tuple[int, ...] = (0, 1) if target in _FLAT else (0, 1, 2)
    if source_index:
        return coordinates
    return tuple(sorted({*coordinates, *_REFERENCES.get(target, ()), *((3,) if opcode in _FOURTH else ())}))


def coordinate_origins(shader: Shader) -> dict[int, CoordinateOrigin]:
    """Origin of the coordinates of each texture instruction.

    Returns
    -------
    dict
        pc of each texture instruction to "varying" (copied unchanged from inputs: hardware can prefetch),
        "texture" (depends on an earlier texture read) or "alu" (anything else).
    """
    if all(instruction.info.shape != "texture" for instruction in shader.instructions):
        return {}
    varying, texture = 1, 2
    state: dict[tuple[File, int, int], int] = {}
    origins: dict[int, CoordinateOrigin] = {}

    def of_source(instruction: Instruction, index: int) -> int:
        source = instruction.sources[index]
        changed = source.negate or source.absolute
        if source.file is File.INPUT and source.indirect is None and not changed:
            return varying
        if source.file is not File.TEMPORARY:
            return 0
        components = register_components(instruction, index)
        origins = {state.get((source.file, source.index, c), 0) for c in components}
        if texture in origins:
            return texture
        return varying if origins == {varying} and not changed else 0

    # Values carried around a loop are seen on the second pass.
    for final in (False, True):
        for pc, instruction in enumerate(shader.instructions):
            read = [of_source(instruction, index) for index in range(len(instruction.sources))]
            if instruction.info.shape == "texture" and final:
                origins[pc] = {varying: "varying", texture: "texture"}.get(read[0], "alu")  # type: ignore[assignment]
            if instruction.destination is None:
                continue
            result = texture if texture in read or instruction.info.shape == "texture" else 0
            if instruction.opcode == "MOV" and not instruction.destination.saturate and not result:
                result = read[0]
            for component in instruction.destination.components:
                key = (instruction.destination.file, instruction.destination.index, component)
                state[key] = result
    return origins


def position_slice(shader: Shader) -> frozenset[int]:
    """The pcs that a vertex shader must execute to compute only its position.

    A tile-based GPU that shades positions first runs this slice while binning. Flow instructions belong to
    it wherever an instruction of the slice lies inside their construct. Empty for fragment shaders.
    """
    return _slice_of(shader, _places(shader)) if shader.stage == "vertex" else frozenset()


def varying_slice(shader: Shader) -> frozenset[int]:
    """The pcs that a vertex shader must execute to compute all but its position; empty if there is nothing else, and
    for other shaders."""
    others = frozenset(range(len(shader.outputs))) - _places(shader)
    return _slice_of(shader, others) if shader.stage == "vertex" and others else frozenset()


def _places(shader: Shader) -> frozenset[int]:
    """Outputs that binning needs."""
    return frozenset(i for i, d in enumerate(shader.outputs) if d.semantic in ("position", "point_size"))


def _slice_of(shader: Shader, outputs: frozenset[int]) -> frozenset[int]:
    """The pcs on which some outputs depend."""
    enclosing = _enclosing_flow(shader)
    needed: set[tuple[File, int, int]] = set()
    chosen = {len(shader.instructions) - 1}

    def choose(pc: int) -> bool:
        if pc in chosen:
            return False
        chosen.add(pc)
        instruction = shader.instructions[pc]
        for index, source in enumerate(instruction.sources):
            for component in register_components(instruction, index):
                needed.add((source.file, -1 if source.indirect else source.index, component))
            if source.indirect:
                needed.add((File.ADDRESS, source.indirect.index, source.indirect.component))
        for flow_pc in enclosing[pc]:
            choose(flow_pc)
        return True

    changed = True
    while changed:
        changed = False
        for pc in range(len(shader.instructions) - 1, -1, -1):
            destination = shader.instructions[pc].destination
            if destination is None:
                continue
            writes_output = destination.file is File.OUTPUT and destination.index in outputs
            index = destination.index
            used = any((destination.file, i, c) in needed for c in destination.components for i in (index, -1))
            if destination.indirect:
                used = any(file is destination.file for file, _, _ in needed)
            if writes_output or used:
                changed |= choose(pc)
    return frozenset(chosen)


def _enclosing_flow(shader: Shader) -> list[tuple[int, ...]]:
    """Per pc, the flow instructions of the constructs around it, jumps inside these included."""
    stack: list[list[int]] = []
    members: list[list[int]] = []
    per_pc: list[list[list[int]]] = []
    for pc, instruction in enumerate(shader.instructions):
        if instruction.opcode in ("UIF", "BGNLOOP"):
            stack.append([pc])
            members.append(stack[-1])
        elif instruction.opcode in ("ELSE", "ENDIF", "ENDLOOP"):
            stack[-1].append(pc)
        elif instruction.opcode in ("BRK", "CONT"):
            for construct in stack:
                construct.append(pc)
        per_pc.append(list(stack))
        if instruction.opcode in ("ENDIF", "ENDLOOP"):
            stack.pop()
    return [tuple(pc for construct in constructs for pc in construct) for constructs in per_pc]


def texture_channels(shader: Shader) -> tuple[frozenset[int], ...]:
    """Components of each texture instruction's result that are read, in order of the instructions.

    All written components if the shader branches, or indexes registers at run time.
    """
    operands = [o for i in shader.instructions for o in (*i.sources, *([i.destination] if i.destination else ()))]
    flow = any(i.opcode in ("UIF", "BGNLOOP") for i in shader.instructions)
    channels: list[frozenset[int]] = []
    if flow or any(o.indirect is not None for o in operands):
        every = (i.destination for i in shader.instructions if i.info.shape == "texture")
        return tuple(frozenset(d.components if d else ()) for d in every)
    live = {(File.OUTPUT, index, c) for index in range(len(shader.outputs)) for c in range(4)}
    for instruction in reversed(shader.instructions):
        destination = instruction.destination
        written = {(destination.file, destination.index, c) for c in destination.components} if destination else set()
        if instruction.info.shape == "texture":
            channels.append(frozenset(component for _, _, component in written & live))
        live -= written
        for index, source in enumerate(instruction.sources):
            live |= {(source.file, source.index, c) for c in register_components(instruction, index)}
    return tuple(reversed(channels))
