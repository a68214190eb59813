"""Parameters of the Omega-Test."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number

MAX_DEFERRED = 4096


class Parameters(Group, section="technique.omega_test"):
    """The Omega-Test: quads that lay behind the last frame's depths are tested last."""

    deferred_quads: int = number(
        1024,
        "quads",
        "that wait for the end of their tile in a Raster Unit; assumed",
        1,
        MAX_DEFERRED,
        silent=(64, 4096),
    )
    quads_per_cycle: int = number(4, "quads/cycle", "that go on to early depth then; assumed", 1, 32, silent=(1, 4))
    slack: int = number(
        0,
        "steps",
        "of the depth format that a quad may lie behind and not be deferred; assumed",
        0,
        1 << 30,
        silent=(0, 256),
    )
    depths: str = choice(
        "memory",
        {
            "memory": "written to main memory with each tile, and read before its quads in the next frame",
            "on_chip": "in a memory of their own, in no time",
        },
        "where depths are kept from frame to frame; assumed",
        silent=("on_chip",),
    )
    depth_bytes: int = number(4, "bytes", "of a depth in main memory; assumed", 1, 4, silent=(2, 4))
