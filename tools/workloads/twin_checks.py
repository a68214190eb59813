"""Whether what a twin's file says can be."""

from __future__ import annotations

from .calibration import value_of
from .phases import LAYERS
from .programs import MAX_TEXTURES, MAX_VARYINGS
from .solved import ROLES
from .twin import (
    APIS,
    DIMENSIONS,
    ETC1_FORMAT,
    FILTERS,
    MAX_FRAMES,
    NAME,
    TEXEL_FORMATS,
    UNMIPMAPPED,
    WINDOWS,
    Twin,
    TwinError,
)

MAX_DRAWS, MAX_PRIMITIVES, MAX_SIZE = 2000, 200_000, 4096


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
    within("zoom", twin.zoom, 0.05, 4)
    within("frames", twin.frames, 1, MAX_FRAMES)
    within("solved.draws", solved.draws, 1, MAX_DRAWS)
    within("solved.primitives", solved.primitives, 1, MAX_PRIMITIVES)
    for name in ("far", "veils", "painted"):
        within(f"solved.{name}", getattr(solved, name), 0, 64)
    for name in ("far_area", "veil_area", "painted_area"):
        within(f"solved.{name}", getattr(solved, name), 0, 4)
    within("solved.folded_area", solved.folded_area, 0, 1)
    for name in ("disorder", "sky"):
        within(f"solved.{name}", getattr(solved, name), 0, 1)
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
    within("motion.start", twin.motion.start, 0, MAX_FRAMES)
    for name in ("movers", "shimmer", "plain", "drift"):
        within(f"motion.{name}", getattr(twin.motion, name), 0, 1)
    within("motion.density", twin.motion.density, 0, 100)
    if twin.api not in APIS:
        raise TwinError(f"api = {twin.api!r}: choose {' or '.join(APIS)}")
    if twin.is_model and twin.api != "es2":
        raise TwinError(f"api = {twin.api!r}: models are drawn with es2")
    if twin.samples not in (1, 4):
        raise TwinError(f"samples = {twin.samples}: choose 1 or 4")
    if twin.window not in WINDOWS:
        raise TwinError(f"window = {twin.window!r}: choose {' or '.join(WINDOWS)}")
    if twin.texel_format not in TEXEL_FORMATS:
        raise TwinError(f"texel_format = {twin.texel_format!r}: choose {' or '.join(TEXEL_FORMATS)}")
    if twin.dimensions not in DIMENSIONS:
        raise TwinError(f"dimensions = {twin.dimensions!r}: choose {', '.join(DIMENSIONS[1:])}, or nothing")
    if twin.any_size and (twin.mipmaps or twin.texel_format == ETC1_FORMAT):
        raise TwinError("any_size: textures of any size have no mipmaps, and no ETC1 (OpenGL ES 2.0, 3.8.2)")
    within("texture_scale", twin.texture_scale, 1 / 16, 4)
    allowed = FILTERS if twin.mipmaps else UNMIPMAPPED
    for name in twin.filters:
        if name not in allowed:
            raise TwinError(f"filters: {name!r}: choose of {', '.join(allowed)}")
    for role in twin.collisionable:
        if role not in ROLES:
            raise TwinError(f"collisionable: {role!r}: roles are {', '.join(ROLES)}")
    for number, phase in enumerate(twin.phases):
        where = f"phases.{number}"
        within(f"{where}.frames", phase.frames, 1, MAX_FRAMES)
        within(f"{where}.speed", phase.speed, 0, 100)
        within(f"{where}.share", phase.share, 0, 1)
        within(f"{where}.zoom_from", phase.zoom_from, 0.05, 20)
        within(f"{where}.zoom_to", phase.zoom_to, 0.05, 20)
        for layer in phase.layers:
            if layer not in LAYERS:
                raise TwinError(f"{where}.layers: {layer!r}: choose of {', '.join(LAYERS)}")
    if twin.phases and twin.is_model:
        raise TwinError("phases: models have none")
    for name in twin.calibrated_on:
        value_of(twin, name)
    for role, program in solved.program.items():
        where = f"solved.program.{role}"
        within(f"{where}.vertex", program.vertex, 0, 120)
        within(f"{where}.alu", program.alu, 0, 120)
        within(f"{where}.varyings", program.varyings, 0, MAX_VARYINGS)
        within(f"{where}.textures", program.textures, 0, MAX_TEXTURES)
        if program.filter not in allowed:
            raise TwinError(f"{where}.filter = {program.filter!r}: choose {', '.join(allowed)}")
    return twin
