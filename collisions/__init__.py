"""Collision detection on the CPU, with which the thesis of 2018 compares its detection by rendering (chapter 5)."""

from .cpu import Cpu, load_cpu
from .detect import detect
from .detection import Detection, FrameDetection, Options, Pair
from .sensitivity import Outcome, sensitivity

__all__ = [
    "Cpu",
    "Detection",
    "FrameDetection",
    "Options",
    "Outcome",
    "Pair",
    "detect",
    "load_cpu",
    "sensitivity",
]
