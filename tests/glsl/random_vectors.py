"""Random programs over vectors, structures and arrays, as GLSL and as Python: the same tree printed and interpreted.

Every variable holds multiples of 1/4 between -8 and 8, and every operation is exact on them, so that results are
equal to the last bit whoever computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from .random_nodes import BINARY, LETTERS, VECTORS, Jumped, Node, State, branch, read_place
from .random_terms import Scope, Terms

HEAD = """#version 300 es
precision highp float;
precision highp int;
flat in vec4 p;
flat in vec4 q;
flat in ivec4 k;
out vec4 o;
uniform vec4 table[4];
struct S { float f; vec2 g; vec4 h; };
"""


@dataclass(frozen=True)
class Function:
    """``float name(in vec3 x, inout vec2 y, out float z)``."""

    name: str
    glsl: str
    body: Node

    def call(self, x: list[float], y: list[float], table: list[list[float]]) -> tuple[float, list[float], float]:
        """Its result, y and z."""
        state: State = {"table": table, "x": list(x), "y": list(y), "z": 0.25, "e": 0.5, "i": int(floor(y[0]))}
        try:
            self.body.run(state)
            result = state["e"]
        except Jumped as jump:
            result = jump.args[1]
        return result, state["y"], state["z"]


class Generator(Terms):
    """Draws a program."""

    def assign(self, scope: Scope) -> Node:
        """To a variable, some of its components in any order, or one chosen at run time."""
        text, of, where = self.place(scope)
        width = self.random.randint(1, of)
        value = self.expression(scope, width, 2)
        chosen = self.swizzle(width, of, distinct=True)
        if of > 1 and width == 1 and self.random.random() < 0.3:
            index = self.index(scope, of)

            def write_one(s: State) -> None:
                new, (container, key), i = value.run(s), where(s), index.run(s)
                container[key] = [new if c == i else old for c, old in enumerate(container[key])]

            return Node(f"{text}[{index.glsl}] = {value.glsl};\n", write_one)
        if of == 1 or (width == of and self.random.random() < 0.5):

            def write_all(s: State) -> None:
                new, (container, key) = value.run(s), where(s)
                container[key] = new

            return Node(f"{text} = {value.glsl};\n", write_all)

        def write(s: State) -> None:
            new, (container, key) = value.run(s), where(s)
            old = list(container[key])
            for c, x in zip(chosen, new if width > 1 else [new], strict=True):
                old[c] = x
            container[key] = old

        return Node(f"{text}.{''.join(LETTERS[c] for c in chosen)} = {value.glsl};\n", write)

    def permute(self, scope: Scope) -> Node:
        """A vector of its own components in another order, some of them computed."""
        text, of, where = self.place(scope)
        if of == 1:
            return self.assign(scope)
        parts = []
        for _ in range(of):
            x, y = self.random.choices(range(of), k=2)
            form = self.random.choice(["{0}", "{0}", "{0}", *BINARY])
            glsl = form.format(f"{text}.{LETTERS[x]}", f"{text}.{LETTERS[y]}")
            parts.append((glsl, x, y, BINARY.get(form, lambda a, b: a)))

        def run(s: State) -> None:
            container, key = where(s)
            old = container[key]
            container[key] = [function(old[x], old[y]) for _, x, y, function in parts]

        return Node(f"{text} = {VECTORS[of]}({', '.join(glsl for glsl, *_ in parts)});\n", run)

    def swap(self, scope: Scope) -> Node:
        """Two places of a width change values, or three do in a circle."""
        places = [self.place(scope) for _ in range(6)]
        width = places[0][1]
        chosen = [(text, where) for text, of, where in places if of == width][:3]
        names = [text for text, _ in chosen]
        texts = [f"{names[i]} = {names[i + 1]};\n" for i in range(len(names) - 1)]

        def run(s: State) -> None:
            kept = read_place(chosen[0][1], s)
            for (_, to), (_, source) in zip(chosen, chosen[1:], strict=False):
                container, key = to(s)
                container[key] = read_place(source, s)
            container, key = chosen[-1][1](s)
            container[key] = kept

        self.counters += 1
        kept = f"kept{self.counters}"
        return Node(f"{VECTORS[width]} {kept} = {names[0]};\n{''.join(texts)}{names[-1]} = {kept};\n", run)

    def integer(self, scope: Scope) -> Node:
        """A change of an int variable."""
        name, number = self.random.choice(scope.ints), self.random.randrange(1, 4)
        if self.random.random() < 0.5:
            return Node(f"{name} = ({name} + {number}) & 7;\n", lambda s: s.update({name: (s[name] + number) & 7}))
        x = self.leaf(scope, 1)
        return Node(f"{name} = int(floor({x.glsl})) & 7;\n", lambda s: s.update({name: floor(x.run(s)) & 7}))

    def call(self, scope: Scope) -> Node:
        """A function's result and what it writes, to variables of which none is another."""
        function = self.random.choice(scope.functions)
        x, result, out = self.expression(scope, 3, 1), *self.random.sample(["a", "b"], 2)
        name = self.random.choice([n for n, width in scope.floats.items() if width > 1])
        chosen = self.swizzle(2, scope.floats[name], distinct=True)
        text = f"{result} = {function.name}({x.glsl}, {name}.{''.join(LETTERS[c] for c in chosen)}, {out});\n"

        def run(s: State) -> None:
            s[result], pair, s[out] = function.call(x.run(s), [s[name][c] for c in chosen], s["table"])
            s[name] = [pair[chosen.index(c)] if c in chosen else old for c, old in enumerate(s[name])]

        return Node(text, run)

    def statement(self, scope: Scope, depth: int, in_loop: bool) -> Node:
        """One statement."""
        kinds = ["assign"] * 5 + ["permute"] * 3 + ["swap", "integer"] + ["call"] * bool(scope.functions)
        kinds += ["if", "loop", "loop", "leave"] * (depth > 0)
        kinds += ["leave"] * in_loop
        kind = self.random.choice(kinds)
        if kind == "if":
            condition, then = self.condition(scope), self.block(scope, depth - 1, in_loop)
            other = self.block(scope, depth - 1, in_loop)
            if self.random.random() < 0.5:
                return branch(condition, then, None)
            return branch(condition, then, other)
        if kind == "loop":
            return self.loop(scope, depth)
        if kind == "leave":
            return self.leave(scope, in_loop)
        return {
            "assign": self.assign,
            "permute": self.permute,
            "swap": self.swap,
            "integer": self.integer,
            "call": self.call,
        }[kind](scope)

    def leave(self, scope: Scope, in_loop: bool) -> Node:
        """A jump, under a condition."""
        kinds = ["break", "continue"] * in_loop + ["return"] * scope.returns
        kind = self.random.choice(kinds or [""])
        if not kind:
            return self.assign(scope)
        value = self.leaf(scope, 1)
        text = f"{kind} {value.glsl};\n" if kind == "return" else f"{kind};\n"

        def jump(s: State) -> None:
            raise Jumped(kind, value.run(s))

        return branch(self.condition(scope), Node(text, jump), None)

    def loop(self, scope: Scope, depth: int) -> Node:
        """A loop of few trips; how many, only the run knows, mostly."""
        kind = self.random.choice(["for", "while", "do"])
        self.counters += 1
        counter, name = f"n{self.counters}", self.random.choice(scope.ints)
        limits = [
            Node("3", lambda s: 3),
            Node("k.x & 3", lambda s: s["k"] & 3),
            Node(f"{name} & 3", lambda s: s[name] & 3),
        ]
        limit = self.random.choice(limits if not scope.returns else [limits[0], limits[2]])
        body = self.block(scope, depth - 1, True)

        def run(s: State) -> None:
            count = 0
            while True:
                if kind != "do" and not count < limit.run(s):
                    return
                count += kind != "for"
                try:
                    body.run(s)
                except Jumped as jump:
                    if jump.args[0] != "continue":
                        if jump.args[0] == "break":
                            return
                        raise
                count += kind == "for"
                if kind == "do" and not count < limit.run(s):
                    return

        test = f"{counter} < ({limit.glsl})"
        if kind == "for":
            return Node(f"for (int {counter} = 0; {test}; {counter}++) {{\n{body.glsl}}}\n", run)
        inner = f"{{\n{counter}++;\n{body.glsl}}}"
        text = f"while ({test}) {inner}" if kind == "while" else f"do {inner} while ({test});"
        return Node(f"{{ int {counter} = 0;\n{text} }}\n", run)

    def block(self, scope: Scope, depth: int, in_loop: bool) -> Node:
        """A few statements."""
        statements = [self.statement(scope, depth, in_loop) for _ in range(self.random.choice([1, 1, 2, 3, 4]))]

        def run(s: State) -> None:
            for statement in statements:
                statement.run(s)

        return Node("".join(s.glsl for s in statements), run)

    def function(self, name: str) -> Function:
        """A function with early returns."""
        scope = Scope({"x": 3, "y": 2, "z": 1, "e": 1}, ["i"], returns=True)
        body = self.block(scope, 2, False)
        text = f"float {name}(in vec3 x, inout vec2 y, out float z) {{\n"
        text += f"z = 0.25; float e = 0.5; int i = int(floor(y.x));\n{body.glsl}return e; }}\n"
        return Function(name, text, body)


@dataclass(frozen=True)
class Program:
    """A fragment shader over p, q, k and table."""

    glsl: str
    body: Node

    def run(self, p: list[float], q: list[float], k: list[int], table: list[list[float]]) -> list[float]:
        """Its four outputs."""
        s: State = {
            "a": p[0],
            "b": q[1],
            "c": [p[2], q[3]],
            "d": [q[0], p[1], 1.5],
            "e": list(p),
            "i": k[1],
            "j": k[2] & 7,
            "m": {"f": p[3], "g": [q[2], q[0]], "h": list(q)},
            "r": [list(p[:3]), list(q[1:]), [0.0, 0.5, 1.0]],
            "t": [{"f": 1.0, "g": p[1:3], "h": list(q)}, {"f": q[3], "g": [0.5, p[0]], "h": list(p)}],
            "k": k[0],
            "table": table,
        }
        self.body.run(s)
        layers = [s["e"], [*s["d"], s["a"]], [*s["c"], s["b"], float(s["j"])], s["m"]["h"]]
        second = [s["m"]["f"], *s["m"]["g"], s["r"][1][2]], [*s["r"][0], s["t"][0]["f"]], s["t"][1]["h"]
        sums = [sum(32.0**n * layer[c] for n, layer in enumerate(layers)) for c in range(4)]
        return [x - 2.0 * sum(layer[c] for layer in second) for c, x in enumerate(sums)]


OUTPUT = """o = e + 32.0 * vec4(d, a) + 1024.0 * vec4(c, b, float(j)) + 32768.0 * m.h;
o -= 2.0 * (vec4(m.f, m.g, r[1].z) + vec4(r[0], t[0].f) + t[1].h);
"""


def program(seed: int) -> Program:
    """The program of a number."""
    generator = Generator(seed)
    functions = [generator.function(f"f{n}") for n in range(generator.random.choice([0, 0, 1, 2]))]
    scope = Scope({"a": 1, "b": 1, "c": 2, "d": 3, "e": 4}, ["i", "j"])
    if generator.random.random() < 0.5:
        scope.structures, scope.arrays, scope.structure_arrays = ["m"], ["r"], ["t"]
    scope.functions = functions
    body = generator.block(scope, generator.random.choice([1, 2, 2, 3]), False)
    declared = (
        "float a = p.x, b = q.y; vec2 c = vec2(p.z, q.w); vec3 d = vec3(q.x, p.y, 1.5); vec4 e = p;\n"
        "int i = k.y, j = k.z & 7; S m = S(p.w, q.zx, q);\n"
        "vec3 r[3] = vec3[3](p.xyz, q.yzw, vec3(0.0, 0.5, 1.0));\n"
        "S t[2] = S[2](S(1.0, p.yz, q), S(q.w, vec2(0.5, p.x), p));\n"
    )
    texts = "".join(f.glsl for f in functions)
    return Program(f"{HEAD}{texts}void main() {{\n{declared}{body.glsl}{OUTPUT}}}\n", body)
