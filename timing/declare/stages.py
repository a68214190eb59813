"""Programmable stages: how many processors shade vertices and fragments, and what they share.

On the ground floor, since what is below the processors depends on them: how many caches there are of a kind, how large
the register files of the energy model are, which quad goes where.
"""

from __future__ import annotations

from pydantic import model_validator

from tilegpu.functional.errors import UserError

from .parameters import Group, choice, number
from .quad_mappings import BY_NAME
from .records import MAX_PROCESSORS, MAX_RASTER_UNITS, MAX_THREADS, MAX_WARPS


class Processors(Group):
    """Programmable stage."""

    warps: int = number(8, "warps", "warps per processor", 1, MAX_WARPS, silent=(2, 16))
    alu_latency: int = number(
        4, "cycles", "from issue to use of an arithmetic result: 4 stages, no forwarding (DAE 2.2)", 1, 1000
    )
    sfu_latency: int = number(8, "cycles", "from issue to use of a special function's result", 1, 1000, silent=(4, 16))
    flow_latency: int = number(4, "cycles", "from a jump to the next instruction of the warp", 1, 1000, silent=(1, 8))
    issue: str = choice(
        "instruction",
        {
            "instruction": "an instruction on vectors, as papers count",
            "pairs": "a pair of scalar operations, product and sum",
            "words": "a word that holds several instructions, a few units each",
        },
        "what takes issue_cycles (docs/model/issue.md)",
    )
    issue_cycles: int = number(1, "cycles", "time in which a processor issues what `issue` says", 1, 64)
    hazards: str = choice(
        "wait",
        {
            "wait": "they give way to others",
            "squash": "they take their turn all the same, and the instruction is squashed and fetched again (DAE 2.2)",
        },
        "warps whose next instruction has to wait for a register",
    )


class VertexStage(Processors, section="vertex_stage"):
    """Vertex Processors."""

    threads: int = number(4, "vertices", "vertices of a draw that a warp shades together (DAE Table 1)", 1, MAX_THREADS)
    processors_per_instruction_cache: int = number(
        4, "processors", "Vertex Processors that share an instruction cache", 1, MAX_PROCESSORS, silent=(1, 4)
    )
    processors: int = number(4, "processors", "Vertex Processors [Table 4.1]", 1, MAX_PROCESSORS)
    output_queue: int = number(
        16, "vertices", "shaded vertices that wait for Primitive Assembly, in order [Table 4.1]", 1, 128
    )


class FragmentStage(Processors, section="fragment_stage"):
    """Fragment Processors of one Raster Unit: four fragments per warp."""

    processors: int = number(4, "processors", "Fragment Processors per Raster Unit [Table 4.1]", 1, MAX_PROCESSORS)
    queue: int = number(128, "quads", "queue before each processor, or the shared one [Table 4.1]", 1, 1024)
    input_queue: str = choice(
        "private",
        {
            "private": "one before each processor (thesis 4.1.1)",
            "shared": "one before all of them, whose first quad holds back the rest",
        },
        "queues before the processors",
    )
    packing: str = choice(
        "quads",
        {
            "quads": "a quad",
            "visible": "up to four visible fragments, of quads that follow each other in the queue and execute the "
            "same (DAE 3.3)",
        },
        "what a warp holds",
    )
    instruction_bytes: int = number(16, "bytes", "size of an instruction", 1, 64, silent=(8, 32))
    processors_per_instruction_cache: int = number(
        2,
        "processors",
        "Fragment Processors that share an instruction cache; Table 4.1 has two for four",
        1,
        MAX_PROCESSORS,
    )
    processors_per_texture_cache: int = number(
        1, "processors", "Fragment Processors of a Raster Unit that share a texture cache", 1, MAX_PROCESSORS
    )
    raster_units_per_texture_cache: int = number(
        1,
        "units",
        "Raster Units that share texture caches: a processor shares with those of its number (thesis 6.2 has 2)",
        1,
        MAX_RASTER_UNITS,
    )
    scheduler: str = choice(
        "round_robin",
        {},
        "which warp issues: a name of docs/model/warp_schedulers.md",
        policies="warp_schedulers",
    )
    quad_mapping: str = choice(
        "interleaved",
        dict.fromkeys(BY_NAME, ""),
        "quad to processor: a name of docs/model/quad_mappings.md",
        silent=("rows", "quadrants"),
        policies="quad_mappings",
    )

    @model_validator(mode="after")
    def _fits(self) -> FragmentStage:
        if self.hazards == "squash" and self.scheduler != "round_robin":
            raise UserError(f"scheduler must be round_robin where hazards are squashed, not {self.scheduler}")
        return self
