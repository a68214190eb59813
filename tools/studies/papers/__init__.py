"""The studies that come with the package, one file or folder per paper or question: each has a `STUDY`."""
