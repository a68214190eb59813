"""Multiplications that only feed additions become MAD."""

from ..ssa import Builder, Code, If, Loop, Node, Operand, Value
from ..ssa.values import operands_of, walk


def fuse_multiply_add(code: Code) -> Code:
    """Replace additions in place, at the lines of the multiplications, which the next simplification drops.

    MAD rounds twice like the two operations that it replaces, so results do not change.
    """
    other_uses: set[Value] = set()
    for node in walk(code.nodes):
        for operand in operands_of(node):
            if not (isinstance(node, Value) and node.op == "ADD") or operand.absolute:
                other_uses.add(operand.value)
    other_uses |= {operand.value for _, _, operand in code.outputs}
    helper = Builder()
    _fuse(code.nodes, other_uses, helper)
    return code


def _fuse(nodes: list[Node], other_uses: set[Value], helper: Builder) -> None:
    for node in nodes:
        if isinstance(node, If):
            _fuse(node.then, other_uses, helper)
            _fuse(node.otherwise, other_uses, helper)
        elif isinstance(node, Loop):
            _fuse(node.body, other_uses, helper)
        elif isinstance(node, Value) and node.op == "ADD":
            for product, addend in (node.args, node.args[::-1]):
                if product.value.op == "MUL" and product.value not in other_uses:
                    node.op, node.args = "MAD", (*_factors(product, helper), addend)
                    node.origin = product.value.origin or node.origin
                    break


def _factors(product: Operand, helper: Builder) -> tuple[Operand, Operand]:
    first, second = (
        Operand(a.value, tuple(a.swizzle[c] for c in product.swizzle), a.negate, a.absolute) for a in product.value.args
    )
    first = helper.canonical(first._replace(negate=first.negate != product.negate))
    return first, helper.canonical(second)
