"""A twin: targets with their source, a family of scenes, solved parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from tilegpu.functional.errors import UserError

from .motion import Crowd, Motion
from .phases import SESSION, Phase
from .solved import Program, Solution

FILTERS = ("nearest", "bilinear", "trilinear", "anisotropic")
UNMIPMAPPED = FILTERS[:2]
APIS = ("es1", "es2")
TEXEL_FORMATS = ETC1_FORMAT, RGBA8_FORMAT = ("etc1", "rgba8")
WINDOWS = RGBA8_WINDOW, RGB565_WINDOW = ("rgba8", "rgb565")
MOST_UNITS = 2
"""Texture units of the renderers of OpenGL ES 1.x that twins stand for, the fewest that 1.1 allows."""
DIMENSIONS = ("", "2D", "2.5D", "3D")
MODELS = "models"
"""Family of single models, which have nothing to solve: the theme names the model."""
MAX_FRAMES = 100_000
T = TypeVar("T")
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class TwinError(UserError):
    """A twin that cannot be: what, where, and what to do."""


@dataclass(frozen=True)
class Twin:
    """A workload that looks to a GPU as a game does.

    Attributes
    ----------
    name, title, source
        Its own name, what it stands for, and the tables its targets come from.
    family, theme
        Module that lays out the scene, and which of its looks.
    api
        es1 or es2.
    width, height
        The game's own screen in pixels.
    seed
        Of everything drawn at random.
    unordered
        Opaque things are drawn as they come, the sky first; otherwise from front to back.
    sky_last
        Of an unordered twin: the sky is drawn behind all that is opaque.
    flat
        It is a game in two dimensions, of which fewer programs, textures and objects are asked.
    samples
        Samples per pixel that the window asks for: 1 or 4.
    window
        Format of the window: rgba8, with 24 bits of depth and 8 of stencil; or rgb565, with 16 bits of depth.
    dimensions
        2D, 2.5D or 3D, as the paper's table has the game; empty where it tells nothing.
    texel_format
        Of textures without alpha: etc1 or rgba8; those with alpha are rgba8 in any case.
    mipmaps
        Whether textures have mipmaps.
    any_size
        Whether sizes of textures are no powers of two: they are clamped to their edges and have no mipmaps.
    quads
        Whether what is flat is drawn as quads that share no vertices, as sprites are.
    layers_repeat
        Whether backdrops, the layers behind the scene and the veils repeat their images.
    texture_scale
        Size of the textures, each way, of the family's.
    filters
        Filters that the solver may choose; without them it takes those that the texels ask for. Models use the first.
    zoom
        How large a model is on the screen, each way, times what its own camera makes of it.
    frames
        Frames of the trace where no other number is asked for; models come round in so many.
    collisionable
        Roles of the things that take part in collision detection; their labels begin with "collisionable:".
    targets
        Columns of `tilegpu stats` that are to be met.
    at_least, at_most
        Columns that are to stay on one side of a value.
    gives_way
        Columns that need not be met, and why.
    calibrated_on
        Columns and fields that are set from a paper, and the place of the sentence that says so.
    limit
        Largest deviation of a column.
    fixed
        Programs by role that are solved for fixed functions; the nearest to each program without.
    """

    name: str
    title: str
    source: str
    family: str
    theme: str
    width: int
    height: int
    seed: int
    targets: dict[str, float] = field(default_factory=dict)
    api: str = "es2"
    unordered: bool = False
    sky_last: bool = False
    flat: bool = False
    tile: int = 32
    limit: float = 0.1
    samples: int = 1
    window: str = RGBA8_WINDOW
    dimensions: str = ""
    texel_format: str = ETC1_FORMAT
    mipmaps: bool = True
    any_size: bool = False
    quads: bool = False
    layers_repeat: bool = True
    texture_scale: float = 1.0
    filters: tuple[str, ...] = ()
    zoom: float = 1.0
    frames: int = 60
    collisionable: tuple[str, ...] = ()
    at_least: dict[str, float] = field(default_factory=dict)
    at_most: dict[str, float] = field(default_factory=dict)
    gives_way: dict[str, str] = field(default_factory=dict)
    calibrated_on: dict[str, str] = field(default_factory=dict)
    motion: Motion = Motion()
    crowd: Crowd = Crowd()
    solved: Solution = Solution()
    fixed: dict[str, Program] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()
    path: Path | None = None

    @property
    def is_model(self) -> bool:
        """Whether it is a single model, and not a scene that was solved."""
        return self.family == MODELS

    def with_textures(self, texel_format: str | None = None, mipmaps: bool | None = None) -> Twin:
        """The same scene with textures of another format, with or without mipmaps; what is None stays.

        Filters that need mipmaps become bilinear without them.
        """
        mipmapped = self.mipmaps if mipmaps is None else mipmaps
        program = self.solved.program
        if not mipmapped:
            program = {role: replace(p, filter=unmipmapped(p.filter)) for role, p in program.items()}
        return replace(
            self,
            texel_format=texel_format or self.texel_format,
            mipmaps=mipmapped,
            filters=self.filters if mipmapped else tuple(dict.fromkeys(map(unmipmapped, self.filters))),
            solved=replace(self.solved, program=program),
        )

    def in_window(self, window: str) -> Twin:
        """The same scene in a window of another format."""
        return replace(self, window=window)

    def in_fixed_functions(self) -> Twin:
        """The same scene as OpenGL ES 1.x draws it: with fixed functions and two texture units at most, one sample per
        pixel, and no filter between mipmaps.

        Raises
        ------
        TwinError
            If it is a model.
        """
        if self.is_model:
            raise TwinError(f"{self.name}: models are drawn with es2")
        program = {
            role: replace(p, textures=min(p.textures, MOST_UNITS), filter=unmipmapped(p.filter))
            for role, p in (self.fixed or self.solved.program).items()
        }
        filters = tuple(dict.fromkeys(map(unmipmapped, self.filters))) or UNMIPMAPPED
        return replace(self, api="es1", samples=1, filters=filters, solved=replace(self.solved, program=program))

    def zoomed(self, zoom: float) -> Twin:
        """The same model, larger or smaller on the screen; other scenes stay as they are."""
        return replace(self, zoom=zoom)

    def reseeded(self, number: int) -> Twin:
        """Another scene with the same table."""
        return replace(self, seed=self.seed + SEED_STEP * number)

    def in_phases(self, phases: tuple[Phase, ...]) -> Twin:
        """The same scene in phases.

        Raises
        ------
        TwinError
            If it is a model.
        """
        if self.is_model:
            raise TwinError(f"{self.name}: models have no phases")
        return replace(self, phases=phases, frames=sum(phase.frames for phase in phases))

    def at(self, width: int, height: int) -> Twin:
        """The same scene on another screen."""
        return replace(self, width=width, height=height)


SEEDS = 1, 2
SEED_STEP = 1_000
"""Between the seeds of a twin's scenes, more than those of two twins are apart."""


def unmipmapped(name: str) -> str:
    """The filter of this name where there are no mipmaps."""
    return name if name in UNMIPMAPPED else UNMIPMAPPED[-1]


VARIANTS: dict[str, Callable[[Twin], Twin]] = {
    **{texels: partial(Twin.with_textures, texel_format=texels) for texels in TEXEL_FORMATS},
    "mipmapped": partial(Twin.with_textures, mipmaps=True),
    "unmipmapped": partial(Twin.with_textures, mipmaps=False),
    **{f"zoom-{percent}": partial(Twin.zoomed, zoom=percent / 100) for percent in (30, 40, 50, 70, 100)},
    "fixed": Twin.in_fixed_functions,
    **{f"window-{window}": partial(Twin.in_window, window=window) for window in WINDOWS},
    "session": partial(Twin.in_phases, phases=SESSION),
    **{f"seed-{number}": partial(Twin.reseeded, number=number) for number in SEEDS},
}
"""Words that may follow a twin's name, each after a "+"."""


def theme_of(twin: Twin, themes: Mapping[str, T]) -> T:
    """Content of a family for the twin's theme.

    Raises
    ------
    TwinError
        If it has no such theme.
    """
    if twin.theme not in themes:
        raise TwinError(f"theme = {twin.theme!r}: the family {twin.family} has {', '.join(themes)}")
    return themes[twin.theme]
