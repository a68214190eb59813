"""Lowering a whole shader."""

from ..ssa import Code
from ..typed import CheckedShader, Variable
from .effects import WrittenVariables
from .loops import LoopLowering
from .state import NeedsMemory


def lower_shader(shader: CheckedShader) -> Code:
    """Single-assignment code of a shader, with every function inlined.

    Raises
    ------
    ShaderError
        For a shader beyond the limits on size and nesting.
    """
    in_memory: frozenset[Variable] = frozenset()
    while True:
        try:
            return _lower(shader, in_memory)
        except NeedsMemory as need:
            in_memory |= {need.variable}


def _lower(shader: CheckedShader, in_memory: frozenset[Variable]) -> Code:
    lowering = LoopLowering(shader.name, in_memory)
    lowering.written = WrittenVariables()
    outputs = []
    for variable in shader.globals:
        if variable.storage == "out":
            outputs.append(variable)
        if variable.storage in ("global", "out"):
            known = lowering.leaves_from_bits(variable) if variable.value is not None else None
            if known is None and variable.initializer is not None:
                known = lowering.value(variable.initializer)
            lowering.declare(variable, known)
    if shader.main.body is not None:
        lowering.body(shader.main)
    results = []
    for variable in outputs:
        memory = lowering.memories.get(variable)
        leaves = lowering.undefined_leaves(variable) if memory else lowering.state[variable]
        for offset, leaf in enumerate(leaves):
            operand = lowering.load(memory, offset, len(leaf.swizzle), None) if memory else leaf
            if operand.value.op != "UNDEF":
                results.append((variable, offset, operand))
    return Code(lowering.builder.nodes, results)
