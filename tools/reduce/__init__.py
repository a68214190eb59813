"""A capture reduced to what still shows a fault: delta debugging of frames, draws, calls and data."""
