"""Workloads in phases: what is drawn when, how the animation goes on, and that a file keeps them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.tools.workloads.make import make
from tilegpu.tools.workloads.moment import moment
from tilegpu.tools.workloads.phases import LAYERS, SESSION, Phase
from tilegpu.tools.workloads.scene import Layer
from tilegpu.tools.workloads.twin import TwinError
from tilegpu.tools.workloads.twin_checks import checked
from tilegpu.tools.workloads.twin_files import find_twin, read_twin, twin_toml


def test_the_animation_goes_on_from_phase_to_phase_and_round_to_round() -> None:
    phases = (
        Phase("walk", 4, speed=0.5),
        Phase("stand", 2, speed=0.0, zoom_from=1.0, zoom_to=2.0),
        Phase("run", 2, speed=3),
    )
    times = [moment(phases, t).time for t in range(10)]
    assert times == [0, 0.5, 1, 1.5, 2, 2, 2, 5, 8, 8.5]
    assert [moment(phases, t).zoom for t in (3, 4, 5, 6)] == [1, 1, 1.5, 1]


def test_phases_show_what_they_say(tmp_path: Path) -> None:
    twin = find_twin("000-crs+session").at(150, 96)
    assert twin.frames == sum(phase.frames for phase in SESSION) == 300
    begins = np.cumsum([0, *(phase.frames for phase in SESSION)])
    first = {phase.name: int(begin) for phase, begin in zip(SESSION, begins, strict=False)}
    of_play, of_road, of_menu = first["play"] + 50, first["empty road"] + 20, first["menu"] + 5
    moments = [0, 1, of_menu, of_play, of_play + 1, of_road, first["pause"], first["pause"] + 9]
    made = make(twin, tmp_path / "a.trace", moments)
    drawn = [[made.things[i] for i in order] for order in made.orders]
    assert {thing.layer for thing in drawn[0]} == {Layer.HUD}
    assert Layer.GROUND not in {thing.layer for thing in drawn[2]} and any(thing.role == "hero" for thing in drawn[2])
    assert len(drawn[3]) == len(made.things) > len(drawn[5]) > len(drawn[2]) > len(drawn[0])
    pictures = [frame.pixels for frame in Player(tmp_path / "a.trace").run()]
    assert np.array_equal(pictures[0], pictures[1]) and np.array_equal(pictures[6], pictures[7])
    assert not np.array_equal(pictures[3], pictures[4])
    counted = record(tmp_path / "a.trace", tmp_path / "activity").rows
    assert counted["draws"] == sum(map(len, drawn))


def test_a_file_keeps_phases(tmp_path: Path) -> None:
    twin = replace(find_twin("000-crs"), phases=SESSION)
    (tmp_path / "a.toml").write_text(twin_toml(twin))
    assert read_twin(tmp_path / "a.toml").phases == SESSION
    assert tuple(layer.name.lower() for layer in Layer) == LAYERS
    with pytest.raises(TwinError, match="phases.0.layers: 'sky'"):
        checked(replace(twin, phases=(Phase("a", 3, layers=("sky",)),)))
    with pytest.raises(TwinError, match="models have no phases"):
        find_twin("004-m1+session")
