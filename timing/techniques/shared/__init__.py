"""Parts that several techniques have in common."""
