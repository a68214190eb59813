"""The IR as text: :func:`parse_shader` restores exactly what :func:`print_shader` wrote."""

import re
from collections.abc import Iterator
from typing import Any

from ...errors import UserError
from .opcodes import ADDRESSING, OPCODES
from .program import (
    IDENTITY_SWIZZLE,
    Buffer,
    Declaration,
    Destination,
    File,
    Image,
    Indirect,
    Instruction,
    Sampler,
    Shader,
    Source,
    Space,
    Stage,
)

_COMPONENTS = "xyzw"
_STAGES: dict[str, Stage] = {"VERTEX": "vertex", "FRAGMENT": "fragment", "COMPUTE": "compute"}
_FLAGS = ("discards", "writes_depth", "reads_derivatives", "early_tests")
_REGISTER = r"(?P<file>[A-Z]+)\[(?:ADDR\[(?P<address>\d+)\]\.(?P<component>[xyzw])\+)?(?P<index>\d+)\]"
_SOURCE = re.compile(rf"(?P<negate>-)?(?P<bar>\|)?{_REGISTER}(?:\.(?P<swizzle>[xyzw]{{4}}))?\|?$")
_DESTINATION = re.compile(rf"{_REGISTER}(?:\.(?P<mask>[xyzw]+))?$")
_LINE = re.compile(r"\s*(?P<pc>\d+): (?P<opcode>[A-Z0-9_]+?)(?P<saturate>_SAT)?(?: (?P<operands>.*))?$")


class IRTextError(UserError):
    """Text that is not a shader in the form that :func:`print_shader` writes."""


def _register(file: File, index: int, indirect: Indirect | None) -> str:
    offset = f"ADDR[{indirect.index}].{_COMPONENTS[indirect.component]}+" if indirect else ""
    return f"{file.value}[{offset}{index}]"


def print_source(source: Source) -> str:
    """Text of a source operand, such as ``-|IN[2].xxxx|``."""
    text = _register(source.file, source.index, source.indirect)
    if source.swizzle != IDENTITY_SWIZZLE:
        text += "." + "".join(_COMPONENTS[c] for c in source.swizzle)
    text = f"|{text}|" if source.absolute else text
    return f"-{text}" if source.negate else text


def print_destination(destination: Destination) -> str:
    """Text of a destination operand, such as ``OUT[0].xyz``."""
    text = _register(destination.file, destination.index, destination.indirect)
    if destination.write_mask != 15:
        text += "." + "".join(_COMPONENTS[c] for c in destination.components)
    return text


def print_instruction(instruction: Instruction) -> str:
    """Text of an instruction without its pc."""
    operands = [print_destination(instruction.destination)] if instruction.destination else []
    operands += [print_source(source) for source in instruction.sources]
    if instruction.sampler is not None:
        operands += [f"SAMP[{instruction.sampler}]", str(instruction.target)]
    if instruction.memory is not None:
        space, index = instruction.memory
        operands.append(f"{space.value}[{index}]")
    if instruction.stored:
        operands.append(f"components {instruction.stored}")
    if instruction.barrier:
        operands.append(instruction.barrier)
    if instruction.offsets is not None:
        operands.append("offset " + " ".join(map(str, instruction.offsets)))
    if instruction.flow_target is not None:
        operands.append(f":{instruction.flow_target}")
    saturate = "_SAT" if instruction.destination and instruction.destination.saturate else ""
    return f"{instruction.opcode}{saturate} {', '.join(operands)}".rstrip()


def _header(shader: Shader) -> Iterator[str]:
    yield f"{shader.stage.upper()} {shader.name!r}"
    flags = [flag for flag in _FLAGS if getattr(shader, flag)]
    if flags:
        yield f"PROPERTY {' '.join(flags)}"
    for file, declarations in (("IN", shader.inputs), ("OUT", shader.outputs)):
        for index, d in enumerate(declarations):
            yield f"DCL {file}[{index}] {d.semantic} {d.slot} {d.interpolation} {d.name}"
    for index, sampler in enumerate(shader.samplers):
        yield f"DCL SAMP[{index}] {sampler.target} {sampler.name}"
    for index, buffer in enumerate(shader.buffers):
        yield f"DCL BUFFER[{index}] {buffer.kind} {buffer.binding} {int(buffer.writes)} {buffer.name}"
    for index, image in enumerate(shader.images):
        what = f"{image.target} {image.format or '-'} {image.unit} {int(image.writes)}"
        yield f"DCL IMAGE[{index}] {what} {image.name}"
    if shader.stage == "compute":
        yield f"DCL SHARED {shader.shared_bytes}"
        yield f"DCL GROUP {' '.join(map(str, shader.local_size))}"
    yield f"DCL CONST {shader.constant_count}"
    yield f"DCL TEMP {shader.temporary_count}"
    for index, immediate in enumerate(shader.immediates):
        yield f"IMM[{index}] " + " ".join(f"0x{bits:08x}" for bits in immediate)


def print_shader(shader: Shader) -> str:
    """The whole shader as text.

    Returns
    -------
    str
        Declarations, immediates (as hexadecimal bit patterns), then one numbered line per instruction.
    """
    lines = list(_header(shader))
    lines += [f"{pc:3}: {print_instruction(i)}" for pc, i in enumerate(shader.instructions)]
    return "\n".join(lines) + "\n"


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.match(text)
    if not match:
        raise IRTextError(f"IR text: cannot read {text!r}")
    return match


def _indirect(match: re.Match[str]) -> Indirect | None:
    if match["address"] is None:
        return None
    return Indirect(int(match["address"]), _COMPONENTS.index(match["component"]))


def _parse_source(text: str) -> Source:
    match = _match(_SOURCE, text)
    a, b, c, d = (_COMPONENTS.index(letter) for letter in match["swizzle"] or _COMPONENTS)
    return Source(
        File(match["file"]),
        int(match["index"]),
        (a, b, c, d),
        bool(match["negate"]),
        bool(match["bar"]),
        _indirect(match),
    )


def _parse_destination(text: str, saturate: bool) -> Destination:
    match = _match(_DESTINATION, text)
    mask = sum(1 << _COMPONENTS.index(letter) for letter in match["mask"] or _COMPONENTS)
    return Destination(File(match["file"]), int(match["index"]), mask, saturate, _indirect(match))


def _parse_memory(text: str) -> tuple[Space, int]:
    space, _, index = text.partition("[")
    return Space(space), int(index.rstrip("]"))


def parse_instruction(text: str) -> Instruction:
    """The instruction in ``text``, which includes its pc.

    Raises
    ------
    IRTextError
        If the line is not of the form :func:`print_shader` writes.
    """
    match = _match(_LINE, text)
    info = OPCODES.get(match["opcode"])
    if info is None:
        raise IRTextError(f"IR text: unknown opcode in {text!r}")
    operands = match["operands"].split(", ") if match["operands"] else []
    flow_target = int(operands.pop()[1:]) if operands and operands[-1].startswith(":") else None
    offsets = None
    if operands and operands[-1].startswith("offset "):
        offsets = tuple(int(word) for word in operands.pop().split()[1:])
    barrier = operands.pop() if info.shape == "barrier" else ""
    stored = int(operands.pop().removeprefix("components ")) if info.shape == "store" else 0
    memory = _parse_memory(operands.pop()) if info.shape in ADDRESSING else None
    sampler, target = None, None
    if info.shape == "texture":
        target = operands.pop()
        sampler = int(operands.pop()[5:-1])
    destination = None
    unread = info.shape == "atomic" and len(operands) == info.operands
    if info.shape not in ("flow", "kill", "store", "barrier") and not unread:
        destination = _parse_destination(operands.pop(0), bool(match["saturate"]))
    sources = tuple(_parse_source(operand) for operand in operands)
    if len(sources) != info.operands:
        raise IRTextError(f"IR text: {info.name} takes {info.operands} operands in {text!r}")
    return Instruction(
        match["opcode"], destination, sources, sampler, target, flow_target, offsets, memory, stored, barrier
    )


def parse_shader(text: str) -> Shader:
    """The shader that :func:`print_shader` wrote as ``text``.

    Raises
    ------
    IRTextError
        If a line is not of the form :func:`print_shader` writes.
    """
    lines = text.splitlines()
    stage, _, name = lines[0].partition(" ")
    if stage not in _STAGES:
        raise IRTextError("IR text: begins with none of VERTEX, FRAGMENT and COMPUTE")
    flags: list[str] = []
    inputs: list[Declaration] = []
    outputs: list[Declaration] = []
    samplers: list[Sampler] = []
    counts = {"CONST": 0, "TEMP": 0, "SHARED": 0}
    buffers: list[Buffer] = []
    images: list[Image] = []
    local_size = 1, 1, 1
    immediates: list[tuple[int, int, int, int]] = []
    instructions: list[Instruction] = []
    for line in lines[1:]:
        words = line.split(" ")
        if words[0] == "PROPERTY":
            flags = words[1:]
        elif words[0] == "DCL" and words[1] in counts:
            counts[words[1]] = int(words[2])
        elif words[0] == "DCL" and words[1].startswith("BUFFER"):
            kind: Any = words[2]
            buffers.append(Buffer(words[5], kind, int(words[3]), words[4] == "1"))
        elif words[0] == "DCL" and words[1].startswith("IMAGE"):
            images.append(Image(words[6], words[2], words[3].strip("-"), int(words[4]), words[5] == "1"))
        elif words[0] == "DCL" and words[1] == "GROUP":
            x, y, z = (int(word) for word in words[2:])
            local_size = x, y, z
        elif words[0] == "DCL" and words[1].startswith("SAMP"):
            samplers.append(Sampler(words[3], words[2]))
        elif words[0] == "DCL":
            declaration = Declaration(words[5], words[2], int(words[3]), words[4])
            (inputs if words[1].startswith("IN") else outputs).append(declaration)
        elif words[0].startswith("IMM"):
            a, b, c, d = (int(word, 16) for word in words[1:])
            immediates.append((a, b, c, d))
        else:
            instructions.append(parse_instruction(line))
    set_flags: dict[str, Any] = {flag: flag in flags for flag in _FLAGS}
    return Shader(
        name=name[1:-1],
        stage=_STAGES[stage],
        instructions=tuple(instructions),
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        constant_count=counts["CONST"],
        immediates=tuple(immediates),
        samplers=tuple(samplers),
        temporary_count=counts["TEMP"],
        buffers=tuple(buffers),
        images=tuple(images),
        shared_bytes=counts["SHARED"],
        local_size=local_size,
        **set_flags,
    )
