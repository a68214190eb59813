"""Weight of each role in a column, which a measurement gives a solver."""

from __future__ import annotations

from dataclasses import dataclass

from .fixed_function import costs, nearest
from .measure import TwinMeasurement
from .solved import ROLES
from .twin import FILTERS, Twin

TEXELS = {"nearest": 1.0, "bilinear": 4.0, "trilinear": 7.6, "anisotropic": 11.0}
"""Texels of a sampling, where none was measured."""


@dataclass(frozen=True)
class Weights:
    """Weights of roles.

    Attributes
    ----------
    vertices, attributes, survivors, draws
        Shares of the roles in vertices, in what attributes are counted by, in survivors, in draws.
    hidden
        Share of all survivors that are a role's and hidden by other objects.
    texels
        Of a sampling, by role and filter.
    alu, lit
        Of fixed functions: arithmetic instructions that a role has more than its program says, and the share of a lit
        vertex program that is executed.
    """

    vertices: dict[str, float]
    attributes: dict[str, float]
    survivors: dict[str, float]
    hidden: dict[str, float]
    draws: dict[str, float]
    texels: dict[tuple[str, str], float]
    alu: dict[str, float]
    lit: float


def weights_of(measured: TwinMeasurement, twin: Twin, texels: dict[tuple[str, str], float]) -> Weights:
    """Weights by a measurement; `texels` keeps those of earlier ones."""
    survivors, reads = measured.of_roles("fragments_shaded"), measured.of_roles("tex")
    for role, count in measured.of_roles("texels").items():
        if reads[role] > 0:
            texels[role, twin.solved.program[role].filter] = count / reads[role]
    per_fragment = "attributes_per_fragment" in twin.targets
    return Weights(
        _shares(measured.of_roles("vertices")),
        _shares(measured.of_roles("fragments" if per_fragment else "primitives_kept")),
        _shares(survivors),
        _hidden(measured, sum(survivors.values())),
        _shares(measured.draws_of_roles()),
        dict(texels),
        *_of_fixed_functions(measured, twin),
    )


def _of_fixed_functions(measured: TwinMeasurement, twin: Twin) -> tuple[dict[str, float], float]:
    """`alu` and `lit` of `Weights`: textures with alpha take fewer instructions, and programs of lit vertices have
    branches; a role's program tells neither."""
    if twin.api != "es1":
        return {}, 1.0
    shaded, alu = measured.of_roles("fragments_shaded"), measured.of_roles("alu")
    vertices, executed = measured.of_roles("vertices"), measured.of_roles("vertex_instructions")
    functions = {role: nearest(twin.solved.program[role]) for role in ROLES}
    size = {role: costs()[functions[role]] for role in ROLES}
    lit = [role for role in ROLES if functions[role].lit and vertices[role] > 0]
    whole = sum(size[role].vertex * vertices[role] for role in lit)
    share = sum(executed[role] for role in lit) / whole if lit else 1.0
    return {role: alu[role] / shaded[role] - size[role].alu for role in ROLES if shaded[role] > 0}, share


def _hidden(measured: TwinMeasurement, survivors: float) -> dict[str, float]:
    hidden, by_own_object = (measured.of_roles(name) for name in ("fragments_hidden", "fragments_hidden_by_own"))
    return {role: (hidden[role] - by_own_object[role]) / (survivors or 1.0) for role in ROLES}


def _shares(counts: dict[str, float]) -> dict[str, float]:
    total = sum(counts.values()) or 1.0
    return {role: count / total for role, count in counts.items()}


def usual_filters(twin: Twin) -> tuple[str, ...]:
    """Filters that a search starts with."""
    return twin.filters or FILTERS[1:3]
