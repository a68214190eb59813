"""Arm's public counters, and their values on models of its GPUs."""
