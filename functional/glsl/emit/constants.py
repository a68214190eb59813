"""The immediate file: a shader's constants, packed into vec4."""


class Immediates:
    """Packs components; equal ones share a place, and swizzles select them."""

    def __init__(self) -> None:
        self.registers: list[list[int]] = []

    def place(self, bits: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Register index and component per requested component."""
        wanted = set(bits)
        for index, register in enumerate(self.registers):
            missing = [b for b in bits if b not in register]
            if len(set(missing)) <= 4 - len(register):
                for b in missing:
                    if b not in register:
                        register.append(b)
                return index, tuple(register.index(b) for b in bits)
        self.registers.append(sorted(wanted, key=bits.index))
        return len(self.registers) - 1, tuple(self.registers[-1].index(b) for b in bits)

    def table(self, rows: tuple[tuple[int, ...], ...]) -> int:
        """Append consecutive registers; returns the index of the first."""
        first = len(self.registers)
        self.registers += [[*row, *(0,) * (4 - len(row))] for row in rows]
        return first

    def file(self) -> tuple[tuple[int, int, int, int], ...]:
        """The packed registers, unused components zero."""
        padded = [register + [0] * (4 - len(register)) for register in self.registers]
        return tuple((r[0], r[1], r[2], r[3]) for r in padded)
