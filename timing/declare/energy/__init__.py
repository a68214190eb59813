"""Energy and area of the GPU's structures and of the memory."""
