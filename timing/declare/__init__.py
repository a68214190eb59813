"""The ground floor: how statistics, structures, parameters and records are declared; it knows nothing above it."""
