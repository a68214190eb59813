"""Parameters of Rendering Elimination."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group, section="technique.rendering_elimination"):
    """Signature Unit and Signature Buffer (Rendering Elimination, III)."""

    ot_queue: int = number(64, "tiles", "Overlapped Tiles Queue before the Accumulate CRC unit; paper silent", 1, 4096)
    overlap_compute: str = choice(
        "yes",
        {
            "yes": "",
            "no": "",
        },
        "whether the next primitive's CRC is computed while the last one's is accumulated; paper silent",
    )
    compute_bytes_per_cycle: Literal[1, 2, 4, 8, 16, 32, 64] = Field(
        default=8,
        description="width of the Compute CRC unit: a subblock, with a table of 1 KB for each byte (III-G chose 8)",
        json_schema_extra={"unit": "bytes"},
    )
    accumulate: str = choice(
        "block",
        {
            "block": "one for each block that it adds, as only primitives that cover many tiles stall the pipeline (V)",
            "subblock": "one for each subblock (Algorithm 3)",
        },
        "steps in which the Accumulate CRC unit shifts a signature",
    )
    accumulate_cycles: int = number(1, "cycles", "of the Accumulate CRC unit for a step; paper silent", 1, 64)
    compare_cycles: int = number(
        2, "cycles", "to read and compare the signatures of a tile when it is scheduled: a few (V); paper silent", 0, 64
    )
    refresh_frames: int = number(
        0, "frames", "period, in frames, after which all tiles are rendered (III-E); 0: never", 0, 1 << 20
    )
    signature: str = choice(
        "sound",
        {
            "sound": "constants in full with the identity of programs, textures and state, and nothing "
            "is left out for as many frames as there are buffers after an upload",
            "paper": "what the paper signs: constants as they are set, and no elimination in the frame of an upload",
        },
        "what is signed",
    )
