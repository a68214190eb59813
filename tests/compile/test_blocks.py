"""Blocks hold what a named tuple has, whoever writes and reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from tilegpu.functional.compile import address, kernel
from tilegpu.functional.compile.blocks import Address, DoubleRows, Words, block_of, place_of, words_in
from tilegpu.functional.compile.native import load, store


class _Inner(NamedTuple):
    number: int
    share: float


class _Outer(NamedTuple):
    flag: bool
    inner: _Inner
    rows: DoubleRows
    share: float


@kernel
def _read(place: Address) -> Any:
    block = load(place, _Outer)
    return block.flag, block.inner.number, block.inner.share, block.rows[1, 2], block.share


@kernel
def _copy(place: Address, words: Words) -> None:
    store(address(words), load(place, _Outer))


@pytest.mark.parametrize("number", [0, -3, 1 << 40])
def test_fields_of_every_kind(number: int) -> None:
    rows = np.arange(6.0).reshape(2, 3)
    block = block_of(_Outer(True, _Inner(number, 0.1), rows, -2.5))
    assert words_in(_Outer) == len(block.words) == place_of(_Outer, "share") + 1
    assert _read(block.address) == (True, number, 0.1, 5.0, -2.5)
    words = np.zeros(len(block.words), np.int64)
    _copy(block.address, words)
    assert words.tolist() == block.words.tolist()
