"""Names, numbers, limits and formats of OpenGL ES that both passes and all of their rooms use."""
