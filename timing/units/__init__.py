"""One file per hardware unit: its registers and its tick."""
