"""Hardware configurations, tables and bundled scenes, as package data."""
