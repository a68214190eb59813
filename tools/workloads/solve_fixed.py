"""Solving for the fixed functions of OpenGL ES 1.1: which of them each role has."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .fixed_function import costs, nearest
from .solved import ROLES, Program
from .twin import Twin
from .weights import TEXELS, Weights, usual_filters

HIDDEN_INSTRUCTIONS = "hidden_instruction_share"
COLUMNS = (
    "vertex_instructions_per_vertex",
    "attributes_per_primitive",
    "fragment_instructions_per_fragment",
    "alu_per_texture_instruction_of_draws",
    "texels_per_fragment",
    HIDDEN_INSTRUCTIONS,
)
"""Columns that programs decide."""
YIELDS = 0.02
"""Weight of a column that gives way."""


def fixed_programs(twin: Twin, weights: Weights) -> dict[str, Program]:
    """Fixed functions of the roles, by descent from several starts."""
    targets = twin.targets
    attributes = targets.get("attributes_per_primitive") or targets["attributes_per_fragment"]
    wanted = (
        targets["vertex_instructions_per_vertex"],
        attributes,
        targets["fragment_instructions_per_fragment"],
        targets["alu_per_texture_instruction_of_draws"],
        targets["texels_per_fragment"],
        targets.get(HIDDEN_INSTRUCTIONS, 0.0),
    )
    yielding = tuple(name in twin.gives_way for name in COLUMNS)
    choices = [replace(size, filter=name) for size in costs().values() for name in usual_filters(twin)]
    roles = [role for role in ROLES if weights.draws[role] > 0 or weights.vertices[role] > 0]
    best, least = dict(twin.solved.program), math.inf
    for seed in range(12):
        random = np.random.default_rng(seed)
        chosen = {role: choices[int(random.integers(len(choices)))] for role in ROLES}
        error, before = math.inf, -1.0
        while error != before:
            before = error
            for role in roles:
                errors = [_error({**chosen, role: choice}, weights, wanted, yielding) for choice in choices]
                error = min(errors)
                chosen[role] = choices[errors.index(error)]
        if error < least:
            best, least = chosen, error
    return best


def _error(
    chosen: dict[str, Program], weights: Weights, wanted: tuple[float, ...], yielding: tuple[bool, ...]
) -> float:
    vertex = attributes = instructions = ratio = textured = texels = bare = hidden = 0.0
    for role, program in chosen.items():
        alu = program.alu + weights.alu.get(role, 0.0)
        lit = weights.lit if nearest(program).lit else 1.0
        vertex += weights.vertices[role] * program.vertex * lit
        attributes += weights.attributes[role] * (1 + program.varyings)
        instructions += weights.survivors[role] * (alu + program.textures + 1)
        hidden += weights.hidden[role] * (alu + program.textures + 1)
        textured += weights.draws[role] * (program.textures > 0)
        ratio += weights.draws[role] * alu / max(1, program.textures) * (program.textures > 0)
        texels += (
            weights.survivors[role]
            * program.textures
            * weights.texels.get((role, program.filter), TEXELS[program.filter])
        )
        bare += weights.survivors[role] * (program.textures == 0)
    plain = sum(program.textures == 0 for program in chosen.values())
    means = vertex, attributes, instructions, ratio / max(textured, 1e-9), texels, hidden / max(instructions, 1e-9)
    columns = zip(means, wanted, yielding, strict=True)
    off = [(abs(mean / target - 1), gives_way) for mean, target, gives_way in columns if target]
    # What is nearly too far off weighs most.
    missed = sum(YIELDS * e**2 if gives_way else e**2 + 40 * max(0.0, e - 0.07) ** 2 for e, gives_way in off)
    return missed + 0.02 * bare + 0.004 * plain
