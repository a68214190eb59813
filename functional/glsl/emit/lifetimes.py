"""Lifetimes of values, which determine what may share a register."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..ssa import Code, If, Jump, Loop, Node, Operand, Value

END = 1 << 62


@dataclass(slots=True, eq=False)
class Span:
    """Positions above ``first``, up to ``last``; ``breaks`` are those of a loop's BRKs."""

    first: int
    last: int = END
    breaks: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """Surroundings of a list of nodes: loops, outermost first, and the branches that exclude this one."""

    loops: tuple[Span, ...] = ()
    excluded: tuple[Span, ...] = ()


class Lifetimes:
    """Numbers a shader's nodes in program order and tells which values are still needed after others.

    A value begins at its node: results of a construct after it, a loop's parameters at the top of the body.
    """

    def __init__(self, code: Code) -> None:
        self._begin: dict[Value, int] = {}
        self._loops: dict[Value, tuple[Span, ...]] = {}
        self._reads: dict[tuple[Value, int], list[int]] = {}
        self._blocks: list[Block] = []
        self._ends: dict[Value, int] = {}
        outermost = Block()
        self._number(code.nodes, outermost)
        end = self._position(outermost)
        for _, _, operand in code.outputs:
            self._read(operand, end)
        for (value, _), reads in self._reads.items():
            for loop in reversed(self._loops.get(value, ())):
                # A value from inside a loop that is read after the loop is, in effect, read by the loop's breaks.
                if max(reads) > loop.last:
                    reads += loop.breaks
            reads.sort()

    def _position(self, block: Block) -> int:
        self._blocks.append(block)
        return len(self._blocks) - 1

    def _make(self, values: list[Value], position: int) -> None:
        for value in values:
            self._begin[value], self._loops[value] = position, self._blocks[position].loops

    def _read(self, operand: Operand, position: int) -> None:
        value = operand.value
        for component in set(operand.swizzle):
            self._reads.setdefault((value, component), []).append(position)
        if value.op in ("UNIFORM", "INPUT"):
            # Nothing is computed at the node itself: its readers also read its run-time offset.
            for argument in value.args:
                self._read(argument, position)

    def _number(self, nodes: list[Node], block: Block) -> None:
        for node in nodes:
            position = self._position(block)
            if isinstance(node, If):
                self._branches(node, position, block)
            elif isinstance(node, Loop):
                self._loop(node, position, block)
            elif isinstance(node, Jump):
                self._read_all(node.yields, position)
                if node.kind == "BRK":
                    block.loops[-1].breaks.append(position)
            else:
                self._read_all(node.args, position)
                self._make([node], position)

    def _read_all(self, operands: "list[Operand] | tuple[Operand, ...] | None", position: int) -> None:
        for operand in operands or ():
            self._read(operand, position)

    def _branches(self, node: If, position: int, block: Block) -> None:
        self._read(node.condition, position)
        otherwise = Span(END)
        then = Block(block.loops, (*block.excluded, otherwise))
        self._number(node.then, then)
        otherwise.first = self._position(then)
        self._read_all(node.then_yields, otherwise.first)
        self._number(node.otherwise, block)
        otherwise.last = self._position(block)
        self._read_all(node.else_yields, otherwise.last)
        self._make(node.results, self._position(block))

    def _loop(self, node: Loop, position: int, block: Block) -> None:
        self._read_all(node.initial, position)
        span = Span(position)
        inside = Block((*block.loops, span), block.excluded)
        self._make(node.parameters, self._position(inside))
        self._number(node.body, inside)
        span.last = self._position(inside)
        self._read_all(node.next, span.last)
        self._make(node.results, self._position(block))

    def begin(self, value: Value) -> int:
        """Instruction at which a value begins."""
        return self._begin[value]

    def _end(self, value: Value) -> int:
        """Position after which a value is certainly not needed."""
        if value not in self._ends:
            last = self._begin[value]
            for component in range(value.width):
                for read in self._reads.get((value, component), ())[-1:]:
                    # Loops that do not contain its definition may iterate again.
                    loops = self._blocks[read].loops
                    around = loops[_common(loops, self._loops[value]) :]
                    last = max(last, around[0].last if around else read)
            self._ends[value] = last
        return self._ends[value]

    def neighbours(self, value: Value, others: list[Value]) -> Iterator[Value]:
        """Those of some values, ordered by their beginnings, whose lifetimes may overlap with another one's."""
        begin = self._begin[value]
        first = bisect_left(others, begin, key=self.begin)
        yield from (other for other in others[:first] if self._end(other) > begin)
        yield from others[first : bisect_right(others, self._end(value), key=self.begin)]

    def interfere(self, a: Value, b: Value, components: list[tuple[int, int]]) -> bool:
        """Whether two values cannot share a place.

        ``components`` are pairs of a component of ``a`` and one of ``b``.
        """
        begins = self._begin[a], self._begin[b]
        if begins[0] == begins[1]:
            return True
        if begins[0] > begins[1]:
            return any(self._needed(b, component, begins[0]) for _, component in components)
        return any(self._needed(a, component, begins[1]) for component, _ in components)

    def _needed(self, value: Value, component: int, position: int) -> bool:
        """Whether a component that was defined before a position may be read after it."""
        reads = self._reads.get((value, component))
        if reads is None:
            return False
        block, loops = self._blocks[position], self._loops[value]
        common = _common(loops, block.loops)
        last = loops[common - 1].last if common else END
        if common < len(block.loops):
            # A loop's next iteration comes after any position inside.
            around = block.loops[common]
            if _between(reads, around.first, around.last):
                return True
            position = around.last
        excluded = sum(_between(reads, max(s.first, position), s.last) for s in block.excluded if s.last > position)
        return _between(reads, position, last) > excluded


def _common(a: tuple[Span, ...], b: tuple[Span, ...]) -> int:
    """Number of loops that contain both."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x is not y), min(len(a), len(b)))


def _between(reads: list[int], first: int, last: int) -> int:
    """Number of reads above ``first`` and up to ``last``."""
    return max(bisect_right(reads, last) - bisect_right(reads, first), 0)
