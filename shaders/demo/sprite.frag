// A sprite from an atlas; fully transparent texels are discarded.
precision mediump float;
uniform sampler2D atlas;
uniform float opacity;
varying vec2 coordinate;

void main()
{
    vec4 texel = texture2D(atlas, coordinate);
    if (texel.a < 0.05)
        discard;
    gl_FragColor = vec4(texel.rgb, texel.a * opacity);
}
