"""Conclusions of a study beyond their rules: what no text decides, causes, and the baseline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .measured import Measured


@dataclass(frozen=True)
class Correction:
    """A rule that misread the text.

    Attributes
    ----------
    sentence
        What the paper says, quoted.
    before
        The rule as it was, and what it judged.
    """

    sentence: str
    before: str


@dataclass(frozen=True)
class Phase:
    """Counted frames of all twins that are alike, and unlike the others: frames are drawn within it.

    Attributes
    ----------
    frames
        Moments, as the study counts them.
    lasts
        Frames that they stand for; as many as there are without it.
    """

    frames: tuple[int, ...]
    lasts: int = 0


Proof = Literal["not in the text", "opposite verdicts", "a quantity that is not given", "nothing to divide by"]
"""Proofs that a conclusion cannot be judged: the number that the rule needs is not in the text; two machines or
workloads that keep to it give opposite verdicts; the result needs a quantity that nothing in the text bounds. What
divides by nothing cannot be measured."""


@dataclass(frozen=True)
class Undecidable:
    """Proof that nothing which keeps to the text can tell whether a conclusion holds; it is not counted.

    Attributes
    ----------
    proof
        Kind of proof.
    why
        The sentence: what is missing, and which value would give the figure; or which runs contradict.
    """

    proof: Proof
    why: str

    @property
    def called(self) -> str:
        """Its class in tables and counts."""
        return "not measurable" if self.proof == "nothing to divide by" else "not decidable"


@dataclass(frozen=True)
class Cause:
    """Cause for which conclusions do not hold.

    Attributes
    ----------
    conclusions
        Their ids.
    line
        In a line.
    more
        With what was measured, in three.
    """

    conclusions: tuple[str, ...]
    line: str
    more: str = ""


@dataclass(frozen=True)
class Assumption:
    """A constant that nobody publishes and that figures measure, rather than what they are about.

    Attributes
    ----------
    constant
        Field of the configuration, or property of the workloads.
    why
        Its value here, why that one, and what another gives: a sentence.
    conclusions, figures
        Ids of those that hang on it.
    """

    constant: str
    why: str
    conclusions: tuple[str, ...]
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class PublishedNumber:
    """A number that a text publishes of its baseline.

    Attributes
    ----------
    what, place
        The sentence, short, and its place in the text.
    paper, unit
        Its number.
    ours
        The same of the study's baseline.
    """

    what: str
    place: str
    paper: float
    unit: str
    ours: Callable[[Measured], float]


Standing = Literal["predicted", "seen", "set"]
"""Predicted: nothing here was chosen by it. Seen: it prompted a choice that is argued otherwise. Set: it restates a
property of the workloads that was taken from the paper."""
