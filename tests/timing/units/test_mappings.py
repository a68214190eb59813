"""Quad mappings and tile orders: what the thesis says of them, and that everybody gets their share."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from tilegpu.timing import ConfigurationError, load_configuration
from tilegpu.timing.declare.quad_mappings import BY_NAME, MAPPINGS, QuadMapping, quad_processors
from tilegpu.timing.loading.tile_order import tile_order

NAMES = [mapping.name for mapping in MAPPINGS]


def tile(name: str, number: int = 0, processors: int = 4) -> np.ndarray:
    """Processors of a tile of 16 x 16 quads, row 0 at the top."""
    return quad_processors(name, 16, 16, processors)[number % BY_NAME[name].variants].reshape(16, 16)[::-1]


def test_there_are_the_seventeen_of_figure_6_3() -> None:
    assert [name.split("-")[0] for name in NAMES[4:]] == [str(i) for i in range(1, 18)]
    assert tuple(NAMES) == get_args(QuadMapping)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("processors", (1, 2, 4, 8))
def test_processors_get_equal_shares_of_a_tile(name: str, processors: int) -> None:
    for table in quad_processors(name, 16, 16, processors):
        assert np.bincount(table, minlength=processors).tolist() == [256 // processors] * processors


@pytest.mark.parametrize("name", NAMES)
def test_any_tile_and_any_number_of_processors_do(name: str) -> None:
    for width, height, processors in ((1, 1, 4), (8, 8, 3), (5, 7, 16), (32, 4, 5)):
        for table in quad_processors(name, width, height, processors):
            assert len(table) == width * height
            assert 0 <= table.min() <= table.max() < processors


def test_quadrants_rotate_over_four_tiles() -> None:
    corners = [(tile("1-quadrant", n)[0, 0], tile("1-quadrant", n)[15, 15]) for n in range(4)]
    assert len(set(corners)) == 4
    for n in range(4):
        table = tile("1-quadrant", n)
        for rows in (slice(0, 8), slice(8, 16)):
            for columns in (slice(0, 8), slice(8, 16)):
                assert len(set(table[rows, columns].ravel().tolist())) == 1


@pytest.mark.parametrize(("name", "width"), [("2-vertical", 4), ("3-vertical-Q", 1), ("4-mini-vertical", 2)])
def test_vertical_ones_divide_by_columns_in_three_granularities(name: str, width: int) -> None:
    table = tile(name)
    assert (table == table[0]).all()
    runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[-1], table[0], [-1]])) != 0))
    assert set(runs.tolist()) == {width}


@pytest.mark.parametrize("name", [n for n in NAMES if "UD" in n])
def test_up_down_ones_let_all_caches_share_both_edges(name: str) -> None:
    table = tile(name)
    assert set(table[:, 0].tolist()) == set(table[:, 15].tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("name", ("2-vertical", "11-blocking"))
def test_mirrored_ones_have_the_same_cache_on_both_sides_of_an_edge(name: str) -> None:
    assert (tile(name, 0)[:, 15] == tile(name, 1)[:, 0]).all()
    assert (tile(name, 1)[:, 15] == tile(name, 2)[:, 0]).all()


@pytest.mark.parametrize(("name", "height"), [("12-snake", 4), ("13-snake-fine", 2)])
def test_snakes_divide_by_rows_and_go_with_the_snake(name: str, height: int) -> None:
    table = tile(name)
    assert (table == table[:, :1]).all()
    assert (table[:height] == table[0, 0]).all() and table[height, 0] != table[0, 0]
    assert BY_NAME[name].order == "boustrophedon"


@pytest.mark.parametrize("name", ("14-Z-Q", "15-Z-L"))
def test_z_ones_have_two_caches_on_each_edge(name: str) -> None:
    table = tile(name)
    assert len(set(table[:, 0].tolist())) == len(set(table[:, 15].tolist())) == 2


def test_ten_is_nine_with_tiles_along_a_z() -> None:
    assert (tile("10-UD-L-x4-zorder") == tile("9-UD-L-x4")).all()
    assert (BY_NAME["9-UD-L-x4"].order, BY_NAME["10-UD-L-x4-zorder"].order) == (None, "morton")


@pytest.mark.parametrize(
    ("name", "order"), [("10-UD-L-x4-zorder", "morton"), ("12-snake", "boustrophedon"), ("5-UD-Q", "scanline")]
)
def test_tiles_go_in_the_order_that_the_mapping_belongs_to(name: str, order: str) -> None:
    assert load_configuration("ptr-2022", [f"quad_mapping={name}"]).tile_order == order


def test_a_mapping_in_another_order_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="12-snake belongs to tiles.order boustrophedon, not scanline"):
        load_configuration("ptr-2022", ["quad_mapping=12-snake", "tiles.order=scanline"])
    assert load_configuration("ptr-2022", ["quad_mapping=5-UD-Q", "tiles.order=hilbert"]).tile_order == "hilbert"


def test_tile_orders_by_hand() -> None:
    # Tiles of 4 x 4 are numbered row by row from the top.
    assert tile_order("scanline", 4, 2).tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert tile_order("boustrophedon", 4, 2).tolist() == [0, 1, 2, 3, 7, 6, 5, 4]
    assert tile_order("morton", 4, 4).tolist() == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]
    assert tile_order("hilbert", 2, 2).tolist() in ([0, 1, 3, 2], [0, 2, 3, 1])


@pytest.mark.parametrize("order", ("scanline", "boustrophedon", "morton", "hilbert"))
@pytest.mark.parametrize(("across", "down"), [(1, 1), (5, 3), (8, 8), (40, 23)])
def test_every_tile_comes_once(order: str, across: int, down: int) -> None:
    assert sorted(tile_order(order, across, down).tolist()) == list(range(across * down))


@pytest.mark.parametrize("side", (2, 4, 16, 64))
def test_a_hilbert_curve_goes_from_neighbour_to_neighbour(side: int) -> None:
    y, x = np.divmod(tile_order("hilbert", side, side), side)
    assert (np.abs(np.diff(x)) + np.abs(np.diff(y)) == 1).all()
