"""Folders of policies: each file or folder in one, or in a folder of plug-ins on its path, is a policy of its kind.

A part of the engine that leaves a decision to policies asks a function by name; `assembly.policies` puts in its place
one that calls the policy whose number a register has. All policies of a kind are compiled together, so a choice among
them compiles nothing.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tilegpu.functional.errors import UserError, choices

from .modules import declared_names, is_declared

PLUGIN_ROOTS: list[str] = []
"""Folders of plug-ins, each with a folder for a kind of policies."""
FOLDERS: dict[str, PolicyFolder] = {}
"""Folders of policies by the names of the folders of plug-ins that have more of them."""


@dataclass(frozen=True)
class PolicyFolder:
    """Policies of a kind.

    Parameters
    ----------
    package
        Package that they are in, e.g. `tilegpu.timing.memory.dram.policies`.
    part
        Name of the folder of plug-ins that has more of them.
    assigns
        Name that a policy's file assigns its declaration to.
    field
        Field of the configuration that names one, for messages.
    word
        Word for such a policy, for messages.
    """

    package: str
    part: str
    assigns: str
    field: str
    word: str

    def __post_init__(self) -> None:
        FOLDERS[self.part] = self

    @property
    def path(self) -> list[str]:
        """Folders that are searched: the package's, then those of plug-ins."""
        path: Any = importlib.import_module(self.package).__path__
        further = (str(Path(root) / self.part) for root in PLUGIN_ROOTS)
        path.extend(folder for folder in further if Path(folder).is_dir() and folder not in path)
        return list(path)

    @property
    def mark(self) -> str:
        """Text of a file that declares one."""
        return f"\n{self.assigns} = "

    def names(self) -> list[str]:
        """Names of the policies there are; those of the package first."""
        return list(dict.fromkeys(name for folder in self.path for name in declared_names(folder, self.mark)))

    def plugin_names(self) -> list[str]:
        """Names of the policies that do not come with the package."""
        packaged = declared_names(self.path[0], self.mark)
        return [name for name in self.names() if name not in packaged]

    def check(self, name: str) -> None:
        """UserError if there is no policy of this name."""
        if not is_declared(self.path, name, self.mark):
            raise UserError(f"{self.field}: there is no {self.word} {name}; {choices(name, self.names())}")

    def find(self, name: str, package: str = "") -> Any:
        """Declaration of a policy, in a copy of the engine; UserError if there is none."""
        self.check(name)
        try:
            return getattr(importlib.import_module(f"{package or self.package}.{name}"), self.assigns)
        except Exception as error:
            if name not in self.plugin_names():
                raise
            raise UserError(f"{self.part}/{name}: {type(error).__name__}: {error}; mend the plug-in") from error

    def find_all(self, package: str = "") -> list[Any]:
        """Declarations of all policies in the order of their numbers."""
        return [self.find(name, package) for name in self.names()]

    def number_of(self, name: str) -> int:
        """Number by which registers know a policy: its place among the names."""
        self.check(name)
        return self.names().index(name)

    def source(self, name: str) -> Path:
        """File, or folder, of a policy."""
        self.check(name)
        places = (Path(folder) / inside for folder in self.path for inside in (f"{name}.py", name))
        return next(place for place in places if place.exists())


class PolicyKind(NamedTuple):
    """A kind of policies in an engine.

    Attributes
    ----------
    folder
        Where they are found.
    package, asks
        Their package and the module with the questions, within the engine.
    register
        Source text of the register that has a policy's number; `{first}` is the first parameter of a question.
    """

    folder: PolicyFolder
    package: str
    asks: str
    register: str
