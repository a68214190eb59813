"""Draws of two results that belong together, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tilegpu.tools.gate.limits import GateError, parse_limit
from tilegpu.tools.gate.matching import match
from tilegpu.tools.gate.reasons import LONGER, OTHER_SHADERS, reasons

VERTICES = "geometry.vertex_processor.vertices"


def draws(text: str, frame: int = 0) -> list[dict[str, Any]]:
    """Draws of a frame: "label:shaders:vertices" each, "" for no label."""
    rows = []
    for number, word in enumerate(text.split()):
        label, shaders, vertices = word.split(":")
        rows.append(
            {
                "drawn_frame": frame,
                "kind": "draw",
                "draw": number,
                "label": label or None,
                "shaders": shaders,
                VERTICES: float(vertices),
            }
        )
    return rows


def matched(before: str, after: str) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Numbers of pairs, and of draws of one side alone."""
    found = match(draws(before), draws(after))
    pairs = [(one["draw"], other["draw"]) for one, other in found.pairs]
    return pairs, [row["draw"] for row in found.vanished], [row["draw"] for row in found.appeared]


def test_what_is_equal_matches_in_order() -> None:
    same = "a:p:4 :p:4 :p:4 :q:9"
    assert matched(same, same) == ([(0, 0), (1, 1), (2, 2), (3, 3)], [], [])


def test_a_draw_that_comes_in_or_goes_moves_no_other() -> None:
    # The same program draws four meshes; one of another size comes in second, or the second goes.
    few, more = ":p:4 :p:8 :p:12 :p:4", ":p:4 :p:99 :p:8 :p:12 :p:4"
    assert matched(few, more) == ([(0, 0), (1, 2), (2, 3), (3, 4)], [], [1])
    assert matched(more, few) == ([(0, 0), (2, 1), (3, 2), (4, 3)], [1], [])


def test_draws_that_change_places_match_by_label_program_and_size() -> None:
    assert matched("a:p:4 b:p:4 :q:6", ":q:6 b:p:4 a:p:4") == ([(2, 0), (1, 1), (0, 2)], [], [])


def test_a_label_stays_the_same_draw_with_another_program_and_another_mesh() -> None:
    assert matched("tree:p:4 :p:4", ":p:4 tree:q:400") == ([(1, 0), (0, 1)], [], [])


def test_a_mesh_of_more_vertices_stays_the_draw_of_its_program() -> None:
    assert matched(":p:4 :q:6", ":p:4 :q:600") == ([(0, 0), (1, 1)], [], [])


def test_other_labels_and_other_programs_do_not_match() -> None:
    assert matched("a:p:4 :p:4", "b:p:4 :q:4") == ([], [0, 1], [0, 1])


def test_frames_and_kinds_are_apart() -> None:
    dispatch = draws("a:p:4")[0] | {"kind": "dispatch"}
    found = match([*draws("a:p:4"), *draws("a:p:4", 1)], [*draws("a:p:4", 1), dispatch])
    assert [row["drawn_frame"] for row, _ in found.pairs] == [1]
    assert len(found.vanished) == len(found.appeared) == 1


def test_limits_are_exact() -> None:
    percent, amount = parse_limit("--max", "gpu.cycles=+2%"), parse_limit("--max", "gpu.cycles=+7")
    assert percent.holds(50, 51) and not percent.holds(50, 51.0001) and percent.holds(50, 0)
    assert amount.holds(0, 7) and not amount.holds(0, 8)
    tenth = parse_limit("--max", "energy=+0.1%")
    # In floating point 1000 * 1.001 is less than 1001.
    assert tenth.holds(1000, 1001) and not tenth.holds(0, 1)
    assert parse_limit("--max-draw", "+5%", "cycles").name == "cycles"


@pytest.mark.parametrize(
    "text", ["gpu.cycles", "gpu.cycles=2%", "gpu.cycles=-2%", "gpu.cycles=+nan", "=+2%", "+2%", ""]
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(GateError, match="--max .*: say by how much it may rise, such as gpu.cycles=.2%"):
        parse_limit("--max", text)


def test_reasons_are_the_amounts_that_differ_most() -> None:
    before = {"shaders": "p", "cycles": 100.0, "fragment.processor.quads": 100, "memory.l2_cache.misses": 50,
              "memory.dram.bytes": 1000, VERTICES: 4}  # fmt: skip
    assert reasons(before, before) == []
    assert reasons(before, before | {"cycles": 120.0, "memory.dram.bytes": 1009}) == [LONGER]
    after = before | {"fragment.processor.quads": 150, "memory.l2_cache.misses": 200, "shaders": "q"}
    assert reasons(before, after) == [OTHER_SHADERS, "L2 misses 50 → 200 (+300 %)", "quads shaded 100 → 150 (+50 %)"]
