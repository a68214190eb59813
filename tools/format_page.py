"""The page of texture formats: every format, its channels, and the pixels that it takes."""

from __future__ import annotations

from collections.abc import Iterable

from tilegpu.functional.gles.compressed import COMPRESSED
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.formats import FORMATS, STENCIL_FORMATS, Format

_KINDS = {
    "unorm": "0 to 1",
    "srgb": "0 to 1, sRGB",
    "snorm": "-1 to 1",
    "float": "float",
    "int": "integer",
    "uint": "unsigned integer",
    "depth": "depth",
}
_HEAD = """# Texture formats

Formats of textures and renderbuffers. Every context takes all of them, whatever version of OpenGL ES the program
asked for ([why](opengl_es.md#errors)). Floats may be filtered, as with OES_texture_float_linear.

An image of a sized internal format takes pixels of the formats and types in its row. If the internal format is that
of the pixels, as in OpenGL ES 2.0, their type selects the row that has it in the column *unsized*; RGBA takes pixels
of BGRA, too, and SRGB and SRGB_ALPHA (EXT_sRGB) select SRGB8 and SRGB8_ALPHA8. Renderbuffers may also be of
STENCIL_INDEX8.

Bits are those of red, green, blue and alpha. Luminance has its bits in red, green and blue, depth in red. Bytes are
those of a texel as the application stores it. The second column is the name in the tables of the activity.

| internal format | in the activity | bits | values | bytes | pixels | types | unsized | filtered | drawn to |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
_COMPRESSED = """
Compressed formats are decoded when they are uploaded. None is drawn to.

| internal format | in the activity | bits | values | block | bytes per block |
| --- | --- | --- | --- | --- | --- |
"""


def formats_page() -> str:
    """Every texture format, as Markdown."""
    plain = "".join(_row(number, sized) for number, sized in FORMATS)
    return _HEAD + plain + _COMPRESSED + "".join(_compressed_row(n, c.format) for n, c in COMPRESSED.items())


def _row(number: int, sized: Format) -> str:
    attachments = ["colour"] if sized.renderable else ["depth"] if sized.kind == "depth" else []
    if number in STENCIL_FORMATS:
        attachments.append("stencil")
    return _line(
        _name(number) if number else "",
        sized.name,
        _bits(sized),
        _KINDS[sized.kind],
        str(sized.texel_bytes),
        _names(sized.clients),
        _names(sized.types),
        _names(sized.unsized),
        "yes" if sized.filterable else "",
        ", ".join(attachments),
    )


def _compressed_row(number: int, sized: Format) -> str:
    block = "x".join(map(str, sized.block))
    if sized.name.startswith("ASTC"):
        name = f"COMPRESSED_{'SRGB8_ALPHA8' if sized.kind == 'srgb' else 'RGBA'}_ASTC_{block}"
    else:
        name = _name(number)
    return _line(name, sized.name, _bits(sized), _KINDS[sized.kind], block, str(sized.texel_bytes))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _bits(sized: Format) -> str:
    return " ".join(map(str, sized.bits))


def _names(numbers: Iterable[int]) -> str:
    return ", ".join(map(_name, numbers))


def _name(number: int) -> str:
    """Name of an enum above the small numbers, which have many."""
    return next(name for name, value in vars(gl).items() if value == number and number > 0xFF and name[0].isupper())
