"""The contract between the passes: schemas, writer, reader, validation and shared kernels."""
