"""Kernels that both passes use, so that they agree to the bit."""
