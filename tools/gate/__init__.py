"""`tilegpu gate`: whether a change costs more than it may, and which draws it costs it in."""
