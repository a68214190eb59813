"""Records the activity: listens to a context and its pipeline, and fills the tables."""
