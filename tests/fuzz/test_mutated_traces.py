"""Mutated traces: whatever a file holds, reading and rendering it ends soon, and in a clear message where it fails."""

import random
import resource
import time
from pathlib import Path

import pytest

from tests.activity.conftest import record_scene
from tilegpu.functional.capture import Call, CaptureError, Pointer, Trace, TraceWriter, Value
from tilegpu.functional.player import Player

MAX_SECONDS = 10.0
MAX_MEMORY_KIB = 2 << 20
NUMBERS = (-1, 0, 1, 2, 3, 7, 255, 256, 65535, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 40, -(1 << 31))
ENUMS = (0x1406, 0x0DE1, 0x8892, 0x8D40, 0x8B31)
TEXTS = ("", "(", "}", ";", "if", "0.0", "\udcff", "#define x x\n", "vec4", "name")
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-40, 3.4e38, -3.4e38, float("inf"), float("nan"), 0.5)


def mutated_value(value: Value, choose: random.Random) -> Value:
    """Another value, often of the same type."""
    if isinstance(value, list) and value and choose.random() < 0.8:
        copy = list(value)
        copy[choose.randrange(len(copy))] = mutated_value(choose.choice(copy), choose)
        return copy[: choose.randrange(len(copy) + 1)] if choose.random() < 0.2 else copy
    if isinstance(value, bytes) and choose.random() < 0.8:
        cut = choose.randrange(len(value) + 1)
        return value[:cut] if choose.random() < 0.5 else value + bytes(choose.randrange(64))
    if isinstance(value, str) and choose.random() < 0.8:
        at = choose.randrange(len(value) + 1)
        return value[:at] + choose.choice(TEXTS) + value[at + 1 :]
    number, real = choose.choice((*NUMBERS, *ENUMS)), choose.choice(FLOATS)
    return choose.choice((number, number, real, None, True, choose.choice(TEXTS), b"bytes", [1, 2], Pointer(16)))


def mutate(calls: list[Call], choose: random.Random) -> list[Call]:
    """A copy of a stream with some calls changed, dropped, doubled or moved."""
    out = list(calls)
    for _ in range(choose.randint(1, 6)):
        at = choose.randrange(len(out))
        kind = choose.random()
        if kind < 0.7 and out[at].arguments:
            call = Call(0, out[at].signature, list(out[at].arguments), out[at].thread)
            call.result, call.fake = out[at].result, out[at].fake
            place = choose.randrange(len(call.arguments))
            call.arguments[place] = mutated_value(call.arguments[place], choose)
            out[at] = call
        elif kind < 0.8:
            del out[at]
        elif kind < 0.9:
            out.insert(choose.randrange(len(out)), out[at])
        else:
            other = choose.randrange(len(out))
            out[at], out[other] = out[other], out[at]
    return out


def play(path: Path) -> None:
    """Render a file as far as it goes, within the limits."""
    start = time.monotonic()
    try:
        player = Player(path)
        for frame in player.run():
            assert frame.pixels.ndim == 3
        assert all("\n" not in line for line in player.warnings)
    except CaptureError as error:
        assert "\n" not in str(error)
    assert time.monotonic() - start < MAX_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MAX_MEMORY_KIB


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace to mutate."""
    path = tmp_path_factory.mktemp("fuzz") / "source.trace"
    record_scene(path, frames=1)
    # Compiles the kernels, which no mutated file shall be blamed for.
    list(Player(path).run())
    return path


def fuzz_calls(source: Path, target: Path, seeds: range) -> None:
    """Render streams with mutated calls."""
    calls = list(Trace(source))
    for seed in seeds:
        with TraceWriter(target) as writer:
            for call in mutate(calls, random.Random(seed)):
                writer.write(call)
        try:
            play(target)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


def fuzz_bytes(source: Path, target: Path, seeds: range) -> None:
    """Render files with mutated bytes."""
    data = source.read_bytes()
    for seed in seeds:
        choose = random.Random(seed)
        content = bytearray(data)
        for _ in range(choose.randint(1, 8)):
            content[choose.randrange(len(content))] = choose.randrange(256)
        if choose.random() < 0.2:
            del content[choose.randrange(len(content)) :]
        target.write_bytes(content)
        try:
            play(target)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


def test_some_mutations(source: Path, tmp_path: Path) -> None:
    fuzz_calls(source, tmp_path / "calls.trace", range(150))
    fuzz_bytes(source, tmp_path / "bytes.trace", range(100))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_mutations(source: Path, tmp_path: Path, part: int) -> None:
    fuzz_calls(source, tmp_path / "calls.trace", range(1000 + 600 * part, 1600 + 600 * part))
    fuzz_bytes(source, tmp_path / "bytes.trace", range(1000 + 400 * part, 1400 + 400 * part))
