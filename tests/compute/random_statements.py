"""Random statements of compute shaders.

Barriers are in uniform flow only. An invocation writes to a place of its own: its variables, its item of a buffer, its
texel, its slot of a shared array; others read the latter between two barriers. Atomic functions are of one kind by
place, whose result does not depend on the order and is read after a barrier, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable

from .random_values import Values

ATOMICS = ("Add", "Min", "Max", "And", "Or", "Xor")


class Statements:
    """Makes the statements of a shader.

    Parameters
    ----------
    values, uniform
        Expressions of an invocation, and those that are the same in all of a group.
    targets
        Functions that print an assignment to something of the invocation.
    counters
        Places in memory for atomic additions and so on, in the order of `ATOMICS`.
    lanes
        Number of invocations in a group.
    plain
        Expressions of variables alone, for the conditions of loops: all loops are left where they begin then. None: any
        condition is made of anything, and loops are left from the middle and at the end, too.
    """

    def __init__(
        self,
        values: Values,
        uniform: Values,
        targets: list[Callable[[], str]],
        counters: list[str],
        lanes: int,
        plain: Values | None,
    ) -> None:
        self.values, self.uniform, self.targets, self.plain = values, uniform, targets, plain
        self.counters, self.lanes, self.random = counters, lanes, values.random
        self.named = 0

    @property
    def leaves(self) -> bool:
        """Whether loops are left from the middle and at the end."""
        return self.plain is None

    def block(self, depth: int, uniform: bool, jumps: bool = False) -> str:
        """A few statements, nested at most that deep; with jumps, some leave the loop around."""
        return "".join(self._one(depth, uniform, jumps) for _ in range(self.random.randint(1, 4)))

    def _one(self, depth: int, uniform: bool, jumps: bool) -> str:
        kinds = [self._assignment, self._assignment, self._atomic]
        if depth:
            kinds += [lambda: self._if(depth, uniform, jumps), lambda: self._loop(depth)]
            kinds += [lambda: self._switch(depth)]
            if jumps:
                kinds.append(
                    lambda: (
                        f"if ({self.values.truth()}) {self.random.choice(('continue', 'break')[: 1 + self.leaves])};\n"
                    )
                )
            if uniform:
                kinds += [lambda: self._uniform_loop(depth), lambda: self._exchange(depth), lambda: self._tally(depth)]
        return self.random.choice(kinds)()

    def _assignment(self) -> str:
        return self.random.choice(self.targets)()

    def _atomic(self) -> str:
        number = self.random.randrange(len(ATOMICS))
        return f"atomic{ATOMICS[number]}({self.counters[number]}, {self.values.unsigned(1)});\n"

    def _if(self, depth: int, uniform: bool, jumps: bool) -> str:
        alike = uniform and self.values.chance(0.5)
        condition = self.uniform.truth() if alike else self.values.truth()
        text = f"if ({condition}) {{\n{self.block(depth - 1, alike, jumps)}}}"
        return text + (f" else {{\n{self.block(depth - 1, alike, jumps)}}}\n" if self.values.chance(0.5) else "\n")

    def _name(self) -> str:
        self.named += 1
        return f"n{self.named}"

    def _counting(self, name: str, body: Callable[[], str], uniform: bool) -> str:
        """A body that may read the counter of its loop."""
        readers = [self.values.ints] + ([self.uniform.ints] if uniform else [])
        for reader in readers:
            reader.append(lambda: name)
        text = body()
        for reader in readers:
            reader.pop()
        return text

    def _loop(self, depth: int) -> str:
        name, kind, asked = self._name(), self.random.randrange(2 + self.leaves), self.plain or self.values
        body = self._counting(name, lambda: self.block(depth - 1, False, True), False)
        if kind == 0:
            return f"for (int {name} = 0; {name} < int({asked.unsigned(1)} & 3u); {name}++) {{\n{body}}}\n"
        if kind == 1:
            return f"for (int {name} = 3; {name} > 0 && {asked.truth()}; {name} -= 2) {{\n{body}}}\n"
        condition = f"{name} < 3 && {self.values.truth()}"
        return f"{{ int {name} = 0;\ndo {{ {name}++;\n{body}}} while ({condition}); }}\n"

    def _switch(self, depth: int) -> str:
        labels = self.random.sample(["case 0u", "case 1u", "case 2u", "default"], self.random.randint(1, 4))
        ends = [self.random.choice(("break;\n", "")) for _ in labels[1:]] + ["break;\n"]
        cases = "".join(
            f"{label}:\n{self.block(depth - 1, False)}{end}" for label, end in zip(labels, ends, strict=True)
        )
        return f"switch ({self.values.unsigned(1)} & 3u) {{\n{cases}}}\n"

    def _uniform_loop(self, depth: int) -> str:
        name = self._name()
        limit = self.random.choice(("2", "3", f"int({self.uniform.unsigned(1)} & 3u)"))
        body = self._counting(name, lambda: self.block(depth - 1, True), True)
        # The limit is asked for once: what it is made of may change in the body.
        return f"for (int {name} = 0, end{name} = {limit}; {name} < end{name}; {name}++) {{\n{body}}}\n"

    def _exchange(self, depth: int) -> str:
        """Slots of a shared array written by one invocation each, and read by all."""
        kind = self.random.choice(("uint", "float"))
        array, readers = f"{kind}Slots", self.values.uints if kind == "uint" else self.values.floats
        value = self.values.unsigned() if kind == "uint" else f"tame({self.values.exact().text})"
        # Odd factors permute slots, whose number is a power of two.
        slot = f"(lane * {self.random.choice((1, 3, 5, 7))}u + {self.random.randrange(8)}u) % {self.lanes}u"
        write = f"{array}[{slot}] = {value};\n"
        if self.values.chance(0.3):
            write = f"if ({self.values.truth()}) {write}"
        shallow = self.values.unsigned
        readers.append(lambda: f"{array}[{shallow(0) if self.values.chance(0.5) else '(lane + 1u)'} % {self.lanes}u]")
        body = self.block(depth - 1, False)
        readers.pop()
        return f"{write}barrier();\n{body}barrier();\n"

    def _tally(self, depth: int) -> str:
        """A shared counter that invocations change by atomic functions of one kind, and read together."""
        number = self.random.randrange(len(ATOMICS))
        first = f"if (lane == {self.random.randrange(self.lanes)}u) tally = {self.uniform.unsigned(1)};\nbarrier();\n"
        change = f"atomic{ATOMICS[number]}(tally, {self.values.unsigned(1)});\n"
        if self.values.chance(0.5):
            change = f"if ({self.values.truth()}) {{\n{self.block(0, False)}{change}}}\n"
        self.values.uints.append(lambda: "tally")
        body = self.block(depth - 1, False)
        self.values.uints.pop()
        return f"{first}{change}barrier();\n{body}barrier();\n"
