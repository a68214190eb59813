"""The IR: its text form, and what is read off it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.functional.glsl.ir import (
    OPCODES,
    Block,
    Declaration,
    Destination,
    File,
    Indirect,
    Instruction,
    IRTextError,
    Sampler,
    Shader,
    Source,
    blocks,
    coordinate_origins,
    count_by_class,
    parse_shader,
    position_slice,
    print_shader,
    texture_channels,
)
from tilegpu.functional.glsl.ir.analysis import register_components
from tilegpu.functional.glsl.ir.program import Buffer, Image, Space

small = st.integers(0, 40)
component = st.integers(0, 3)
indirects = st.none() | st.builds(Indirect, small, component)
sources = st.builds(
    Source,
    st.sampled_from([f for f in File if f is not File.OUTPUT]),
    small,
    st.tuples(component, component, component, component),
    st.booleans(),
    st.booleans(),
    indirects,
)
destinations = st.builds(
    Destination,
    st.sampled_from([File.OUTPUT, File.TEMPORARY, File.ADDRESS]),
    small,
    st.integers(1, 15),
    st.booleans(),
    indirects,
)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """Any instruction the text form can hold."""
    info = OPCODES[draw(st.sampled_from(sorted(OPCODES)))]
    texture, on_memory = info.shape == "texture", info.shape in ("load", "store", "atomic", "size")
    without = info.shape in ("flow", "kill", "store", "barrier") or (info.shape == "atomic" and draw(st.booleans()))
    return Instruction(
        info.name,
        None if without else draw(destinations),
        tuple(draw(sources) for _ in range(info.operands)),
        draw(small) if texture else None,
        draw(st.sampled_from(["2d", "cube", "3d", "shadow_2d"])) if texture else None,
        draw(st.none() | small) if info.shape == "flow" else None,
        draw(st.none() | st.tuples(st.integers(-8, 7), st.integers(-8, 7))) if texture else None,
        (draw(st.sampled_from(Space)), draw(small)) if on_memory else None,
        draw(st.integers(1, 4)) if info.shape == "store" else 0,
        "memoryBarrier" if info.shape == "barrier" else "",
    )


names = st.from_regex(r"[a-z_][a-z0-9_]{0,8}(\[[0-9]\])?", fullmatch=True)
declarations = st.builds(
    Declaration,
    names,
    st.sampled_from(["attribute", "varying", "position", "color"]),
    small,
    st.sampled_from(["smooth", "flat"]),
)
buffers = st.builds(Buffer, names, st.sampled_from(["storage", "counter"]), small, st.booleans())
images = st.builds(Image, names, st.sampled_from(["2d", "3d"]), st.sampled_from(["", "rgba8"]), small, st.booleans())
bits = st.integers(0, 0xFFFFFFFF)
shaders = st.builds(
    Shader,
    names,
    st.sampled_from(["vertex", "fragment"]),
    st.lists(instructions(), max_size=8).map(tuple),
    st.lists(declarations, max_size=3).map(tuple),
    st.lists(declarations, max_size=3).map(tuple),
    small,
    st.lists(st.tuples(bits, bits, bits, bits), max_size=3).map(tuple),
    st.lists(st.builds(Sampler, names, st.sampled_from(["2d", "cube"])), max_size=2).map(tuple),
    small,
    st.lists(buffers, max_size=2).map(tuple),
    st.lists(images, max_size=2).map(tuple),
    discards=st.booleans(),
    writes_depth=st.booleans(),
    reads_derivatives=st.booleans(),
    early_tests=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(shaders)
def test_text_reads_back_equal(shader: Shader) -> None:
    assert parse_shader(print_shader(shader)) == shader


@pytest.mark.parametrize("text", ["", "VERTEX 'a'\n  0: FOO TEMP[0]", "VERTEX 'a'\n  0: ADD TEMP[0], TEMP[1]", "x"])
def test_other_text_is_rejected(text: str) -> None:
    with pytest.raises((IRTextError, ValueError)):
        parse_shader(text or "\n")


BRANCHES = """VERTEX 'v'
DCL IN[0] attribute 0 smooth a
DCL OUT[0] position 0 smooth gl_Position
DCL OUT[1] varying 0 smooth v
DCL CONST 4
DCL TEMP 3
  0: MUL TEMP[0], CONST[0], IN[0].xxxx
  1: UIF TEMP[0].xxxx, :4
  2: ADD TEMP[1], TEMP[0], CONST[1]
  3: ELSE :5
  4: MOV TEMP[1], CONST[2]
  5: ENDIF
  6: BGNLOOP :12
  7: UIF TEMP[1].xxxx, :9
  8: BRK :13
  9: ENDIF
 10: RSQ TEMP[2].x, IN[0].xxxx
 11: ADD TEMP[1].x, TEMP[1].xxxx, CONST[3].xxxx
 12: ENDLOOP :7
 13: MOV OUT[0], TEMP[1]
 14: MUL OUT[1], TEMP[2].xxxx, CONST[3]
 15: END
"""


def test_blocks() -> None:
    shader = parse_shader(BRANCHES)
    expected = [(0, 1), (2, 3), (4, 4), (5, 6), (7, 7), (8, 8), (9, 12), (13, 15)]
    assert blocks(shader) == tuple(Block(*pair) for pair in expected)


def test_counts_by_class() -> None:
    assert count_by_class(parse_shader(BRANCHES)) == {"alu": 6, "sfu": 1, "tex": 0, "mem": 0, "flow": 9}


def test_position_slice_leaves_out_what_other_outputs_need() -> None:
    assert position_slice(parse_shader(BRANCHES)) == frozenset(range(16)) - {10, 14}


def test_coordinate_origins() -> None:
    shader = parse_shader("""FRAGMENT 'f'
DCL IN[0] varying 0 smooth v
DCL OUT[0] color 0 smooth gl_FragColor
DCL SAMP[0] 2d s
DCL CONST 1
DCL TEMP 2
  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2d
  1: MOV TEMP[1].xy, IN[0].zwww
  2: TEX TEMP[1], TEMP[1].xyyy, SAMP[0], 2d
  3: MAD TEMP[0].xy, TEMP[0].xyyy, CONST[0].xyyy, IN[0].xyyy
  4: TEX TEMP[0], TEMP[0].xyyy, SAMP[0], 2d
  5: MUL TEMP[1].xy, IN[0].xyyy, CONST[0].xyyy
  6: TEX OUT[0], TEMP[1].xyyy, SAMP[0], 2d
  7: END
""")
    assert coordinate_origins(shader) == {0: "varying", 2: "varying", 4: "texture", 6: "alu"}


def test_channels_that_are_read_of_textures() -> None:
    head = """FRAGMENT 'f'
DCL IN[0] varying 0 smooth v
DCL OUT[0] color 0 smooth gl_FragColor
DCL SAMP[0] 2d s
DCL CONST 2
DCL TEMP 2
"""
    straight = """  0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2d
  1: TEX TEMP[1], IN[0].zwww, SAMP[0], 2d
  2: MUL TEMP[0].x, TEMP[0].wwww, TEMP[1].xxxx
  3: MOV TEMP[1].x, TEMP[1].yyyy
  4: TEX TEMP[0].yz, TEMP[1].xzzz, SAMP[0], 2d
  5: MUL OUT[0].xyz, TEMP[0].xyyy, CONST[0]
  6: TEX OUT[0].w, TEMP[0].xxxx, SAMP[0], 2d
  7: TEX TEMP[0], TEMP[0].xxxx, SAMP[0], 2d
  8: END
"""
    assert [set(c) for c in texture_channels(parse_shader(head + straight))] == [{3}, {0, 1, 2}, {1}, {3}, set()]
    flow = """  0: BGNLOOP :4
  1: TEX TEMP[0].xyz, IN[0].xyyy, SAMP[0], 2d
  2: UIF TEMP[0].xxxx, :4
  3: BRK :6
  4: ENDIF
  5: ENDLOOP :1
  6: MOV OUT[0], TEMP[0].xxxx
  7: END
"""
    assert [set(c) for c in texture_channels(parse_shader(head + flow))] == [{0, 1, 2}]


@pytest.mark.parametrize(("text", "source", "expected"), [
    ("TEX TEMP[0], IN[0], SAMP[0], 2d", 0, (0, 1)),
    ("TEX TEMP[0], IN[0], SAMP[0], external", 0, (0, 1)),
    ("TEX TEMP[0], IN[0], SAMP[0], cube", 0, (0, 1, 2)),
    ("TEX TEMP[0], IN[0], SAMP[0], shadow_2d", 0, (0, 1, 2)),
    ("TEX TEMP[0], IN[0], SAMP[0], shadow_cube", 0, (0, 1, 2, 3)),
    ("TXP TEMP[0], IN[0], SAMP[0], 2d", 0, (0, 1, 3)),
    ("TXB TEMP[0], IN[0], SAMP[0], 3d", 0, (0, 1, 2, 3)),
    ("TXL TEMP[0], IN[0].wzyx, SAMP[0], 2d", 0, (0, 2, 3)),
    ("TXF TEMP[0], IN[0], SAMP[0], 2d", 0, (0, 1, 3)),
    ("TXF TEMP[0], IN[0], SAMP[0], 2d_array", 0, (0, 1, 2, 3)),
    ("TXF TEMP[0], IN[0], SAMP[0], 2d_ms", 0, (0, 1, 3)),
    ("TXQ TEMP[0], IN[0].yyyy, SAMP[0], 2d", 0, (1,)),
    ("TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[0], 2d", 2, (0, 1)),
    ("TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[0], cube", 1, (0, 1, 2)),
    ("TXL2 TEMP[0], IN[0], IN[1].wwww, SAMP[0], shadow_cube", 1, (3,)),
    ("TG4 TEMP[0], IN[0], IN[1].zzzz, SAMP[0], 2d", 1, (2,)),
])  # fmt: skip
def test_components_that_textures_take(text: str, source: int, expected: tuple[int, ...]) -> None:
    target = text.rsplit(" ", 1)[1]
    declared = "".join(f"DCL IN[{n}] varying {n} smooth v{n}\n" for n in range(3))
    shader = parse_shader(f"FRAGMENT 'f'\n{declared}DCL SAMP[0] {target} s\nDCL TEMP 1\n  0: {text}\n  1: END\n")
    assert register_components(shader.instructions[0], source) == expected
