"""Moves texture coordinates to separate registers.

A texture operation takes its coordinates from the first components of a register, so coordinates that are part of
another value, or in another order, are moved first, as in Mesa's compilers. Varyings are interpolated in any order.
"""

from ..ssa import Code, If, Loop, Node, Operand, Value
from ..ssa.values import TEXTURE_OPS

_DIMENSIONS = {"2d": 2, "cube": 3, "3d": 3, "2d_array": 3, "2d_ms": 2}
_WITH_LAST = frozenset(("TXP", "TXB", "TXL", "TXF"))


def separate_coordinates(code: Code) -> Code:
    """Insert the moves, in place."""
    _separate(code.nodes)
    return code


def _separate(nodes: list[Node]) -> None:
    position = 0
    while position < len(nodes):
        node = nodes[position]
        if isinstance(node, If):
            _separate(node.then)
            _separate(node.otherwise)
        elif isinstance(node, Loop):
            _separate(node.body)
        elif isinstance(node, Value) and node.op in TEXTURE_OPS and node.op != "TXQ":
            used = _used_places(node)
            operand = node.args[0]
            if operand.value.op != "VEC" and not _in_place(operand, used):
                coordinates = operand._replace(swizzle=tuple(operand.swizzle[p] for p in used))
                moved = Value("MOV", len(used), (coordinates,), origin=node.origin)
                nodes.insert(position, moved)
                places = {place: i for i, place in enumerate(used)}
                node.args = (Operand(moved, tuple(places.get(p, 0) for p in range(4))), *node.args[1:])
                position += 1
        position += 1


def _used_places(value: Value) -> list[int]:
    """Components of the coordinate operand that matter."""
    data = value.data
    places = list(range(_DIMENSIONS[data.target]))
    if data.shadow:
        places.append(2 if data.target == "2d" else 3)
    if value.op in _WITH_LAST and 3 not in places:
        places.append(3)
    return places


def _in_place(operand: Operand, used: list[int]) -> bool:
    if operand.negate or operand.absolute or used != list(range(len(used))):
        return False
    whole = operand.value.op == "INPUT" or operand.value.width == len(used)
    return whole and all(operand.swizzle[p] == p for p in used)
