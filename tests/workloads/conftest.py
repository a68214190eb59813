"""A small twin of a user's own, and the command."""

from pathlib import Path

import pytest

from tests.tools.conftest import tilegpu  # noqa: F401
from tilegpu.tools.workloads import cache

SMALL = """
name = "small"
family = "own.py"
theme = "plain"
width = 96
height = 64
seed = 3
tile = 16
flat = true

[targets]
draw_calls_per_frame = 16
primitives_per_draw = 12.5
fragments_per_assembled_primitive = 40.0
vertex_instructions_per_vertex = 12
fragment_instructions_per_fragment = 6
alu_per_texture_instruction_of_draws = 4.0
attributes_per_primitive = 3.0
texels_per_fragment = 4.0

[gives_way]
objects = "it is small"
textures = "it is small"
variation_of_work_per_tile = "it is small"
near_reuse = "it is small"
fragments_per_assembled_primitive = "it is not solved"
fragments_per_frame = "it is not solved"
attributes_per_primitive = "it is not solved"
texels_per_fragment = "it is not solved"
vertex_instructions_per_vertex = "it is not solved"
fragment_instructions_per_fragment = "it is not solved"
alu_per_texture_instruction_of_draws = "it is not solved"

[solved]
draws = 16
primitives = 200
far = 0
veils = 1
"""
OWN = '''
"""Crates side by side."""

import numpy as np

from tilegpu.tools.workloads.families.palettes import palette
from tilegpu.tools.workloads.scene import Image, Thing, World, on_screen


def world(twin, room):
    def crate(i):
        return lambda t: on_screen(-0.9 + 0.25 * i, 0.01 * t, 0.1, 0.2)

    things = [Thing(f"crate {i}", "sheet", "prop", "planks", crate(i), on_screen=True) for i in range(room)]
    images = palette(Image("sky", 64), Image("range", 64), Image("ground", 64), planks=Image("planks", 64))
    return World(things, lambda t: (np.eye(4), np.zeros(3)), images, depth=False)
'''


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """File of a small twin with a generator beside it; the cache is a folder of the test's own."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "small.toml").write_text(SMALL)
    return tmp_path / "small.toml"
