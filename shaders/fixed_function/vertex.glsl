// Fixed-function vertex processing (OpenGL ES 1.1, chapter 2), configured by macros.
attribute vec4 position;
attribute vec3 normal;
attribute vec4 color;
attribute float size;
uniform mat4 model_view;
uniform mat4 model_view_projection;
uniform mat4 normal_matrix;
uniform float rescale;
uniform vec4 point;          // size, smallest, largest, -
uniform vec3 attenuation;
varying vec4 front_color;
varying vec4 back_color;
varying float eye_distance;

#if UNITS > 0
attribute vec4 coordinate0;
uniform mat4 texture_matrix0;
varying vec4 place0;
#endif
#if UNITS > 1
attribute vec4 coordinate1;
uniform mat4 texture_matrix1;
varying vec4 place1;
#endif
#if UNITS > 2
attribute vec4 coordinate2;
uniform mat4 texture_matrix2;
varying vec4 place2;
#endif
#if UNITS > 3
attribute vec4 coordinate3;
uniform mat4 texture_matrix3;
varying vec4 place3;
#endif

#if CLIP_PLANES > 0
uniform vec4 clip_plane[CLIP_PLANES];
varying vec4 clip_distance0;
varying vec4 clip_distance1;
#endif

#if LIGHTS > 0
uniform vec4 light_position[LIGHTS];
uniform vec4 light_ambient[LIGHTS];
uniform vec4 light_diffuse[LIGHTS];
uniform vec4 light_specular[LIGHTS];
uniform vec4 light_spot[LIGHTS];         // direction, exponent
uniform vec4 light_attenuation[LIGHTS];  // constant, linear, quadratic, cosine of the cut-off angle
#endif
#if LIGHTING
struct Material {
    vec4 ambient;
    vec4 diffuse;
    vec4 specular;
    vec4 emission;
    float shininess;
};
uniform vec4 scene_ambient;
uniform Material front;
#if BACK_MATERIAL
uniform Material back;
#endif

// A material of which colours are the vertex's.
Material tracking(Material material)
{
#if COLOR_AMBIENT
    material.ambient = color;
#endif
#if COLOR_DIFFUSE
    material.diffuse = color;
#endif
#if COLOR_SPECULAR
    material.specular = color;
#endif
#if COLOR_EMISSION
    material.emission = color;
#endif
    return material;
}

vec4 lit(vec3 n, vec3 eye, Material material)
{
    vec4 sum = material.emission + material.ambient * scene_ambient;
#if LIGHTS > 0
    for (int i = 0; i < LIGHTS; i++) {
        vec3 to_light = light_position[i].xyz;
        float strength = 1.0;
        if (light_position[i].w != 0.0) {
            to_light = to_light / light_position[i].w - eye;
            float d = length(to_light);
            strength = 1.0 / (light_attenuation[i].x + light_attenuation[i].y * d + light_attenuation[i].z * d * d);
        }
        to_light = normalize(to_light);
        if (light_attenuation[i].w > -1.0) {
            float along = dot(-to_light, normalize(light_spot[i].xyz));
            strength *= along < light_attenuation[i].w ? 0.0 : pow(max(along, 0.0), light_spot[i].w);
        }
        float facing = dot(n, to_light);
        vec4 part = material.ambient * light_ambient[i] + max(facing, 0.0) * material.diffuse * light_diffuse[i];
        if (facing > 0.0) {
            float shine = max(dot(n, normalize(to_light + vec3(0.0, 0.0, 1.0))), 0.0);
            float highlight = material.shininess == 0.0 ? 1.0 : pow(shine, material.shininess);
            part += highlight * material.specular * light_specular[i];
        }
        sum += strength * part;
    }
#endif
    return vec4(clamp(sum.rgb, 0.0, 1.0), clamp(material.diffuse.a, 0.0, 1.0));
}
#endif

void main()
{
    // One product in every state, so that passes over the same geometry meet (OpenGL ES 1.1, appendix B.3).
    gl_Position = model_view_projection * position;
    vec4 eye = model_view * position;
    eye_distance = abs(eye.z);
#if LIGHTING
    vec3 n = (normal_matrix * vec4(normal, 0.0)).xyz * rescale;
#if NORMALIZE
    n = normalize(n);
#endif
    front_color = lit(n, eye.xyz / eye.w, tracking(front));
#if BACK_MATERIAL && BACK_TRACKS
    back_color = lit(-n, eye.xyz / eye.w, tracking(back));
#elif BACK_MATERIAL
    back_color = lit(-n, eye.xyz / eye.w, back);
#elif TWO_SIDED
    back_color = lit(-n, eye.xyz / eye.w, tracking(front));
#else
    back_color = front_color;
#endif
#else
    front_color = clamp(color, 0.0, 1.0);
    back_color = front_color;
#endif
#if UNITS > 0
#if MOVED0
    place0 = texture_matrix0 * coordinate0;
#else
    place0 = coordinate0;
#endif
#endif
#if UNITS > 1
#if MOVED1
    place1 = texture_matrix1 * coordinate1;
#else
    place1 = coordinate1;
#endif
#endif
#if UNITS > 2
#if MOVED2
    place2 = texture_matrix2 * coordinate2;
#else
    place2 = coordinate2;
#endif
#endif
#if UNITS > 3
#if MOVED3
    place3 = texture_matrix3 * coordinate3;
#else
    place3 = coordinate3;
#endif
#endif
#if CLIP_PLANES > 0
    clip_distance0 = vec4(1.0);
    clip_distance1 = vec4(1.0);
    clip_distance0.x = dot(clip_plane[0], eye);
#endif
#if CLIP_PLANES > 1
    clip_distance0.y = dot(clip_plane[1], eye);
#endif
#if CLIP_PLANES > 2
    clip_distance0.z = dot(clip_plane[2], eye);
#endif
#if CLIP_PLANES > 3
    clip_distance0.w = dot(clip_plane[3], eye);
#endif
#if CLIP_PLANES > 4
    clip_distance1.x = dot(clip_plane[4], eye);
#endif
#if CLIP_PLANES > 5
    clip_distance1.y = dot(clip_plane[5], eye);
#endif
#if POINTS
    float far = length(eye.xyz);
    float derived = size * inversesqrt(attenuation.x + attenuation.y * far + attenuation.z * far * far);
    gl_PointSize = clamp(derived, point.y, point.z);
#endif
}
