// Opaque tiles from an atlas.
precision mediump float;
uniform sampler2D atlas;
varying vec2 coordinate;

void main()
{
    gl_FragColor = texture2D(atlas, coordinate);
}
