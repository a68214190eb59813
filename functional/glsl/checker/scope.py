"""Scopes: the meaning of names, and default precisions (sections 4.2 and 4.5.3)."""

from dataclasses import dataclass, field

from ..typed import Function, Variable
from ..types import Type


@dataclass(slots=True)
class TypeName:
    """A structure's name."""

    type: Type


@dataclass(slots=True)
class FunctionName:
    """The overloads of a function's name."""

    overloads: list[Function]


@dataclass(slots=True)
class BlockName:
    """A uniform block's name, which has no other meaning."""


@dataclass(slots=True)
class MemberName:
    """A member of a uniform block without an instance name."""

    block: Variable
    index: int


Symbol = Variable | TypeName | FunctionName | BlockName | MemberName


@dataclass(slots=True)
class Scope:
    """One level of names. Variables, types and functions share it."""

    symbols: dict[str, Symbol] = field(default_factory=dict)
    precisions: dict[str, str] = field(default_factory=dict)


class ScopeStack:
    """Built-in scope, global scope, then one per block."""

    def __init__(self) -> None:
        self.scopes = [Scope(), Scope()]

    @property
    def at_global(self) -> bool:
        """Whether the innermost scope is the global one."""
        return len(self.scopes) == 2

    def push(self) -> None:
        """Open a block."""
        self.scopes.append(Scope())

    def pop(self) -> None:
        """Close the innermost block."""
        self.scopes.pop()

    def find(self, name: str) -> Symbol | None:
        """The meaning of the name here."""
        for scope in reversed(self.scopes):
            if name in scope.symbols:
                return scope.symbols[name]
        return None

    def find_here(self, name: str) -> Symbol | None:
        """The meaning of the name in the innermost scope only."""
        return self.scopes[-1].symbols.get(name)

    def declare(self, name: str, symbol: Symbol) -> None:
        """Give the name a meaning in the innermost scope."""
        self.scopes[-1].symbols[name] = symbol

    def declare_builtin(self, name: str, symbol: Symbol) -> None:
        """Give the name a meaning that every shader may hide."""
        self.scopes[0].symbols[name] = symbol

    def find_builtin(self, name: str) -> Symbol | None:
        """The meaning of the name that no shader hides."""
        return self.scopes[0].symbols.get(name)

    def precision(self, name: str) -> str:
        """Default precision of a type, or an empty string."""
        for scope in reversed(self.scopes):
            if name in scope.precisions:
                return scope.precisions[name]
        return ""
