"""From an activity to the tables the machine reads: binning, addresses, code, texture lines."""
