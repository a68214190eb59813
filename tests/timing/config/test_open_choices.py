"""Fields that no paper gives: those of a machine are the ones that building it and loading for it read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing.assembly import build as builder
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.fields import fields, is_used
from tilegpu.timing.config.open_choices import open_choices
from tilegpu.timing.registry import components

ELSEWHERE = {
    "transfer_unit.uploads": "only for frames with uploads",
    "work_groups.synchronization": "only for frames with dispatches",
    "memory.network_bytes_per_cycle": "behind a property",
    "memory.texture_tile_bytes": "only for textures in tiles of memory pages",
    "fragment_stage.quad_mapping": "read where sizes are set that all machines have",
}


class Spy:
    """A section that notes which of its fields are read."""

    def __init__(self, section: Any, name: str, seen: set[str]) -> None:
        self.__dict__.update(section=section, name=name, seen=seen)

    def __getattr__(self, field: str) -> Any:
        self.seen.add(f"{self.name}.{field}")
        return getattr(self.section, field)


@pytest.mark.parametrize("preset", ["ptr-2022", "imr-2018", "dae-2012-baseline", "emerald-case2"])
def test_a_machine_has_the_fields_that_it_reads(preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = load_configuration(preset)
    found = components(configuration)
    seen: set[str] = set()
    sections = {name.partition(".")[0] for name, _ in fields() if "." in name}
    spied = configuration.model_copy(
        update={name: Spy(configuration.group(name), name, seen) for name in sections - {"energy", "technique"}}
    )
    monkeypatch.setattr(builder, "components", lambda _: found)
    sizes = builder._sizes

    def unseen_sizes(chip: Any) -> None:
        sizes(chip)
        seen.clear()

    monkeypatch.setattr(builder, "_sizes", unseen_sizes)
    builder.build(spied)
    own = {name for name in seen if name.partition(".")[0] not in ("clocks", "simulation", "tiles")}
    assert {name for name in own if not is_used(configuration, name)} == set()

    folder = Scene(frames=[[Rectangle(0, 0, 8, 8, textured=True)]]).write(tmp_path / "activity")
    Loader(folder, spied).load(0)

    choices = {choice.name for choice in open_choices(configuration) if not choice.name.startswith("energy.")}
    assert choices - seen <= set(ELSEWHERE)
