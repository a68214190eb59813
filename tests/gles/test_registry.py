"""Functions and enums compared with the Khronos registry, as the package glad2 ships it."""

import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from importlib.resources import files
from types import ModuleType

import pytest

from tilegpu.functional.capture.signatures import ARGUMENTS, RETURNING, VERSIONS, Argument, Kind
from tilegpu.functional.gles import desktop
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.format_page import formats_page

pytest.importorskip("glad", reason="needs the package glad2")

OURS = {"memcpy": "apitrace's name for writes to mapped memory"}
"""Functions that are in no registry, and why."""
ADDED = {"glPointSizePointerOES": "the extension that every implementation of OpenGL ES 1.1 has to have"}
"""Functions that the registry does not count among those of a version, and why we do."""
FEATURES = {
    "2.0": "GL_ES_VERSION_2_0",
    "3.0": "GL_ES_VERSION_3_0",
    "3.1": "GL_ES_VERSION_3_1",
    "1.1": "GL_VERSION_ES_CM_1_0",
}
"""The registry's names of versions; a function belongs to the first that has it, in this order."""
KINDS = {
    "GLfloat": Kind.FLOAT,
    "GLdouble": Kind.DOUBLE,
    "GLfixed": Kind.FIXED,
    "GLclampx": Kind.FIXED,
    "GLchar": Kind.TEXT,
    "GLsync": Kind.HANDLE,
    "EGLDisplay": Kind.HANDLE,
    "EGLConfig": Kind.HANDLE,
    "EGLContext": Kind.HANDLE,
    "EGLSurface": Kind.HANDLE,
    "EGLNativeDisplayType": Kind.HANDLE,
    "EGLNativeWindowType": Kind.HANDLE,
}
"""Kinds by type in C; all others but void are whole numbers."""


@cache
def registry(name: str) -> ElementTree.Element:
    """A registry: gl.xml or egl.xml."""
    return ElementTree.fromstring((files("glad.files") / name).read_bytes())


@cache
def commands() -> dict[str, ElementTree.Element]:
    """Declarations of all functions by name."""
    every = (command for name in ("gl.xml", "egl.xml") for command in registry(name).iterfind("commands/command"))
    return {command.findtext("proto/name", ""): command for command in every}


def kind_and_array(parameter: ElementTree.Element) -> tuple[Kind, bool]:
    """Kind of a parameter in C, and whether it is an array; `MEMORY` stands for all untyped memory."""
    pointers = "".join(parameter.itertext()).count("*")
    if parameter.find("ptype") is None:
        return (Kind.MEMORY, False) if pointers == 1 else (Kind.HANDLE, True)
    kind = KINDS.get(parameter.findtext("ptype", ""), Kind.WHOLE)
    return kind, pointers > (kind is Kind.TEXT)


def as_declared(argument: Argument) -> tuple[str, Kind, bool]:
    """An argument as far as the registry tells: not whether memory may be an offset."""
    kind = Kind.MEMORY if argument.kind is Kind.PLACE else argument.kind
    return argument.name, kind, argument.array


def test_arguments_are_those_of_the_registry() -> None:
    ours = {name: list(map(as_declared, arguments)) for name, arguments in ARGUMENTS.items() if name not in OURS}
    declared = {
        name: [(p.findtext("name", ""), *kind_and_array(p)) for p in commands()[name].iterfind("param")]
        for name in ours.keys() & commands().keys()
    }
    assert ours == declared


def test_functions_fill_in_only_what_is_not_constant() -> None:
    for name in ARGUMENTS.keys() - OURS:
        for argument, parameter in zip(ARGUMENTS[name], commands()[name].iterfind("param"), strict=True):
            text = "".join(parameter.itertext())
            assert argument.filled <= ("*" in text and "const" not in text), (name, argument.name)


def test_functions_return_what_the_registry_says() -> None:
    returning = set()
    for name in ARGUMENTS.keys() - OURS:
        (prototype,) = commands()[name].iterfind("proto")
        if "".join(prototype.itertext()).split() != ["void", name]:
            returning.add(name)
    assert returning == RETURNING


def test_versions_are_those_of_the_registry() -> None:
    first: dict[str, str] = {}
    for version, feature in FEATURES.items():
        for command in registry("gl.xml").iterfind(f"feature[@name='{feature}']/require/command"):
            first.setdefault(command.get("name", ""), version)
    assert {name: version for name, version in VERSIONS.items() if name not in ADDED} == first
    for name in ADDED:
        (extension,) = registry("gl.xml").iterfind(f"extensions/extension/require/command[@name='{name}']/../..")
        assert extension.get("supported") == "gles1" and VERSIONS[name] == "1.1"


def values(name: str) -> dict[str, int]:
    """Values of a registry's enums by name; EGL's few addresses are left out."""
    numbers = re.compile("-?(0x)?[0-9A-Fa-f]+")
    every = ((e.get("name", ""), e.get("value", "")) for e in registry(name).iterfind("enums/enum"))
    return {enum: int(value, 0) for enum, value in every if numbers.fullmatch(value)}


@pytest.mark.parametrize(
    ("module", "prefix", "file", "least"),
    [(gl, "GL_", "gl.xml", 500), (egl, "EGL_", "egl.xml", 25)],
)
def test_enums_are_those_of_the_registry(module: ModuleType, prefix: str, file: str, least: int) -> None:
    declared = values(file)
    ours = {name: value for name, value in vars(module).items() if re.match("[A-Z]", name) and type(value) is int}
    assert len(ours) >= least
    assert {name: value for name, value in ours.items() if declared.get(prefix + name) != value} == {}


def test_formats_are_called_as_in_the_registry() -> None:
    named = set(re.findall(r"^\| ([A-Z]\w+) \|", formats_page(), re.MULTILINE))
    assert {"R8", "DEPTH_COMPONENT16", "COMPRESSED_RGBA_ASTC_12x12"} < named and len(named) > 90
    assert {name for name in named if f"GL_{name}" not in values("gl.xml")} == set()


@pytest.mark.parametrize(("file", "prefix"), [("glx.xml", "GLX_"), ("wgl.xml", "WGL_")])
def test_attributes_of_contexts_are_those_of_the_registries(file: str, prefix: str) -> None:
    declared = values(file)
    assert declared[f"{prefix}CONTEXT_MAJOR_VERSION_ARB"] == desktop.CONTEXT_MAJOR_VERSION
    assert declared[f"{prefix}CONTEXT_PROFILE_MASK_ARB"] == desktop.CONTEXT_PROFILE_MASK
    assert declared[f"{prefix}CONTEXT_ES_PROFILE_BIT_EXT"] == desktop.CONTEXT_ES_PROFILE_BIT
