"""What a twin is: targets with their source, a family of scenes, solved parameters; read from TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from tilegpu.functional.errors import UserError

from .programs import MAX_TEXTURES, MAX_VARYINGS, Size

ROLES = ("backdrop", "far", "ground", "prop", "other", "hero", "veil", "hud")
"""Kinds of things; each has a program of its own."""
FILTERS = ("nearest", "bilinear", "trilinear", "anisotropic")
UNMIPMAPPED = FILTERS[:2]
APIS = ("es1", "es2")
TEXEL_FORMATS = ETC1_FORMAT, RGBA8_FORMAT = ("etc1", "rgba8")
DIMENSIONS = ("", "2D", "2.5D", "3D")
MODELS = "models"
"""Family of single models, which have nothing to solve: the theme names the model."""
TABLES = "targets", "at_least", "at_most", "gives_way", "calibrated_on", "motion", "crowd"
"""What is written as tables, apart from what is solved."""
MAX_DRAWS, MAX_PRIMITIVES, MAX_SIZE, MAX_FRAMES = 2000, 200_000, 4096, 100_000
T = TypeVar("T")
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class TwinError(UserError):
    """A twin that cannot be: what, where, and what to do."""


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
class Solved:
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
        Opaque layers drawn from the back to the front before all else, so that each is shaded and then hidden, and the
        share of the screen that each takes; where things are drawn as they come.
    folded_area
        Share of the screen that one thing takes which is drawn from its back to its front, so that it hides itself.
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
    aside: float = 0.0
    closed: float = 0.0
    size: float = 1.0
    own_images: float = 0.0
    repeats: float = 1.0
    program: dict[str, Program] = field(default_factory=lambda: {role: Program() for role in ROLES})


@dataclass(frozen=True)
class Motion:
    """How much moves.

    Attributes
    ----------
    camera
        Share of the frames in which the camera moves; the others stand still.
    things
        Whether things move of their own.
    movers
        Share of the sprites of a kind that moves which do.
    period
        Frames after which the camera moves again; it stands still at the end of each such phase.
    shimmer
        Share of the screen whose inputs change in every frame though its colours do not.
    plain
        Share of the screen, from the top, where the backdrop has one colour: moving the camera changes its inputs only.
    density
        Primitives per area of sprites that move over those of sprites that stand; 0: as the family has it.
    """

    camera: float = 1.0
    things: bool = True
    movers: float = 1.0
    period: int = 20
    shimmer: float = 0.0
    plain: float = 0.0
    density: float = 0.0


@dataclass(frozen=True)
class Crowd:
    """How heroes stand on the screen, which decides how deep the faces of colliding objects lie over each other.

    Attributes
    ----------
    followers
        Further heroes, one behind the other as the camera sees them; of tracks.
    spread
        How far pairs of fighters, or those who follow a hero, stand apart across the screen.
    scale
        Size of the heroes over the family's.
    """

    followers: int = 0
    spread: float = 0.0
    scale: float = 1.0


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
    dimensions
        2D, 2.5D or 3D, as the paper's table has the game; empty where it tells nothing.
    texel_format
        Of textures without alpha: etc1 or rgba8; those with alpha are rgba8 in any case.
    mipmaps
        Whether textures have mipmaps.
    layers_repeat
        Whether backdrops, the layers behind the scene and the veils repeat their images.
    texture_scale
        Size of the textures, each way, of the family's.
    filters
        Filters that the solver may choose; without them it takes those that the texels ask for. Models use the first.
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
    dimensions: str = ""
    texel_format: str = ETC1_FORMAT
    mipmaps: bool = True
    layers_repeat: bool = True
    texture_scale: float = 1.0
    filters: tuple[str, ...] = ()
    frames: int = 60
    collisionable: tuple[str, ...] = ()
    at_least: dict[str, float] = field(default_factory=dict)
    at_most: dict[str, float] = field(default_factory=dict)
    gives_way: dict[str, str] = field(default_factory=dict)
    calibrated_on: dict[str, str] = field(default_factory=dict)
    motion: Motion = Motion()
    crowd: Crowd = Crowd()
    solved: Solved = Solved()
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

    def at(self, width: int, height: int) -> Twin:
        """The same scene on another screen."""
        return replace(self, width=width, height=height)


def unmipmapped(name: str) -> str:
    """The filter of this name where there are no mipmaps."""
    return name if name in UNMIPMAPPED else UNMIPMAPPED[-1]


VARIANTS: dict[str, Callable[[Twin], Twin]] = {
    **{texels: partial(Twin.with_textures, texel_format=texels) for texels in TEXEL_FORMATS},
    "mipmapped": partial(Twin.with_textures, mipmaps=True),
    "unmipmapped": partial(Twin.with_textures, mipmaps=False),
}
"""What may follow a twin's name, each after a "+"."""


def theme_of(twin: Twin, themes: Mapping[str, T]) -> T:
    """What a family has for the twin's theme.

    Raises
    ------
    TwinError
        If it has no such theme.
    """
    if twin.theme not in themes:
        raise TwinError(f"theme = {twin.theme!r}: the family {twin.family} has {', '.join(themes)}")
    return themes[twin.theme]


def twin_names() -> list[str]:
    """Names of the twins that come with the package."""
    folder = files("tilegpu.data").joinpath("workloads")
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))


def find_twin(name: str) -> Twin:
    """A twin by its name, or by the path of a TOML file; variants follow, as in `000-rok+rgba8+unmipmapped`.

    Raises
    ------
    TwinError
        If there is none, or no such variant, or the file does not describe one.
    """
    if name.endswith(".toml") or "/" in name:
        return read_twin(Path(name))
    name, *variants = name.split("+")
    if variants:
        return _variant(find_twin(name), variants)
    if name not in twin_names():
        raise TwinError(f"workload {name!r}: there is none; `tilegpu workloads list` names them, or give a TOML file")
    return read_twin(Path(str(files("tilegpu.data").joinpath("workloads", f"{name}.toml"))))


def _variant(twin: Twin, variants: Sequence[str]) -> Twin:
    name = twin.name
    for variant in variants:
        if variant not in VARIANTS:
            raise TwinError(f"variant {variant!r} of {name}: choose {', '.join(VARIANTS)}")
        twin = VARIANTS[variant](twin)
    return replace(twin, name="+".join((name, *variants)))


def read_twin(path: Path) -> Twin:
    """A twin from a TOML file.

    Raises
    ------
    TwinError
        Where the file says something that cannot be; the message names the field.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TwinError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TwinError(f"{path}: not TOML ({str(error).splitlines()[0]})") from None
    try:
        return checked(_twin(content, path))
    except TwinError as error:
        raise TwinError(f"{path}: {error}") from None


def _twin(content: dict[str, Any], path: Path) -> Twin:
    content = dict(content)
    motion = _record(Motion, content.pop("motion", {}), "motion")
    crowd = _record(Crowd, content.pop("crowd", {}), "crowd")
    solved_table = _table(content.pop("solved", {}), "solved")
    programs = _table(solved_table.pop("program", {}), "solved.program")
    for role in programs:
        if role not in ROLES:
            raise TwinError(f"solved.program.{role}: roles are {', '.join(ROLES)}")
    program = {role: _record(Program, programs.get(role, {}), f"solved.program.{role}") for role in ROLES}
    solved = replace(_record(Solved, solved_table, "solved"), program=program)
    twin: Twin = _record(Twin, content, "")
    return replace(twin, motion=motion, crowd=crowd, solved=solved, path=path)


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TwinError(f"{name}: write it as a table, [{name}]")
    return dict(value)


def _record(kind: Any, content: Any, name: str) -> Any:
    """A frozen dataclass from a table, its fields checked by the types of their defaults."""
    table, prefix = _table(content, name), f"{name}." if name else ""
    known = {f.name: f for f in fields(kind) if f.name not in ("path", "motion", "crowd", "solved", "program")}
    for key, value in table.items():
        if key not in known:
            raise TwinError(f"{prefix}{key}: unknown; known are {', '.join(known)}")
        wanted = str(known[key].type)
        table[key] = _typed(value, wanted, prefix + key)
    missing = [n for n in ("name", "family", "theme", "width", "height", "seed") if n in known and n not in table]
    if missing:
        raise TwinError(f"{prefix}{missing[0]}: missing")
    if kind is Twin:
        table = {"title": table["name"], "source": ""} | table
    return kind(**table)


def _typed(value: Any, wanted: str, name: str) -> Any:
    if wanted == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted.startswith("dict"):
        inner = "float" if "float" in wanted else "str"
        return {str(key): _typed(entry, inner, f"{name}.{key}") for key, entry in _table(value, name).items()}
    if wanted.startswith("tuple"):
        if not isinstance(value, list):
            raise TwinError(f"{name} = {value!r}: write a list")
        return tuple(_typed(entry, "str", name) for entry in value)
    kinds: dict[str, type] = {"float": float, "int": int, "str": str, "bool": bool}
    if type(value) is not kinds[wanted]:
        raise TwinError(f"{name} = {value!r}: write a value of kind {wanted}")
    return value


def value_of(twin: Twin, name: str) -> float | str:
    """A column's target or bound, or the value of a field such as `width` or `motion.plain`.

    Raises
    ------
    TwinError
        If the twin has neither.
    """
    columns = twin.targets | twin.at_least | twin.at_most
    if name in columns:
        return columns[name]
    value: object = twin
    for part in name.split("."):
        value = getattr(value, part, None)
    if isinstance(value, tuple):
        return ", ".join(value)
    if not isinstance(value, int | float | str):
        raise TwinError(f"calibrated_on.{name}: it is neither a column of the targets nor a field")
    return value


def checked(twin: Twin) -> Twin:
    """The twin, if its values are in range."""
    solved = twin.solved

    def within(name: str, value: float, low: float, high: float) -> None:
        if not low <= value <= high:
            raise TwinError(f"{name} = {value}: choose {low} to {high}")

    if not NAME.fullmatch(twin.name):
        raise TwinError(f"name = {twin.name!r}: use lower-case letters, digits and hyphens, 40 at most")
    within("width", twin.width, 16, MAX_SIZE)
    within("height", twin.height, 16, MAX_SIZE)
    within("seed", twin.seed, 0, 1 << 31)
    within("tile", twin.tile, 8, 64)
    within("limit", twin.limit, 0, 10)
    within("frames", twin.frames, 1, MAX_FRAMES)
    within("solved.draws", solved.draws, 1, MAX_DRAWS)
    within("solved.primitives", solved.primitives, 1, MAX_PRIMITIVES)
    for name in ("far", "veils", "painted"):
        within(f"solved.{name}", getattr(solved, name), 0, 64)
    for name in ("far_area", "veil_area", "painted_area"):
        within(f"solved.{name}", getattr(solved, name), 0, 4)
    within("solved.folded_area", solved.folded_area, 0, 1)
    for name in ("aside", "closed"):
        within(f"solved.{name}", getattr(solved, name), 0, 0.99)
    for name in ("own_images", "repeats"):
        within(f"solved.{name}", getattr(solved, name), 0, 1)
    within("solved.size", solved.size, 0.1, 4)
    within("crowd.followers", twin.crowd.followers, 0, 32)
    within("crowd.spread", twin.crowd.spread, 0, 10)
    within("crowd.scale", twin.crowd.scale, 0.1, 4)
    within("motion.camera", twin.motion.camera, 0, 1)
    within("motion.period", twin.motion.period, 1, MAX_FRAMES)
    for name in ("movers", "shimmer", "plain"):
        within(f"motion.{name}", getattr(twin.motion, name), 0, 1)
    within("motion.density", twin.motion.density, 0, 100)
    if twin.api not in APIS:
        raise TwinError(f"api = {twin.api!r}: choose {' or '.join(APIS)}")
    if twin.is_model and twin.api != "es2":
        raise TwinError(f"api = {twin.api!r}: models are drawn with es2")
    if twin.samples not in (1, 4):
        raise TwinError(f"samples = {twin.samples}: choose 1 or 4")
    if twin.texel_format not in TEXEL_FORMATS:
        raise TwinError(f"texel_format = {twin.texel_format!r}: choose {' or '.join(TEXEL_FORMATS)}")
    if twin.dimensions not in DIMENSIONS:
        raise TwinError(f"dimensions = {twin.dimensions!r}: choose {', '.join(DIMENSIONS[1:])}, or nothing")
    within("texture_scale", twin.texture_scale, 1 / 16, 4)
    known = FILTERS if twin.mipmaps else UNMIPMAPPED
    for name in twin.filters:
        if name not in known:
            raise TwinError(f"filters: {name!r}: choose of {', '.join(known)}")
    for role in twin.collisionable:
        if role not in ROLES:
            raise TwinError(f"collisionable: {role!r}: roles are {', '.join(ROLES)}")
    for name in twin.calibrated_on:
        value_of(twin, name)
    for role, program in solved.program.items():
        where = f"solved.program.{role}"
        within(f"{where}.vertex", program.vertex, 0, 120)
        within(f"{where}.alu", program.alu, 0, 120)
        within(f"{where}.varyings", program.varyings, 0, MAX_VARYINGS)
        within(f"{where}.textures", program.textures, 0, MAX_TEXTURES)
        if program.filter not in known:
            raise TwinError(f"{where}.filter = {program.filter!r}: choose {', '.join(known)}")
    return twin


def twin_toml(twin: Twin) -> str:
    """The twin as TOML, fields in the order of their declaration; of a model without what is solved of scenes."""
    content = asdict(twin)
    content.pop("path")
    solved = content.pop("solved")
    programs = solved.pop("program")
    tables = {name: content.pop(name) for name in TABLES}
    tables["solved"] = solved
    if twin.is_model:
        tables["solved"], programs = {}, {}
    for name, default in (("motion", Motion()), ("crowd", Crowd())):
        if twin.is_model or tables[name] == asdict(default):
            tables[name] = {}
    lines = [f"{name} = {_toml(value)}" for name, value in content.items()]
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    for role, program in programs.items():
        lines += ["", f"[solved.program.{role}]", *(f"{key} = {_toml(value)}" for key, value in program.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return _toml(name) if "." in name else name


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(round(value, 6)) if isinstance(value, float) else repr(value)
