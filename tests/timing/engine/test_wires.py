"""Wires are checked when a machine is linked: their type, and what they pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tilegpu.timing.assembly.link import LinkError, target_type, wire_problem
from tilegpu.timing.engine.machine import Machine
from tilegpu.timing.engine.wiring import Wire
from tilegpu.timing.machines.tile_based import MACHINE


def declared(gpu: Any, r: int) -> Queue[Token]:  # type: ignore[name-defined]  # noqa: F821
    """Wire to the queue of a Raster Unit's unit."""
    raise NotImplementedError


WIRE = Wire("output", declared)


def test_what_targets_are_of_follows_from_the_records() -> None:
    assert target_type(MACHINE, "early_depth.queue") == "Queue[Token]"
    assert target_type(MACHINE, "raster_unit.input") == "Queue[InputToken]"
    assert target_type(MACHINE, "tile_flush") == "TileFlush"
    assert target_type(MACHINE, "tile_flush.spent") == "Rows[i8]"


@pytest.mark.parametrize(
    "target, problem",
    [
        ("early_depth.queue", ""),
        ("vertex_fetcher.queue", "leads to vertex_fetcher.queue, a Queue[i4], and not to Queue[Token]"),
        ("early_depth.quads", "leads to early_depth.quads, a i8, and not to Queue[Token]"),
        (lambda gpu, r: None, ""),
        (lambda gpu: None, "passes 1 values, not 0"),
    ],
)
def test_a_wire_leads_to_what_it_is_declared_as(target: Any, problem: str) -> None:
    assert wire_problem(MACHINE, WIRE, target) == problem


@pytest.mark.parametrize("target, message", [("analog.queue", "there is no analog"), ("early_depth.lost", "no lost")])
def test_a_wire_that_leads_nowhere_is_an_error(target: str, message: str) -> None:
    machine: Machine = replace(MACHINE, wires={**MACHINE.wires, "rasterizer.quads": target})
    with pytest.raises(LinkError, match=message):
        target_type(machine, target)
