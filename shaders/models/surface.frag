// Texture and colour of a model in the light of one lamp and of the sky; `light` is what is ambient, diffuse and specular.
precision mediump float;
uniform sampler2D image;
uniform vec3 lamp;
uniform vec3 eye;
uniform vec3 light;
uniform float opacity;
varying vec3 world_position;
varying vec3 world_normal;
varying vec2 place;
varying vec4 paint;

void main()
{
    vec3 n = normalize(world_normal);
    // What is seen from behind, as the inside of something translucent, is lit on that side.
    n = gl_FrontFacing ? n : -n;
    vec3 to_lamp = normalize(lamp - world_position);
    vec3 halfway = normalize(to_lamp + normalize(eye - world_position));
    float sky = 0.75 + 0.25 * n.y;
    float shade = light.x * sky + light.y * max(dot(n, to_lamp), 0.0);
    float gloss = light.z * pow(max(dot(n, halfway), 0.0), 32.0);
    vec4 base = texture2D(image, place) * paint;
    gl_FragColor = vec4(base.rgb * shade + gloss, base.a * opacity);
}
