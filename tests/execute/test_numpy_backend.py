"""The numpy back end: every opcode, in every way of writing its result, against the opcode's plain meaning."""

import numpy as np
import pytest

from tilegpu.functional.errors import ExecutionError
from tilegpu.functional.execute.backend import TextureRequest
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl.ir import OPCODES, parse_shader
from tilegpu.functional.glsl.ir.semantics import FUNCTIONS, evaluate

LANES = 16
ARITHMETIC = sorted(set(FUNCTIONS) | {"DP2", "DP3", "DP4"})
HEADER = """FRAGMENT 'f'
DCL IN[0] varying 0 smooth a
DCL IN[1] varying 1 smooth b
DCL IN[2] varying 2 smooth c
DCL IN[3] varying 3 smooth d
DCL OUT[0] color 0 smooth gl_FragColor
DCL CONST 4
DCL TEMP 4
IMM[0] 0x00000000 0x3f800000 0xffffffff 0x00000003
"""


def _values(opcode: str) -> np.ndarray:
    rng = np.random.default_rng(len(opcode) * 1000 + ord(opcode[0]))
    if OPCODES[opcode].kind == "int":
        return rng.integers(-20, 20, (4, 4, LANES)).astype(np.int32).view(np.float32)
    values = rng.uniform(-4, 4, (4, 4, LANES)).astype(np.float32)
    values[:, :, ::5] = np.round(values[:, :, ::5])
    return np.abs(values) if opcode in ("POW", "LG2", "SQRT", "RSQ") else values


def _run(body: str, inputs: np.ndarray, constants: np.ndarray | None = None) -> np.ndarray:
    shader = parse_shader(HEADER + body)
    given = np.zeros((4, 4), np.float32) if constants is None else constants
    return NumpyBackend().run(shader, inputs, given, lambda r: np.zeros((4, LANES), np.float32)).outputs[0]


def _expected(opcode: str, inputs: np.ndarray, swizzles: list[tuple[int, ...]]) -> np.ndarray:
    """The result of the plain meaning, component by component."""
    info = OPCODES[opcode]
    bits = inputs.view(np.uint32)
    expected = np.zeros((4, LANES), np.uint32)
    for lane in range(LANES):
        operands = [tuple(int(bits[i, c, lane]) for c in swizzles[i]) for i in range(info.operands)]
        if info.shape.startswith("dot"):
            count = int(info.shape[3])
            expected[:, lane] = evaluate(opcode, [o[:count] for o in operands])[0]
        elif info.shape == "replicate":
            expected[:, lane] = evaluate(opcode, [o[:1] for o in operands])[0]
        else:
            expected[:, lane] = evaluate(opcode, operands)
    return expected.view(np.float32)


def _same(actual: np.ndarray, expected: np.ndarray, integer: bool) -> None:
    if integer:
        np.testing.assert_array_equal(actual.view(np.uint32), expected.view(np.uint32))
    else:
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


def _is_bits(opcode: str) -> bool:
    return opcode not in ("I2F", "U2F") and (
        OPCODES[opcode].kind != "float" or opcode.startswith("FS") or opcode in ("F2I", "F2U")
    )


@pytest.mark.parametrize("opcode", ARITHMETIC)
def test_opcode(opcode: str) -> None:
    inputs = _values(opcode)
    operands = ", ".join(["IN[0].yzwx", "IN[1]", "IN[2].wwxy", "IN[3].zyxw"][: OPCODES[opcode].operands])
    swizzles = [(1, 2, 3, 0), (0, 1, 2, 3), (3, 3, 0, 1), (2, 1, 0, 3)]
    actual = _run(f"  0: {opcode} OUT[0], {operands}\n  1: END\n", inputs)
    _same(actual, _expected(opcode, inputs, swizzles), _is_bits(opcode))


@pytest.mark.parametrize("opcode", ARITHMETIC)
def test_opcode_that_overwrites_its_operands(opcode: str) -> None:
    inputs = _values(opcode)
    operands = ", ".join(["TEMP[0].yxwz", "TEMP[0]", "TEMP[0].wzyx", "TEMP[0].zzyx"][: OPCODES[opcode].operands])
    body = f"  0: MOV TEMP[0], IN[0]\n  1: {opcode} TEMP[0], {operands}\n  2: MOV OUT[0], TEMP[0]\n  3: END\n"
    swizzles = [(1, 0, 3, 2), (0, 1, 2, 3), (3, 2, 1, 0), (2, 2, 1, 0)]
    same = np.stack([inputs[0]] * 4)
    _same(_run(body, inputs), _expected(opcode, same, swizzles), _is_bits(opcode))


@pytest.mark.parametrize("opcode", ARITHMETIC)
def test_opcode_in_some_lanes(opcode: str) -> None:
    inputs = _values(opcode)
    operands = ", ".join(["IN[0]", "CONST[1]", "IN[2]", "IN[3]"][: OPCODES[opcode].operands])
    body = f"""  0: MOV TEMP[0], IN[1]
  1: FSLT TEMP[1].x, IN[1].xxxx, CONST[0].xxxx
  2: UIF TEMP[1].xxxx, :4
  3: {opcode} TEMP[0], {operands}
  4: ENDIF
  5: MOV OUT[0], TEMP[0]
  6: END
"""
    constants = np.zeros((4, 4), np.float32)
    constants[1] = inputs[1, :, 0]
    bound = constants[0, 0] = np.median(inputs[1, 0])
    operand = inputs.copy()
    operand[1] = constants[1][:, None]
    expected = _expected(opcode, operand, [(0, 1, 2, 3)] * 4)
    expected = np.where(inputs[1, 0] < bound, expected.view(np.uint32), inputs[1].view(np.uint32)).view(np.float32)
    _same(_run(body, inputs, constants), expected, _is_bits(opcode))


@pytest.mark.parametrize("opcode", ARITHMETIC)
def test_opcode_on_values_equal_in_all_lanes(opcode: str) -> None:
    inputs = _values(opcode)
    constants = np.ascontiguousarray(inputs[:, :, 0])
    operands = ", ".join(["TEMP[0].yzwx", "CONST[1]", "CONST[2].wwxy", "CONST[3].zyxw"][: OPCODES[opcode].operands])
    body = f"  0: MOV TEMP[0], CONST[0]\n  1: {opcode} TEMP[1], {operands}\n  2: MOV OUT[0], TEMP[1]\n  3: END\n"
    everywhere = np.repeat(constants[:, :, None], LANES, axis=2)
    expected = _expected(opcode, everywhere, [(1, 2, 3, 0), (0, 1, 2, 3), (3, 3, 0, 1), (2, 1, 0, 3)])
    _same(_run(body, inputs, constants), expected, _is_bits(opcode))


SIGNS = ["{0}, {1}, {2}", "-{0}, {1}, -{2}", "-|{0}|, |{1}|, {2}", "{0}, -{1}, -|{2}|", "-{0}, -{1}, -{2}"]


@pytest.mark.parametrize("signs", SIGNS)
@pytest.mark.parametrize("opcode", ["ADD", "MUL", "MAD", "MIN", "DP3", "LRP", "UCMP", "MOV", "RCP", "FSLT"])
def test_signs_and_saturation(opcode: str, signs: str) -> None:
    inputs = _values(opcode)
    count = OPCODES[opcode].operands
    texts = signs.format("IN[0]", "IN[1]", "IN[2]").split(", ")[:count]
    signed = inputs.copy()
    for i, text in enumerate(texts):
        signed[i] = np.abs(inputs[i]) if "|" in text else inputs[i]
        signed[i] = -signed[i] if text.startswith("-") else signed[i]
    expected = _expected(opcode, signed, [(0, 1, 2, 3)] * 4)
    _same(_run(f"  0: {opcode} OUT[0], {', '.join(texts)}\n  1: END\n", inputs), expected, _is_bits(opcode))
    if opcode in ("ADD", "MUL", "MAD", "DP3", "MOV"):
        actual = _run(f"  0: {opcode}_SAT OUT[0], {', '.join(texts)}\n  1: END\n", inputs)
        np.testing.assert_allclose(actual, np.clip(expected, 0, 1), rtol=1e-5)


def test_indirect_registers() -> None:
    inputs = np.zeros((4, 4, LANES), np.float32)
    inputs[0, 0] = np.arange(LANES, dtype=np.int32).view(np.float32)
    inputs[1] = np.arange(4 * LANES).reshape(4, LANES)
    inputs[2, 0] = (np.arange(LANES, dtype=np.int32) % 3).view(np.float32)
    body = """  0: UARL ADDR[0].x, IN[2].xxxx
  1: MOV TEMP[0], CONST[0]
  2: MOV TEMP[1], CONST[0]
  3: MOV TEMP[2], CONST[0]
  4: MOV TEMP[ADDR[0].x+0].xy, IN[1].yxxx
  5: ADD OUT[0], TEMP[2].xyyy, CONST[ADDR[0].x+0].xxyy
  6: END
"""
    constants = np.arange(16, dtype=np.float32).reshape(4, 4)
    lane = np.arange(LANES)
    written = lane % 3 == 2
    x = np.where(written, inputs[1, 1], 0) + constants[lane % 3, 0]
    y = np.where(written, inputs[1, 0], 1) + constants[lane % 3, 0]
    actual = _run(body, inputs, constants)
    np.testing.assert_array_equal(actual[0], x)
    np.testing.assert_array_equal(actual[1], y)


@pytest.mark.parametrize("opcode", ["MOV", "DP2"])
def test_an_instruction_may_choose_to_read_what_it_writes(opcode: str) -> None:
    """Temporary 1, by an address of 1 and a base of 0: all is read before anything is written."""
    inputs = _values("ADD")
    operands = "TEMP[ADDR[0].x+0].yxyx" + (", IN[1].yxyx" if opcode == "DP2" else "")
    body = f"""  0: UARL ADDR[0].x, IN[2].xxxx
  1: MOV TEMP[1], IN[0]
  2: {opcode} TEMP[1].xy, {operands}
  3: MOV OUT[0], TEMP[1]
  4: END
"""
    inputs[2] = np.ones((4, LANES), np.int32).view(np.float32)
    product = inputs[0, 1] * inputs[1, 1] + inputs[0, 0] * inputs[1, 0]
    expected = [inputs[0, 1], inputs[0, 0]] if opcode == "MOV" else [product, product]
    np.testing.assert_allclose(_run(body, inputs)[:2], expected, rtol=1e-6)


def _texture(body: str, target: str = "2d") -> tuple[list[TextureRequest], np.ndarray, np.ndarray]:
    shader = parse_shader(
        HEADER.replace("DCL CONST", f"DCL SAMP[0] {target} s\nDCL CONST") + body.replace("TARGET", target)
    )
    requests = []

    def sample(request: TextureRequest) -> np.ndarray:
        requests.append(request)
        return np.arange(4 * LANES, dtype=np.float32).reshape(4, LANES)

    inputs = _values("ADD")
    outputs = NumpyBackend().run(shader, inputs, np.zeros((4, 4), np.float32), sample).outputs[0]
    return requests, inputs, outputs


def test_texture_requests() -> None:
    requests, inputs, outputs = _texture("  0: TEX OUT[0].xw, IN[0].yxxx, SAMP[0], TARGET\n  1: END\n")
    assert (requests[0].pc, requests[0].sampler, requests[0].operation) == (0, 0, "implicit")
    np.testing.assert_array_equal(requests[0].coordinates, inputs[0, [1, 0]])
    assert requests[0].active is None
    np.testing.assert_array_equal(outputs[3], np.arange(3 * LANES, 4 * LANES))
    np.testing.assert_array_equal(outputs[1], 0)
    requests, inputs, _ = _texture("  0: TXP OUT[0], IN[0], SAMP[0], TARGET\n  1: END\n")
    with np.errstate(all="ignore"):
        expected = inputs[0, :2] / inputs[0, 3]
    np.testing.assert_allclose(requests[0].coordinates, expected, rtol=1e-6)
    for opcode, operation in (("TXB", "bias"), ("TXL", "lod")):
        requests, inputs, _ = _texture(f"  0: {opcode} OUT[0], IN[0], SAMP[0], TARGET\n  1: END\n", "cube")
        assert requests[0].operation == operation
        assert requests[0].coordinates.shape == (3, LANES)
        np.testing.assert_array_equal(requests[0].lod_or_bias, inputs[0, 3])
    requests, inputs, _ = _texture("  0: TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], TARGET\n  1: END\n")
    assert requests[0].gradients is not None
    np.testing.assert_array_equal(requests[0].gradients[1], inputs[2, :2])


def test_texture_in_some_lanes_names_them() -> None:
    body = """  0: FSLT TEMP[1].x, IN[1].xxxx, IMM[0].xxxx
  1: UIF TEMP[1].xxxx, :3
  2: TEX OUT[0], IN[0], SAMP[0], TARGET
  3: ENDIF
  4: END
"""
    requests, inputs, outputs = _texture(body)
    active = inputs[1, 0] < 0
    np.testing.assert_array_equal(requests[0].active, active)
    np.testing.assert_array_equal(outputs[0], np.where(active, np.arange(LANES), 0))


def test_endless_loop_ends_with_an_error_that_names_the_shader() -> None:
    body = "  0: BGNLOOP :1\n  1: ENDLOOP :1\n  2: END\n"
    with pytest.raises(ExecutionError, match="^f: more than"):
        _run(body, np.zeros((4, 4, LANES), np.float32))


def test_wrong_shapes_are_rejected() -> None:
    with pytest.raises(ValueError, match="inputs have shape"):
        _run("  0: END\n", np.zeros((2, 4, LANES), np.float32))


def test_no_lanes() -> None:
    shader = parse_shader(HEADER + "  0: ADD OUT[0], IN[0], IN[1]\n  1: END\n")
    empty = np.zeros((4, 4, 0), np.float32)
    result = NumpyBackend().run(shader, empty, np.zeros((4, 4), np.float32), lambda r: np.zeros((4, 0), np.float32))
    assert result.outputs.shape == (1, 4, 0)


def test_runs_do_not_disturb_each_other() -> None:
    shader = parse_shader(HEADER + "  0: MOV OUT[0].x, IN[0]\n  1: END\n")
    backend = NumpyBackend()
    results = []
    for lanes in (8, 4, 8, 12, 8):
        inputs = np.full((4, 4, lanes), lanes, np.float32)
        constants = np.zeros((4, 4), np.float32)
        results.append(backend.run(shader, inputs, constants, lambda r: np.zeros((4, 0), np.float32)).outputs)
    for lanes, outputs in zip((8, 4, 8, 12, 8), results, strict=True):
        np.testing.assert_array_equal(outputs[0, 0], lanes)
        np.testing.assert_array_equal(outputs[0, 1:], 0)
