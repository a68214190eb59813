"""The texture unit, operation by operation."""
