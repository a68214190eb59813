"""The page about one frame: its operations, what each changed, its state, and the history of pixels."""
