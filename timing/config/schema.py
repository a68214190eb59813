"""A hardware configuration: what all machines have, and the sections that the parts of its machine declare."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare import records
from tilegpu.timing.declare.hardware import DEFAULT_MACHINE, Hardware
from tilegpu.timing.declare.quad_mappings import find_mapping
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles

from ..memory.dram.parameters import DramParameters
from ..registry import components
from ..units.command_processor import CommandProcessorParameters
from .policies import chosen
from .sections import composed, sections
from .shown import configuration_html, configuration_line
from .techniques import TechniqueParameters


class Configuration(Hardware):
    """Hardware configuration of one simulated GPU; the defaults are the preset `ptr-2022`.

    Besides the fields here it has a section for whatever a unit, a cache or a policy declares, which `of` and `cache`
    hand out. `[Table 4.1]` in their descriptions marks figures of the Parallel Tile Rendering thesis, "papers silent"
    decisions of this project.
    """

    technique: TechniqueParameters = TechniqueParameters()
    dram: DramParameters = DramParameters()

    def __repr__(self) -> str:
        return configuration_line(self)

    def __str__(self) -> str:
        return configuration_line(self)

    def _repr_html_(self) -> str:
        """Table for a notebook."""
        return configuration_html(self)

    def cache_count(self, kind: str) -> int:
        """Number of caches of a kind that its machine has."""
        return sum(
            int(kind_of_cache.count(self)) for kind_of_cache in components(self)[0].caches if kind_of_cache.name == kind
        )

    @model_validator(mode="before")
    @classmethod
    def _compose(cls, values: Any) -> Any:
        """A section for every part of the machine, and for every technique that is switched on."""
        if not isinstance(values, dict):
            return values
        machine = values.get("machine", DEFAULT_MACHINE)
        techniques = values.get("techniques") or ()
        if not isinstance(machine, str) or not isinstance(techniques, list | tuple):
            return values
        if not all(isinstance(name, str) for name in techniques):
            return values
        fixed = {name: value for name, value in values.items() if name in cls.model_fields}
        if techniques:
            given = values.get("technique") or {}
            given = given if isinstance(given, dict) else given.model_dump()
            fixed["technique"] = {name: {} for name in techniques} | given
        given = chosen(values) | {name: v for name, v in values.items() if name not in fixed}
        return fixed | composed(given, sections(machine, techniques))

    @model_validator(mode="after")
    def _fits(self) -> Configuration:
        tiles, stage = self.of(Tiles), self.of(FragmentStage)
        order = find_mapping(stage.quad_mapping).order
        if order is not None and tiles.order not in ("mapping", order):
            raise UserError(
                f"quad_mapping {stage.quad_mapping} belongs to tiles.order {order}, not {tiles.order}; leave "
                "tiles.order at mapping"
            )
        machine, _ = components(self)
        for kind in machine.caches:
            kind.spec(self).sets(self.memory.line_bytes, kind.name)
        if machine.check is not None:
            machine.check(self)
        overlap = self.of(CommandProcessorParameters).overlap
        if overlap != "none" and (self.techniques or not machine.sorts):
            raise UserError(
                "command_processor.overlap is for machines that sort geometry into tiles, without techniques: set it "
                "to none, or leave the techniques out"
            )
        units, processors = tiles.raster_units, stage.processors
        if units * processors > records.MAX_FRAGMENT_TEXTURE_UNITS:
            raise UserError(
                f"raster_units x fragment_stage.processors is {units * processors}, "
                f"the machine has room for {records.MAX_FRAGMENT_TEXTURE_UNITS}"
            )
        return self
