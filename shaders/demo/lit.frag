// Diffuse and specular light of one lamp on a texture.
precision mediump float;
uniform sampler2D surface;
uniform vec3 lamp;
uniform vec3 eye;
uniform vec4 tint;
varying vec3 world_position;
varying vec3 world_normal;
varying vec2 coordinate;

void main()
{
    vec3 n = normalize(world_normal);
    vec3 to_lamp = normalize(lamp - world_position);
    vec3 to_eye = normalize(eye - world_position);
    float diffuse = max(dot(n, to_lamp), 0.0);
    float specular = pow(max(dot(n, normalize(to_lamp + to_eye)), 0.0), 24.0);
    vec4 base = texture2D(surface, coordinate) * tint;
    gl_FragColor = vec4(base.rgb * (0.25 + 0.75 * diffuse) + 0.3 * specular, base.a);
}
