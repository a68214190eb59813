"""Executed paths: which blocks every lane ran through."""

import numpy as np

from tests.glsl.helpers import program_of, run_program
from tilegpu.functional.execute.paths import PathTable
from tilegpu.functional.glsl.ir import blocks

X = np.array([0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 3.0, 5.0], np.float32)


def _paths(body: str) -> tuple[PathTable, np.ndarray]:
    main = f"void main() {{ float r = 0.0; {body} gl_FragColor = vec4(r); }}"
    source = f"precision highp float; varying highp float x; {main}"
    program = program_of(source, {"x": "float"})
    table = PathTable(program.fragment)
    result = run_program(program, {"x": X}, paths=table)
    assert result.paths is not None
    return table, result.paths


def _executed(table: PathTable, path: int) -> int:
    sizes = {block.first: block.last - block.first + 1 for block in blocks(table.shader)}
    return sum(sizes[first] * times for first, times in table.runs(path))


def test_straight_code_is_one_path() -> None:
    table, paths = _paths("r = x * 2.0;")
    assert paths.tolist() == [0] * 8
    assert table.all_runs() == [((0, 1),)]


BIG = "".join(f"r = sin(r + {i + 1}.0); " for i in range(10))


def test_branch() -> None:
    table, paths = _paths(f"r = x; if (x < 1.5) {{ {BIG} }} else {{ {BIG} {BIG} }}")
    assert len(table) == 2
    assert (paths[X < 1.5] == paths[0]).all()
    assert (paths[X >= 1.5] == paths[2]).all()
    then, otherwise = table.runs(int(paths[0])), table.runs(int(paths[2]))
    assert len(then) == len(otherwise) == 3
    assert then[0] == otherwise[0]
    assert then[2] == otherwise[2]
    assert _executed(table, int(paths[2])) - _executed(table, int(paths[0])) == 20 - 1


def test_loop_repeats_are_counted() -> None:
    table, paths = _paths("for (int i = 0; i < int(x); i++) { r += x; }")
    lengths = {int(x): _executed(table, int(path)) for x, path in zip(X, paths, strict=True)}
    assert len(table) == len(set(X.tolist()))
    per_iteration = lengths[1] - lengths[0]
    assert lengths == {n: lengths[0] + n * per_iteration for n in (0, 1, 2, 3, 5)}


def test_continue_leads_to_the_end_of_the_loop() -> None:
    """Whoever continues executes ENDLOOP like the others: every instruction lies in a block of the path."""
    body = (
        "float s = 0.0; for (int i = 0; i < int(x); i++) { s += 1.0; if (s > 2.0) { r += s; continue; } r -= sin(s); }"
    )
    table, paths = _paths(body)
    instructions = table.shader.instructions
    (end,) = (pc for pc, i in enumerate(instructions) if i.opcode == "ENDLOOP")
    last = {block.first: block.last for block in blocks(table.shader)}
    for x, path in zip(X, paths, strict=True):
        runs = table.runs(int(path))
        assert sum(times for first, times in runs if first <= end <= last[first]) == int(x)
        for (first, _), (following, _) in zip(runs, runs[1:], strict=False):
            jump = instructions[last[first]]
            assert following in (last[first] + 1, jump.flow_target)


def test_lanes_that_go_together_share_a_number() -> None:
    _, paths = _paths("for (int i = 0; i < int(x); i++) { r += x; }")
    assert paths[0] == paths[5]
    assert paths[1] == paths[4]
    assert paths[3] == paths[6]
    assert len({int(p) for p in paths}) == 5


def test_numbers_do_not_depend_on_how_lanes_are_cut() -> None:
    source = """precision highp float; varying highp float x; void main() {
        float r = 0.0; for (int i = 0; i < int(x); i++) { r += x; } gl_FragColor = vec4(r); }"""
    program = program_of(source, {"x": "float"})
    together, apart = PathTable(program.fragment), PathTable(program.fragment)
    whole = run_program(program, {"x": X}, paths=together).paths
    halves = [run_program(program, {"x": part}, paths=apart).paths for part in (X[:4], X[4:])]
    assert whole is not None
    pieces = np.concatenate([h for h in halves if h is not None])
    for a, b in zip(whole, pieces, strict=True):
        assert together.runs(int(a)) == apart.runs(int(b))


def test_repeated_single_block_is_one_run() -> None:
    table = PathTable(program_of("precision highp float; void main() { gl_FragColor = vec4(1.0); }").fragment)
    node = 0
    for _ in range(1000):
        node = table.step(node, 7)
    assert table.runs(table.number(node)) == ((7, 1000),)
