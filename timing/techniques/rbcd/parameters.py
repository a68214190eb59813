"""Parameters of Render-Based Collision Detection."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group, section="technique.rbcd"):
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
    same_pixel: str = choice(
        "wait",
        {
            "wait": "it waits until the list is written back",
            "forward": "it gets the list forwarded",
        },
        "a fragment whose list is on its way through the insertion",
        silent=("forward",),
    )
    empty_list_cycles: int = number(
        1, "cycles", "that the Z-Overlap Test takes for a list without fragments", 0, 4, silent=(0, 1)
    )
    stack_entries: int = number(
        0, "elements", "of the FF-Stack, T; 0: as many as a list has; front faces beyond are lost", 0, 64
    )
    equal_depths: str = choice(
        "arrival",
        {
            "arrival": "as they arrived (Fig. 5.4)",
            "front_first": "front faces before back faces, so that objects that touch collide",
        },
        "order of elements at equal depths",
        silent=("front_first",),
    )
    unmatched_back_faces: str = choice(
        "ignored",
        {
            "ignored": "they collide with nothing",
            "from_viewer": "with all from the viewer on",
        },
        "back faces whose front face is missing, as the near plane has cut it off",
        silent=("from_viewer",),
    )
    same_object: str = choice(
        "ignored",
        {
            "ignored": "",
            "reported": "",
        },
        "overlaps of an object with itself",
        silent=("reported",),
    )
    same_label: str = choice(
        "one_object",
        {
            "one_object": "parts of one object",
            "several": "objects of their own",
        },
        "draws of one label",
        silent=("several",),
    )
    passes: str = choice(
        "screen",
        {
            "screen": "those that draw the screen",
            "all": "",
        },
        "passes whose objects are tested",
        silent=("all",),
    )
    output_buffer: int = number(16, "pairs", "found pairs on their way to memory", 1, 64, silent=(4, 64))
    pair_bytes: int = number(
        16, "bytes", "of a pair in memory: both objects, the pixel and two depths", 4, 64, silent=(8, 16)
    )
