"""Streams to mutate: between them they make most calls of OpenGL ES 1.1, 2.0 and 3.0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.activity.conftest import record_scene
from tests.reference import es3_scenes, feedback_scenes, fixed_scenes, multisample_scenes, scenes, texture_scenes
from tests.reference.test_scenes import reset_fixed, reset_programmable
from tilegpu.functional.capture import Recorder

Draw = Callable[[Recorder], None]
SIZE = 32
PROGRAMMABLE = """
perspective stencil cube_map render_to_texture indexed attribute_types copy_to_texture
"""
FIXED = """
logical_operations paletted_textures colored lit_ball spot_light combiners fog_exp2 clip_plane texture_matrix
"""
MODERN = """
uniform_blocks texture_3d integer_texture several_targets shadow_map blits sampler_objects primitive_restart instances
swizzle_and_levels mapped_ranges packed_attributes
"""
TEXTURES = """
compressed_etc2_rgba8 compressed_eac_signed_r11 compressed_dxt3 compressed_dxt1_alpha compressed_astc_5x4
compressed_astc_8x8 compressed_part compressed_array cube_across_edges volume_mipmaps upload_from_a_buffer
read_into_a_buffer srgb_target integer_target
"""


def record_sources(folder: Path) -> list[Path]:
    """Record all of them."""
    record_scene(folder / "plain.trace", frames=1)
    suites: dict[str, tuple[int, list[Draw], Callable[[Recorder], None]]] = {
        "es2": (2, [scenes.SCENES[name] for name in PROGRAMMABLE.split()], reset_programmable),
        "es1": (1, [fixed_scenes.SCENES[name] for name in FIXED.split()], reset_fixed),
        "es3": (3, [es3_scenes.SCENES[name] for name in MODERN.split()], reset_programmable),
        "textures": (3, [texture_scenes.SCENES[name] for name in TEXTURES.split()], reset_programmable),
        "feedback": (3, list(feedback_scenes.SCENES.values()), reset_programmable),
        "samples": (3, list(multisample_scenes.SCENES.values())[:2], reset_programmable),
    }
    for name, (version, drawn, prepare) in suites.items():
        with Recorder(folder / f"{name}.trace", SIZE, SIZE, version) as r:
            prepare(r)
            for draw in drawn:
                draw(r)
            r.swap()
    return [folder / f"{name}.trace" for name in ("plain", *suites)]
