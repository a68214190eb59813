"""Decisions of lanes in vector code: outcomes of branches become bits of a symbol, symbols select nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ...decisions import SYMBOL_BITS, DecisionPlaces
from ...kernel_arguments import TREE
from .memory import POINTER, any_lane, choose, counted_loop, element, field, gather, set_field, variable
from .vectors import INT, LONG, Value, Vectors

STEP = "step"
_ZERO = ir.Constant(INT, 0)


@dataclass
class LaneDecisions:
    """State of every lane: its node, and the symbol that is being filled.

    Attributes
    ----------
    v
        Where code goes.
    places
        Where the outcome of each branch goes.
    tree
        Address of a `TreeBlock`.
    nodes, symbols
        Variables of int32 vectors.
    """

    v: Vectors
    places: DecisionPlaces
    tree: Value

    def __post_init__(self) -> None:
        b = self.v.builder
        self.nodes, self.symbols = variable(b, self.v.integer(0)), variable(b, self.v.integer(0))

    def decide(self, pc: int, executing: Value, taken: Value) -> None:
        """Note the outcome of a branch for the lanes that reach it."""
        v, b = self.v, self.v.builder
        if pc in self.places.full:
            self.lead_on(executing)
        bit = b.select(taken, v.integer(1 << self.places.bits[pc]), v.integer(0))
        b.store(b.or_(b.load(self.symbols, typ=v.ints), bit), self.symbols)

    def lead_on(self, lanes: Value) -> None:
        """Move lanes to the child node for their symbol."""
        v, b = self.v, self.v.builder
        nodes, symbols = (b.load(place, typ=v.ints) for place in (self.nodes, self.symbols))
        active = b.sext(lanes, v.ints)
        b.store(b.call(_step(v), [self.tree, nodes, symbols, active]), self.nodes)
        b.store(b.select(lanes, v.integer(0), symbols), self.symbols)


def _step(v: Vectors) -> ir.Function:
    """The function that moves lanes to child nodes: tree, nodes, symbols, all bits for active lanes; new nodes."""
    module = v.builder.module
    step = module.globals.get(STEP)
    if step is not None:
        return step
    function = ir.Function(module, ir.FunctionType(v.ints, [POINTER, v.ints, v.ints, v.ints]), STEP)
    function.linkage = "internal"
    function.attributes.add("noinline")
    _emit_step(Vectors(ir.IRBuilder(function.append_basic_block("entry")), v.width), *function.args)
    return function


def _emit_step(v: Vectors, tree: Value, nodes: Value, symbols: Value, active: Value) -> None:
    b = v.builder
    places = b.add(b.shl(nodes, v.integer(SYMBOL_BITS)), symbols)
    following = gather(v, field(b, tree, TREE.following, POINTER), places)
    lanes = b.icmp_signed("!=", active, v.integer(0))
    missing = b.and_(b.icmp_signed("==", following, v.integer(0)), lanes)
    following = choose(b, any_lane(b, missing), lambda: [_added(v, tree, places, missing, following)], [following])[0]
    b.ret(b.select(lanes, following, nodes))


def _added(v: Vectors, tree: Value, places: Value, missing: Value, nodes: Value) -> Value:
    """Add missing nodes, lane by lane: a later lane may share a new node."""
    b = v.builder
    following, parents = (field(b, tree, word, POINTER) for word in (TREE.following, TREE.parents))
    at, absent, result = (_in_memory(v, value) for value in (places, b.sext(missing, v.ints), nodes))

    def lane(number: Value) -> None:
        with b.if_then(b.icmp_signed("!=", element(b, absent, number, INT), _ZERO)):
            place = element(b, at, number, INT)
            slot = b.gep(following, [b.sext(place, LONG)], source_etype=INT)
            present = b.load(slot, align=4, typ=INT)
            unknown = b.icmp_signed("==", present, _ZERO)
            node = choose(b, unknown, lambda: [_new_node(b, tree, parents, slot, place)], [present])[0]
            b.store(node, b.gep(result, [number], source_etype=INT), align=4)

    counted_loop(b, ir.Constant(LONG, v.width), 1, lane)
    return b.load(result, typ=v.ints)


def _in_memory(v: Vectors, value: Value) -> Value:
    b = v.builder
    pointer = b.gep(variable(b, value), [ir.Constant(LONG, 0)], source_etype=INT)
    pointer.type = POINTER
    return pointer


def _new_node(b: ir.IRBuilder, tree: Value, parents: Value, slot: Value, place: Value) -> Value:
    """The next free node, or the root if there is none."""
    count, capacity = (field(b, tree, word) for word in (TREE.used, TREE.capacity))
    fits = b.icmp_signed("<", count, capacity)
    with b.if_else(fits) as (then, otherwise):
        with then:
            node = b.trunc(count, INT)
            b.store(node, slot, align=4)
            b.store(place, b.gep(parents, [count], source_etype=INT), align=4)
            set_field(b, tree, TREE.used, b.add(count, ir.Constant(LONG, 1)))
        with otherwise:
            set_field(b, tree, TREE.full, ir.Constant(LONG, 1))
    return b.select(fits, b.trunc(count, INT), ir.Constant(INT, 0))
