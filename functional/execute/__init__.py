"""Runs shader IR over many invocations at once."""
