"""Draws by kernels that go through several stages without coming back to Python."""
