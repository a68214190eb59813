"""Solving a twin's parameters: every column has its own knob, so a start in closed form needs few corrections.

Draws and primitives follow from the targets. Fragments, survivors and what is hidden are corrected by the areas of the
layers behind and before the scene (`solve_layers`). Instructions, varyings and texels are whole numbers per role,
chosen by descent with the weights that the roles were measured to have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .measure import SINGLE_TILE_SHARE, measure
from .programs import MAX_VARYINGS, Size, build
from .ranks import FOLDS
from .solve_fixed import COLUMNS, HIDDEN_INSTRUCTIONS, fixed_programs
from .solve_layers import BACK_FACES, HIDDEN, HIDDEN_BY_OWN, LARGEST_RANK, corrected
from .solved import ROLES, Program, Solution
from .texels import TEXEL_TRAFFIC
from .twin import FILTERS, Twin
from .weights import TEXELS, Weights, usual_filters, weights_of

OF_PROGRAMS = (*COLUMNS, "attributes_per_fragment")
"""Columns that programs decide, by either count of attributes."""
SAMPLES = (11.0, 31.0, 51.0)
"""Times of the frames that are solved on; the check looks at others."""
MAX_ALU, MAX_SIZE = 60, 110
ENOUGH, MET = 0.05, 0.07
"""Deviations of the worst column at which no more rounds follow, and at which programs stay as they are."""
OWN_GAIN = 1.4
"""Growth of the share of things with own images for each block of one tile that is missing."""
OWN_BYTES = 0.8
"""The same for each part of the texels' traffic that is missing."""
SMALLEST_SCALE, LARGEST_SCALE = 0.25, 2.0


def solve(
    twin: Twin,
    rounds: int = 4,
    jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
    again: bool = False,
) -> Twin:
    """Find a twin's parameters.

    Parameters
    ----------
    twin
        Targets, family and theme; what it has solved already is where the search begins.
    rounds
        Measurements that corrections follow from.
    jobs
        Threads of the renderer.
    say
        Told of each round.
    again
        Whether to begin with what the twin has solved already.
    """
    twin = twin if again else replace(twin, solved=start(twin))
    texels: dict[tuple[str, str], float] = {}
    best, least = twin, math.inf
    for number in range(rounds):
        measured = measure(twin, [SAMPLES], jobs)
        columns = measured.columns()
        off = {name: columns[name] / target - 1 for name, target in twin.targets.items() if target}
        say(f"{twin.name} round {number}: " + ", ".join(f"{name} {value:+.1%}" for name, value in off.items()))
        worst = max(abs(value) for name, value in off.items() if name not in twin.gives_way)
        if worst < least:
            best, least = twin, worst
        if least < ENOUGH:
            break
        weights = weights_of(measured, twin, texels)
        # Programs decide how many textures are read, so that images can be solved for only while programs stay.
        if any(
            abs(value) > MET
            for name, value in off.items()
            if name not in (*twin.gives_way, SINGLE_TILE_SHARE, TEXEL_TRAFFIC)
        ):
            chosen = programs(twin, weights) if any(abs(off[n]) > ENOUGH for n in OF_PROGRAMS if n in off) else None
            twin = replace(twin, solved=replace(corrected(twin, columns), program=chosen or twin.solved.program))
        twin = images(twin, columns)
    return best


def start(twin: Twin) -> Solution:
    """Parameters in closed form."""
    targets, pixels = twin.targets, twin.width * twin.height
    draws = round(targets["draw_calls_per_frame"])
    wanted = targets.get("input_primitives_per_frame")
    primitives = round(wanted if wanted else targets["primitives_per_draw"] * targets["draw_calls_per_frame"])
    covered = targets["fragments_per_assembled_primitive"] * primitives / pixels
    survivors = targets.get("survivors_per_pixel", covered * 0.9)
    room = max(2, draws // 3)
    far = min(math.ceil(max(0.0, covered - survivors) / 0.4), room, 40)
    veils = min(max(1, math.ceil(max(0.0, survivors - 1.2) / 0.25)), room, 24)
    output = targets.get("output_primitives_per_frame")
    others = (targets.get(HIDDEN, 0.0) - targets.get(HIDDEN_BY_OWN, 0.0)) * survivors
    ranks = min(2 + int(others / LARGEST_RANK), max(2, draws // 5)) if HIDDEN in targets else 0
    return Solution(
        draws=draws,
        primitives=primitives,
        far=max(1, far),
        far_area=min(0.5, max(0.05, (covered - survivors) / max(1, far) * 0.6)),
        veils=veils,
        veil_area=min(0.8, max(0.02, (survivors - 1.2) / veils)),
        painted=ranks,
        painted_area=others / max(1, ranks - 1),
        folded_area=targets.get(HIDDEN_BY_OWN, 0.0) * survivors / (FOLDS - 1),
        aside=max(0.0, 1 - output / primitives) if output else 0.0,
        closed=min(0.95, targets.get("culled_share", 0.0) / BACK_FACES),
        program=first_programs(twin),
    )


def first_programs(twin: Twin) -> dict[str, Program]:
    """Programs as large as the mean says."""
    targets = twin.targets
    attributes = targets.get("attributes_per_primitive") or targets.get("attributes_per_fragment", 3.0)
    texels = targets["texels_per_fragment"]
    textures = max(1, min(3, round(texels / 8)))
    chosen = "nearest" if texels < 2.5 else "bilinear" if texels < 4.8 else "trilinear"
    if twin.filters and chosen not in twin.filters:
        chosen = twin.filters[0]
    alu = max(0, round(targets["fragment_instructions_per_fragment"] - 1 - textures))
    return {
        role: Program(
            round(targets["vertex_instructions_per_vertex"]), max(1, round(attributes - 1)), textures, alu, chosen
        )
        for role in ROLES
    }


def images(twin: Twin, columns: dict[str, float]) -> Twin:
    """More or fewer things with images of their own; where that is not enough, images of another size."""
    if TEXEL_TRAFFIC in twin.targets:
        return _for_traffic(twin, columns)
    if SINGLE_TILE_SHARE not in twin.targets:
        return twin
    if twin.any_size:
        # Images of any size need no others: the share grows with it.
        times = np.clip(twin.targets[SINGLE_TILE_SHARE] / columns[SINGLE_TILE_SHARE], 0.6, 1.6)
        return replace(twin, texture_scale=float(np.clip(twin.texture_scale * times, SMALLEST_SCALE, LARGEST_SCALE)))
    own, scale, repeats = twin.solved.own_images, twin.texture_scale, twin.solved.repeats
    wanted = own + OWN_GAIN * (twin.targets[SINGLE_TILE_SHARE] - columns[SINGLE_TILE_SHARE])
    if own == 1 and wanted > 1 and scale < LARGEST_SCALE:
        wanted, scale = 0.7, scale * 2
    elif own == 1 and wanted > 1:
        repeats /= 2
    elif own == 0 and wanted < 0 and scale > SMALLEST_SCALE:
        wanted, scale = 0.3, scale / 2
    solved = replace(twin.solved, own_images=float(np.clip(wanted, 0, 1)), repeats=repeats)
    return replace(twin, texture_scale=scale, solved=solved)


def _for_traffic(twin: Twin, columns: dict[str, float]) -> Twin:
    """The same for the share of texels in the traffic: what they come to, over what they should."""
    wanted, now = (share / (1 - share) for share in (twin.targets[TEXEL_TRAFFIC], columns[TEXEL_TRAFFIC]))
    own, scale = twin.solved.own_images + OWN_BYTES * (wanted / max(now, 0.02) - 1), twin.texture_scale
    if twin.solved.own_images == 1 and own > 1 and scale < LARGEST_SCALE:
        own, scale = 0.7, scale * 2
    elif twin.solved.own_images == 0 and own < 0 and scale > SMALLEST_SCALE:
        own, scale = 0.3, scale / 2
    return replace(twin, texture_scale=scale, solved=replace(twin.solved, own_images=float(np.clip(own, 0, 1))))


def programs(twin: Twin, weights: Weights) -> dict[str, Program]:
    """Sizes of the roles' programs whose means are nearest to the targets."""
    if twin.api == "es1":
        return fixed_programs(twin, weights)
    varyings = _varyings(twin, weights)
    vertex = _vertex(twin, weights, varyings)
    best, least = twin.solved.program, math.inf
    for seed in range(6):
        chosen, error = _fragments(twin, weights, varyings, np.random.default_rng(seed))
        if error < least:
            best, least = chosen, error
    return {role: replace(best[role], vertex=vertex[role], varyings=varyings[role]) for role in ROLES}


def _varyings(twin: Twin, weights: Weights) -> dict[str, int]:
    targets = twin.targets
    target = (targets.get("attributes_per_primitive") or targets.get("attributes_per_fragment", 3.0)) - 1
    numbers = {role: int(np.clip(round(target), 1, MAX_VARYINGS)) for role in ROLES}

    def mean() -> float:
        return sum(weights.attributes[role] * numbers[role] for role in ROLES)

    for _ in range(40):
        moves = []
        for role in ROLES:
            for step in (-1, 1):
                lowest = 0 if role in ("far", "other") and target < 1.2 else 1
                if lowest <= numbers[role] + step <= MAX_VARYINGS:
                    moved = abs(mean() + step * weights.attributes[role] - target) + 0.01 * abs(
                        numbers[role] + step - target
                    )
                    moves.append((moved, role, step))
        best = min(moves)
        if best[0] >= abs(mean() - target) + 0.01 * abs(numbers[best[1]] - target) - 1e-9:
            break
        numbers[best[1]] += best[2]
    return numbers


def _vertex(twin: Twin, weights: Weights, varyings: dict[str, int]) -> dict[str, int]:
    """Vertex instructions: more for heroes, fewer for what lies flat; the largest role makes up for rounding."""
    target = twin.targets["vertex_instructions_per_vertex"]
    favour = {
        "hero": 1.25,
        "prop": 1.0,
        "other": 1.0,
        "hud": 0.5,
        "veil": 0.6,
        "backdrop": 0.6,
        "far": 0.7,
        "ground": 0.9,
    }
    low, high = 0.0, 6.0 * target

    def sizes(scale: float) -> dict[str, int]:
        return {
            role: int(np.clip(round(scale * favour[role]), vertex_base(varyings[role]), MAX_SIZE)) for role in ROLES
        }

    def mean(numbers: dict[str, int]) -> float:
        return sum(weights.vertices[role] * numbers[role] for role in ROLES)

    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(sizes(middle)) < target else (low, middle)
    return min((sizes(low), sizes(high)), key=lambda numbers: abs(mean(numbers) - target))


def vertex_base(varyings: int) -> int:
    """Vertex instructions that varyings need."""
    return build(Size(0, varyings, 1, 0)).vertex_instructions


def alu_base(varyings: int, textures: int) -> int:
    """Arithmetic instructions that varyings and textures need in a fragment shader."""
    return build(Size(0, varyings, textures, 0)).fragment_alu


def _fragments(
    twin: Twin, weights: Weights, varyings: dict[str, int], random: np.random.Generator
) -> tuple[dict[str, Program], float]:
    """Textures, filters and arithmetic by descent from a start at random."""
    targets = twin.targets
    wanted = (
        targets["fragment_instructions_per_fragment"],
        targets["alu_per_texture_instruction_of_draws"],
        targets["texels_per_fragment"],
        targets.get(HIDDEN_INSTRUCTIONS, 0.0),
    )
    chosen = dict(twin.solved.program)
    roles = [role for role in ROLES if weights.draws[role] > 0]
    for role in roles:
        textures = int(random.integers(1, 3))
        chosen[role] = replace(
            chosen[role],
            textures=textures,
            alu=max(chosen[role].alu, alu_base(varyings[role], textures)),
            filter=str(random.choice(usual_filters(twin))),
        )
    least = _error(chosen, weights, varyings, wanted)
    for _ in range(400):
        improved = False
        for role in roles:
            for move in _moves(chosen[role], varyings[role], twin):
                tried = {**chosen, role: move}
                error = _error(tried, weights, varyings, wanted)
                if error < least - 1e-12:
                    chosen, least, improved = tried, error, True
        if not improved:
            break
    return chosen, least


def _moves(program: Program, varyings: int, twin: Twin) -> list[Program]:
    neighbours = []
    for step in (-8, -3, -1, 1, 3, 8):
        alu = program.alu + step
        if alu_base(varyings, program.textures) <= alu <= MAX_ALU:
            neighbours.append(replace(program, alu=alu))
    for textures in range(1, 4):
        alu = max(program.alu, alu_base(varyings, textures))
        neighbours.append(replace(program, textures=textures, alu=alu))
        neighbours.append(
            replace(
                program, textures=textures, alu=max(alu - textures + program.textures, alu_base(varyings, textures))
            )
        )
    filters = FILTERS if twin.targets["texels_per_fragment"] < 4 else FILTERS[1:]
    neighbours += [replace(program, filter=name) for name in twin.filters or filters]
    return neighbours


def _error(
    chosen: dict[str, Program], weights: Weights, varyings: dict[str, int], wanted: tuple[float, float, float, float]
) -> float:
    instructions = ratio = texels = odd = hidden = 0.0
    for role, program in chosen.items():
        share = weights.survivors[role]
        instructions += share * (program.alu + program.textures + 1)
        hidden += weights.hidden[role] * (program.alu + program.textures + 1)
        ratio += weights.draws[role] * program.alu / max(1, program.textures)
        texels += share * program.textures * weights.texels.get((role, program.filter), TEXELS[program.filter])
        # Programs of one game are alike.
        odd += abs(program.alu - wanted[0]) / wanted[0] + 0.3 * (program.filter == "anisotropic")
    means = (instructions, ratio, texels, hidden / instructions)
    off = sum((mean / target - 1) ** 2 for mean, target in zip(means, wanted, strict=True) if target)
    return off + 2e-5 * odd
