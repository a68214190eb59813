"""Rules of conclusions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.tools.studies.rules import RuleError, parse_rule

GAMES = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 3.0}


@pytest.mark.parametrize(
    ("rule", "holds", "fails"),
    [
        ("> 1", [1.01, 7], [1, 0.5]),
        (">= 1", [1, 2], [0.99]),
        ("< 0.5", [0, -3], [0.5]),
        ("<= -2", [-2, -9], [-1.9]),
        ("0.6 to 1.0", [0.6, 1.0, 0.8], [0.59, 1.01]),
        ("-20 to 0", [-20, 0], [0.1, -21]),
        ("within 10 % of 1.83", [1.83, 1.65, 2.01], [1.64, 2.02]),
        ("within 50 % of -10", [-5, -15, -10], [-4.9, -15.1, 10]),
    ],
)
def test_numbers(rule: str, holds: list[float], fails: list[float]) -> None:
    assert all(parse_rule(rule).holds(value) for value in holds)
    assert not any(parse_rule(rule).holds(value) for value in fails)
    with pytest.raises(RuleError, match="judges a number"):
        parse_rule(rule).holds(GAMES)


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("b among the highest 1", True),
        ("b, d among the highest 2", True),
        ("b, c among the highest 2", False),
        ("a, c among the lowest 2", True),
        ("b among the lowest 2", False),
        ("a among the lowest 9", True),
        ("b > c > a", True),
        ("d > b", True),
        ("c > b", False),
    ],
)
def test_names(rule: str, holds: bool) -> None:
    assert parse_rule(rule).holds(GAMES) is holds
    with pytest.raises(RuleError, match="judges values by name"):
        parse_rule(rule).holds(1.0)


@pytest.mark.parametrize(
    "text", ["", "about 2", "> x", "2 to", "2 to 1", "within 5% of 2", "a, a among the lowest 2", "a > "]
)
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(RuleError, match="rule"):
        parse_rule(text)


def test_a_name_that_was_not_measured() -> None:
    with pytest.raises(KeyError):
        parse_rule("z among the highest 1").holds(GAMES)


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1e6, 1e6), min_size=1), st.integers(1, 9))
def test_ranks_agree_with_counting(values: dict[str, float], count: int) -> None:
    for name, value in values.items():
        above = sum(other > value for other in values.values())
        below = sum(other < value for other in values.values())
        assert parse_rule(f"{name} among the highest {count}").holds(values) is (above < count)
        assert parse_rule(f"{name} among the lowest {count}").holds(values) is (below < count)
