"""Objects of a RenderDoc capture: a first reading of it, and their names in the stream that is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...opengl import enums as gl
from .chunks import ChunkError, Export, Node

SETTINGS, DEVICE, CONTEXT = (
    "Internal::Driver Initialisation Parameters",
    "DeviceInitialisation",
    "Internal::Context Configuration",
)
CONTENTS, BEGINNING, END = "Internal::Initial Contents", "Internal::Beginning of Capture", "Internal::End of Capture"
LABEL, DEFAULT_ARRAYS = "glObjectLabel", "Default VAO"
_MAKING = re.compile(r"gl(Gen|Create)(?!erate)([A-Z]\w*?)s?(EXT|OES)?$")
_MANY_MADE = re.compile(r"gl(Gen|Create)(?!erate)\w+s(EXT|OES)?$")
KINDS = {
    "Texture": gl.TEXTURE,
    "Buffer": gl.BUFFER,
    "Shader": gl.SHADER,
    "Program": gl.PROGRAM,
    "ShaderProgramv": gl.PROGRAM,
    "VertexArray": gl.VERTEX_ARRAY,
    "Querie": gl.QUERY,
    "ProgramPipeline": gl.PROGRAM_PIPELINE,
    "Sampler": gl.SAMPLER,
    "Framebuffer": gl.FRAMEBUFFER,
    "Renderbuffer": gl.RENDERBUFFER,
    "TransformFeedback": gl.TRANSFORM_FEEDBACK,
}
"""Identifiers of glObjectLabel, by what functions that make objects call them."""


class AbsentError(ChunkError):
    """An object that the capture does not have; RenderDoc leaves out what the frame does not use."""


def made_kind(function: str) -> int | None:
    """Identifier of the kind of objects that a function makes; None if it makes none."""
    match = _MAKING.match(function)
    return KINDS.get(match[2]) if match else None


def makes_many(function: str) -> bool:
    """Whether it makes a number of objects, each of which has a chunk of its own."""
    return made_kind(function) is not None and _MANY_MADE.match(function) is not None


@dataclass
class Survey:
    """A first reading: what must be known before the first call is written.

    Attributes
    ----------
    driver, version
        RenderDoc's name of the API; version of the context, such as "OpenGL ES 3.1 Mesa 22.3.6".
    settings
        Of the window: width, height, colorBits, depthBits, stencilBits, multiSamples.
    contexts
        Contexts of the capture.
    standing
        Objects that a context has without making them: vertex arrays and framebuffers of the name 0.
    inputs
        Names and locations of vertex attributes by program.
    filled
        Objects whose contents the capture holds as of the beginning of the frame.
    described
        Objects whose parameters, attributes or attachments it holds as of then.
    begins
        Whether a frame begins.
    """

    driver: str = ""
    version: str = ""
    settings: dict[str, int] = field(default_factory=dict)
    contexts: set[int] = field(default_factory=set)
    standing: set[int] = field(default_factory=lambda: {0})
    inputs: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    filled: set[int] = field(default_factory=set)
    described: set[int] = field(default_factory=set)
    begins: bool = False
    _viewport: dict[str, int] = field(default_factory=dict)
    _wanted: frozenset[str] = frozenset({SETTINGS, DEVICE, CONTEXT, CONTENTS, BEGINNING, LABEL})

    @classmethod
    def of(cls, export: Export) -> Survey:
        """Read a capture for the first time."""
        survey = cls()
        for _, chunk in export.chunks(survey._wanted.__contains__):
            survey._note(chunk)
        survey.driver = export.driver
        if not survey.settings.get("width") or not survey.settings.get("height"):
            # RenderDoc does not know the size of every window.
            survey.settings |= survey._viewport
        return survey

    def _note(self, chunk: Node) -> None:
        if chunk.name == SETTINGS:
            self._note_window(chunk["InitParams"])
            self.version = chunk["InitParams"]["version"].text
        elif chunk.name == DEVICE:
            self.standing.update(child.whole for child in chunk.children)
        elif chunk.name == CONTEXT:
            self.contexts.add(chunk["Context"].whole)
            self.standing.add(chunk["FBO"].whole)
            self._note_window(chunk["InitParams"])
        elif chunk.name == LABEL:
            if chunk["Label"].text == DEFAULT_ARRAYS:
                self.standing.add(chunk["Resource"].whole)
        elif chunk.name == BEGINNING:
            self.begins, viewport = True, chunk["state"]["GL_VIEWPORT"].element(0)
            self._viewport = {side: int(min(viewport[side].real, 1 << 20)) for side in ("width", "height")}
        else:
            self._note_contents(chunk)

    def _note_window(self, settings: Node) -> None:
        for child in settings.children:
            if child.kind in ("uint", "bool"):
                self.settings[child.name] = child.whole

    def _note_contents(self, chunk: Node) -> None:
        identity = chunk["id"].whole
        bindings = chunk.get("InputBindings")
        if bindings is not None:
            pairs = [(one["Name"].text, one["Binding"].whole) for one in bindings.children]
            self.inputs[identity] = [pair for pair in pairs if pair[1] >= 0 and not pair[0].startswith("gl_")]
        if any(child.kind == "buffer" and child.size for child in chunk.children) and was_read(chunk):
            self.filled.add(identity)
        state = next((chunk.get(name) for name in _DESCRIPTIONS if chunk.get(name) is not None), None)
        valid = state.get("valid") if state is not None else None
        if state is not None and (valid.whole if valid is not None else was_read(chunk)):
            self.described.add(identity)


_DESCRIPTIONS = ("TextureState", "SamplerState", "VAOState", "FramebufferState")


def was_read(chunk: Node) -> bool:
    """Whether initial contents are what the object held: of a texture whose parameters it could not read either,
    RenderDoc notes any bytes.
    """
    texture = chunk.get("TextureState")
    return texture is None or texture["minFilter"].whole != 0


@dataclass
class Objects:
    """Names of objects in the stream, by RenderDoc's identifiers.

    Attributes
    ----------
    survey
        The first reading.
    kinds
        Identifier of glObjectLabel for each.
    targets
        Targets of textures.
    """

    survey: Survey
    kinds: dict[int, int] = field(default_factory=dict)
    targets: dict[int, int] = field(default_factory=dict)
    _names: dict[int, int] = field(default_factory=dict)

    def made(self, identity: int, kind: int, name: int) -> None:
        """Note an object that a call made."""
        self._names[identity], self.kinds[identity] = name, kind

    def has(self, identity: int) -> bool:
        """Whether the stream has made it, or every context has it."""
        return identity in self.survey.standing or identity in self._names

    def name(self, node: Node) -> int:
        """Name of the object that a node stands for.

        Raises
        ------
        AbsentError
            The capture does not have it.
        """
        identity = node.whole
        if identity in self.survey.standing:
            return 0
        if identity not in self._names:
            raise AbsentError(f"{node.name or 'an element'} is an object that the capture does not have")
        return self._names[identity]

    def forget(self, identity: int) -> None:
        """Note that an object was deleted."""
        self._names.pop(identity, None)
