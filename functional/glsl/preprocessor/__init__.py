"""The GLSL ES preprocessor, which differs from C's: it has no token pasting, and undefined names are errors."""

from .directives import Preprocessed, Preprocessor
from .tokens import Token

__all__ = ["Preprocessed", "Token", "preprocess"]


def preprocess(source: str, stage: str, name: str = "shader") -> Preprocessed:
    """Run the preprocessor.

    Parameters
    ----------
    source : str
        Shader text; a NUL character ends it.
    stage : str
        "vertex" or "fragment".
    name : str
        Name for messages.

    Raises
    ------
    ShaderError
        For malformed directives and expansions.
    """
    return Preprocessor(source, name, stage).run()
