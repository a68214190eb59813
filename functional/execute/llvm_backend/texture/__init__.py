"""The texture unit in vector code."""
