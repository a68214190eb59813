"""Random programs, as GLSL and as Python: the same tree printed and interpreted."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

FLOATS = ("a", "b", "c")
BINARY = ["+", "-", "*", "min", "max", "swizzle"]
f32 = np.float32


@dataclass(frozen=True)
class Expr:
    """``op`` and its operands; a leaf is a name or a number."""

    op: str
    args: tuple["Expr | str | float", ...]

    def glsl(self) -> str:
        """As GLSL."""
        texts = [a.glsl() if isinstance(a, Expr) else f"{a:.3f}" if isinstance(a, float) else a for a in self.args]
        if self.op == "leaf":
            return texts[0] if not texts[0].startswith("-") else f"({texts[0]})"
        if self.op in ("min", "max"):
            return f"{self.op}({texts[0]}, {texts[1]})"
        if self.op in ("neg", "abs"):
            return f"(-{texts[0]})" if self.op == "neg" else f"abs({texts[0]})"
        if self.op == "?":
            return f"(({texts[0]} < {texts[1]}) ? {texts[2]} : {texts[3]})"
        if self.op == "swizzle":
            return f"vec3({texts[0]}, {texts[1]}, 2.0).yxz.{'xyz'[len(texts[0]) % 2]}"
        return f"({texts[0]} {self.op} {texts[1]})"

    def value(self, state: dict[str, f32]) -> f32:
        """Its value in a state of the variables."""
        values = [
            a.value(state) if isinstance(a, Expr) else state[a] if isinstance(a, str) else f32(a) for a in self.args
        ]
        if self.op == "leaf":
            return f32(values[0])
        if self.op == "min":
            return min(values[0], values[1])
        if self.op == "max":
            return max(values[0], values[1])
        if self.op == "neg":
            return f32(-values[0])
        if self.op == "abs":
            return f32(abs(values[0]))
        if self.op == "?":
            return values[2] if values[0] < values[1] else values[3]
        if self.op == "swizzle":
            text = self.args[0].glsl() if isinstance(self.args[0], Expr) else ""
            return values[0] if len(text) % 2 else values[1]
        return f32({"+": np.add, "-": np.subtract, "*": np.multiply}[self.op](values[0], values[1]))


leaves = st.one_of(
    st.sampled_from(FLOATS).map(lambda n: Expr("leaf", (n,))),
    st.sampled_from([-1.5, -1.0, 0.0, 0.25, 0.5, 1.0, 2.0]).map(lambda x: Expr("leaf", (x,))),
)


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(lambda op, x, y: Expr(op, (x, y)), st.sampled_from(BINARY), inner, inner),
        st.builds(lambda op, x: Expr(op, (x,)), st.sampled_from(["neg", "abs"]), inner),
        st.builds(lambda *xs: Expr("?", xs), inner, inner, inner, inner),
    )


expressions = st.recursive(leaves, _larger, max_leaves=5)


class Jumped(Exception):
    """A jump on its way out."""


def _clamped(x: f32) -> f32:
    return min(max(x, f32(-8.0)), f32(8.0))


@dataclass(frozen=True)
class Stmt:
    """``kind`` and its parts."""

    kind: str
    parts: tuple[object, ...]

    def glsl(self, depth: int = 0) -> str:
        """As GLSL; assignments are clamped so that loops cannot make infinities."""
        if self.kind == "=":
            return f"{self.parts[0]} = clamp({self.parts[1].glsl()}, -8.0, 8.0);\n"
        if self.kind == "block":
            return "".join(s.glsl(depth) for s in self.parts)
        if self.kind == "if":
            left, right, then, other = self.parts
            text = f"if ({left.glsl()} < {right.glsl()}) {{\n{then.glsl(depth)}}}"
            return text + (f" else {{\n{other.glsl(depth)}}}\n" if other is not None else "\n")
        if self.kind == "for":
            bound, body = self.parts
            limit = str(bound) if isinstance(bound, int) else f"int(abs({bound}))"
            name = f"n{depth}"
            return f"for (int {name} = 0; {name} < {limit}; {name}++) {{\n{body.glsl(depth + 1)}}}\n"
        if self.kind == "and":
            bound, left, right, body = self.parts
            name = f"n{depth}"
            head = f"for (int {name} = 0; {name} < {bound} && {left.glsl()} < {right.glsl()}; {name}++)"
            return f"{head} {{\n{body.glsl(depth + 1)}}}\n"
        if self.kind == "while":
            name = f"n{depth}"
            body = self.parts[1].glsl(depth + 1)
            return f"{{ int {name} = 0;\nwhile (true) {{ if ({name} >= {self.parts[0]}) break; {name}++;\n{body}}} }}\n"
        if self.kind == "switch":
            sections = "".join(
                f"{'default' if label is None else f'case {label}'}:\n{body.glsl(depth)}{'break;' * ends}\n"
                for label, body, ends in self.parts[1]
            )
            return f"switch (int({self.parts[0]})) {{\n{sections}}}\n"
        if self.kind == "do":
            name = f"n{depth}"
            return (
                f"{{ int {name} = 0;\ndo {{ {name} = {name} + 1;\n{self.parts[1].glsl(depth + 1)}}}"
                f" while ({name} < {self.parts[0]}); }}\n"
            )
        return f"{self.kind};\n"

    def run(self, state: dict[str, f32]) -> None:
        """Execute it."""
        if self.kind == "=":
            state[self.parts[0]] = _clamped(self.parts[1].value(state))
        elif self.kind == "block":
            for statement in self.parts:
                statement.run(state)
        elif self.kind == "if":
            left, right, then, other = self.parts
            if left.value(state) < right.value(state):
                then.run(state)
            elif other is not None:
                other.run(state)
        elif self.kind in ("for", "do", "and", "while"):
            self._loop(state)
        elif self.kind == "switch":
            self._switch(state)
        else:
            raise Jumped(self.kind)

    def _switch(self, state: dict[str, f32]) -> None:
        selector, sections = int(state[self.parts[0]]), self.parts[1]
        labels = [label for label, _, _ in sections]
        wanted = selector if selector in labels else None
        if wanted not in labels:
            return
        for _, body, ends in sections[labels.index(wanted) :]:
            try:
                body.run(state)
            except Jumped as jump:
                if str(jump) != "break":
                    raise
                return
            if ends:
                return

    def _loop(self, state: dict[str, f32]) -> None:
        bound, body = self.parts[0], self.parts[-1]
        count = 0
        while True:
            limit = bound if isinstance(bound, int) else int(abs(state[bound]))
            if self.kind != "do" and count >= limit:
                return
            if self.kind == "and" and not self.parts[1].value(state) < self.parts[2].value(state):
                return
            if self.kind == "do":
                count += 1
            try:
                body.run(state)
            except Jumped as jump:
                if str(jump) == "break":
                    return
                if str(jump) != "continue":
                    raise
            if self.kind != "do":
                count += 1
            elif count >= limit:
                return


assignments = st.builds(lambda n, e: Stmt("=", (n, e)), st.sampled_from(FLOATS), expressions)


def blocks(depth: int, in_loop: bool, switches: bool = False, in_switch: bool = False) -> st.SearchStrategy[Stmt]:
    """A few statements, nested at most ``depth`` deep."""
    options = [assignments, assignments]
    if depth:
        inner = blocks(depth - 1, in_loop, switches, in_switch)
        body = blocks(depth - 1, True, switches)
        options.append(
            st.builds(lambda x, y, t, e: Stmt("if", (x, y, t, e)), expressions, expressions, inner, st.none() | inner)
        )
        options.append(st.builds(lambda n, b: Stmt("for", (n, b)), st.sampled_from([2, 3, "d", "e"]), body))
        options.append(st.builds(lambda n, b: Stmt("do", (n, b)), st.sampled_from([1, 3]), body))
        options.append(st.builds(lambda n, b: Stmt("while", (n, b)), st.sampled_from([1, 3]), body))
        options.append(
            st.builds(
                lambda n, x, y, b: Stmt("and", (n, x, y, b)), st.sampled_from([2, 4]), expressions, expressions, body
            )
        )
        jumps = ["return"] + (["break", "continue"] if in_loop else ["break"] if in_switch else [])
        jump = st.sampled_from(jumps).map(lambda kind: Stmt("block", (Stmt(kind, ()),)))
        options.append(st.builds(lambda x, y, j: Stmt("if", (x, y, j, None)), expressions, expressions, jump))
        if switches:
            section = st.tuples(
                st.sampled_from([None, 0, 1, 2, 3]), blocks(depth - 1, in_loop, True, True), st.booleans()
            )
            sections = st.lists(section, min_size=1, max_size=4, unique_by=lambda s: s[0])
            options.append(st.builds(lambda n, s: Stmt("switch", (n, s)), st.sampled_from(["d", "e", "a"]), sections))
    return st.lists(st.one_of(options), min_size=1, max_size=4).map(lambda s: Stmt("block", tuple(s)))
