"""Changes of a captured frame, a file each."""
