"""Bifrost: a thread issues tuples of two operations, one of its FMA and one of its ADD unit, in an order that their
dependences allow.

Units are those of Mesa's `bifrost/ISA.xml`, which marks instructions of the FMA unit with an asterisk and those of the
ADD unit with a plus, and what its scheduler exchanges (`bi_can_fma`, `bi_can_add` in `bi_schedule.c`): only the FMA
unit multiplies, shifts and has logic; only the ADD unit has minima, special functions, conversions between floats and
integers, comparisons of integers, and messages to fixed units; either adds, compares floats, rounds, moves and selects.
The FMA unit of a tuple comes before its ADD unit, which may take its result, and results of a tuple are passed to the
next. Mesa goes from the end to the beginning, and takes operations that need a unit before those that have either
(`bi_instr_cost`), then the later one. Ports of registers are taken to suffice. Uniforms and constants have a single one
(`tuple_words`). Mesa's statistics of shaders count a tuple per thread and cycle of an execution engine
(`bi_print_stats`), which Arm's offline compiler does, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from .operations import Operations, Row, operations
from .tuple_steps import ADD, EITHER, FMA, Step, chain, steps_of
from .tuple_words import BLEND_WORD, COVERAGE_WORD, NONE, PLACE_WORDS, Words, dealt, fits

Value = tuple[str, int, int]
"""Component of a register: file, index, component."""


class Block:
    """Operations of a block: the unit that each needs, those it follows, and the uniforms and constants that it reads.
    `made`: which make a value; `moved`: which move a uniform or a constant to a register."""

    def __init__(self) -> None:
        self.unit: list[int] = []
        self.after: list[set[int]] = []
        self.words: list[Words] = []
        self.made: dict[Value, set[int]] = {}
        self.moved: dict[Value, int] = {}

    def add(self, steps: Sequence[Step], after: set[int], words: Sequence[Words] = ()) -> set[int]:
        """Add steps whose first ones follow other operations; the number of the last."""
        first = len(self.unit)
        for i, step in enumerate(steps):
            self.unit.append(step.unit)
            self.after.append({first + j for j in step.after} if step.after else set(after))
            self.words.append(words[i] if words else NONE)
        return {len(self.unit) - 1} if steps else set(after)

    def move(self, words: Sequence[Value]) -> set[int]:
        """Operations that move uniforms and constants to registers, each once."""
        for word in words:
            if word not in self.moved:
                (self.moved[word],) = self.add([Step(EITHER)], set(), [frozenset((word,))])
        return {self.moved[word] for word in words}

    def reads(self, row: Row, components: Sequence[int]) -> set[int]:
        """Operations that make what an instruction reads for some components; all of a source if not by component."""
        steps: set[int] = set()
        for source in row["sources"] or ():
            for letter in {source["swizzle"][c] for c in components}:
                steps |= self.made.get((source["file"], source["index"], "xyzw".index(letter)), set())
        return steps


def written(row: Row) -> list[int]:
    """Components that an instruction writes."""
    return [c for c in range(4) if row["write_mask"] >> c & 1]


def add_instruction(block: Block, row: Row, extra: Operations) -> None:
    """Add an instruction, with loads and conversions before it or what follows the last one (`extra`)."""
    loads = block.add([Step(ADD)] * extra.message, set()) if row["opcode"] != "END" and extra.message else set()
    for _ in range(extra.sum):
        loads |= block.add(chain(EITHER, EITHER), set(), PLACE_WORDS)
    groups, size = steps_of(row)
    mask = written(row)
    across = size == 4
    parts = [mask[i * size : (i + 1) * size] for i in range(len(groups))] if not across else [mask]
    if not groups:
        parts = [[c] for c in mask]
    results: dict[int, set[int]] = {}
    for i, part in enumerate(parts):
        needs = block.reads(row, range(4) if across and groups else part) | loads
        if groups:
            words, others = dealt(row, part, len(groups[i]))
            needs |= block.move(others)
        last = block.add(groups[i], needs, words) if groups else needs
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
        test = block.add([Step(ADD)], alpha, [COVERAGE_WORD])
        block.add([Step(ADD)], values | test, [BLEND_WORD])


def scheduled_tuples(rows: Sequence[Row], complete: Sequence[Operations]) -> int:
    """Tuples of a block.

    Parameters
    ----------
    rows
        Its instructions.
    complete
        Operations of each, with what loads and ends it (`program_operations`).
    """
    block = Block()
    for row, own in zip(rows, complete, strict=True):
        bare = operations(row)
        add_instruction(block, row, Operations(*(a - b for a, b in zip(own, bare, strict=True))))
    return length(block)


def length(block: Block) -> int:
    """Tuples that a list scheduler needs which goes from the end to the beginning, as Mesa's does: the ADD unit before
    the FMA unit of a tuple, what needs a unit before what has either, and the later of two operations first."""
    count = len(block.unit)
    waiting_for = [0] * count
    for after in block.after:
        for before in after:
            waiting_for[before] += 1
    ready = {i for i in range(count) if waiting_for[i] == 0}
    tuples = 0
    while ready:
        earlier: set[int] = set()
        words = NONE
        for unit in (ADD, FMA):
            able = [i for i in ready if block.unit[i] in (unit, EITHER) and fits(words | block.words[i])]
            if not able:
                continue
            chosen = max(able, key=lambda i: (block.unit[i] == unit, i))
            ready.remove(chosen)
            words |= block.words[chosen]
            for before in block.after[chosen]:
                waiting_for[before] -= 1
                if waiting_for[before] == 0:
                    # The ADD unit takes the FMA unit's result in the same tuple.
                    (ready if unit == ADD and block.unit[before] != ADD else earlier).add(before)
        ready |= earlier
        tuples += 1
    return tuples
