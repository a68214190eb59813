"""Where in the program values are made and read: what may share a register follows from it."""

from bisect import bisect_left, bisect_right

from ..ssa import Code, If, Loop, Node, Value
from ..ssa.values import operands_of

Span = tuple[int, int]
NEVER = float("inf")


class Places:
    """Numbers a shader's nodes in program order.

    ``made`` is the number of the node that makes a value, ``reads`` those of the nodes that read it, ``spans`` the
    first number of each branch of an If and the one behind its last, ``loops`` the numbers of the loops around a value.
    """

    def __init__(self, code: Code) -> None:
        self.made: dict[Value, int] = {}
        self.reads: dict[Value, list[float]] = {}
        self.spans: dict[int, tuple[Span, Span]] = {}
        self.loops: dict[Value, tuple[int, ...]] = {}
        self.count = 0
        self._number(code.nodes, ())
        for _, _, operand in code.outputs:
            self.reads.setdefault(operand.value, []).append(NEVER)

    def _number(self, nodes: list[Node], loops: tuple[int, ...]) -> None:
        for node in nodes:
            number = self.count
            self.count += 1
            for operand in operands_of(node):
                self.reads.setdefault(operand.value, []).append(number)
            for value in [node] if isinstance(node, Value) else phis_of(node):
                self.made[value], self.loops[value] = number, loops
            if isinstance(node, If):
                self._number(node.then, loops)
                middle = self.count
                self._number(node.otherwise, loops)
                self.spans[id(node)] = (number + 1, middle), (middle, self.count)
            elif isinstance(node, Loop):
                self._number(node.body, (*loops, number))

    def last_read(self, value: Value, node: If, other: Span) -> float:
        """The last read of what one branch hands on in the other one; infinity if it is read elsewhere later."""
        number = self.spans[id(node)][0][0] - 1
        reads = self.reads[value]
        own = bisect_right(reads, number) - bisect_left(reads, number)
        later = reads[bisect_right(reads, number) :]
        if own != 1 or (later and not (other[0] <= later[0] and later[-1] < other[1])):
            return NEVER
        return later[-1] if later else -1

    def first_write(self, residents: list[Value], span: Span) -> float:
        """The first write to a register with these values between two places; a loop writes from its beginning on."""
        first = NEVER
        for value in residents:
            made = self.made.get(value, -1)
            if span[0] <= made < span[1]:
                around = [loop for loop in self.loops[value] if loop >= span[0]]
                first = min(first, made, *around)
        return first


def phis_of(node: Node) -> list[Value]:
    """The values a construct makes of others."""
    if isinstance(node, If):
        return node.results
    return [*node.parameters, *node.results] if isinstance(node, Loop) else []
