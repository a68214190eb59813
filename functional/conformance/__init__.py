"""Runs dEQP's shader tests: shaders that must compile, shaders that must not, and computed results."""

from .files import ConformanceError
from .report import ConformanceReport, run_conformance
from .runner import Outcome

__all__ = ["ConformanceError", "ConformanceReport", "Outcome", "run_conformance"]
