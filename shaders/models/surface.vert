// A textured model that turns before a camera.
attribute vec3 position;
attribute vec3 normal;
attribute vec2 coordinate;
attribute vec4 color;
uniform mat4 model;
uniform mat4 view_projection;
varying vec3 world_position;
varying vec3 world_normal;
varying vec2 place;
varying vec4 paint;

void main()
{
    vec4 world = model * vec4(position, 1.0);
    world_position = world.xyz;
    world_normal = (model * vec4(normal, 0.0)).xyz;
    place = coordinate;
    paint = color;
    gl_Position = view_projection * world;
}
