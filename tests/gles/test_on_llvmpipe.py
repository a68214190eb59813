"""Tests beside llvmpipe, which has several samples, in processes of their own: Mesa keeps the driver that a process
began with, and the other tests begin with softpipe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["llvmpipe_samples.py", "llvmpipe_no_attachments.py"])
def test_on_llvmpipe(name: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__).parent / name)]
    environment = dict(os.environ, GALLIUM_DRIVER="llvmpipe")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "100%" in done.stdout
