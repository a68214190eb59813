"""Random images of compute programs: what loads and stores of each format look like."""

from __future__ import annotations

from random import Random

import numpy as np

from .program import FORMATS, Image
from .random_values import Values

NARROW = {"rgba8": 255, "rgba8_snorm": 127, "rgba16i": 32767, "rgba8i": 127, "rgba16ui": 65535, "rgba8ui": 255}
"""Bits of the numbers that are stored to formats of less than 32 bits."""


def image(random: Random, name: str, width: int, height: int) -> Image:
    """An image of a format with random texels; floats are exact ones (`random_values`)."""
    form, size = FORMATS[name], width * height
    generator = np.random.default_rng(random.getrandbits(32))
    count = size * form.components
    if form.dtype == "<f4":
        numbers = (generator.integers(-128, 128, count) * 0.25).astype(form.dtype)
    else:
        numbers = generator.integers(0, 256, count * np.dtype(form.dtype).itemsize, np.uint8).view(form.dtype)
    # The lowest signed byte is the same number as the next one.
    return Image(
        name, width, height, numbers.clip(-127, None).tobytes() if name == "rgba8_snorm" else numbers.tobytes()
    )


def declared(name: str, unit: int, access: str) -> str:
    """Declaration of an image, and a function that loads from it; access is "readonly ", "writeonly " or nothing."""
    prefix = FORMATS[name].prefix
    text = f"layout({name}, binding = {unit}) uniform {access}highp {prefix}image2D image{unit};\n"
    if access == "writeonly ":
        return text
    # Mesa gives what it loads from narrow formats medium precision, which expressions made of it would inherit.
    load = f"highp {prefix}vec4 texel = imageLoad(image{unit}, at); return texel;"
    return f"{text}{prefix}vec4 loaded{unit}(ivec2 at) {{ {load} }}\n"


def component(name: str, unit: int, at: str, which: str) -> tuple[str, str]:
    """A component of a texel as a number, after the type of that."""
    prefix, text = FORMATS[name].prefix, f"loaded{unit}({at}).{which}"
    if name == "rgba8":
        return "uint", f"uint({text} * 255.0 + 0.5)"
    if name == "rgba8_snorm":
        return "int", f"int(floor({text} * 127.0 + 0.5))"
    return {"": "float", "i": "int", "u": "uint"}[prefix], text


def store(values: Values, name: str, unit: int, at: str) -> str:
    """A statement that stores a texel."""
    prefix, mask = FORMATS[name].prefix, NARROW.get(name)
    if prefix == "u":
        numbers = [values.unsigned(1) + (f" & {mask}u" if mask else "") for _ in range(4)]
    elif prefix == "i" or mask:
        numbers = [f"({values.signed(1)} & {mask})" if mask else values.signed(1) for _ in range(4)]
    else:
        numbers = [f"tame({values.exact(1).text})" for _ in range(4)]
    text = f"{prefix}vec4({', '.join(numbers)})"
    if mask and not prefix:
        text = f"{text} / {mask}.0"
    return f"imageStore(image{unit}, {at}, {text});\n"


def reader(images: list[Image]) -> str:
    """A shader with an invocation per group and texel that copies all images to the buffer at binding 0."""
    head = "#version 310 es\nprecision highp float;\nprecision highp int;\nlayout(local_size_x = 1) in;\n"
    head += "layout(std430, binding = 0) writeonly buffer Texels { uvec4 texel[]; };\n"
    body = "    ivec2 at = ivec2(gl_WorkGroupID.xy);\n"
    for unit, one in enumerate(images):
        head += declared(one.format, unit, "readonly ")
        parts = [component(one.format, unit, "at", which) for which in "xyzw"]
        words = [f"floatBitsToUint({text})" if kind == "float" else f"uint({text})" for kind, text in parts]
        place = f"({unit} * {one.height} + at.y) * {one.width} + at.x"
        body += f"    texel[{place}] = uvec4({', '.join(words)});\n"
    return f"{head}void main() {{\n{body}}}\n"
