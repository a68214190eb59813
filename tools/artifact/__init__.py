"""Tables of the page on artifact evaluation, and the times in it."""
