"""Objects outlive their names where something holds them; contexts of a share group see the same ones (ES 3.0, 5.1 and
appendix D)."""

import numpy as np

from tilegpu.functional.opengl import enums as gl

from .session import Session
from .test_errors import FRAGMENT, VERTEX


def bound(session: Session, name: int) -> int:
    """A binding, as glGetIntegerv tells it."""
    answer = session.answer("glGetIntegerv", name)
    assert isinstance(answer, int)
    return answer


def two_contexts() -> Session:
    """Contexts 100 and 200 share objects; 100 is current."""
    s = Session(3)
    s.make_context(200, 3, share=100)
    return s


def test_a_deleted_buffer_lives_while_another_context_binds_it() -> None:
    s = two_contexts()
    name = s.glGenBuffers(1)[0]
    s.glBindBuffer(gl.ARRAY_BUFFER, name)
    s.glBufferData(gl.ARRAY_BUFFER, 4, b"abcd", 0x88E4)
    s.make_current(200, thread=1)
    s.glBindBuffer(gl.ARRAY_BUFFER, name)
    s.glDeleteBuffers(1, [name])
    assert bound(s, 0x8894) == 0
    assert s.answer("glIsBuffer", name) is False
    s.make_current(100)
    assert bound(s, 0x8894) == name
    assert s.answer("glGetBufferParameteriv", gl.ARRAY_BUFFER, 0x8764) == 4
    # The name is free: binding it again makes another object.
    s.glBindBuffer(gl.ARRAY_BUFFER, name)
    assert s.answer("glGetBufferParameteriv", gl.ARRAY_BUFFER, 0x8764) == 0


def test_a_deleted_buffer_lives_in_vertex_arrays_that_are_not_bound() -> None:
    s = Session(3)
    arrays, other = s.glGenVertexArrays(2)
    name = s.glGenBuffers(1)[0]
    for array in (arrays, other):
        s.glBindVertexArray(array)
        s.glBindBuffer(gl.ARRAY_BUFFER, name)
        s.glVertexAttribPointer(0, 4, gl.FLOAT, 0, 0, None)
    s.glDeleteBuffers(1, [name])
    assert s.answer("glGetVertexAttribiv", 0, 0x889F) == 0
    s.glBindVertexArray(arrays)
    assert s.answer("glGetVertexAttribiv", 0, 0x889F) == name


def test_a_deleted_texture_leaves_the_framebuffer_that_is_bound_and_stays_in_others() -> None:
    s = Session(3)
    name = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    framebuffers = s.glGenFramebuffers(2)
    for framebuffer in framebuffers:
        s.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    s.glDeleteTextures(1, [name])
    assert bound(s, 0x8069) == 0
    assert s.answer("glCheckFramebufferStatus", gl.FRAMEBUFFER) == gl.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT
    s.glBindFramebuffer(gl.FRAMEBUFFER, framebuffers[0])
    assert s.answer("glCheckFramebufferStatus", gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE


def test_programs_and_shaders_live_as_long_as_they_are_used() -> None:
    s = two_contexts()
    program = s.program(VERTEX, FRAGMENT)
    shader = program + 1
    s.glUseProgram(program)
    s.glDeleteShader(shader)
    s.glDeleteProgram(program)
    assert s.answer("glGetShaderiv", shader, 0x8B80) == 1
    assert s.answer("glGetProgramiv", program, 0x8B80) == 1
    s.make_current(200, thread=1)
    s.glUseProgram(program)
    assert s.error() == 0
    s.make_current(100)
    s.glUseProgram(0)
    assert s.answer("glIsProgram", program) is True
    s.make_current(200, thread=1)
    s.glUseProgram(0)
    assert s.answer("glIsProgram", program) is False
    assert s.answer("glIsShader", shader) is False


def test_what_contexts_share() -> None:
    s = two_contexts()
    made = {
        kind: s.call(f"glGen{kind}s", 1)[0]
        for kind in ("Buffer", "Texture", "Renderbuffer", "Sampler", "Framebuffer", "VertexArray", "TransformFeedback")
    }
    query = s.glGenQueries(1)[0]
    s.glBeginQuery(0x8C2F, query)
    s.glEndQuery(0x8C2F)
    fence = s.glFenceSync(0x9117, 0)
    s.glBindBuffer(gl.ARRAY_BUFFER, made["Buffer"])
    s.glBindTexture(gl.TEXTURE_2D, made["Texture"])
    s.glBindRenderbuffer(gl.RENDERBUFFER, made["Renderbuffer"])
    s.glBindFramebuffer(gl.FRAMEBUFFER, made["Framebuffer"])
    s.glBindVertexArray(made["VertexArray"])
    s.glBindTransformFeedback(0x8E22, made["TransformFeedback"])
    seen = {}
    for context, thread in ((100, 0), (200, 1)):
        s.make_current(context, thread)
        seen[context] = {kind: s.answer(f"glIs{kind}", name) for kind, name in made.items()}
        seen[context] |= {"Query": s.answer("glIsQuery", query), "Sync": s.answer("glIsSync", fence)}
    assert all(seen[100].values())
    shared = {kind for kind, there in seen[200].items() if there}
    assert shared == {"Buffer", "Texture", "Renderbuffer", "Sampler", "Sync"}


def test_a_write_in_one_thread_is_seen_in_the_other() -> None:
    s = two_contexts()
    name = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.make_current(200, thread=1)
    s.glBindTexture(gl.TEXTURE_2D, name)
    texels = np.arange(64, dtype=np.uint8)
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    s.thread = 0
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    answer = s.answer("glReadPixels", 0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, None)
    assert answer == texels.tobytes()


def test_a_destroyed_context_lives_while_it_is_current() -> None:
    s = Session(3)
    s.execute("eglDestroyContext", [1, 100], 1)
    s.glClearColor(0.5, 0.0, 0.0, 1.0)
    assert s.answer("glGetFloatv", 0x0C22) == [0.5, 0.0, 0.0, 1.0]


def test_mapped_memory_of_a_shared_buffer() -> None:
    s = two_contexts()
    name = s.glGenBuffers(1)[0]
    s.glBindBuffer(gl.COPY_READ_BUFFER, name)
    s.glBufferData(gl.COPY_READ_BUFFER, 16, bytes(16), 0x88E4)
    s.execute("glMapBufferRange", [gl.COPY_READ_BUFFER, 4, 8, 2 | 0x10], 0x5000)
    s.make_current(200, thread=1)
    s.execute("memcpy", [0x5004, b"wxyz", 4])
    s.make_current(100)
    s.glFlushMappedBufferRange(gl.COPY_READ_BUFFER, 4, 4)
    s.glUnmapBuffer(gl.COPY_READ_BUFFER)
    assert s.error() == 0
    s.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, name)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, 0)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
    pixels = s.answer("glReadPixels", 0, 0, 4, 1, gl.RGBA, gl.UNSIGNED_BYTE, None)
    assert pixels == bytes(8) + b"wxyz" + bytes(4)


def test_a_persistent_mapping_feeds_uploads_and_copies() -> None:
    s = Session(3)
    source, copy = s.glGenBuffers(2)
    s.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, source)
    s.glBufferStorageEXT(gl.PIXEL_UNPACK_BUFFER, 32, None, 0x42)
    s.execute("glMapBufferRange", [gl.PIXEL_UNPACK_BUFFER, 0, 32, 0x42], 0x5000)
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 1)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
    for written in (b"abcdefgh", b"ABCDEFGH"):
        s.execute("memcpy", [0x5008, written, 8])
        s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, 8)
        assert s.answer("glReadPixels", 0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, None) == written
    s.glBindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
    s.glBindBuffer(gl.COPY_READ_BUFFER, source)
    s.glBindBuffer(gl.PIXEL_PACK_BUFFER, copy)
    s.glBufferData(gl.PIXEL_PACK_BUFFER, 32, bytes(32), 0x88E4)
    s.glCopyBufferSubData(gl.COPY_READ_BUFFER, gl.PIXEL_PACK_BUFFER, 8, 16, 8)
    assert s.error() == 0
    assert s.display.current[0].group.buffers[copy].data[16:24] == b"ABCDEFGH"
