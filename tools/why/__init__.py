"""`tilegpu why`: from a capture to the draws that cost, the reason, and what each change would save."""
