"""One frame of a stream, operation by operation: changes, outcomes of tests, and state."""
