"""What can be set of Render-Based Collision Detection."""

from __future__ import annotations

from typing import Literal

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group):
    """The RBCD unit (de Lucas' thesis of 2018, chapter 5, Table 5.1)."""

    zebs: int = number(2, "buffers", "Z-depth Extended Buffers (ZEBs), each of a tile [Table 5.1]", 1, 4)
    list_length: int = number(8, "elements", "fragments that a ZEB holds of each pixel, M [Table 5.1]", 1, 64)
    depth_bits: int = number(
        18, "bits", "of the 32 bits of an element, those of its depth; one is its side", 8, 24, silent=(15, 24)
    )
    object_bits: int = number(
        13, "bits", "of the 32 bits of an element, those of its object; one is its side", 1, 20, silent=(8, 16)
    )
    input_queue: int = number(
        16, "quads", "queue of quads before the insertion, which stalls the Rasterizer when it is full", 1, 256, (4, 64)
    )
    insertions_per_cycle: int = number(
        1, "fragments/cycle", "fragments of a quad that are inserted side by side (Fig. 5.4)", 1, 4, silent=(1, 4)
    )
    insertion_cycles: int = number(
        3, "cycles", "from reading a list to having it written back: three steps (5.2.4)", 1, 16, silent=(1, 3)
    )
    same_pixel: Literal["wait", "forward"] = choice(
        "wait",
        "a fragment whose list is on its way through the insertion waits until it is written back, or gets it "
        "forwarded",
        silent=("forward",),
    )
    empty_list_cycles: int = number(
        1, "cycles", "that the Z-Overlap Test takes for a list without fragments", 0, 4, silent=(0, 1)
    )
    stack_entries: int = number(
        0, "elements", "of the FF-Stack, T; 0: as many as a list has; front faces beyond are lost", 0, 64
    )
    equal_depths: Literal["arrival", "front_first"] = choice(
        "arrival",
        "at equal depths elements lie as they arrived (Fig. 5.4), or front faces lie before back faces, so that "
        "objects that touch collide",
        silent=("front_first",),
    )
    unmatched_back_faces: Literal["ignored", "from_viewer"] = choice(
        "ignored",
        "back faces whose front face is missing, as the near plane has cut it off: they collide with nothing, or with "
        "all from the viewer on",
        silent=("from_viewer",),
    )
    same_object: Literal["ignored", "reported"] = choice(
        "ignored", "overlaps of an object with itself", silent=("reported",)
    )
    same_label: Literal["one_object", "several"] = choice(
        "one_object", "draws of one label are parts of one object, or objects of their own", silent=("several",)
    )
    passes: Literal["screen", "all"] = choice(
        "screen", "passes whose objects are tested: those that draw the screen, or all", silent=("all",)
    )
    output_buffer: int = number(16, "pairs", "found pairs on their way to memory", 1, 64, silent=(4, 64))
    pair_bytes: int = number(
        16, "bytes", "of a pair in memory: both objects, the pixel and two depths", 4, 64, silent=(8, 16)
    )
