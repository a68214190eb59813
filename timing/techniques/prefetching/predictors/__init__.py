"""Predictors of the lines that a cache will be asked for.

A predictor is a file or folder here, or in `predictors/` of a folder of plug-ins, that assigns `PREDICTOR`
(`..predicting.Predictor`).
"""

from __future__ import annotations

from tilegpu.timing.declare.policy_folders import PolicyFolder, PolicyKind

FOLDER = PolicyFolder(
    "tilegpu.timing.techniques.prefetching.predictors",
    "predictors",
    "PREDICTOR",
    "technique.prefetching.prefetcher",
    "predictor",
)
KIND = PolicyKind(FOLDER, "techniques.prefetching.predictors", "techniques.prefetching.predicting", "own.predictor")
