"""Parameters of a twin that the solver finds: layers, shares, and the programs of its roles."""

from __future__ import annotations

from dataclasses import dataclass, field

from .programs import Size

ROLES = ("backdrop", "far", "ground", "prop", "other", "hero", "veil", "hud")
"""Kinds of things; each has a program of its own."""


@dataclass(frozen=True)
class Program:
    """Program of a role: its size, and how its textures are filtered."""

    vertex: int = 12
    varyings: int = 2
    textures: int = 1
    alu: int = 4
    filter: str = "bilinear"

    @property
    def size(self) -> Size:
        """Size of the program."""
        return Size(self.vertex, self.varyings, self.textures, self.alu)


@dataclass(frozen=True)
class Solution:
    """Parameters that the solver finds.

    Attributes
    ----------
    draws, primitives
        Of a frame.
    far, far_area
        Layers behind the scene, mostly hidden, and the share of the screen that each takes.
    veils, veil_area
        Translucent layers before the scene, and the share of the screen that each takes.
    painted, painted_area
        Ranks of opaque things drawn from the back to the front before all else, so that each is shaded and then hidden
        by the next, and the share of the screen that each takes; where things are drawn as they come.
    folded_area
        Share of the screen that shells take, which are drawn from their back to their front, so that they hide
        themselves.
    disorder
        Share of the opaque things that are drawn as they come; the others follow from the front to the back.
    sky
        Share of the backdrop that is drawn, from its top.
    aside
        Share of the primitives outside of the view.
    closed
        Share of the visible primitives that belong to closed meshes, which have back faces; 0: as it comes.
    size
        Scale of the things that stand around.
    own_images
        Share of the things whose images are their own; the others share those of their kind.
    repeats
        Scale of how often images repeat over the things that they are made for.
    program
        By role.
    """

    draws: int = 40
    primitives: int = 8000
    far: int = 1
    far_area: float = 0.5
    veils: int = 1
    veil_area: float = 0.1
    painted: int = 0
    painted_area: float = 0.0
    folded_area: float = 0.0
    disorder: float = 1.0
    sky: float = 1.0
    aside: float = 0.0
    closed: float = 0.0
    size: float = 1.0
    own_images: float = 0.0
    repeats: float = 1.0
    program: dict[str, Program] = field(default_factory=lambda: {role: Program() for role in ROLES})
