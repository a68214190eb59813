"""Every machine, and every technique on each machine that it works on: idle cycles may be skipped, the compiler changes
nothing, and pictures stay as they are. What is added is covered by being there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layers import Layer, random_layers, record_layers
from random_machines import random_configuration

from tilegpu.functional.capture import Recorder
from tilegpu.functional.errors import UserError
from tilegpu.functional.record import record
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config import load_configuration
from tilegpu.timing.registry import find_techniques, machine_names, technique_names
from tilegpu.timing.results.own_pictures import OwnPictures
from tilegpu.timing.results.units import spent_cycles

pytestmark = pytest.mark.engine("every_part")

SEEDS = 16


def parts() -> Iterator[tuple[str, str]]:
    """Machines alone, and each technique on the machines that it works on."""
    for machine in machine_names():
        yield machine, "none"
        for technique in technique_names():
            try:
                find_techniques((technique,), machine)
            except UserError:
                continue
            yield machine, technique


PARTS = [pytest.param(*part, id="-".join(part)) for part in parts()]
USUAL = "tile_based"
FIRST = {
    technique: machine
    for machine, technique in sorted(parts(), key=lambda part: part[0] != USUAL)[::-1]
    if technique != "none"
}
"""A machine of each technique: the usual one if it works there, whose engine other tests need as well."""
QUICK = [
    pytest.param(*part, id="-".join(part), marks=() if FIRST.get(part[1], part[0]) == part[0] else pytest.mark.slow)
    for part in parts()
]
"""The same, of techniques on several machines only one in quick runs: most do the same on all."""


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames of objects behind each other, of which one moves, with their colours and pictures. They are small, as
    machines run in plain Python; one that stands still is blended, the other leans, has holes and is partly hidden."""
    still, places = random_layers(np.random.default_rng(15), 2), (16, 16, 36)
    moving = [Layer("moving", -0.3, x, x + 16, 36, 52) for x in places]
    return record_layers(tmp_path_factory.mktemp("layered"), [[*still, layer] for layer in moving])


@pytest.mark.parametrize("machine, technique", QUICK)
def test_skipping_idle_units_changes_nothing(new_machine: Any, layered: Path, machine: str, technique: str) -> None:
    # Machines alone in plain Python; engines with techniques, which other tests compile too, run all frames in no time.
    configuration = random_configuration(machine, technique, 0)
    compare_skipping(new_machine, layered, configuration, compiled=technique != "none")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, SEEDS))
@pytest.mark.parametrize("machine, technique", PARTS)
def test_skipping_changes_nothing_compiled(
    new_machine: Any, layered: Path, machine: str, technique: str, seed: int
) -> None:
    compare_skipping(new_machine, layered, random_configuration(machine, technique, seed), compiled=True)


def compare_skipping(new_machine: Any, layered: Path, configuration: Any, compiled: bool) -> None:
    """Check that two machines agree, one of which ticks every unit in every cycle, and that pictures are right."""
    one, other = (new_machine(configuration, compiled) for _ in range(2))
    loader = Loader(layered, configuration)
    pictures = OwnPictures(loader.source, one.chip)
    for number in loader.frames if compiled else loader.frames[:2]:
        frame = loader.load(number)
        skipping = one.run(frame)
        drawn = pictures.check(number, frame)
        assert drawn["pictures.pixels"] > 0 == drawn["pictures.different_pixels"]
        assert skipping == other.run(frame, every=True)
    assert spent_cycles(one.chip) == spent_cycles(other.chip)


@pytest.mark.slow
@pytest.mark.parametrize("machine, technique", PARTS)
def test_compiled_and_plain_machines_agree(new_machine: Any, layered: Path, machine: str, technique: str) -> None:
    configuration = random_configuration(machine, technique, SEEDS)
    one, other = new_machine(configuration, compiled=True), new_machine(configuration, compiled=False)
    loader = Loader(layered, configuration)
    for number in loader.frames:
        frame = loader.load(number)
        assert one.run(frame) == other.run(frame)


def test_dropped_lines_aligned_attributes_and_slow_removal(new_machine: Any, layered: Path) -> None:
    """Fields that random machines have at times only: idle cycles may be skipped, and the compiler changes nothing."""
    fields = ("parameter_buffer.dead_lines=dropped", "parameter_buffer.attribute_alignment=line")
    rate = "technique.deferred_rendering.hsr_cycles_per_quad=3"
    configuration = load_configuration("ptr-2022", ["techniques=deferred_rendering", *fields, rate])
    compare_skipping(new_machine, layered, configuration, compiled=True)
    compiled, plain = (new_machine(configuration, compiled=each) for each in (True, False))
    frame = (loader := Loader(layered, configuration)).load(loader.frames[0])
    stats = compiled.run(frame)
    assert stats == plain.run(frame)
    assert stats["memory.tile_cache.forgotten"] > 0


@pytest.fixture(scope="module")
def cleared_in_part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A frame that begins by clearing a part of a texture, which no vertex comes before; then a triangle."""
    folder = tmp_path_factory.mktemp("cleared")
    with Recorder(folder / "cleared.trace", 16, 16) as gl:
        source = "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
        program = gl.program(source, "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }", ("p",))
        texture, framebuffer = gl.glGenTextures(1)[0], gl.glGenFramebuffers(1)[0]
        gl.glBindTexture(0x0DE1, texture)
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 32, 32, 0, 0x1908, 0x1401, None)
        gl.glBindFramebuffer(0x8D40, framebuffer)
        gl.glFramebufferTexture2D(0x8D40, 0x8CE0, 0x0DE1, texture, 0)
        gl.glEnable(0x0C11)
        gl.glScissor(0, 0, 8, 8)
        gl.glClear(0x4000)
        gl.glDisable(0x0C11)
        gl.glBindFramebuffer(0x8D40, 0)
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, np.array([-1, -1, 1, -1, -1, 1], np.float32))
        gl.glClear(0x4000)
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    record(folder / "cleared.trace", folder / "activity", level="all")
    return folder / "activity"


@pytest.mark.parametrize("machine", machine_names())
def test_a_frame_may_begin_with_a_clear_of_a_part(new_machine: Any, cleared_in_part: Path, machine: str) -> None:
    configuration = random_configuration(machine, "none", 0)
    loader = Loader(cleared_in_part, configuration)
    found = new_machine(configuration, compiled=False).run(loader.load(loader.frames[0]))
    assert found["gpu.passes"] == 2
