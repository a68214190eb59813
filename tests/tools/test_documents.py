"""The documentation agrees with the declarations it describes."""

from pathlib import Path

import pytest

from tilegpu.tools.documents import PAGES

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (REPOSITORY / "docs" / name).read_text() == PAGES[name](), "run `make docs`"


def test_every_verb_is_in_the_readme() -> None:
    from tilegpu.tools.main import app

    text = (REPOSITORY / "README.md").read_text()
    for command in app.registered_commands:
        assert f"tilegpu {command.name}" in text
