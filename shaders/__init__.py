"""GLSL ES sources shipped with tilegpu: demo scenes and fixed-function emulation."""

from importlib.resources import files


def source(name: str) -> str:
    """Text of a shader by its path below this package, e.g. "demo/lit.vert"; FileNotFoundError where there is none."""
    return files(__name__).joinpath(name).read_text()
