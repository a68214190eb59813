"""The papers' studies: whole declarations, and one of them on two twins."""

import json
from importlib.resources import files
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.open_choices import open_choices
from tilegpu.tools.studies.catalogue import find_study, paper_names
from tilegpu.tools.studies.declare import Machine
from tilegpu.tools.studies.document import papers
from tilegpu.tools.studies.papers.combined import VERTEX_PROCESSORS
from tilegpu.tools.studies.papers.emerald_2019_dfsl.measures import CODE_SETTINGS
from tilegpu.tools.studies.papers.emerald_2019_memory.readings import CODE as CASE1_CODE
from tilegpu.tools.studies.rules import parse_rule
from tilegpu.tools.studies.selection import configuration_of, select
from tilegpu.tools.studies.stored import judged, judged_outcome
from tilegpu.tools.studies.study_page import study_page
from tilegpu.tools.studies.summary import BANDS, rows
from tilegpu.tools.studies.text import verdict
from tilegpu.tools.workloads.twin_files import twin_names


@pytest.mark.parametrize("name", paper_names())
def test_declarations(name: str) -> None:
    study = find_study(name)
    assert study.name == name
    captured = {name for name in study.workloads if name.startswith("capture:")}
    assert {name.partition("+")[0] for name in study.workloads} - captured <= set(twin_names())
    for machine in study.machines().values():
        load_configuration(machine.preset, machine.settings)
    ids = [conclusion.id for conclusion in study.conclusions]
    assert len(set(ids)) == len(ids)
    figures = [figure.id for figure in study.figures]
    assert len(set(figures)) == len(figures)
    for conclusion in study.conclusions:
        known = {*study.workloads, *study.machines(), *NAMES}
        assert set(parse_rule(conclusion.rule).names) <= known, conclusion.rule
    for experiment in study.experiments:
        named = {*experiment.workloads, *experiment.quick_workloads, *experiment.moments}
        assert named <= {*study.workloads, *study.applications}
    assert set(study.readings.conclusions) <= set(ids)
    assert set(study.readings.machines) <= set(study.machines())
    assert set(study.readings.workloads) <= set(study.workloads)
    known = {*study.headlines, *study.undecidable, *(name for cause in study.causes for name in cause.conclusions)}
    assert known <= set(ids)
    for assumption in study.assumptions:
        assert set(assumption.conclusions) <= set(ids)
        assert set(assumption.figures) <= set(figures)
    if not captured:
        short, full = select(study, quick=True), select(study)
        assert short.seconds() < full.seconds()
        assert short.seconds() / 2 < 15 * 60


@pytest.mark.parametrize("name", paper_names())
def test_committed_outcomes(name: str) -> None:
    """What does not hold has a cause in a line; a page is short before its rule."""
    study = find_study(name)
    found = judged_outcome(study)
    if found is None or not study.headlines:
        return
    failed = [c for c in found["conclusions"] if verdict(c) == "does not hold"]
    assert not [c["id"] for c in failed if "cause" not in c]
    assert all(len(cause.line) < 160 and len(cause.more) < 420 for cause in study.causes)
    first, _, _ = study_page(name).partition("\n---\n")
    assert len(first.splitlines()) < 100


def test_numbers_of_the_papers() -> None:
    """As an independent reading of the outcomes counts them."""
    names = [study.name for study, _ in papers()]
    assert len(names) == 7
    ratios = []
    for name in names:
        outcome = json.loads((files("tilegpu.data") / "studies" / f"{name}.json").read_text())
        for c in outcome["conclusions"]:
            paper, ours = c["paper"], c["ours"]
            if not isinstance(paper, str) and not isinstance(ours, dict) and paper and ours:
                ratios.append(ours / paper)
    whole = rows((found for _, found in papers()), decidable=False)[-1]
    assert whole.count == len(ratios)
    for count, band in zip(whole.within, BANDS, strict=True):
        assert count == sum(1 / band <= ratio <= band for ratio in ratios)
    decidable = rows(found for _, found in papers())[-1]
    assert decidable.count < whole.count


def test_both_machines_of_emerald_are_judged() -> None:
    """The text's machine and the code's: one field of layout decides what moves per row, seven the correlations."""
    dfsl, memory = (judged_outcome(find_study(f"emerald-2019-{name}")) for name in ("dfsl", "memory"))
    assert dfsl is not None and memory is not None
    of = {c["id"]: c for found in (dfsl, memory) for c in found["conclusions"]}
    for name in ("depth-misses", "texture-misses", "hmc-bytes"):
        assert (of[name]["holds"], of[name]["beside"]["holds"]) == (False, True), name


def test_numbers_that_hang_on_an_assumed_constant_say_so() -> None:
    study = find_study("dae-2012")
    page = study_page("dae-2012")
    rows = {name: next(line for line in page.splitlines() if f"(`{name}`" in line) for name in ("warps", "remote")}
    assert "by `network_bytes_per_cycle`" in rows["warps"]
    assert "network_bytes_per_cycle" not in rows["remote"]
    assert "- `memory.network_bytes_per_cycle` (`warps`, " in page
    assert study.assumed("figures", "9") and not study.assumed("figures", "6")


def test_what_two_machines_of_a_text_tell_apart_is_not_counted() -> None:
    study = find_study("vro-2018")
    traffic = next(c for c in study.conclusions if c.id == "traffic")
    one, other = {"ours": 0.98, "holds": True, "undecided": False}, {"ours": 1.2, "holds": False, "undecided": False}
    apart, agreed = (judged(study, traffic, {**one, "beside": dict(beside)}) for beside in (other, one))
    assert verdict(apart) == "not decidable"
    assert "(the preset), and not with the other (a quad per cycle" in apart["undecidable"]["why"]
    assert verdict(agreed) == "holds"
    # Where one is not measured, or its interval crosses the bound, nothing is said of the other.
    assert verdict(judged(study, traffic, one)) == "holds"
    crosses = {**other, "interval": [0.9, 1.2]}
    assert verdict(judged(study, traffic, {**one, "beside": crosses})) == "holds"


def test_the_summary(tilegpu, tmp_path: Path) -> None:
    done = tilegpu("study", "--summary", "-o", tmp_path / "papers.svg", "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out.rpartition("}")[0] + "}")
    assert [row["name"] for row in found["studies"]][-1] == "all"
    assert found["studies"][-1]["count"] == len(found["numbers"])
    assert b"<svg" in (tmp_path / "papers.svg").read_bytes()[:500]
    assert tilegpu("study", "--summary", "-o", tmp_path / "papers.txt").status == 2


NAMES = (
    "AABBs",
    "GJK",
    "RBCD",
    "primitives",
    "fragments",
    "texture",
    "1-quadrant",
    "12-snake",
    "11-blocking",
    "5-UD-Q",
    "PO_H1",
    "VRO",
    "DR",
    "Z-prepass",
)
"""What ranks name besides twins and machines: sources of traffic, quad mappings, the default, techniques, ways to
detect collisions, statistics."""


def test_the_signature_unit_is_as_much_wider_as_there_are_more_vertex_processors() -> None:
    for preset, processors in VERTEX_PROCESSORS.items():
        assert load_configuration(preset).vertex_stage.processors == processors
    for name, machine in find_study("combined").machines().items():
        configuration = load_configuration(machine.preset, machine.settings)
        if "RE" in name.split(" + "):
            assert configuration.technique.of("rendering_elimination").compute_bytes_per_cycle == 8 * 4


def test_every_open_choice_is_tried() -> None:
    """Each field marked `papers silent` can take every value that it may plausibly have, and the study has it."""
    machines = find_study("sensitivity").machines()
    for choice in open_choices(load_configuration("ptr-2022")):
        assert choice.others, choice
        for other in choice.others:
            load_configuration("ptr-2022", [f"{choice.name}={other}"])
            assert f"ptr@{choice.name}={other}" in machines


@pytest.mark.slow  # Quick runs have a study of their own, tests/studies/test_own_study.py, which goes the same way.
def test_two_twins_at_a_quarter(tilegpu, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = tilegpu("study", "ptr-2022", "-o", folder, "--quick", "--scale", 0.25, "--workloads", "000-crs,000-cam")
    assert done.status == 0, done.err
    found = json.loads((folder / "study.json").read_text())
    verdicts = {conclusion["id"]: conclusion for conclusion in found["conclusions"]}

    speedups = []
    for twin in ("000-crs", "000-cam"):
        cycles = {}
        for machine in ("baseline", "ptr"):
            rows = pq.read_table(folder / "runs" / twin / machine / "stats.parquet").to_pylist()
            cycles[machine] = sum(row["value"] for row in rows if row["name"] == "gpu.raster_cycles")
        speedups.append(cycles["baseline"] / cycles["ptr"])
    assert all(1 < speedup <= 2.1 for speedup in speedups)
    assert verdicts["raster-speedup"]["ours"] == pytest.approx(sum(speedups) / 2, abs=1e-5)
    assert verdicts["no-game-twice-as-fast"]["ours"] == pytest.approx(max(speedups), abs=1e-5)
    for conclusion in verdicts.values():
        measured = conclusion["ours"] is not None
        assert (conclusion["holds"] is not None or conclusion["undecided"]) is measured
        if isinstance(conclusion["ours"], float) and not conclusion["undecided"]:
            assert parse_rule(conclusion["rule"]).holds(conclusion["ours"]) is conclusion["holds"]
    assert verdicts["energy"]["ours"] < 0
    assert verdicts["primitive-table"]["holds"]
    assert verdicts["raster-speedup-rok"]["holds"] is None
    assert verdicts["sharing-gains-nothing"]["holds"] is None
    assert "flushing" in verdicts["raster-speedup"]["explanation"]
    assert {figure["id"] for figure in found["figures"] if figure["series"]} >= {"5.3", "5.5", "5.7", "5.9", "5.11"}


@pytest.mark.parametrize(("name", "settings"), [("emerald-case1", CASE1_CODE), ("emerald-case2", CODE_SETTINGS)])
def test_the_authors_simulator_of_emerald_is_its_preset(name: str, settings: tuple[str, ...]) -> None:
    reading = configuration_of(Machine(name, settings))
    preset = configuration_of(Machine(f"{name}-code"))
    assert reading.model_dump() | {"name": preset.name} == preset.model_dump()
