"""The studies that come with the package, one file per paper: each has a `STUDY`."""
