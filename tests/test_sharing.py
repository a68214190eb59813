"""Processes that die while they share tests out: theirs fail, and all others run, once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
RUNS = """
import os
from pathlib import Path

def ran(name):
    with Path("ran").open("a") as file:
        file.write(name + " ")
"""


def test_a_process_that_dies_costs_the_test_that_it_ran(tmp_path: Path) -> None:
    # Files of one test, which is all that a process has left, come after the first death; the second is in the last.
    suite = {"a": ("", "os._exit(3)", "", ""), "b": ("",), "c": ("",), "d": ("",), "e": ("", "os.abort()")}
    for file, bodies in suite.items():
        tests = (f"def test_{n}():\n    ran('{file}{n}')\n    {body}\n" for n, body in enumerate(bodies))
        (tmp_path / f"test_{file}.py").write_text(RUNS + "\n".join(tests), "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.sharing", "-p", "no:cacheprovider", "-n", "2", "-rA"]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*command, "--rootdir", "."], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 1, done.stdout + done.stderr
    results = set(re.findall(r"^(FAILED|PASSED) test_(\w)\.py::test_(\d)", done.stdout, re.MULTILINE))
    assert results == {
        ("FAILED" if body else "PASSED", file, str(n))
        for file, bodies in suite.items()
        for n, body in enumerate(bodies)
    }
    for name in ("test_a.py::test_1", "test_e.py::test_1"):
        assert re.search(f"worker 'gw\\d' crashed while running '{name}'", done.stdout)
    ran = (tmp_path / "ran").read_text("utf-8").split()
    assert sorted(ran) == [f"{file}{n}" for file, bodies in suite.items() for n in range(len(bodies))]
