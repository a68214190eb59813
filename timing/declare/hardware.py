"""The configuration of a machine as its parts see it."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field

from .caches import Cache
from .chip import Clocks, Counters, Memory, Simulation
from .energy.parameters import Energy
from .parameters import ConfigurationError, Group, text
from .power import Power
from .quad_mappings import find_mapping
from .stages import FragmentStage
from .tiles import Tiles

P = TypeVar("P", bound=Group)
DEFAULT_MACHINE = "tile_based"


class Hardware(Group):
    """Fields that every configuration has, and the sections of a machine's parts, which `of` and `cache` hand out."""

    model_config = ConfigDict(extra="allow")

    name: str = text("ptr-2022", "name of the configuration")
    machine: str = text(DEFAULT_MACHINE, "what is simulated: a name of docs/timing.md")
    techniques: tuple[str, ...] = Field(
        default=(), description="techniques switched on", json_schema_extra={"unit": "names"}, strict=False
    )
    technique: BaseModel = Field(default_factory=BaseModel, description="sections of techniques, by their names")
    clocks: Clocks = Clocks()
    counters: Counters = Counters()
    memory: Memory = Memory()
    dram: Group = Group()
    energy: Energy = Energy()
    power: Power = Power()
    simulation: Simulation = Simulation()

    def of(self, section: type[P]) -> P:
        """The section that a class of parameters describes.

        Sections are found by their names: copies of the engine have classes of their own, whose values are these.
        """
        return cast(P, self.group(section.section))

    def cache(self, kind: str) -> Cache:
        """The section of a kind of caches."""
        return cast(Cache, self.group(kind))

    def cache_count(self, kind: str) -> int:
        """Number of caches of a kind that its machine has."""
        raise NotImplementedError

    def group(self, name: str) -> Group:
        """A section by its name; ConfigurationError if the configuration has none of this name."""
        group: Any = self
        for part in name.split("."):
            group = getattr(group, part, None)
        if group is None:
            raise ConfigurationError(f"{self.name} has no section {name}")
        return cast(Group, group)

    @property
    def sections(self) -> dict[str, Group]:
        """Sections by their names, apart from those that are fields."""
        return dict(self.model_extra or {})

    @property
    def tile_order(self) -> str:
        """Order in which tiles are processed."""
        order = self.of(Tiles).order
        return order if order != "mapping" else find_mapping(self.of(FragmentStage).quad_mapping).order or "scanline"

    @property
    def mapping_variants(self) -> int:
        """Tiles after which the quad mapping repeats."""
        return find_mapping(self.of(FragmentStage).quad_mapping).variants
