"""Bifrost: a thread issues tuples of two operations, one of its FMA and one of its ADD unit, in an order that their
dependences allow.

Units are those of Mesa's `bifrost/ISA.xml`, which marks instructions of the FMA unit with an asterisk and those of the
ADD unit with a plus, and what its scheduler exchanges (`bi_can_fma`, `bi_can_add` in `bi_schedule.c`): only the FMA
unit multiplies, shifts and has logic; only the ADD unit has minima, special functions, conversions between floats and
integers, comparisons of integers, and messages to fixed units; either adds, compares floats, rounds, moves and selects.
The FMA unit of a tuple comes before its ADD unit, which may take its result, and results of a tuple are passed to the
next. Operations that need a unit go before those that have either (`bi_instr_cost`), then those with the longest chain
behind them. Ports of registers and constants are taken to suffice. Mesa's statistics of shaders count a tuple per
thread and cycle of an execution engine (`bi_print_stats`), which Arm's offline compiler does, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from .operations import Operations, Row, operations
from .tuple_steps import ADD, EITHER, FMA, Step, chain, steps_of

Value = tuple[str, int, int]
"""Component of a register: file, index, component."""


class Block:
    """Operations of a block: the unit that each needs, and those it follows. `made`: which make a value."""

    def __init__(self) -> None:
        self.unit: list[int] = []
        self.after: list[set[int]] = []
        self.made: dict[Value, set[int]] = {}

    def add(self, steps: Sequence[Step], after: set[int]) -> set[int]:
        """Add steps whose first ones follow other operations; the number of the last."""
        first = len(self.unit)
        for step in steps:
            self.unit.append(step.unit)
            self.after.append({first + i for i in step.after} if step.after else set(after))
        return {len(self.unit) - 1} if steps else set(after)

    def reads(self, row: Row, components: Sequence[int]) -> set[int]:
        """Operations that make what an instruction reads for some components; all of a source if not by component."""
        found: set[int] = set()
        for source in row["sources"] or ():
            for letter in {source["swizzle"][c] for c in components}:
                found |= self.made.get((source["file"], source["index"], "xyzw".index(letter)), set())
        return found


def written(row: Row) -> list[int]:
    """Components that an instruction writes."""
    return [c for c in range(4) if row["write_mask"] >> c & 1]


def add_instruction(block: Block, row: Row, extra: Operations) -> None:
    """Add an instruction, with loads before it or what follows the last one (`extra`)."""
    loads = block.add([Step(ADD)] * extra.message, set()) if row["opcode"] != "END" and extra.message else set()
    groups, size = steps_of(row)
    mask = written(row)
    across = size == 4
    parts = [mask[i * size : (i + 1) * size] for i in range(len(groups))] if not across else [mask]
    if not groups:
        parts = [[c] for c in mask]
    results: dict[int, set[int]] = {}
    for i, part in enumerate(parts):
        needs = block.reads(row, range(4) if across and groups else part) | loads
        last = block.add(groups[i], needs) if groups else needs
        results |= dict.fromkeys(part, last)
    if row["destination_file"] is not None:
        for c, last in results.items():
            block.made[row["destination_file"], row["destination_index"], c] = last
    if row["opcode"] == "END":
        add_end(block, extra)


def add_end(block: Block, extra: Operations) -> None:
    """The test of coverage and blending, or the viewport's transformation and stores of outputs."""
    outputs = {key: made for key, made in block.made.items() if key[0] == "OUT"}
    values: set[int] = set().union(*outputs.values()) if outputs else set()
    if extra.special:
        reciprocal = block.add([Step(ADD)] * extra.special, values)
        for _ in range(extra.product // 2):
            values |= block.add(chain(FMA, FMA), reciprocal)
        for _ in range(extra.message // 2):
            address = block.add([Step(ADD)], set())
            block.add([Step(ADD)], values | address)
    elif extra.message:
        alpha: set[int] = set().union(*(made for key, made in outputs.items() if key[2] == 3))
        test = block.add([Step(ADD)], alpha)
        block.add([Step(ADD)], values | test)


def scheduled_tuples(rows: Sequence[Row], found: Sequence[Operations]) -> int:
    """Tuples of a block.

    Parameters
    ----------
    rows
        Its instructions.
    found
        Operations of each, with what loads and ends it (`program_operations`).
    """
    block = Block()
    for row, own in zip(rows, found, strict=True):
        bare = operations(row)
        add_instruction(block, row, Operations(*(a - b for a, b in zip(own, bare, strict=True))))
    return length(block)


def length(block: Block) -> int:
    """Tuples that a list scheduler needs."""
    count = len(block.unit)
    behind: list[list[int]] = [[] for _ in range(count)]
    for i, after in enumerate(block.after):
        for before in after:
            behind[before].append(i)
    rank = [0] * count
    for i in reversed(range(count)):
        rank[i] = 1 + max((rank[j] for j in behind[i]), default=0)
    waits = [len(after) for after in block.after]
    ready = {i for i in range(count) if waits[i] == 0}
    tuples = 0
    while ready:
        later: set[int] = set()
        for unit in (FMA, ADD):
            able = [i for i in ready if block.unit[i] in (unit, EITHER)]
            if not able:
                continue
            chosen = max(able, key=lambda i: (block.unit[i] == unit, rank[i], -i))
            ready.remove(chosen)
            for j in behind[chosen]:
                waits[j] -= 1
                if waits[j] == 0:
                    # The ADD unit takes the FMA unit's result in the same tuple.
                    (ready if unit == FMA and block.unit[j] != FMA else later).add(j)
        ready |= later
        tuples += 1
    return tuples
