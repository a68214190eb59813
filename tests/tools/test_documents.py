"""The documentation agrees with the declarations it describes."""

import re
from pathlib import Path

import pytest

from tilegpu.timing import load_configuration
from tilegpu.timing.config.fields import fields
from tilegpu.timing.registry import find_technique, machine_names, technique_names
from tilegpu.timing.results.statistics import statistics
from tilegpu.tools.blocks import BLOCKS, BlockError, filled, with_blocks
from tilegpu.tools.configuration_pages import own_names
from tilegpu.tools.documents import PAGES

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (REPOSITORY / "docs" / name).read_text("utf-8") == PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("file", sorted(BLOCKS))
def test_generated_blocks_are_current(file: str) -> None:
    text = (REPOSITORY / file).read_text("utf-8")
    assert with_blocks(file, text) == text, "run `make docs`"


def test_a_block_that_is_not_there() -> None:
    with pytest.raises(BlockError, match="0 blocks"):
        filled("no block", "headlines", "x")


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


def test_a_page_of_a_study_gives_each_reason_once() -> None:
    pages = [name for name in PAGES if name.startswith("studies/")]
    assert len(pages) == 16
    for name in pages:
        text = PAGES[name]()
        lines = [line for line in text.splitlines() if len(line) > 200 and not line.startswith("|")]
        assert len(lines) == len(set(lines)), name
    assert sum(len(PAGES[name]()) for name in [*pages, "studies.md"]) < 170_000


def test_choices_and_ranges_are_named() -> None:
    page = PAGES["configuration.md"]()
    assert "| tiles.order | name | mapping, scanline, boustrophedon, morton, hilbert |" in page
    assert "| early_depth.quads_per_cycle | quads/cycle | 1 to 32 |" in page
    assert "| machine | name | immediate, programmable_blending, simt, tile_based, unified |" in page
    assert (
        "| simt_core." not in PAGES["configuration/tile_based.md"]()
        and "| simt_core." in PAGES["configuration/simt.md"]()
    )
    for name, field in fields():
        if field.annotation is int and name.partition(".")[0] != "dash":
            assert re.search(rf"^\| {re.escape(name)} \| [^|]* \| -?[0-9,]+ to [0-9,]+ \|", page, re.MULTILINE), name


def test_links_of_pages_lead_somewhere() -> None:
    for path in [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]:
        if path.name == "package.md":
            continue
        for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
