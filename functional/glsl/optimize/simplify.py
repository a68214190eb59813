"""One pass over the code that removes copies, constants, repetitions, dead code and small branches.

The code is rebuilt through the builder, whose rules do the folding; this pass adds what needs a view of the whole
shader: dead components, branches whose condition is known, loop parameters that never change.
"""

from ..ssa import Builder, Code, If, Jump, Loop, Node, Operand, Value
from ..ssa.values import MEMORY_OPS, SIDE_EFFECTS, TEXTURE_OPS, identity, walk
from .facts import Facts
from .liveness import Liveness, is_componentwise

MAXIMUM_FLATTENED_OPERATIONS = 8
_NOT_FLATTENED = SIDE_EFFECTS | TEXTURE_OPS | MEMORY_OPS


class Simplifier:
    """Rebuilds ``code``."""

    def __init__(self, code: Code, name: str) -> None:
        self.code = code
        self.live = Liveness(code).mask
        self.builder = Builder(name)
        self.replaced: dict[Value, Operand] = {}
        self.loops: list[tuple[Loop, list[int], list[int]]] = []
        self.changed = False
        self.facts = Facts()

    def run(self) -> Code:
        """The simplified code."""
        self._rebuild(self.code.nodes)
        outputs = [(v, offset, self.operand(operand)) for v, offset, operand in self.code.outputs]
        return Code(self.builder.nodes, outputs, self.code.written)

    def operand(self, old: Operand) -> Operand:
        """The new operand for an operand of the old code."""
        new = self.replaced.get(old.value)
        if new is None:
            return self.builder.canonical(old)
        swizzle = tuple(new.swizzle[c] for c in old.swizzle)
        negate, absolute = old.negate != new.negate, new.absolute
        if old.absolute:
            negate, absolute = old.negate, True
        return self.builder.canonical(Operand(new.value, swizzle, negate, absolute))

    def _rebuild(self, nodes: list[Node]) -> None:
        outer = self.builder.origin
        for node in nodes:
            self.builder.origin = node.origin
            if isinstance(node, Value):
                self._value(node)
            elif isinstance(node, If):
                self._if(node)
            elif isinstance(node, Loop):
                self._loop(node)
            else:
                self._jump(node)
        self.builder.origin = outer

    def _value(self, value: Value) -> None:
        mask = self.live.get(value, 0)
        if value.op in SIDE_EFFECTS:
            made = self.builder.make(value.op, value.width, tuple(self.operand(a) for a in value.args), value.data)
            self.replaced[value] = made
        elif mask:
            self.replaced[value] = self._chosen(value) or self._narrowed(value, mask)

    def _chosen(self, value: Value) -> Operand | None:
        """The selected operand if the condition is known from a branch around it."""
        if value.op != "UCMP" or not self.facts:
            return None
        condition = self.operand(value.args[0])
        outcomes = {self.facts.outcome(condition._replace(swizzle=(c,))) for c in condition.swizzle}
        return (
            self.operand(value.args[1 if outcomes == {True} else 2])
            if len(outcomes) == 1 and None not in outcomes
            else None
        )

    def _narrowed(self, value: Value, mask: int) -> Operand:
        """The value reduced to its needed components."""
        kept = [c for c in range(value.width) if mask >> c & 1]
        if len(kept) == value.width or not (is_componentwise(value) or value.op == "VEC"):
            return self.builder.rebuild(value, tuple(self.operand(a) for a in value.args))
        if value.op == "VEC":
            args = tuple(self.operand(value.args[c]) for c in kept)
        else:
            narrowed = [a._replace(swizzle=tuple(a.swizzle[c] for c in kept)) for a in value.args]
            args = tuple(self.operand(a) for a in narrowed)
        narrow = self.builder.rebuild(Value(value.op, len(kept), value.args, value.data), args)
        return _spread(narrow, kept, value.width)

    def _phi(self, old: Value) -> Value:
        """A new PHI for an old one, narrowed."""
        mask = self.live[old]
        kept = [c for c in range(old.width) if mask >> c & 1]
        phi = Value("PHI", len(kept))
        self.replaced[old] = _spread(Operand(phi, tuple(range(len(kept)))), kept, old.width)
        return phi

    def _yield(self, old: Value, operand: Operand) -> Operand:
        """Operands of the narrowed PHI."""
        mask = self.live[old]
        kept = tuple(operand.swizzle[c] for c in range(old.width) if mask >> c & 1)
        return self.operand(operand._replace(swizzle=kept))

    def _if(self, node: If) -> None:
        condition = self.operand(node.condition)
        outcome = self.facts.outcome(condition)
        if outcome is not None:
            self.changed = True
            taken = node.then if outcome else node.otherwise
            yields = node.then_yields if outcome else node.else_yields
            self._rebuild(taken)
            for result, operand in zip(node.results, yields or (), strict=False):
                self.replaced[result] = self.operand(operand)
        elif _only_kills(node):
            self.changed = True
            one = self.builder.immediate(0x3F800000)
            killed = self.builder.negate(self.builder.alu("AND", condition, one))
            self.builder.make("KILL_IF", 0, (killed,))
        elif self._is_small(node):
            self.changed = True
            self._flatten(node, condition)
        else:
            self._branches(node, condition)

    def _is_small(self, node: If) -> bool:
        """Whether executing both branches is cheaper than a jump."""
        if node.then_yields is None or node.else_yields is None:
            return False
        for branch in (node.then, node.otherwise):
            if any(not isinstance(n, Value) or n.op in _NOT_FLATTENED for n in branch):
                return False
            operations = [n for n in branch if isinstance(n, Value) and self.live.get(n) and _costs(n)]
            if len(operations) > MAXIMUM_FLATTENED_OPERATIONS:
                return False
        return True

    def _flatten(self, node: If, condition: Operand) -> None:
        self._rebuild(node.then)
        self._rebuild(node.otherwise)
        assert node.then_yields is not None and node.else_yields is not None
        for result, a, b in zip(node.results, node.then_yields, node.else_yields, strict=True):
            if self.live.get(result):
                wide = self.builder.select(condition, (0,) * len(a.swizzle))
                self.replaced[result] = self.builder.alu("UCMP", wide, self.operand(a), self.operand(b))

    def _branches(self, node: If, condition: Operand) -> None:
        outer = self.builder.push()
        with self.facts.where(condition, True):
            self._rebuild(node.then)
        results = [r for r in node.results if self.live.get(r)]
        chosen = [i for i, r in enumerate(node.results) if self.live.get(r)]
        then_yields = self._branch_yields(node, node.then_yields, chosen)
        then = self.builder.pop(outer)
        outer = self.builder.push()
        with self.facts.where(condition, False):
            self._rebuild(node.otherwise)
        else_yields = self._branch_yields(node, node.else_yields, chosen)
        otherwise = self.builder.pop(outer)
        new = If(condition, then, otherwise, [], None, None, node.origin)
        if then_yields is not None and else_yields is not None:
            new.then_yields, new.else_yields = [], []
            for result, a, b in zip(results, then_yields, else_yields, strict=True):
                if a == b:
                    self.changed = True
                    kept = [c for c in range(result.width) if self.live[result] >> c & 1]
                    self.replaced[result] = _spread(a, kept, result.width)
                else:
                    new.results.append(self._phi(result))
                    new.then_yields.append(a)
                    new.else_yields.append(b)
        if then or otherwise or new.results:
            self._keep(new)
        else:
            self.changed = True

    def _keep(self, node: If) -> None:
        inverse = self.builder.alu("NOT", node.condition) if not node.then and node.otherwise else None
        if inverse is not None and (not node.results or inverse.value.op != "NOT"):
            node.condition = inverse
            node.then, node.otherwise = node.otherwise, []
            node.then_yields, node.else_yields = node.else_yields, node.then_yields
        self.builder.nodes.append(node)

    def _branch_yields(self, node: If, yields: list[Operand] | None, chosen: list[int]) -> list[Operand] | None:
        if yields is None:
            return None
        return [self._yield(node.results[i], yields[i]) for i in chosen]

    def _loop(self, node: Loop) -> None:
        jumps = _jumps_of(node.body)
        kept_parameters, kept_results = [], []
        for i, parameter in enumerate(node.parameters):
            nexts = [j.yields[i] for j in jumps if j.kind == "CONT"] + ([node.next[i]] if node.next else [])
            same = all(o == identity(parameter) for o in nexts)
            if same or all(o == node.initial[i] for o in nexts):
                self.changed = self.changed or bool(self.live.get(parameter))
                self.replaced[parameter] = self.operand(node.initial[i])
            elif self.live.get(parameter):
                kept_parameters.append(i)
        inside = {id(n) for n in walk(node.body)} | {id(p) for n in walk(node.body) for p in _phis_of(n)}
        unchanged: list[tuple[Value, Operand]] = []
        for i, result in enumerate(node.results):
            yields = [j.yields[i] for j in jumps if j.kind == "BRK"]
            if not self.live.get(result):
                continue
            if yields and all(o == yields[0] for o in yields) and id(yields[0].value) not in inside:
                unchanged.append((result, yields[0]))
            else:
                kept_results.append(i)
        initial = [self._yield(node.parameters[i], node.initial[i]) for i in kept_parameters]
        new = Loop([], initial, origin=node.origin)
        new.parameters = [self._phi(node.parameters[i]) for i in kept_parameters]
        self.loops.append((node, kept_parameters, kept_results))
        outer = self.builder.push()
        self._rebuild(node.body)
        if node.next is not None:
            new.next = [self._yield(node.parameters[i], node.next[i]) for i in kept_parameters]
        new.body = self.builder.pop(outer)
        self.loops.pop()
        self.builder.nodes.append(new)
        new.results = [self._phi(node.results[i]) for i in kept_results]
        for result, operand in unchanged:
            self.replaced[result] = self.operand(operand)

    def _jump(self, jump: Jump) -> None:
        """Reduce the operands of a jump to those of the narrowed PHIs."""
        loop, parameters, results = self.loops[-1]
        phis, kept = (loop.results, results) if jump.kind == "BRK" else (loop.parameters, parameters)
        yields = [self._yield(phis[i], jump.yields[i]) for i in kept]
        self.builder.nodes.append(Jump(jump.kind, yields, jump.origin))


def _spread(narrow: Operand, kept: list[int], width: int) -> Operand:
    """A narrowed value at its old width."""
    position = {component: i for i, component in enumerate(kept)}
    swizzle = tuple(narrow.swizzle[position.get(c, 0)] for c in range(width))
    return narrow._replace(swizzle=swizzle)


def _costs(value: Value) -> bool:
    return value.op not in ("UNIFORM", "INPUT", "VEC", "MOV", "SAMPLER", "SAT")


def _only_kills(node: If) -> bool:
    return (
        len(node.then) == 1
        and isinstance(node.then[0], Value)
        and node.then[0].op == "KILL"
        and not (node.otherwise or node.results)
    )


def _phis_of(node: Node) -> list[Value]:
    if isinstance(node, If):
        return node.results
    return [*node.parameters, *node.results] if isinstance(node, Loop) else []


def _jumps_of(nodes: list[Node]) -> list[Jump]:
    """The jumps of the loop with this body, without those of nested loops."""
    jumps: list[Jump] = []
    for node in nodes:
        if isinstance(node, Jump):
            jumps.append(node)
        elif isinstance(node, If):
            jumps += _jumps_of(node.then) + _jumps_of(node.otherwise)
    return jumps
