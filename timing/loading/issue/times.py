"""Time for which each instruction occupies the processor that issues it, by what `issue` of its stage says.

`instruction`: every instruction takes the same time. `pairs`: a scalar machine with two units (Bifrost) takes that time
for a pair of operations, one for each unit. `words`: a machine of long instruction words (Utgard) takes it for a word,
which holds one instruction for each of a few units in a row. A machine of scalar lanes takes a cycle for each scalar
instruction, or for a pair of them (`simt_core.issue`). Arm's unified cores are in `unified_issue`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.stages import FragmentStage, VertexStage

from ...units.simt_core import SimtCoreParameters
from ..source import numbers
from .pipes import PIPES
from .scalar import STEPS, scalar_of_rows
from .unified_issue import MODELS, unified_issue
from .varyings import Places

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

TWICE = frozenset({"LRP", "DIV"})
"""Instructions that are two on machines: a difference and a multiply-add; a reciprocal and a product."""
MULTIPLY, ADD = frozenset({"MUL", "UMUL", "DIV"}), frozenset({"MAD", "LRP", "DP2", "DP3", "DP4"})
TEXTURE, PRODUCT, SUM, COMBINE, BRANCH = range(5)
"""Units of a word in the order in which it passes them (lima's documentation of the instruction set): what comes later
takes the results of what came before within the same word."""
VARYING = "IN"
LOADS = frozenset({VARYING, "CONST"})
"""Loads of a word: a varying and a uniform."""
Register = tuple[str, int]


class Issue(NamedTuple):
    """Cycles that each instruction occupies its processor for, 16-bit channels of varyings that it waits for, and
    instructions of Valhall's pipes (rows of three)."""

    cycles: np.ndarray[Any, Any]
    channels: np.ndarray[Any, Any]
    pipes: np.ndarray[Any, Any]


def issue_of(instructions: pa.Table, configuration: Hardware, scalar: bool, places: Places) -> Issue:
    """Issue of each instruction.

    Parameters
    ----------
    instructions
        Table of the activity.
    configuration
        Says how each stage issues.
    scalar
        Whether lanes execute scalar instructions.
    places
        Inputs of programs that are the place of the fragment.
    """
    core = configuration.of(SimtCoreParameters)
    if scalar and core.issue in MODELS:
        cycles, channels, pipes = unified_issue(instructions.to_pylist(), core.issue, core.warp_threads, places)
    else:
        cycles = issue_cycles(instructions, configuration, scalar)
        channels, pipes = np.zeros(len(cycles), np.int64), np.zeros((len(cycles), len(PIPES)), np.int64)
    most = np.iinfo(np.int16).max
    return Issue(*(np.minimum(values, most) for values in (cycles, channels, pipes)))


def issue_cycles(instructions: pa.Table, configuration: Hardware, scalar: bool) -> np.ndarray[Any, Any]:
    """Cycles that each instruction occupies its processor for, on other machines than Arm's unified cores.

    Parameters
    ----------
    instructions
        Table of the activity.
    configuration
        Says how each stage issues.
    scalar
        Whether lanes execute scalar instructions.
    """
    stages, block = np.array(instructions["stage"].to_pylist(), object), numbers(instructions, "block")
    durations = np.ones(len(instructions), np.int64)
    if scalar and configuration.of(SimtCoreParameters).issue == "scalar":
        return np.array(scalar_of_rows(instructions.to_pylist()), np.int64)
    rows: list[dict[str, Any]] = []
    for name, (issue, each) in _issued(configuration, scalar).items():
        mine = np.flatnonzero(stages == name).tolist()
        if issue == "instruction":
            durations[mine] = each
            continue
        rows = rows or instructions.to_pylist()
        blocks: dict[tuple[int, int], list[int]] = {}
        for i in mine:
            blocks.setdefault((rows[i]["program"], int(block[i])), []).append(i)
        count = pairs if issue == "pairs" else words
        for members in blocks.values():
            cycles = each * count([rows[i] for i in members])
            durations[members] = spread(cycles, len(members))
    return durations


def _issued(configuration: Hardware, scalar: bool) -> dict[str, tuple[str, int]]:
    """Amount that each stage issues at a time, and the cycles that it takes for it."""
    if scalar:
        return dict.fromkeys(("vertex", "fragment", "compute"), (configuration.of(SimtCoreParameters).issue, 1))
    vertex, fragment = configuration.of(VertexStage), configuration.of(FragmentStage)
    return {"vertex": (vertex.issue, vertex.issue_cycles), "fragment": (fragment.issue, fragment.issue_cycles)}


def spread(cycles: int, instructions: int) -> list[int]:
    """The time of a block for each of its instructions: as even as whole cycles allow, a cycle each at least."""
    whole = max(cycles, instructions)
    ends = [whole * (n + 1) // instructions for n in range(instructions)]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


def pairs(rows: list[dict[str, Any]]) -> int:
    """Number of pairs that the scalar operations of a block take.

    Products have one unit, what is no arithmetic the other, sums and everything else either; the operations are taken
    to be arranged so that no unit waits for the other.
    """
    products, others, either = 0, 0, 0
    for row in rows:
        if row["opcode"] in MULTIPLY or row["opcode"] in ADD:
            products += components(row)
        elif row["class"] != "alu":
            others += row["opcode"] != "END"
        else:
            either += components(row)
    return max(1, products, others, -(-(products + others + either) // 2))


def components(row: dict[str, Any]) -> int:
    """Scalar operations of an instruction: one for each component that it computes.

    A dot product has as many as products, a transcendental function and what is no arithmetic one.
    """
    if row["class"] != "alu":
        return 1
    written = bin(row["write_mask"] & 15).count("1")
    return max(1, STEPS.get(row["opcode"], written) * (2 if row["opcode"] in TWICE else 1))


@dataclass
class Word:
    """A word that is being filled: how much of each unit is taken, and what is loaded for it."""

    vector: list[bool] = field(default_factory=lambda: [False] * 5)
    scalar: list[bool] = field(default_factory=lambda: [False] * 5)
    loads: set[Register] = field(default_factory=set)


def words(rows: list[dict[str, Any]]) -> int:
    """Number of words that the instructions of a block take.

    Each goes into the first word that has its units free and comes after those whose results it takes: in a later word,
    or at a later unit of the same. Products and sums have a unit for vectors and one for scalars; a word loads one
    varying and one uniform, or those of one instruction. The coordinates of a texture operation pass the unit that
    loads varyings, from a register, too (Mesa's lima: `ppir_op_load_coords_reg`). The registers are taken to suffice.
    """
    packed: list[Word] = []
    ready: dict[Register, tuple[int, int]] = {}
    last = 0
    for number, row in enumerate(rows):
        if row["opcode"] == "END":
            continue
        sources = [(s["file"], s["index"]) for s in row["sources"] or ()]
        if row["class"] == "tex" and all(file != VARYING for file, _ in sources):
            # No load of another word is the same.
            sources.append((VARYING, -1 - number))
        first, last_unit = _units(row)
        earliest = max((_after(ready[s], first) for s in sources if s in ready), default=0)
        if row["class"] == "flow":
            earliest = max(earliest, last)
        while not _takes(packed, earliest, row, sources, first, last_unit):
            earliest += 1
        last = max(last, earliest)
        if row["destination_file"] is not None:
            target = row["destination_file"], row["destination_index"]
            ready[target] = max(ready.get(target, (0, 0)), (earliest, last_unit))
    return max(1, len(packed))


def _units(row: dict[str, Any]) -> tuple[int, int]:
    """First and last unit of a word that an instruction takes."""
    if row["class"] == "tex":
        return TEXTURE, TEXTURE
    if row["class"] == "sfu":
        return COMBINE, COMBINE
    if row["class"] == "flow":
        return BRANCH, BRANCH
    if row["opcode"] in MULTIPLY:
        return PRODUCT, PRODUCT
    return (PRODUCT, SUM) if row["opcode"] in ADD else (SUM, SUM)


def _after(produced: tuple[int, int], unit: int) -> int:
    """The first word in which an instruction that starts at this unit finds a result."""
    word, done = produced
    return word if unit > done else word + 1


def _takes(packed: list[Word], at: int, row: dict[str, Any], sources: list[Register], first: int, last: int) -> bool:
    """Put an instruction into a word if there is room."""
    while len(packed) <= at:
        packed.append(Word())
    word = packed[at]
    loads = {s for s in sources if s[0] in LOADS} - word.loads
    if any(of == there[0] for of, _ in loads for there in word.loads):
        return False
    wide = bin(row["write_mask"] & 15).count("1") > 1 or row["opcode"] in STEPS or last in (TEXTURE, COMBINE, BRANCH)
    for lanes in (word.vector,) if wide else (word.scalar, word.vector):
        if not any(lanes[first : last + 1]):
            lanes[first : last + 1] = [True] * (last + 1 - first)
            word.loads |= loads
            return True
    return False
