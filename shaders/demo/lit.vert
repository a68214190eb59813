// Transforms a lit, textured mesh.
attribute vec3 position;
attribute vec3 normal;
attribute vec2 texture_coordinate;
uniform mat4 model;
uniform mat4 view_projection;
uniform vec2 texture_scale;
varying vec3 world_position;
varying vec3 world_normal;
varying vec2 coordinate;

void main()
{
    vec4 world = model * vec4(position, 1.0);
    world_position = world.xyz;
    world_normal = (model * vec4(normal, 0.0)).xyz;
    coordinate = texture_coordinate * texture_scale;
    gl_Position = view_projection * world;
}
