"""From a configuration to a machine: sizes, ports, and which unit is which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from ..config.caches import Cache
from ..config.quad_mappings import quad_processors
from ..config.schema import Configuration, Processors
from ..memory.cache import CACHE_TYPES
from ..memory.dram.build import set_up
from ..memory.dram.lpddr import MAX_FORWARDED, MAX_JOBS
from ..memory.dram.specification import Specification
from ..memory.dram.unit import LPDDR
from ..memory.lines import REPLACEMENTS
from ..memory.request import REQUEST_DEPTH
from ..units import tile_scheduler
from ..units.processor import EMPTY
from . import machine
from .account import IDLE
from .calendar import WORD_UNITS, number_of, poke
from .frame import KINDS, TEX
from .records import MAX_FRAGMENT_TEXTURE_UNITS, MAX_OUTSTANDING, MAX_TILE_QUADS, MAX_WAITERS, NEVER


@dataclass
class _Builder:
    """Numbers handed out while a machine is put together."""

    gpu: Any
    configuration: Configuration
    ports: int = 0
    lines: int = 0
    caches: dict[tuple[str, int, int], Any] = field(default_factory=dict)
    units: list[tuple[int, int, int, Any]] = field(default_factory=list)

    def unit(self, kind: int, owner: Any, a: int = 0, b: int = 0) -> None:
        self.units.append((kind, a, b, owner))

    def connect(self, server: Any, clients: list[Any]) -> list[int]:
        """Ports from the clients to a server, side by side."""
        first = self.ports
        server.first_port, server.ports = first, len(clients)
        for offset, client in enumerate(clients):
            port = self.gpu.port[first + offset]
            port.request.depth = REQUEST_DEPTH
            port.reply.depth = port.refill.depth = MAX_OUTSTANDING
            port.client, port.server = client.id, server.id
            port.number, port.arrival = first + offset, NEVER
        self.ports += len(clients)
        return list(range(first, self.ports))

    def cache(self, name: str, a: int = 0, b: int = 0) -> None:
        """A cache of the type that the configuration has under this name, without its ports."""
        spec: Cache = getattr(self.configuration, name)
        cache = self.gpu.cache[len(self.caches)]
        cache.type = CACHE_TYPES.index(name)
        sets = spec.sets(self.configuration.memory.line_bytes, name)
        cache.first_line, cache.set_mask, cache.ways = self.lines, sets - 1, spec.ways
        cache.line_shift = self.configuration.memory.line_bytes.bit_length() - 1
        cache.bank_mask, cache.latency, cache.mshrs = spec.banks - 1, spec.latency, spec.mshrs
        cache.replacement, cache.write_through = REPLACEMENTS.index(spec.replacement), spec.write == "through"
        cache.fetch_on_write, cache.write_around = spec.write_miss == "fetch", spec.write_miss == "around"
        cache.mshr["line"], cache.served = -1, -1
        cache.waiter["next"] = np.where(np.arange(MAX_WAITERS) < spec.waiters - 1, np.arange(1, MAX_WAITERS + 1), -1)
        self.unit(machine.CACHE_KIND, cache, len(self.caches))
        self.lines += sets * spec.ways
        self.caches[name, a, b] = cache


def build(configuration: Configuration) -> Any:
    """Machine for a configuration, with nothing in it.

    Returns
    -------
    numpy.record
        A `machine.gpu_record`. Its size does not depend on the configuration, apart from the techniques.
    """
    techniques = {name: import_module(f"..techniques.{name}", __package__) for name in configuration.techniques}
    states = {name: module.STATE for name, module in techniques.items() if hasattr(module, "STATE")}
    gpu = np.zeros(1, machine.gpu_record(states)).view(np.recarray)[0]
    gpu.line.tag[:] = -1
    builder = _Builder(gpu, configuration)
    _sizes(gpu, configuration)
    _number_units(builder)
    _geometry(gpu, configuration)
    for r in range(configuration.tiles.raster_units):
        _raster_unit(gpu, configuration, r)
    _dram(gpu, configuration)
    _connect(builder)
    for name in states:
        techniques[name].setup(gpu.technique[name], configuration)
    return gpu


def _sizes(gpu: Any, c: Configuration) -> None:
    gpu.line_bytes = c.memory.line_bytes
    gpu.line_shift = c.memory.line_bytes.bit_length() - 1
    gpu.tile_width, gpu.tile_height = c.tiles.width, c.tiles.height
    gpu.raster_units = c.tiles.raster_units
    gpu.tile_assignment = ("static", "dynamic", "mixed").index(c.tiles.assignment) + tile_scheduler.STATIC
    gpu.fragment_processors, gpu.vertex_processors = c.fragment_stage.processors, c.vertex_stage.processors
    gpu.shared_input = c.fragment_stage.input_queue == "shared"
    tables = quad_processors(
        c.fragment_stage.quad_mapping, c.tiles.width // 2, c.tiles.height // 2, c.fragment_stage.processors
    )
    for k, table in enumerate(tables):
        gpu.quad_processor[k * MAX_TILE_QUADS : k * MAX_TILE_QUADS + len(table)] = table


def _texture_cache(c: Configuration, r: int, i: int) -> tuple[str, int, int]:
    """Which texture cache a Fragment Processor uses."""
    stage = c.fragment_stage
    return "texture_cache", r // stage.raster_units_per_texture_cache, i // stage.processors_per_texture_cache


def _instruction_cache(c: Configuration, r: int, i: int) -> tuple[str, int, int]:
    return "instruction_cache", r, i // c.fragment_stage.processors_per_instruction_cache


def _number_units(builder: _Builder) -> None:
    """Number the units in the order in which they are ticked, memory first, and make the caches."""
    gpu, c = builder.gpu, builder.configuration
    units, processors = range(gpu.raster_units), range(gpu.fragment_processors)
    builder.unit(machine.DRAM_KIND, gpu.dram)
    for name in ("l2_cache", "vertex_cache", "tile_cache"):
        builder.cache(name)
    for r in units:
        for i in processors:
            for key in (_texture_cache(c, r, i), _instruction_cache(c, r, i)):
                if key not in builder.caches:
                    builder.cache(*key)
    gpu.caches = len(builder.caches)
    builder.unit(machine.TILE_FLUSH_KIND, gpu.tile_flush)
    for r in units:
        builder.unit(machine.BLENDING_KIND, gpu.raster_unit[r].blending, r)
    for k in _texture_units(gpu):
        builder.unit(machine.TEXTURE_UNIT_KIND, gpu.texture_unit[k], k)
    for r in units:
        for i in processors:
            builder.unit(machine.FRAGMENT_PROCESSOR_KIND, gpu.raster_unit[r].processor[i], r, i)
    for r in units:
        builder.unit(machine.EARLY_DEPTH_KIND, gpu.raster_unit[r].early_depth, r)
    for r in units:
        builder.unit(machine.RASTERIZER_KIND, gpu.raster_unit[r].rasterizer, r)
    builder.unit(machine.TILE_FETCHER_KIND, gpu.tile_fetcher)
    builder.unit(machine.POLYGON_LIST_BUILDER_KIND, gpu.polygon_list_builder)
    builder.unit(machine.PRIMITIVE_ASSEMBLY_KIND, gpu.primitive_assembly)
    for p in range(gpu.vertex_processors):
        builder.unit(machine.VERTEX_PROCESSOR_KIND, gpu.vertex_processor[p], p)
    builder.unit(machine.VERTEX_FETCHER_KIND, gpu.vertex_fetcher)
    builder.unit(machine.TRANSFER_UNIT_KIND, gpu.transfer_unit)
    builder.unit(machine.COMMAND_PROCESSOR_KIND, gpu.command_processor)
    calendar = gpu.calendar
    calendar.words = -(-len(builder.units) // WORD_UNITS)
    calendar.later[:] = calendar.next_later = NEVER
    for place, (kind, a, b, owner) in enumerate(builder.units):
        owner.id = number = number_of(place)
        gpu.unit[number] = (kind, a, b)
        calendar.everybody.word[number >> 6] |= 1 << (number & 63)


def _texture_units(gpu: Any) -> list[int]:
    fragment = range(gpu.raster_units * gpu.fragment_processors)
    return [*fragment, *(MAX_FRAGMENT_TEXTURE_UNITS + p for p in range(gpu.vertex_processors))]


def _geometry(gpu: Any, c: Configuration) -> None:
    fetcher = gpu.vertex_fetcher
    fetcher.queue.depth, fetcher.input.depth = c.vertex_fetcher.draw_queue, c.vertex_fetcher.queue
    fetcher.output_depth = c.vertex_stage.output_queue
    in_processors = gpu.vertex_processors * c.vertex_stage.warps
    fetcher.window.depth = c.vertex_fetcher.queue + in_processors + c.vertex_stage.output_queue
    fetcher.reuse_entries, fetcher.batch, fetcher.open = c.vertex_fetcher.reuse_entries, -1, -1
    for p in range(gpu.vertex_processors):
        core = gpu.vertex_processor[p]
        _processor(core, c.vertex_stage)
        core.port, core.texture_unit = -1, MAX_FRAGMENT_TEXTURE_UNITS + p
        _texture_unit(gpu.texture_unit[core.texture_unit], c)
        gpu.texture_unit[core.texture_unit].vertex = 1
        gpu.texture_unit[core.texture_unit].processor = p
    assembly = gpu.primitive_assembly
    assembly.vertices_per_cycle = c.primitive_assembly.vertices_per_cycle
    assembly.primitives_per_cycle = c.primitive_assembly.primitives_per_cycle
    gpu.polygon_list_builder.queue.depth = c.primitive_assembly.queue
    gpu.polygon_list_builder.primitive = -1
    gpu.polygon_list_builder.pointer_bytes = c.parameter_buffer.pointer_bytes
    tiles = gpu.tile_fetcher
    tiles.sequential = c.tile_fetcher.design == "sequential"
    tiles.table.depth = 1 if tiles.sequential else c.tile_fetcher.primitive_table
    tiles.tile, tiles.raster_unit = -1, gpu.raster_units - 1
    tiles.attribute_bytes, tiles.pointer_bytes = (c.parameter_buffer.attribute_bytes, c.parameter_buffer.pointer_bytes)
    gpu.transfer_unit.in_flight, gpu.transfer_unit.move = c.transfer_unit.in_flight, -1
    for owner in (fetcher, assembly, gpu.polygon_list_builder, tiles, gpu.tile_flush):
        owner.cause = IDLE


def _processor(core: Any, stage: Processors) -> None:
    core.warp.depth = core.fetch.depth = stage.warps
    for kind, latency in (("alu", stage.alu_latency), ("sfu", stage.sfu_latency), ("flow", stage.flow_latency)):
        core.latency[KINDS.index(kind)] = latency
    # Texels come when the texture unit says so; a warp that ends with a sample leaves no earlier than this.
    core.latency[TEX] = stage.alu_latency
    core.cause = EMPTY


def _texture_unit(texture: Any, c: Configuration) -> None:
    texture.operation.depth, texture.latency = c.texture_unit.in_flight, c.texture_unit.latency
    texture.probe_cycles, texture.cause = c.texture_unit.probe_cycles, IDLE


def _raster_unit(gpu: Any, c: Configuration, r: int) -> None:
    unit = gpu.raster_unit[r]
    unit.rasterizer.queue.depth = c.tile_fetcher.tile_queue
    unit.rasterizer.attributes_per_cycle = c.rasterizer.attributes_per_cycle
    unit.rasterizer.quads_per_cycle = c.rasterizer.quads_per_cycle
    unit.input.depth, unit.input_taken = c.fragment_stage.queue, -1
    depth, blending = unit.early_depth, unit.blending
    depth.queue.depth, blending.queue.depth = c.rasterizer.queue, c.blending.color_queue
    for stage, spec in ((depth, c.early_depth), (blending, c.blending)):
        stage.flight.depth, stage.quads_per_cycle, stage.latency = spec.in_flight, spec.quads_per_cycle, spec.latency
        stage.read_ports, stage.write_ports = spec.read_ports, spec.write_ports
        stage.tile = stage.transfer.tile = -1
    for stage in (unit.rasterizer, depth, blending):
        stage.cause = IDLE
    for i in range(gpu.fragment_processors):
        core = unit.processor[i]
        _processor(core, c.fragment_stage)
        core.queue.depth = c.fragment_stage.queue
        core.texture_unit = r * gpu.fragment_processors + i
        texture = gpu.texture_unit[core.texture_unit]
        texture.raster_unit, texture.processor = r, i
        _texture_unit(texture, c)


def _dram(gpu: Any, c: Configuration) -> None:
    dram = gpu.dram
    spec = c.dram.specification
    dram.queue.depth = c.dram.queue
    if spec is not None:
        _controller(dram, c, spec)
        return
    dram.flight.depth = c.dram.in_flight
    dram.bank_mask, dram.row_shift = c.dram.banks - 1, c.dram.row_bytes.bit_length() - 1
    dram.row_hit_latency, dram.row_miss_latency = c.dram.row_hit_latency, c.dram.row_miss_latency
    # A memory cycle moves bytes_per_memory_cycle, so a byte takes that part of it.
    gpu_cycle_ticks, memory_cycle_ticks = c.clocks.ticks
    dram.gpu_cycle_ticks = gpu_cycle_ticks * c.dram.bytes_per_memory_cycle
    dram.byte_ticks = memory_cycle_ticks
    dram.row[:] = -1


def _controller(dram: Any, c: Configuration, spec: Specification) -> None:
    """The cycle-level controller."""
    dram.model = LPDDR
    dram.gpu_cycle_ticks, dram.memory_cycle_ticks = c.clocks.ticks
    dram.channels, dram.burst_shift = spec.system.channels, spec.request_bytes.bit_length() - 1
    dram.forwarded.depth, dram.job_at_work = MAX_FORWARDED, -1
    dram.job["next"] = np.arange(1, MAX_JOBS + 1)
    for k in range(dram.channels):
        set_up(dram.channel[k], spec)


def _connect(builder: _Builder) -> None:
    """Ports: units to first-level caches, these to the L2, the L2 and the tiles' pixels to the DRAM."""
    gpu, c = builder.gpu, builder.configuration
    l2 = builder.caches["l2_cache", 0, 0]
    upper = [cache for key, cache in builder.caches.items() if key[0] != "l2_cache"]
    *below, gpu.command_processor.port = builder.connect(l2, [*upper, gpu.command_processor])
    for cache, port in zip(upper, below, strict=True):
        cache.below = port
    vertex_units = [gpu.texture_unit[MAX_FRAGMENT_TEXTURE_UNITS + p] for p in range(gpu.vertex_processors)]
    vertex_cache = builder.caches["vertex_cache", 0, 0]
    gpu.vertex_fetcher.port, *ports = builder.connect(vertex_cache, [gpu.vertex_fetcher, *vertex_units])
    for texture, port in zip(vertex_units, ports, strict=True):
        texture.port = port
    gpu.polygon_list_builder.port, gpu.tile_fetcher.port = builder.connect(
        builder.caches["tile_cache", 0, 0], [gpu.polygon_list_builder, gpu.tile_fetcher]
    )
    sharers: dict[tuple[str, int, int], list[Any]] = {}
    for r in range(gpu.raster_units):
        for i in range(gpu.fragment_processors):
            core = gpu.raster_unit[r].processor[i]
            sharers.setdefault(_texture_cache(c, r, i), []).append(gpu.texture_unit[core.texture_unit])
            sharers.setdefault(_instruction_cache(c, r, i), []).append(core)
    for key, clients in sharers.items():
        for client, port in zip(clients, builder.connect(builder.caches[key], clients), strict=True):
            client.port = port
    loaders = [
        unit for r in range(gpu.raster_units) for unit in (gpu.raster_unit[r].early_depth, gpu.raster_unit[r].blending)
    ]
    l2.below, gpu.tile_flush.transfer.port, gpu.transfer_unit.port, *ports = builder.connect(
        gpu.dram, [l2, gpu.tile_flush, gpu.transfer_unit, *loaders]
    )
    for loader, port in zip(loaders, ports, strict=True):
        loader.transfer.port = port
    gpu.tile_flush.raster_unit = -1


def accounted(gpu: Any) -> Iterator[Any]:
    """Units whose cycles are booked on causes."""
    yield from (gpu.vertex_fetcher, gpu.primitive_assembly, gpu.polygon_list_builder, gpu.tile_fetcher, gpu.tile_flush)
    for r in range(gpu.raster_units):
        unit = gpu.raster_unit[r]
        yield from (unit.rasterizer, unit.early_depth, unit.blending)
        yield from (unit.processor[i] for i in range(gpu.fragment_processors))
    yield from (gpu.vertex_processor[p] for p in range(gpu.vertex_processors))
    yield from (gpu.texture_unit[k] for k in _texture_units(gpu))


def settle(gpu: Any) -> None:
    """Book the time up to now on what the units were doing, so that their cycles add up."""
    for owner in accounted(gpu):
        owner.spent[owner.cause] += gpu.cycle - owner.since
        owner.since = gpu.cycle


def begin_frame(gpu: Any) -> None:
    """Set the Command Processor on a new frame; caches, DRAM rows and what techniques remember stay as they are."""
    processor = gpu.command_processor
    processor.phase, processor.render_pass = 0, 0
    gpu.vertex_fetcher.recent[:] = [-1] * len(gpu.vertex_fetcher.recent)
    gpu.primitive_assembly.primitive = gpu.primitive_assembly.committed = 0
    poke(gpu, processor.id)
