"""Pages that show results: one file each, drawn by the browser without a network."""
