"""The GLSL ES preprocessor, which differs from C's: it has no token pasting, and undefined names are errors."""

from .directives import Desktop, Preprocessed, Preprocessor
from .tokens import Token

__all__ = ["Desktop", "Preprocessed", "Token", "preprocess"]


def preprocess(source: str, stage: str, name: str = "shader", desktop: Desktop | None = None) -> Preprocessed:
    """Run the preprocessor.

    Parameters
    ----------
    source : str
        Shader text; a NUL character ends it.
    stage : str
        "vertex" or "fragment".
    name : str
        Name for messages.
    desktop : Desktop, optional
        What differs where the source is desktop GLSL.

    Raises
    ------
    ShaderError
        For malformed directives and expansions.
    """
    return Preprocessor(source, name, stage, desktop).run()
