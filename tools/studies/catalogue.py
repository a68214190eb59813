"""Studies by name: those of the package, and Python files of a user's own."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from dataclasses import dataclass, replace
from pathlib import Path

from tilegpu.functional.errors import nearest

from . import papers
from .boards import board_study
from .boards.study import NAME as BOARDS
from .declare import Study, StudyError

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def study_names() -> list[str]:
    """Names of the studies that come with the package: those of papers, and that of boards."""
    return sorted([*paper_names(), BOARDS])


def paper_names() -> list[str]:
    """Names of the studies of papers."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(papers.__path__))


@dataclass(frozen=True)
class BoardOptions:
    """Options of the study of boards: a file of measurements, a preset for its boards, a folder of captures."""

    measurements: Path | None = None
    preset: str = ""
    captures: Path | None = None


def find_study(name: str, boards: BoardOptions | None = None) -> Study:
    """The study of this name, or of a Python file that has a `STUDY`.

    Parameters
    ----------
    name
        Name, or path of a Python file.
    boards
        For the study of boards only.

    Raises
    ------
    StudyError
        If there is none.
    """
    given = boards or BoardOptions()
    if name == BOARDS:
        return board_study(given.measurements, given.preset, given.captures)
    if given != BoardOptions():
        raise StudyError(f"study {name!r}: --measurements, --preset and --captures are for the study {BOARDS!r} only")
    if name.endswith(".py"):
        path = Path(name)
        spec = importlib.util.spec_from_file_location(f"tilegpu_study_{path.stem}", path)
        if spec is None or spec.loader is None or not path.is_file():
            raise StudyError(f"study {name!r}: there is no such file")
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            # Whatever goes wrong in it is wrong in the user's file.
            raise StudyError(f"{path}: {type(error).__name__}: {error}") from error
    elif NAME.fullmatch(name) and name in paper_names():
        module = importlib.import_module(f"{papers.__name__}.{name.replace('-', '_')}")
    else:
        raise StudyError(
            f"study {name!r}: there is none; there are {', '.join(study_names())}, or a Python file"
            f"{nearest(name, study_names())}"
        )
    declared = getattr(module, "STUDY", None)
    if not isinstance(declared, Study):
        raise StudyError(f"study {name!r}: it has no STUDY, a tilegpu.tools.studies.declare.Study")
    return replace(declared, file=name) if name.endswith(".py") else declared
