"""The documentation agrees with the declarations it describes."""

import re
from pathlib import Path

import pytest

from tilegpu.timing import load_configuration
from tilegpu.timing.config.load import fields
from tilegpu.timing.registry import find_technique, machine_names, technique_names
from tilegpu.timing.results.statistics import statistics
from tilegpu.tools.documents import PAGES, own_names

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (REPOSITORY / "docs" / name).read_text() == PAGES[name](), "run `make docs`"


def test_every_verb_is_in_the_readme() -> None:
    from tilegpu.tools.main import app

    text = (REPOSITORY / "README.md").read_text()
    for command in app.registered_commands:
        assert f"tilegpu {command.name}" in text


def test_every_field_and_statistic_has_a_page_of_the_model() -> None:
    text = "\n".join(path.read_text() for path in (REPOSITORY / "docs" / "model").glob("*.md"))
    patterns = [name.replace(".", r"\.").replace("*", r"[^`]*") for name in re.findall(r"`([a-z_0-9.*<>]+)`", text)]
    patterns = [re.sub(r"<[a-z]+>", "[a-z0-9_]+", pattern) for pattern in patterns]
    told = re.compile("|".join(f"(?:{pattern})" for pattern in set(patterns)))
    techniques = tuple(own_names("techniques", technique_names()))
    told_of = [name for name, _ in fields(techniques=techniques)]
    chosen = [f"machine={name}" for name in own_names("machines", machine_names())]
    for name in techniques:
        (machine, *_) = find_technique(name).machines or ("tile_based",)
        chosen.append(f"techniques={name},machine={machine}")
    for overrides in chosen:
        told_of += [stat.name for stat in statistics(load_configuration("ptr-2022", overrides.split(",")))]
    for name in told_of:
        assert told.fullmatch(name), f"{name}: on no page of docs/model"
