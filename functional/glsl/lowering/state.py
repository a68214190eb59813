"""State of the lowering at a point of the program: the operands that every variable consists of."""

from dataclasses import dataclass, field
from typing import NoReturn

from ..errors import ShaderError
from ..ssa import Builder, If, Jump, Loop, Node, Operand, Origin, RegisterArray, Value, bits_of
from ..ssa.values import identity
from ..typed import Expression, Variable
from ..types import MAXIMUM_REGISTERS, BasicType, leaf_count, leaf_types

Leaves = tuple[Operand, ...]
BranchResult = tuple[list[Node], dict[Variable, tuple[Operand, ...]] | None]


class NeedsArray(Exception):
    """A variable is indexed at run time, so it must be in consecutive registers: the shader has to be lowered again."""

    def __init__(self, variable: Variable) -> None:
        super().__init__(variable.name)
        self.variable = variable


class CannotUnroll(Exception):
    """A loop does not end soon, or too much of it depends on run-time values."""


@dataclass(slots=True)
class FlaggedFrame:
    """A loop being unrolled, or a switch: jumps set flags, and the code they skip is lowered under unset flags.

    ``ended`` is set by ``break``, ``skipped`` (loops only) by ``continue``. ``trip`` is the iteration being lowered and
    ``branch_depth`` the depth of branches where it began; ``uncertain`` are the breaks that depend on run-time values.
    """

    ended: Variable
    skipped: Variable | None = None
    trip: int = 0
    branch_depth: int = 0
    goes_on: bool = False
    uncertain: set[int] = field(default_factory=set)

    @property
    def flags(self) -> list[Variable]:
        """The flags that say whether a statement inside is skipped."""
        return [self.ended] if self.skipped is None else [self.ended, self.skipped]


@dataclass(slots=True)
class LoopFrame:
    """A loop being lowered: the variables its jumps carry, and what a ``continue`` executes first."""

    variables: list[Variable]
    node: Loop
    step: Expression | None
    condition: Expression | None
    breaks: list[Jump] = field(default_factory=list)


@dataclass(slots=True)
class FunctionFrame:
    """A function being inlined: a flag for "has returned", its result, the lines of the calls that it is inlined for,
    and the loops and switches entered since."""

    returned: Variable
    result: Variable | None
    calls: Origin = ()
    loops: list[LoopFrame | FlaggedFrame] = field(default_factory=list)


class LoweringState:
    """The builder and the operands of every variable; base of the lowering's parts."""

    def __init__(self, name: str, indexed: frozenset[Variable] = frozenset()) -> None:
        self.name = name
        self.builder = Builder(name)
        self.state: dict[Variable, Leaves] = {}
        self.arrays = {v: RegisterArray(v.name, sum(1 for _ in leaf_types(v.type)), self._table(v)) for v in indexed}
        self.frames: list[FunctionFrame] = []
        self.local_size = 1, 1, 1
        self.shared_offsets: dict[Variable, int] = {}
        self.inputs: dict[str, Variable] = {}
        """Built-in inputs of compute shaders by semantic."""
        self.written_at: dict[Variable, Origin] = {}
        """Origin of the latest write to each output."""
        self.dead = False
        self.in_unrolled = 0
        self.evaluated = 0
        self.branch_depth = 0
        self.too_long: set[int] = set()
        self.most_trips: dict[int, int] = {}
        self.estimates = False
        """Whether code is lowered only to estimate its cost: elements of arrays cost nothing."""

    def at(self, line: int) -> Origin:
        """Let what is lowered from now on come from a line, or from the call where that is 0, as in text of ours; the
        origin to return to."""
        outer, calls = self.builder.origin, self.frames[-1].calls if self.frames else ()
        self.builder.origin = (line, *calls) if line else calls
        return outer

    def fail(self, message: str, line: int) -> NoReturn:
        """Raise a :class:`ShaderError`."""
        raise ShaderError(message, line, self.name)

    def undefined_leaves(self, variable: Variable) -> Leaves:
        """Operands of a variable that was never written."""
        return tuple(
            self.builder.undefined(leaf.rows if isinstance(leaf, BasicType) else 1)
            for leaf in leaf_types(variable.type)
        )

    def leaves_from_bits(self, variable: Variable) -> Leaves:
        """Operands of a constant whose components are known."""
        bits = list(variable.value or ())
        leaves = []
        for leaf in leaf_types(variable.type):
            rows = leaf.rows if isinstance(leaf, BasicType) else 1
            leaves.append(self.builder.immediate(*bits[:rows]))
            del bits[:rows]
        return tuple(leaves)

    def _table(self, variable: Variable) -> tuple[tuple[int, ...], ...] | None:
        """The registers of a constant."""
        if not variable.constant or variable.value is None:
            return None
        return tuple(bits_of(leaf) for leaf in self.leaves_from_bits(variable))

    def declare(self, variable: Variable, leaves: Leaves | None) -> None:
        """Give a variable its first value."""
        array = self.arrays.get(variable)
        if leaf_count(variable.type) > MAXIMUM_REGISTERS:
            # Nothing but its length is asked for.
            return
        if array is None:
            self.state[variable] = leaves if leaves is not None else self.undefined_leaves(variable)
        elif leaves is not None and array.table is None:
            for offset, leaf in enumerate(leaves):
                self.store(array, offset, leaf, tuple(range(len(leaf.swizzle))), None)

    def store(
        self, array: RegisterArray, offset: int, leaf: Operand, components: tuple[int, ...], address: Operand | None
    ) -> None:
        """Write components of a register of an array."""
        if leaf.value.op != "UNDEF":
            args = (leaf,) if address is None else (leaf, address)
            self.builder.make("WRITE", 0, args, (array, offset, components))

    def load(self, array: RegisterArray, offset: int, width: int, address: Operand | None) -> Operand:
        """Read a register of an array."""
        if array.table is not None and address is None:
            return self.builder.immediate(*array.table[offset])
        args = () if address is None else (address,)
        return self.builder.make("READ", width, args, (array, offset))

    def join(
        self, condition: Operand, branches: tuple[BranchResult, BranchResult], base: dict[Variable, Leaves]
    ) -> None:
        """Append an If of two finished branches and continue after it."""
        (then_nodes, then_state), (else_nodes, else_state) = branches
        node = If(condition, then_nodes, else_nodes, [], None, None, self.builder.origin)
        if then_state is None or else_state is None:
            self._join_one_sided(node, then_state, else_state, base)
            return
        node.then_yields, node.else_yields = [], []
        self.builder.nodes.append(node)
        self.state = dict(base)
        for variable in base:
            then_leaves, else_leaves = then_state[variable], else_state[variable]
            if then_leaves is else_leaves:
                self.state[variable] = then_leaves
            else:
                pairs = zip(then_leaves, else_leaves, strict=True)
                self.state[variable] = tuple(self._merge(node, condition, a, b) for a, b in pairs)

    def _join_one_sided(
        self,
        node: If,
        then_state: dict[Variable, Leaves] | None,
        else_state: dict[Variable, Leaves] | None,
        base: dict[Variable, Leaves],
    ) -> None:
        """One branch jumps away, so the code of the other one needs no construct around it."""
        survivor = node.otherwise if then_state is None else node.then
        survivor_state = else_state if then_state is None else then_state
        if then_state is None:
            node.otherwise = []
        else:
            node.condition = self.builder.alu("NOT", node.condition)
            node.then, node.otherwise = node.otherwise, []
        self.builder.nodes.append(node)
        self.builder.nodes += survivor
        if survivor_state is None:
            self.dead = True
            return
        self.state = {variable: survivor_state[variable] for variable in base}

    def _merge(self, node: If, condition: Operand, a: Operand, b: Operand) -> Operand:
        assert node.then_yields is not None and node.else_yields is not None
        if a == b:
            return a
        if a.value.op == "UNDEF" and b.value.op in ("IMM", "UNDEF"):
            return b
        if b.value.op == "UNDEF" and a.value.op == "IMM":
            return a
        if a.value.op == b.value.op == "IMM":
            wide = self.builder.select(condition, (0,) * len(a.swizzle))
            return self.builder.alu("UCMP", wide, a, b)
        phi = Value("PHI", len(a.swizzle))
        node.results.append(phi)
        node.then_yields.append(a)
        node.else_yields.append(b)
        return identity(phi)
