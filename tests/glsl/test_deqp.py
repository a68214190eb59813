"""dEQP's shader tests: a fixed sample always, all of them in the long run."""

import random
from pathlib import Path

import pytest

from tilegpu.functional.conformance import run_conformance
from tilegpu.functional.conformance.files import read_cases
from tilegpu.functional.conformance.report import test_files as files_below
from tilegpu.functional.conformance.runner import run_case
from tilegpu.functional.conformance.sources import variants

SAMPLE = 600
EXPECTED_FAILURES = Path(__file__).with_name("expected_failures.txt")


def _expected_failures() -> set[str]:
    """``folder/file.test:case`` in front of the reason, a line each."""
    lines = EXPECTED_FAILURES.read_text().splitlines()
    return {line.split(" ", 1)[0] for line in lines if line and not line.startswith("#")}


def test_sample(deqp: Path) -> None:
    """Cases drawn with a fixed seed from both suites."""
    cases = [
        (f"{path.parent.name}/{path.name}:{case.name}{suffix}", case, vertex, fragment)
        for path in files_below(deqp)
        for case in read_cases(path)
        for suffix, vertex, fragment in variants(case)
    ]
    chosen = random.Random(600).sample(cases, SAMPLE)
    outcomes = [run_case(case, name, vertex, fragment) for name, case, vertex, fragment in chosen]
    failed = {o.case for o in outcomes if o.status == "failed"}
    assert failed <= _expected_failures()


def test_cases_of_es_31(conformance: Path) -> None:
    """All of them pass or need an extension that is named."""
    report = run_conformance(conformance / "deqp31")
    assert not report.failures() and not report.unreadable
    assert report.counts()["passed"] >= 574
    assert all(reason.startswith("requires extension") for reason in report.reasons())


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "share"), [("gles2", 0.995), ("gles3", 0.99)])
def test_suite(deqp: Path, suite: str, share: float) -> None:
    report = run_conformance(deqp / suite)
    failed = {f"{suite}/{name}:{outcome.case}" for name, outcome in report.failures()}
    assert failed <= _expected_failures()
    assert report.counts()["passed"] >= share * sum(report.counts().values())
