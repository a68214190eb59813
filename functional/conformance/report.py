"""Runs conformance files and folders and reports what passed and what failed."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .files import ConformanceError
from .runner import Outcome, run_file

STATUSES = ("passed", "failed", "unsupported")


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """Outcomes by file, ordered by name; `unreadable` says what is wrong with files that are not in dEQP's format."""

    files: dict[str, tuple[Outcome, ...]]
    unreadable: dict[str, str] = field(default_factory=dict)

    def counts(self, name: str | None = None) -> dict[str, int]:
        """Number of cases per status, in a file or in all files."""
        outcomes = self.files[name] if name is not None else [o for f in self.files.values() for o in f]
        counted = Counter(outcome.status for outcome in outcomes)
        return {status: counted[status] for status in STATUSES}

    def failures(self) -> list[tuple[str, Outcome]]:
        """Failed cases with their files."""
        return [(name, o) for name, outcomes in self.files.items() for o in outcomes if o.status == "failed"]

    def reasons(self) -> dict[str, int]:
        """Features that unsupported cases need, with the number of cases, the most frequent first."""
        unsupported = (o.got for outcomes in self.files.values() for o in outcomes if o.status == "unsupported")
        return dict(Counter(unsupported).most_common())

    def as_dict(self) -> dict[str, Any]:
        """For JSON: counts in total and by file, what unsupported cases need, and the failed cases."""
        return {
            "total": self.counts(),
            "files": {name: self.counts(name) for name in self.files},
            "unsupported": self.reasons(),
            "failures": [
                {"file": name, "case": o.case, "expected": o.expected, "got": o.got} for name, o in self.failures()
            ],
            "unreadable": self.unreadable,
        }


def test_files(path: Path) -> list[Path]:
    """The ``.test`` files at or below a path.

    Raises
    ------
    ConformanceError
        If there are none.
    """
    if not path.exists():
        raise ConformanceError(f"{path}: no such file or folder")
    files = sorted(path.rglob("*.test")) if path.is_dir() else [path]
    if not files:
        raise ConformanceError(f"{path}: no .test files in it")
    return files


def run_conformance(path: Path, finished: Callable[[Path, int, int], None] | None = None) -> ConformanceReport:
    """Run a test file, or every one in a folder.

    Parameters
    ----------
    path : Path
        A ``.test`` file of dEQP, or a folder.
    finished : callable, optional
        Called after each file with its path, its number and the number of files.

    Raises
    ------
    ConformanceError
        If there is no file, or none in dEQP's format.
    """
    paths = test_files(path)
    files: dict[str, tuple[Outcome, ...]] = {}
    unreadable: dict[str, str] = {}
    for number, file in enumerate(paths, start=1):
        name = str(file.relative_to(path)) if path.is_dir() else file.name
        try:
            files[name] = tuple(run_file(file))
        except (ConformanceError, OSError) as error:
            unreadable[name] = str(error)
        if finished is not None:
            finished(file, number, len(paths))
    if not files:
        raise ConformanceError(next(iter(unreadable.values())))
    return ConformanceReport(files, unreadable)
