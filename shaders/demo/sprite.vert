// Places a sprite, in pixels from the lower left corner.
attribute vec2 position;
attribute vec2 texture_coordinate;
uniform vec2 screen;
uniform vec2 offset;
varying vec2 coordinate;

void main()
{
    coordinate = texture_coordinate;
    gl_Position = vec4((position + offset) / screen * 2.0 - 1.0, 0.0, 1.0);
}
