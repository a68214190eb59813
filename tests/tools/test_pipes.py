"""Output that nobody reads to its end, as behind `head`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tilegpu.tools.console import EXIT_UNREAD


@pytest.mark.parametrize(
    "command", [("dump", "TRACE"), ("info", "TRACE"), ("info", "TRACE", "--json"), ("replay", "--show-config")]
)
def test_a_reader_that_leaves_ends_the_command_without_a_word(square: Path, command: tuple[str, ...]) -> None:
    words = [str(square) if word == "TRACE" else word for word in command]
    run = [sys.executable, "-m", "tilegpu.tools.main", *words]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        told = started.stderr.read()
    # As a shell has it for commands that SIGPIPE ends.
    assert (started.returncode, told) == (EXIT_UNREAD, "") and EXIT_UNREAD == 141
