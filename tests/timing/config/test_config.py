"""Configurations: presets, overrides, and errors that name the field."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

from tilegpu.timing.assembly.build import build
from tilegpu.timing.config import (
    Configuration,
    ConfigurationError,
    configuration_toml,
    load_configuration,
    preset_names,
)
from tilegpu.timing.config.fields import fields
from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.parameters import choices
from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.tiles import Tiles
from tilegpu.timing.memory.kinds import L2_CACHE
from tilegpu.timing.registry import find_technique, technique_names
from tilegpu.timing.techniques import dfsl
from tilegpu.timing.units.memory_unit import MemoryUnitParameters
from tilegpu.timing.units.pixel_stages import BlendingParameters, EarlyDepthParameters
from tilegpu.timing.units.primitive_assembly import PrimitiveAssemblyParameters
from tilegpu.timing.units.rasterizer import RasterizerParameters
from tilegpu.timing.units.texture_unit import TextureUnitParameters
from tilegpu.timing.units.tile_fetcher import TileFetcherParameters
from tilegpu.timing.units.vertex_fetcher import VertexFetcherParameters


def test_the_preset_holds_the_figures_of_table_4_1() -> None:
    c = load_configuration("ptr-2022")
    assert (c.clocks.gpu_mhz, c.clocks.memory_mhz, c.of(Tiles).width, c.of(Tiles).height) == (800, 1200, 32, 32)
    assert (
        c.of(PrimitiveAssemblyParameters).queue,
        c.of(TileFetcherParameters).tile_queue,
        c.of(RasterizerParameters).queue,
    ) == (32, 32, 512)
    assert (
        c.of(FragmentStage).queue,
        c.of(BlendingParameters).color_queue,
        c.of(TileFetcherParameters).primitive_table,
    ) == (128, 64, 16)
    caches = [
        (cache.size_bytes >> 10, cache.ways, cache.banks, cache.latency)
        for cache in (
            c.cache("vertex_cache"),
            c.cache("tile_cache"),
            c.cache("texture_cache"),
            c.cache("instruction_cache"),
            c.cache("l2_cache"),
        )
    ]
    assert caches == [(4, 2, 1, 1), (32, 4, 1, 2), (8, 2, 1, 2), (16, 2, 2, 2), (2048, 8, 8, 18)]
    assert (
        c.of(EarlyDepthParameters).in_flight,
        c.of(BlendingParameters).in_flight,
        c.of(RasterizerParameters).attributes_per_cycle,
    ) == (20, 20, 16)
    assert (c.of(VertexStage).processors, c.of(FragmentStage).processors, c.memory.line_bytes) == (4, 4, 64)
    assert (c.dram.row_hit_latency, c.dram.row_miss_latency, c.dram.bytes_per_memory_cycle) == (50, 100, 4)


def test_every_field_tells_its_unit_and_what_it_means() -> None:
    for name, field in fields():
        assert field.description, name
        assert (field.json_schema_extra or {}).get("unit"), name


def test_choices_are_among_the_names_that_are_explained() -> None:
    for full, field in fields(technique_names()):
        names = choices(field)
        plausible = (field.json_schema_extra or {}).get("plausible", ())
        assert not names or {field.default, *plausible} <= names.keys(), full
        if get_origin(field.annotation) is Literal and names:
            assert get_args(field.annotation) == tuple(names), full


def test_parameters_of_a_technique_are_named_after_it() -> None:
    for name in technique_names():
        parameters = find_technique(name).parameters
        assert parameters.section == f"technique.{name}" or not parameters.model_fields, name


def test_a_section_is_found_by_its_class() -> None:
    c = load_configuration("ptr-2022", ["rasterizer.queue=7", "l2_cache.ways=4"])
    assert c.of(RasterizerParameters).queue == 7 and c.cache("l2_cache").ways == L2_CACHE.spec(c).ways == 4

    class SameName(RasterizerParameters, section="rasterizer"):
        """What a copy of the engine has in its place."""

    assert c.of(SameName) is c.of(RasterizerParameters) is c.group("rasterizer")
    with pytest.raises(ConfigurationError, match="ptr-2022 has no section technique.dfsl"):
        c.of(dfsl.Parameters)
    assert load_configuration("emerald-case2", ["techniques=dfsl"]).of(dfsl.Parameters) == dfsl.Parameters()


def test_overrides_take_full_names_and_short_ones() -> None:
    c = load_configuration("ptr-2022", ["raster_units=2", "l2_cache.ways=4", "tiles.order=morton", "gpu_mhz=1_000"])
    assert (c.of(Tiles).raster_units, c.cache("l2_cache").ways, c.of(Tiles).order, c.clocks.gpu_mhz) == (
        2,
        4,
        "morton",
        1000,
    )
    assert c.cache("l2_cache").size_bytes == 2 << 20


def test_a_configuration_survives_its_own_toml(tmp_path: Path) -> None:
    c = load_configuration("ptr-2022", ["raster_units=3", "texture_layout=morton", "l2_cache.banks=2", 'name=a "b"'])
    (tmp_path / "c.toml").write_text(configuration_toml(c), "utf-8")
    assert load_configuration(tmp_path / "c.toml") == c


def test_a_file_needs_to_name_only_what_differs(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[l2_cache]\nways = 16\n", "utf-8")
    c = load_configuration(tmp_path / "c.toml")
    assert c == load_configuration("ptr-2022", ["l2_cache.ways=16"]) != Configuration()
    assert "ptr-2022" in preset_names()


def test_a_file_may_start_from_any_preset(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('name = "mine"\nbase = "re-2019"\n[l2_cache]\nways = 16\n', "utf-8")
    assert load_configuration(tmp_path / "c.toml") == load_configuration("re-2019", ["l2_cache.ways=16", "name=mine"])
    (tmp_path / "c.toml").write_text('base = "nobody"\n', "utf-8")
    with pytest.raises(ConfigurationError, match="base: no preset 'nobody' .*tilegpu configs"):
        load_configuration(tmp_path / "c.toml")


@pytest.mark.parametrize(
    ("preset", "gigabytes_per_second"),
    [
        # 1.2 GHz: a channel of 16 bits moves 4 bytes per cycle; two of them, one, one at the GPU's 800 MHz.
        ("ptr-2022", 9.6),
        ("ptr-2022-4800", 4.8),
        ("ptr-2022-3200", 3.2),
        # 400 MHz and 4 bytes per cycle of each of two channels; in all.
        ("re-2019", 3.2),
        ("re-2019-1600", 1.6),
        ("vro-2018", 3.2),
        ("vro-2018-1600", 1.6),
        ("imr-2018", 3.2),
        # 32 bits of DDR3-1600, of LPDDR4-3200.
        ("mali-450-mp3", 6.4),
        ("mali-g52-mc1", 12.8),
    ],
)
def test_bandwidths(preset: str, gigabytes_per_second: float) -> None:
    c = load_configuration(preset)
    bandwidth = c.dram.peak_bytes_per_memory_cycle * float(c.clocks.memory) * 1e-3
    assert bandwidth == pytest.approx(gigabytes_per_second)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("raster_units=9", "tiles.raster_units: Input should be less than or equal to 4, not 9"),
        ("raster_units=two", "tiles.raster_units: Input should be a valid integer, not 'two'"),
        ("ways=4", "vertex_cache.ways, tile_cache.ways"),
        ("tiles.colour=4", "tiles.colour: no such field of the configuration"),
        ("l2_cache.ways=3", "l2_cache: size_bytes / (ways x line_bytes) must be a power of two"),
        ("row_hit_latency=200", "dram: row_miss_latency must not be below row_hit_latency"),
        ("tiles.width=33", "tiles: tile width and height must be even"),
        (
            "tiles.order=spiral",
            "tiles.order: Input should be 'mapping', 'scanline', 'boustrophedon', 'morton' or 'hilbert'",
        ),
        ("raster_units", "raster_units: expected field=value"),
        ("early_depth.latency=-1", "early_depth.latency: Input should be greater than or equal to 0, not -1"),
    ],
)
def test_errors_name_the_field(override: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_configuration("ptr-2022", [override])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_files_and_fields_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no configuration fast: give a TOML file or a preset"):
        load_configuration("fast")
    path = tmp_path / "c.toml"
    path.write_text("[tiles]\nsides = 3\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"tiles.sides: no such field"):
        load_configuration(path)
    path.write_text("tiles = 3\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"c.toml: tiles: "):
        load_configuration(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match=r"c\.toml"):
        load_configuration(path)


def test_two_raster_units_differ_from_the_baseline_in_that_alone() -> None:
    assert load_configuration("ptr-2022-2ru") == load_configuration("ptr-2022", ["raster_units=2", "name=ptr-2022-2ru"])


def test_doubled_resources_are_those_of_section_5_2() -> None:
    c = load_configuration("ptr-2022-doubled")
    assert (c.of(Tiles).raster_units, c.of(FragmentStage).processors) == (1, 8)
    assert (c.of(RasterizerParameters).attributes_per_cycle, c.of(RasterizerParameters).quads_per_cycle) == (32, 8)
    for stage in (c.of(EarlyDepthParameters), c.of(BlendingParameters)):
        assert (stage.quads_per_cycle, stage.in_flight, stage.read_ports, stage.write_ports) == (8, 40, 8, 8)
    chip = build(c)
    assert (len(chip.caches("texture_cache")), len(chip.caches("instruction_cache"))) == (8, 8)
    base = load_configuration()
    same = ("clocks", "vertex_fetcher", "vertex_stage", "tile_fetcher", "memory", "texture_cache", "l2_cache", "dram")
    assert all(getattr(c, group) == getattr(base, group) for group in same)


@pytest.mark.parametrize(("name", "attributes"), [("re-2019", 16), ("vro-2018", 4)])
def test_the_older_papers_have_a_small_gpu(name: str, attributes: int) -> None:
    c = load_configuration(name)
    assert (c.clocks.gpu_mhz, c.energy.node_nm, c.of(Tiles).width, c.of(Tiles).height) == (400, 32, 16, 16)
    assert (c.of(VertexFetcherParameters).queue, c.of(VertexStage).output_queue) == (16, 16)
    assert (
        c.of(PrimitiveAssemblyParameters).queue,
        c.of(TileFetcherParameters).tile_queue,
        c.of(FragmentStage).queue,
    ) == (16, 16, 64)
    caches = [
        (cache.size_bytes >> 10, cache.ways, cache.banks, cache.latency)
        for cache in (c.cache("vertex_cache"), c.cache("texture_cache"), c.cache("tile_cache"), c.cache("l2_cache"))
    ]
    assert caches == [(4, 2, 1, 1), (8, 2, 1, 1), (128, 8, 8, 1), (256, 8, 8, 2)]
    assert c.of(RasterizerParameters).attributes_per_cycle == attributes
    assert (c.of(EarlyDepthParameters).in_flight, c.of(VertexStage).processors, c.of(FragmentStage).processors) == (
        32,
        1,
        4,
    )
    assert (c.dram.row_hit_latency, c.dram.row_miss_latency, c.dram.bytes_per_memory_cycle) == (50, 100, 4)
    assert c.clocks.ticks == (1, 1)


def _cache(spec: Cache) -> tuple[int, int, int, int]:
    return spec.size_bytes >> 10, spec.ways, spec.banks, spec.latency


def test_the_immediate_mode_gpu_of_2018_is_that_of_table_a_2() -> None:
    c = load_configuration("imr-2018")
    assert (c.machine, c.clocks.gpu_mhz, c.energy.node_nm, c.clocks.ticks) == ("immediate", 400, 32, (1, 1))
    caches = (
        c.cache("vertex_cache"),
        c.cache("texture_cache"),
        c.cache("color_cache"),
        c.cache("depth_cache"),
        c.cache("l2_cache"),
    )
    assert [_cache(spec) for spec in caches] == [(4, 2, 1, 1), (8, 2, 1, 1), (8, 2, 1, 1), (4, 2, 1, 1), (256, 8, 8, 2)]
    assert (c.of(VertexStage).processors, c.of(FragmentStage).processors) == (4, 8)
    assert (
        c.of(PrimitiveAssemblyParameters).queue,
        c.of(VertexFetcherParameters).queue,
        c.of(FragmentStage).queue,
    ) == (16, 16, 64)
    assert (c.of(RasterizerParameters).attributes_per_cycle, c.of(EarlyDepthParameters).in_flight) == (4, 32)
    assert (c.dram.row_hit_latency, c.dram.row_miss_latency, c.dram.bytes_per_memory_cycle) == (50, 100, 4)
    assert len(build(c).caches("color_cache")) == 8


def test_the_gpu_of_2012_is_that_of_its_table_1() -> None:
    c = load_configuration("dae-2012-baseline")
    assert (c.machine, c.clocks.gpu_mhz, c.energy.node_nm, c.clocks.ticks) == (
        "programmable_blending",
        600,
        45,
        (1, 1),
    )
    assert (c.of(FragmentStage).hazards, c.of(VertexStage).hazards) == ("squash", "squash")
    assert (c.of(MemoryUnitParameters).threads_per_cycle, c.of(TextureUnitParameters).probe_cycles) == (2, 2)
    pixel = (2, 2, 4, 2)
    caches = (
        c.cache("vertex_cache"),
        c.cache("texture_cache"),
        c.cache("color_cache"),
        c.cache("depth_cache"),
        c.cache("l2_cache"),
    )
    assert [_cache(spec) for spec in caches] == [(8, 4, 4, 3), pixel, pixel, pixel, (32, 8, 8, 12)]
    assert [spec.mshrs for spec in caches] == [4, 4, 4, 4, 8]
    assert (c.of(VertexStage).processors, c.of(FragmentStage).processors, c.of(FragmentStage).queue) == (4, 4, 8)
    # "8 in-flight fragments", which the same group calls quad-fragments later.
    assert (c.of(RasterizerParameters).quads_per_cycle, c.of(EarlyDepthParameters).in_flight) == (1, 8)
    assert (c.dram.row_hit_latency, c.dram.row_miss_latency, c.dram.bytes_per_memory_cycle) == (100, 100, 4)


@pytest.mark.parametrize(
    "override",
    [
        *(f"{cache}.mshrs=0" for cache in ("vertex_cache", "tile_cache", "texture_cache", "l2_cache")),
        *(f"{group}.queue=0" for group in ("vertex_fetcher", "primitive_assembly", "rasterizer", "fragment_stage")),
        *("dram.queue=0", "tile_queue=0", "color_queue=0", "output_queue=0", "primitive_table=0", "draw_queue=0"),
        *("early_depth.in_flight=0", "blending.in_flight=0", "texture_unit.in_flight=0", "fragment_stage.warps=0"),
        *("texture_cache.waiters=0", "early_depth.read_ports=0", "blending.write_ports=0", "transfer_unit.in_flight=0"),
        *("raster_units_per_texture_cache=0", "rasterizer.quads_per_cycle=0", "attributes_per_cycle=0"),
    ],
)
def test_what_could_never_move_is_refused(override: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_configuration("ptr-2022", [override])
    assert "greater than or equal to 1, not 0" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["l2_cache.size_bytes=100000"], "l2_cache: size_bytes / (ways x line_bytes) must be a power of two"),
        (["texture_cache.banks=3"], "texture_cache: banks must be a power of two, not 3"),
        (["l2_cache.ways=64", "l2_cache.replacement=plru"], "l2_cache: replacement plru needs a power of two of at"),
        (["texture_tile_bytes=96"], "memory: texture_tile_bytes must be 0, or a power of two that holds a line"),
        (["line_bytes=128", "texture_tile_bytes=64"], "memory: texture_tile_bytes must be 0, or a power of two that"),
        (["raster_units=4", "fragment_stage.processors=16"], "the machine has room for 32"),
        (["quad_mapping=18-circle"], "fragment_stage.quad_mapping: Input should be"),
    ],
)
def test_impossible_geometry_is_one_clear_line(overrides: list[str], message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_configuration("ptr-2022", overrides)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
