"""Changes of a captured frame, each of which gives a new capture, and what they save on a machine."""
