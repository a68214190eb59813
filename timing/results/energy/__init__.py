"""Energy and area of a run, by structure and of main memory."""
