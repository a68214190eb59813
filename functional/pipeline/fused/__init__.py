"""Executes draws by kernels that run several stages without returning to Python."""
