"""Random machines and random parameters of techniques, from what is declared."""

from __future__ import annotations

import random

from annotated_types import Ge

from tilegpu.functional.errors import UserError
from tilegpu.timing.assembly.build import build
from tilegpu.timing.config import Configuration, load_configuration
from tilegpu.timing.config.fields import is_used
from tilegpu.timing.declare.parameters import choices
from tilegpu.timing.registry import find_technique

CHOICES = {
    "tiles.raster_units": (1, 2),
    "fragment_stage.processors": (1, 2, 4),
    "fragment_stage.warps": (1, 4, 16),
    "fragment_stage.queue": (1, 128),
    "blending.color_queue": (1, 64),
    "tile_fetcher.tile_queue": (1, 32),
    "rasterizer.queue": (1, 512),
    "tile_fetcher.primitive_table": (1, 3, 16),
    "texture_cache.mshrs": (1, 4),
    "l2_cache.mshrs": (1, 32),
    "texture_cache.waiters": (1, 64),
    "dram": ("simple", "lpddr4-2400-dual", "lpddr4-2400-b32", "lpddr3-1600"),
    "dram.queue": (1, 32),
    "dram.in_flight": (1, 32),
    "dram.scheduling": ("specification", "fcfs", "priority"),
    "dram.priority": ("none", "texture+color", "primitive_attributes"),
    "texture_unit.in_flight": (1, 16),
    "tiles.assignment": ("static", "dynamic", "mixed"),
    "l2_cache.size_bytes": (8192, 2097152),
    "vertex_stage.processors": (1, 4),
    "vertex_fetcher.queue": (1, 16),
    "vertex_stage.output_queue": (1, 3, 16),
    "vertex_stage.warps": (1, 8),
    "fragment_stage.input_queue": ("private", "shared"),
    "tile_fetcher.attribute_requests": ("queued", "answered"),
    "tile_fetcher.next_tile": ("fetched", "rendered"),
    "fragment_stage.raster_units_per_texture_cache": (1, 2),
    "fragment_stage.processors_per_texture_cache": (1, 2),
    "fragment_stage.processors_per_instruction_cache": (1, 2),
    "early_depth.read_ports": (1, 4),
    "early_depth.write_ports": (1, 4),
    "blending.read_ports": (1, 4),
    "blending.write_ports": (1, 4),
    "texture_unit.probe_cycles": (1, 3),
    "early_depth.in_flight": (1, 20),
    "blending.in_flight": (1, 20),
    "primitive_assembly.queue": (1, 32),
    "clocks.memory_mhz": (400, 1200),
    "clocks.memory_divisor": (1, 7),
    "clocks.gpu_divisor": (1, 3),
    "rasterizer.attributes_per_cycle": (2, 16),
    "rasterizer.setup_cycles": (0, 0, 5),
    "tile_fetcher.tile_cycles": (0, 0, 9),
    "dram.bus_bytes_per_cycle": (0, 0, 4),
    "parameter_buffer.attribute_alignment": ("none", "line"),
    "parameter_buffer.dead_lines": ("written_back", "dropped"),
    "fragment_stage.quad_mapping": ("interleaved", "1-quadrant", "5-UD-Q", "11-blocking", "12-snake"),
    "tile_cache.write_miss": ("fetch", "validate", "around"),
    "tile_cache.write": ("back", "through"),
    "tile_cache.size_bytes": (1024, 32768),
    "l2_cache.write": ("back", "through"),
    "l2_cache.replacement": ("lru", "fifo", "plru", "random"),
    "texture_cache.replacement": ("lru", "fifo", "plru", "random"),
    "texture_cache.size_bytes": (512, 8192),
    "texture_cache.ways": (1, 2),
    "l2_cache.banks": (1, 8),
}


def random_overrides(rnd: random.Random) -> list[str]:
    """Sizes of a tile-based machine."""
    return [f"{name}={rnd.choice(values)}" for name, values in CHOICES.items()]


SHORT = {"soc": ("frame_rate=0", "frame_kilocycles=2", "background_kilocycles=1")}
"""Settings of techniques with which a frame does not last for millions of cycles."""


def random_parameters(technique: str, rnd: random.Random) -> list[str]:
    """Settings of a technique: each name of a choice; of numbers the default, the least, and what is plausible."""
    settings = []
    for name, field in find_technique(technique).parameters.model_fields.items():
        least = [bound.ge for bound in field.metadata if isinstance(bound, Ge)]
        plausible = (field.json_schema_extra or {}).get("plausible", ())
        value = rnd.choice([field.default, *(choices(field) or [*least, *plausible])])
        settings.append(f"technique.{technique}.{name}={value}")
    return settings + [f"technique.{technique}.{setting}" for setting in SHORT.get(technique, ())]


def random_configuration(machine: str, technique: str, seed: int) -> Configuration:
    """A configuration of a machine with random sizes, and of a technique or `none`, without settings that do not go
    together with those before them."""
    rnd = random.Random(f"{machine} {technique} {seed}")
    kept = [f"machine={machine}", f"techniques={technique}"]
    plain = load_configuration("ptr-2022", kept)
    settings = [setting for setting in random_overrides(rnd) if is_used(plain, setting.partition("=")[0])]
    settings += [] if technique == "none" else random_parameters(technique, rnd)
    scheduler = rnd.choice(("round_robin", "greedy_oldest", "wasp"))
    settings += [f"fragment_stage.scheduler={scheduler}"] if is_used(plain, "fragment_stage.scheduler") else []
    return load_configuration("ptr-2022", [*kept, *fitting(kept, settings)])


def fitting(kept: list[str], settings: list[str]) -> list[str]:
    """Settings of a list that go together with some before them: of a list that does not, those of each half."""
    if not settings or fits([*kept, *settings]):
        return settings
    if len(settings) == 1:
        return []
    middle = len(settings) // 2
    first = fitting(kept, settings[:middle])
    return first + fitting([*kept, *first], settings[middle:])


def fits(settings: list[str]) -> bool:
    """Whether there is a machine with some settings."""
    try:
        build(load_configuration("ptr-2022", settings))
    except UserError:
        return False
    return True
