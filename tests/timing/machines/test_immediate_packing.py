"""The immediate-mode machine with quads that share warps: nothing lost, nothing changed by skipping or compiling."""

from __future__ import annotations

from typing import Any

import pytest
from test_packing import check_losses, check_plain, check_skipping

pytestmark = pytest.mark.engine("immediate")

NAME = "immediate"


@pytest.mark.parametrize("seed", range(3))
def test_skipping_idle_units_changes_nothing(machine: Any, seed: int) -> None:
    check_skipping(machine, NAME, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1120))
def test_skipping_idle_units_changes_nothing_in_many_configurations(machine: Any, seed: int) -> None:
    check_skipping(machine, NAME, seed)


def test_compiled_and_plain_machines_agree(machine: Any) -> None:
    check_plain(machine, NAME)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost(machine: Any, seed: int) -> None:
    check_losses(machine, NAME, seed)
