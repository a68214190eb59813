"""The columns that papers characterize benchmarks by, each a quotient of two counts.

Sources: Tables 3.2 and 3.3 of the Parallel Tile Rendering thesis ("PTR"), Tables 3.3 and 3.4 of the thesis on
visibility and collisions ("VRO"), Fig. 2 and 15a of Rendering Elimination ("RE").
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A column: a quotient of two counts, so that means over frames are those over everything counted."""

    name: str
    unit: str
    above: str
    below: str
    description: str
    used_by: str = ""
    """Papers whose tables count so."""


COLUMNS = (
    Column("draw_calls_per_frame", "draws/frame", "draws", "frames", "draw calls", "PTR, VRO"),
    Column(
        "vertex_instructions_per_vertex",
        "instructions/vertex",
        "vertex_instructions",
        "vertices",
        "instructions executed per distinct vertex of a draw",
        "PTR, VRO",
    ),
    Column(
        "primitives_per_draw",
        "primitives/draw",
        "primitives",
        "draws",
        "primitives assembled, before clipping and culling",
        "PTR",
    ),
    Column(
        "primitives_per_tile",
        "primitives/tile",
        "binned",
        "tiles",
        "primitives in the list of a tile, by exact overlap, over all tiles of the passes",
    ),
    Column(
        "assembled_primitives_per_tile",
        "primitives/tile",
        "primitives",
        "screen_tiles",
        "primitives assembled over the tiles of the screen",
        "PTR",
    ),
    Column(
        "fragments_per_primitive",
        "fragments/primitive",
        "fragments",
        "primitives_kept",
        "covered fragments of a primitive that is not culled",
    ),
    Column(
        "fragments_per_assembled_primitive",
        "fragments/primitive",
        "fragments",
        "primitives",
        "fragments before early depth over primitives assembled",
        "PTR, VRO",
    ),
    Column(
        "attributes_per_primitive",
        "attributes/primitive",
        "attributes",
        "primitives_kept",
        "vec4 attributes interpolated, the position among them",
        "PTR",
    ),
    Column(
        "attributes_per_fragment",
        "attributes/fragment",
        "fragment_attributes",
        "fragments",
        "vec4 attributes interpolated per fragment before early depth, the position among them",
        "VRO",
    ),
    Column(
        "fragment_instructions_per_fragment",
        "instructions/fragment",
        "fragment_instructions",
        "fragments_shaded",
        "instructions executed per shaded fragment, helpers not counted",
        "PTR, VRO",
    ),
    Column(
        "alu_per_texture_instruction",
        "instructions/instruction",
        "alu",
        "tex",
        "arithmetic instructions (special functions too) per texture instruction of the fragment shaders",
    ),
    Column(
        "alu_per_texture_instruction_of_draws",
        "instructions/instruction",
        "alu_per_tex",
        "textured_draws",
        "the same as a mean over the draws that read textures, each with the same weight",
        "PTR, VRO",
    ),
    Column(
        "texels_per_fragment",
        "texels/fragment",
        "texels",
        "fragments_shaded",
        "texels fetched: 1 nearest, 4 bilinear, 8 trilinear, each once per probe",
        "PTR, VRO",
    ),
    Column("overdraw", "fragments/pixel", "fragments_shaded", "pixels", "fragments shaded per pixel of the images"),
    Column(
        "survivors_per_pixel",
        "fragments/pixel",
        "fragments_shaded",
        "screen_pixels",
        "fragments that survive early depth, per pixel of the screen",
        "PTR, VRO",
    ),
    Column(
        "survivors_per_covered_pixel",
        "fragments/pixel",
        "fragments_shaded",
        "covered_pixels",
        "fragments that survive early depth, per pixel that any fragment covers",
        "VRO (Gravity, Sleepy)",
    ),
    Column(
        "input_primitives_per_frame", "primitives/frame", "primitives", "frames", "primitives before clipping", "VRO"
    ),
    Column(
        "output_primitives_per_frame",
        "primitives/frame",
        "primitives_clipped",
        "frames",
        "primitives after clipping, before face culling",
        "VRO",
    ),
    Column(
        "culled_share",
        "share",
        "primitives_face_culled",
        "primitives_clipped",
        "output primitives that face culling removes, 0 to 1",
        "VRO",
    ),
    Column(
        "visible_primitives_per_frame",
        "primitives/frame",
        "primitives_kept",
        "frames",
        "primitives that are not culled and cover a sample",
        "VRO (output primitives times 1 - culled share)",
    ),
    Column(
        "hidden_share",
        "share",
        "fragments_hidden",
        "fragments_shaded",
        "shaded fragments that a later opaque one hides, 0 to 1: what removing hidden surfaces per pixel saves",
        "VRO",
    ),
    Column(
        "hidden_by_own_object_share",
        "share",
        "fragments_hidden_by_own",
        "fragments_shaded",
        "shaded fragments that their own object hides, 0 to 1: what no order of the objects saves",
        "VRO",
    ),
    Column(
        "hidden_instruction_share",
        "share",
        "instructions_hidden_by_others",
        "fragment_instructions",
        "instructions executed for shaded fragments that another object hides, 0 to 1: what an order of the objects"
        " saves at best",
        "VRO",
    ),
    *(
        Column(
            f"equal_{what}_tiles_distance_{distance}",
            "share",
            f"equal_{what}_{distance}",
            f"{what}_tiles_{distance}",
            f"tiles of the screen with the {of} of the {before}, 0 to 1; empty where {where}",
            "RE",
        )
        for what, of, where in (
            ("color", "colours", "no pictures were recorded (--with pass_images)"),
            ("input", "inputs", "no frame before is there to compare with"),
        )
        for distance, before in ((1, "last frame"), (2, "frame before the last one"))
    ),
    Column("dispatches_per_frame", "dispatches/frame", "dispatches", "frames", "dispatches of compute programs"),
    Column(
        "invocations_per_dispatch", "invocations/dispatch", "invocations", "dispatches", "invocations of a dispatch"
    ),
    Column(
        "compute_instructions_per_invocation",
        "instructions/invocation",
        "compute_instructions",
        "invocations",
        "instructions executed per invocation of a compute program",
    ),
    Column(
        "memory_accesses_per_invocation",
        "accesses/invocation",
        "memory_accesses",
        "invocations",
        "loads, stores and atomic operations per invocation of a compute program",
    ),
)
"""Columns that `tilegpu stats` prints."""

COUNTS = tuple(dict.fromkeys(name for column in COLUMNS for name in (column.above, column.below)))
"""Names of all counts."""
