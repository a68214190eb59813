"""Places of members of random blocks: Mesa's answers are what the specification's rules give."""

import re

import pytest

from . import layout_rules, mesa, own_layouts
from .layout_rules import Place
from .random_layouts import KINDS, random_layouts


def _is_another_element(name: str, place: Place, expected: dict[str, Place]) -> None:
    """An element after the first of an array at the top of a storage block: Mesa lists some of those, too, where the
    specification (7.3.1) has the first element alone, whatever its type."""
    found = re.fullmatch(r"([\w.]+)\[([1-9]\d*)\](.*)", name)
    assert found is not None, name
    first = expected[f"{found[1]}[0]{found[3]}"]
    assert place == first._replace(offset=first.offset + int(found[2]) * first.top_level_stride), name


@pytest.mark.parametrize("first", [0, 200])
def test_mesa_follows_the_rules(first: int) -> None:
    layouts = [random_layouts(seed) for seed in range(first, first + 200)]
    for one, (sizes, places) in zip(layouts, mesa.layouts([one.source() for one in layouts]), strict=True):
        # Mesa rounds sizes up to 16 bytes, also those of std430.
        assert sizes == {block.name: -(-layout_rules.size(block) // 16) * 16 for block in one.blocks}, one.source()
        expected = {name: place for block in one.blocks for name, place in layout_rules.places(block).items()}
        listed = {name: place for name, place in places.items() if name in expected}
        assert listed == expected, one.source()
        for name in places.keys() - expected.keys():
            _is_another_element(name, places[name], expected)


def test_this_renderer_follows_the_rules() -> None:
    for one in (random_layouts(seed) for seed in range(100)):
        sizes, places = own_layouts.layouts(one.source())
        assert sizes == {block.name: -(-layout_rules.size(block) // 16) * 16 for block in one.blocks}, one.source()
        assert places == {n: p for block in one.blocks for n, p in layout_rules.places(block).items()}, one.source()


def test_every_kind_of_declaration_is_made() -> None:
    text = "".join(random_layouts(seed).source() for seed in range(200))
    for kind in KINDS:
        assert f"    {kind} " in text, kind
    for part in ("std430, row_major", "std140, row_major", "layout(column_major) mat", "][2];", "rest0[];", "Struct2 "):
        assert part in text, part
