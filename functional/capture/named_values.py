"""Values with the names that the stream gives them, for people: enums, flags and members of structs."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..opengl.enum_names import flag_names
from .call import Value
from .values import Values
from .wire_format import BITMASK, ENUM, ENUM_NAMES_SINCE, REPRESENTATION, STRUCT


class NamedNumber(int):
    """A number that the stream has a name for.

    Parameters
    ----------
    number
        The number.
    name
        Name of an enum, or flags as `A | B`.
    """

    name: str

    def __new__(cls, number: int, name: str) -> NamedNumber:
        """Make a number with a name."""
        made = super().__new__(cls, number)
        made.name = name
        return made


class Struct(list[Value]):
    """Members of a struct, with their names.

    Parameters
    ----------
    values, names
        Members in order, and as many names.
    """

    def __init__(self, values: Iterable[Value], names: tuple[str, ...]) -> None:
        super().__init__(values)
        self.names = names


Flags = tuple[tuple[str, int], ...]


class NamedValues(Values):
    """Reads values as `Values` does, but keeps their names."""

    __slots__ = ("_enum_names", "_flags", "_structs")

    def __init__(self, source: str, version: int) -> None:
        super().__init__(source, version)
        self._enum_names: dict[int, dict[int, str]] = {}
        self._flags: dict[int, Flags] = {}
        self._structs: dict[int, tuple[str, ...]] = {}

    def value(self) -> Value:
        """A value of any kind."""
        reader = _NAMED.get(self.data[self.at])
        if reader is None:
            return super().value()
        self.at += 1
        return reader(self)

    def _named_enum(self) -> Value:
        key = self.uint()
        names = self._enum_names.get(key)
        if self.version < ENUM_NAMES_SINCE:
            # Each key is one name with its value there.
            if names is None:
                name = self.text()
                number = self._inner(1)[0]
                names = {number: name} if isinstance(number, int) else {}
                self.learn(self._enum_names, key, names)
            return next((NamedNumber(number, name) for number, name in names.items()), None)
        if names is None:
            names = {}
            for _ in range(self.count()):
                name = self.text()
                names.setdefault(self.signed(), name)
            self.learn(self._enum_names, key, names)
        number = self.signed()
        named = names.get(number)
        return number if named is None else NamedNumber(number, named)

    def _named_flags(self) -> Value:
        key = self.uint()
        flags = self._flags.get(key)
        if flags is None:
            flags = tuple((self.text(), self.uint()) for _ in range(self.count()))
            self.learn(self._flags, key, flags)
        number = self.uint()
        return NamedNumber(number, flag_names(number, flags))

    def _named_struct(self) -> Value:
        key = self.uint()
        names = self._structs.get(key)
        if names is None:
            self.text()
            names = tuple(self.text() for _ in range(self.count()))
            self.learn(self._structs, key, names)
        return Struct(self._inner(len(names)), names)

    def _for_people(self) -> Value:
        return self._inner(2)[0]


_NAMED = MappingProxyType(
    {
        ENUM: NamedValues._named_enum,
        BITMASK: NamedValues._named_flags,
        STRUCT: NamedValues._named_struct,
        REPRESENTATION: NamedValues._for_people,
    }
)
