"""How much memory something takes at its peak, whatever the process took before."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PROCESS = Path("/proc/self")
_RESET_PEAK = "5"


@contextmanager
def memory_growth() -> Iterator[list[int]]:
    """Append the growth of the process's resident memory to its peak inside the block, in KiB, when it ends.

    The kernel is told to forget the peak so far (Linux, proc(5), clear_refs); elsewhere only what goes beyond the peak
    of the process's life is seen.
    """
    found: list[int] = []
    try:
        (_PROCESS / "clear_refs").write_text(_RESET_PEAK)
        before = _status("VmRSS")
    except OSError:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        yield found
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        return
    yield found
    found.append(_status("VmHWM") - before)


def _status(name: str) -> int:
    """A figure of the process's status, in KiB."""
    lines = (_PROCESS / "status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])
