"""Command streams: apitrace files read and written, and the call model both share."""
