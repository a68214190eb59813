"""Lowering a whole shader."""

from ..block_layout import shared_offsets
from ..errors import ShaderError
from ..ssa import Code
from ..typed import CheckedShader, Variable
from .effects import WrittenVariables
from .loops import LoopLowering
from .state import NeedsArray

MAXIMUM_EVALUATIONS_AGAIN = 300_000
"""Expressions that are evaluated in vain, for all arrays that turn out to be indexed at run time."""


def lower_shader(shader: CheckedShader) -> Code:
    """Single-assignment code of a shader, with every function inlined.

    Raises
    ------
    ShaderError
        For a shader beyond the limits on size and nesting.
    """
    indexed: frozenset[Variable] = frozenset()
    evaluated = 0
    while True:
        lowering = LoopLowering(shader.name, indexed)
        try:
            return _lower(shader, lowering)
        except NeedsArray as need:
            indexed |= {need.variable}
        evaluated += lowering.evaluated
        if evaluated > MAXIMUM_EVALUATIONS_AGAIN:
            message = f"too much code to lower again for each of {len(indexed)} arrays that are indexed at run time"
            raise ShaderError(message, 0, shader.name)


def _lower(shader: CheckedShader, lowering: LoopLowering) -> Code:
    lowering.written = WrittenVariables()
    if shader.local_size is not None:
        lowering.local_size = shader.local_size
    lowering.inputs = {v.semantic: v for v in shader.globals if v.semantic in ("local_id", "group_id")}
    lowering.shared_offsets = shared_offsets(shader)
    outputs = []
    for variable in shader.globals:
        if variable.storage == "out":
            outputs.append(variable)
        if variable.storage in ("global", "out"):
            value = lowering.leaves_from_bits(variable) if variable.value is not None else None
            if value is None and variable.initializer is not None:
                value = lowering.value(variable.initializer)
            lowering.declare(variable, value)
    if shader.main.body is not None:
        lowering.body(shader.main)
    results = []
    for variable in outputs:
        array = lowering.arrays.get(variable)
        leaves = lowering.undefined_leaves(variable) if array else lowering.state[variable]
        for offset, leaf in enumerate(leaves):
            operand = lowering.load(array, offset, len(leaf.swizzle), None) if array else leaf
            if operand.value.op != "UNDEF":
                results.append((variable, offset, operand))
    return Code(lowering.builder.nodes, results, lowering.written_at)
