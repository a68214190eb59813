"""Operations of a whole program on Arm's unified cores: those of its instructions, and what drivers add.

After Mesa's panfrost: a fragment program ends with a test of coverage and with blending, a vertex program with the
viewport's transformation and a store of each output. Varyings and attributes are loaded by messages; the place of a
fragment is converted.
"""

from __future__ import annotations

from .operations import Operations, Row, operations, total
from .varyings import Loads

PRELOADED = 2
"""Messages that fetch varyings or texels before a fragment program begins (`bi_opt_message_preload`)."""
FRAGMENT_END = Operations(message=2)
"""The test of alpha and coverage, and blending (ATEST, BLEND)."""
VERTEX_END = Operations(product=6, special=1)
"""The viewport's transformation, which drivers append (`nir_lower_viewport_transform`)."""
PLACE = Operations(compare=1, sum=1)
"""A conversion of a component of the fragment's place, and the sum with one half (`bi_emit_load_frag_coord`)."""
STORE = Operations(message=2)
"""Address and store of an output (LEA_ATTR, ST_CVT)."""


def program_operations(rows: list[Row], loaded: Loads) -> list[Operations]:
    """Operations of each instruction of a program, with the loads before it and the stores behind the last.

    Parameters
    ----------
    rows
        Rows of a program's stage, in order.
    loaded
        What they load.
    """
    counts = []
    preloaded = PRELOADED if rows and rows[0]["stage"] == "fragment" else 0
    for row, vectors, places in zip(rows, loaded.vectors, loaded.places, strict=True):
        own = operations(row)
        messages = vectors + (own.message if row["class"] == "tex" and row["coord_origin"] == "varying" else 0)
        free = min(preloaded, messages)
        preloaded -= free
        counts.append(total((own, Operations(message=vectors - free), PLACE.times(places))))
    outputs = {row["destination_index"] for row in rows if row["destination_file"] == "OUT"}
    ends = {"fragment": FRAGMENT_END, "vertex": total((VERTEX_END, STORE.times(len(outputs))))}
    for i, row in enumerate(rows):
        if row["opcode"] == "END":
            counts[i] = total((counts[i], ends.get(row["stage"], Operations())))
    return counts
