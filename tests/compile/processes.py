"""Processes that use compiled kernels: each forked from one that has imported the compiler, which takes longest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

START = """
import contextlib, json, os, runpy, sys
import tilegpu.functional.compile

def fork(number, script, *arguments):
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        sys.argv = [script, *arguments]
        with open(f"{number}.out", "w") as out, contextlib.redirect_stdout(out):
            runpy.run_path(script, run_name="__main__")
        status = 0
    finally:
        os._exit(status)

number = 0
for group in json.loads(sys.argv[1]):
    processes = [fork(number + k, *command) for k, command in enumerate(group)]
    number += len(group)
    if any(os.waitpid(process, 0)[1] for process in processes):
        sys.exit(1)
"""


def printed(folder: Path, *groups: Sequence[Sequence[str]], **variables: str) -> list[list[str]]:
    """What processes print, by group: those of a group run at once, one group after the other.

    Parameters
    ----------
    folder
        Where they run; the cache is in it.
    groups
        Commands: a script of Python, and its arguments.
    variables
        Of the environment.
    """
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **variables}
    command = [sys.executable, "-c", START, json.dumps(groups)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    texts = iter([(folder / f"{number}.out").read_text("utf-8") for number in range(sum(map(len, groups)))])
    return [[next(texts) for _ in group] for group in groups]
