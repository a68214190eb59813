"""Programs are as large as asked, textures what they are said to be."""

from collections import Counter

import numpy as np
import pytest
import texture2ddecoder

from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.tools.workloads.etc1 import encode
from tilegpu.tools.workloads.programs import Size, build
from tilegpu.tools.workloads.textures import PAINTERS, mipmaps, paint


@pytest.mark.parametrize(
    "size", [Size(12, 2, 1, 3), Size(40, 3, 2, 20), Size(9, 1, 1, 0), Size(30, 7, 3, 12), Size(5, 0, 1, 1)]
)
def test_a_program_has_the_size_that_it_is_asked_for(size: Size) -> None:
    built = build(size)
    program = link_program(
        compile_shader(built.vertex, "vertex", "v"), compile_shader(built.fragment, "fragment", "f"), {}
    )
    classes = Counter(i.info.operation_class for i in program.fragment.instructions)
    assert len(program.vertex.instructions) == size.vertex
    assert (len(program.varyings), classes["tex"], classes["alu"] + classes["sfu"]) == (
        size.varyings,
        size.textures,
        size.alu,
    )


def test_sizes_that_cannot_be_are_told() -> None:
    with pytest.raises(ValueError, match="9 varyings"):
        build(Size(10, 9, 1, 2))


def test_etc1_is_what_a_decoder_reads() -> None:
    texels = paint("bricks", 64, 5, (0.7, 0.4, 0.3))
    data = encode(texels)
    assert len(data) == 64 * 64 // 2
    read = np.frombuffer(texture2ddecoder.decode_etc1(data, 64, 64), np.uint8).reshape(64, 64, 4)[..., 2::-1]
    error = np.abs(read.astype(int) - texels[..., :3])
    # Four bits of colour and steps of brightness: a few levels on average.
    assert error.mean() < 8
    grey = np.full((8, 8, 4), 119, np.uint8)
    flat = np.frombuffer(texture2ddecoder.decode_etc1(encode(grey), 8, 8), np.uint8).reshape(8, 8, 4)[..., :3]
    # 119 = 7 * 17 is a base colour; the smallest step away from it is 2.
    assert np.abs(flat.astype(int) - 119).max() == 2


@pytest.mark.parametrize("name", sorted(PAINTERS))
def test_textures_have_content_and_repeat(name: str) -> None:
    texels = paint(name, 64, 1, (0.5, 0.6, 0.4))
    assert texels.shape == (64, 64, 4)
    assert texels.dtype == np.uint8
    # A plain backdrop is one colour: tiles of it are equal wherever the camera moves.
    deviation = texels.std(axis=(0, 1)).max()
    assert deviation == 0 if name == "plain" else deviation > 2
    assert np.array_equal(texels, paint(name, 64, 1, (0.5, 0.6, 0.4)))
    assert [level.shape[0] for level in mipmaps(texels)] == [64, 32, 16, 8, 4, 2, 1]
