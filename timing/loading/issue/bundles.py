"""Midgard: an arithmetic pipe issues a bundle of up to five operations for one thread per cycle.

Units in the order in which a bundle passes them: a multiplier for vectors and an adder for scalars, then an adder for
vectors, a multiplier for scalars and a table of special functions; vectors have four floats of 32 bits. Which unit
executes what follows Mesa's `midgard_ops.c`; there are no fused multiply-adds of 32 bits, so that a product and its
sum take a unit each. Loads, stores, varyings and textures have pipes of their own. Instructions go into the first
bundle that comes after what they take and has a unit free; registers and constants are taken to suffice.
"""

from __future__ import annotations

from .operations import DOTS, Row, moves

VECTOR_MULTIPLY, SCALAR_ADD, VECTOR_ADD, SCALAR_MULTIPLY, TABLE = range(5)
STAGE = (0, 0, 1, 1, 1)
MULTIPLY, ADD = (SCALAR_MULTIPLY, VECTOR_MULTIPLY, TABLE), (SCALAR_ADD, VECTOR_ADD)
MOST = (SCALAR_ADD, SCALAR_MULTIPLY, VECTOR_MULTIPLY, VECTOR_ADD)
VECTORS = frozenset({VECTOR_MULTIPLY, VECTOR_ADD, TABLE})
STEPS: dict[str, tuple[tuple[int, ...], ...]] = {
    "MUL": (MULTIPLY,),
    "MAD": (MULTIPLY, ADD),
    "LRP": (ADD, MULTIPLY, ADD),
    "DIV": ((TABLE,), MULTIPLY),
    "FRC": (ADD, ADD),
    "SSG": (MOST, MOST, ADD),
    "POW": ((TABLE,), MULTIPLY, (TABLE,)),
    "SIN": (MULTIPLY, (TABLE,)),
    "COS": (MULTIPLY, (TABLE,)),
    "DP2": (MULTIPLY, ADD),
    "UMUL": ((SCALAR_MULTIPLY, VECTOR_MULTIPLY),),
    "UCMP": ((SCALAR_MULTIPLY, VECTOR_ADD),),
    **dict.fromkeys(("DP3", "DP4"), ((VECTOR_MULTIPLY,),)),
    **dict.fromkeys(("ADD", "FLR", "CEIL", "TRUNC", "ROUND", "SHL", "ISHR", "USHR"), (ADD,)),
    **dict.fromkeys(("F2I", "F2U", "I2F", "U2F"), (ADD,)),
}
"""Units that may execute each step of an instruction; special functions have the table, other arithmetic any but it. A
selection runs in the second stage, for its condition is written in the first; products of two components are multiplied
as a vector and added."""
VERTEX_END = ((TABLE,), MULTIPLY, MULTIPLY, ADD)
"""The viewport's transformation, which drivers append (`nir_lower_viewport_transform`)."""
Register = tuple[str, int]


class Bundles:
    """Bundles of a block: their free units, and when registers are ready."""

    def __init__(self) -> None:
        self.taken: list[set[int]] = []
        self.ready: dict[Register, tuple[int, int]] = {}

    def add(self, row: Row) -> None:
        """Put an instruction into bundles."""
        steps = steps_of(row)
        reads = [
            self.ready[s["file"], s["index"]] for s in row["sources"] or () if (s["file"], s["index"]) in self.ready
        ]
        at = max(reads, default=(0, -1))
        wide = (row["write_mask"] & 15).bit_count() > 1 or row["opcode"] in DOTS
        for units in steps:
            at = self._place(at, [unit for unit in units if unit in VECTORS or not wide])
        if row["destination_file"] is not None:
            target = row["destination_file"], row["destination_index"]
            self.ready[target] = max(self.ready.get(target, (0, -1)), at)

    def _place(self, after: tuple[int, int], units: list[int]) -> tuple[int, int]:
        """Bundle and stage of the first free unit behind a bundle and stage."""
        bundle = after[0]
        while True:
            while len(self.taken) <= bundle:
                self.taken.append(set())
            for unit in units:
                if unit not in self.taken[bundle] and (bundle, STAGE[unit]) > after:
                    self.taken[bundle].add(unit)
                    return bundle, STAGE[unit]
            bundle += 1


def steps_of(row: Row) -> tuple[tuple[int, ...], ...]:
    """Units for each step of an instruction; none where another pipe has it, or a copy that need not be made."""
    opcode, kind = row["opcode"], row["class"]
    if opcode == "END":
        return VERTEX_END if row["stage"] == "vertex" else (MOST,)
    if kind in ("tex", "mem", "flow"):
        return ((SCALAR_ADD,),) if opcode in ("UIF", "BRK", "KILL_IF") else ()
    if opcode == "MOV" and not moves(row):
        return ()
    return STEPS.get(opcode, ((TABLE,),) if kind == "sfu" else (MOST,))


def bundles(rows: list[Row]) -> int:
    """Bundles that the instructions of a block take."""
    packed = Bundles()
    for row in rows:
        packed.add(row)
    return len(packed.taken)
