// A window on the screen; windows are opaque.
precision mediump float;
uniform sampler2D window;
varying vec2 coordinate;

void main()
{
    gl_FragColor = vec4(texture2D(window, coordinate).rgb, 1.0);
}
