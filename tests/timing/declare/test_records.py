"""Record classes: numpy's types follow from annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilegpu.timing.declare.records import Record, Ring, Rows, Token, f8, i1, i2, i4, i8, record, room
from tilegpu.timing.engine.account import Accounted
from tilegpu.timing.engine.ring import Queue


class Leaf(Record):
    """A record inside another."""

    flag: i1
    place: i2


class Whole(Accounted):
    """Every kind of field."""

    id: i8
    leaf: Leaf
    depth: f8
    due: Rows[i4] = room(3)
    leaves: Rows[Leaf] = room(2)
    queue: Queue[Token] = room(4)
    lanes: Rows[Ring[i4]] = room(2, 5)


def test_fields_have_the_types_of_their_annotations() -> None:
    kinds = {name: Whole.dtype[name] for name in Whole.dtype.names or ()}
    assert kinds["id"] == np.int64 and kinds["depth"] == np.float64
    assert kinds["leaf"] == Leaf.dtype and Leaf.dtype.names == ("flag", "place")
    assert kinds["due"] == np.dtype(("i4", (3,))) and kinds["leaves"] == np.dtype((Leaf.dtype, (2,)))
    assert kinds["queue"]["slot"] == np.dtype((Token.dtype, (4,)))
    assert kinds["lanes"].shape == (2,) and kinds["lanes"].base["slot"] == np.dtype(("i4", (5,)))


def test_own_fields_come_before_those_of_the_base_class() -> None:
    names = Whole.dtype.names or ()
    assert names[0] == "id" and names[-3:] == ("cause", "since", "spent")
    assert Whole.dtype["queue"].names[0] == "consumer"


def test_a_subclass_may_have_more_room_than_its_base() -> None:
    class Longer(Accounted):
        """As the processors, whose cycles have six causes."""

        spent: Rows[i8] = room(6)

    assert Accounted.dtype["spent"].shape == (4,) and Longer.dtype["spent"].shape == (6,)


@pytest.mark.parametrize("kind", [Leaf, Whole, Token, Accounted])
def test_fields_are_aligned_as_a_compiler_would(kind: type[Record]) -> None:
    for name, (field, offset, *_) in (kind.dtype.fields or {}).items():
        assert offset % alignment(field) == 0, name
    assert kind.dtype.itemsize % alignment(kind.dtype) == 0


def alignment(kind: np.dtype[Any]) -> int:
    """Width of the widest number in a type."""
    fields = [kind.base[name] for name in kind.base.names or ()]
    return max(map(alignment, fields)) if fields else kind.base.itemsize


def test_registers_are_read_and_written_by_name() -> None:
    registers = np.zeros(1, Whole.dtype).view(np.recarray)[0]
    registers.leaves[1].place, registers.lanes[1].slot[4], registers.spent[3] = 7, 8, 9
    assert (registers.leaves["place"] == [0, 7]).all() and registers.lanes[1].slot.sum() == 8
    assert registers.spent.tolist() == [0, 0, 0, 9]


def test_a_plain_declaration_gives_the_same_type() -> None:
    assert Leaf.dtype == record(flag="i1", place="i2")
