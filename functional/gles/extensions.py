"""Extensions that are implemented, as glGetString lists them."""

EXTENSIONS = (
    "GL_EXT_color_buffer_float",
    "GL_EXT_debug_label",
    "GL_EXT_debug_marker",
    "GL_EXT_discard_framebuffer",
    "GL_EXT_occlusion_query_boolean",
    "GL_EXT_texture_compression_dxt1",
    "GL_EXT_texture_compression_s3tc",
    "GL_EXT_texture_filter_anisotropic",
    "GL_KHR_debug",
    "GL_KHR_texture_compression_astc_ldr",
    "GL_NV_shader_noperspective_interpolation",
    "GL_OES_compressed_ETC1_RGB8_texture",
    "GL_OES_element_index_uint",
    "GL_OES_mapbuffer",
    "GL_OES_standard_derivatives",
    "GL_OES_texture_3D",
    "GL_OES_texture_float",
    "GL_OES_texture_half_float",
    "GL_OES_texture_npot",
    "GL_OES_vertex_array_object",
)
