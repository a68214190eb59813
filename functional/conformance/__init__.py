"""dEQP's shader tests: what is accepted, what is rejected, what is computed."""

from .files import ConformanceError
from .report import ConformanceReport, run_conformance
from .runner import Outcome

__all__ = ["ConformanceError", "ConformanceReport", "Outcome", "run_conformance"]
