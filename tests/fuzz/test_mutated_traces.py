"""Mutated traces: whatever a file holds, reading and rendering it ends soon, and in a clear message where it fails."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.examples import examples
from tilegpu.functional.capture import Call, CaptureError, Pointer, Trace, TraceWriter, Value
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from .memory import memory_growth
from .sources import record_sources

MAX_SECONDS = 10.0
MAX_GROWTH_KIB = 1 << 20
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
    # CPU time counts: how busy the machine is with other things is not the file's doing. Nor is what memory other tests
    # of this process have taken.
    start = time.process_time()
    with memory_growth() as growth:
        try:
            player = Player(path)
            for frame in player.run():
                assert frame.pixels.ndim == 3
            assert all("\n" not in line for line in player.warnings)
        except CaptureError as error:
            assert "\n" not in str(error)
    assert time.process_time() - start < MAX_SECONDS
    assert growth[0] < MAX_GROWTH_KIB


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Traces to mutate."""
    paths = record_sources(tmp_path_factory.mktemp("fuzz"))
    for path in paths:
        # Compiles the kernels, which no mutated file shall be blamed for.
        list(Player(path).run())
    return paths


def record_all(path: Path) -> None:
    """Record a file as far as it goes."""
    with suppress(CaptureError):
        record(path, path.with_name("activity"), replace=True, groups=frozenset(("inputs", "colors", "pass_images")))


def fuzz_calls(sources: list[Path], target: Path, seeds: range, use: Callable[[Path], None] = play) -> None:
    """Render streams with mutated calls, or use them otherwise."""
    streams = [list(Trace(source)) for source in sources]
    for seed in seeds:
        with TraceWriter(target) as writer:
            for call in mutate(streams[seed % len(streams)], random.Random(seed)):
                writer.write(call)
        blame(target, seed, use)


def fuzz_bytes(sources: list[Path], target: Path, seeds: range) -> None:
    """Render files with mutated bytes."""
    files = [source.read_bytes() for source in sources]
    for seed in seeds:
        choose = random.Random(seed)
        content = bytearray(files[seed % len(files)])
        for _ in range(choose.randint(1, 8)):
            content[choose.randrange(len(content))] = choose.randrange(256)
        if choose.random() < 0.2:
            del content[choose.randrange(len(content)) :]
        target.write_bytes(content)
        blame(target, seed)


def blame(target: Path, seed: int, use: Callable[[Path], None] = play) -> None:
    """Use a mutated file; a failure names its seed."""
    try:
        use(target)
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise


def test_some_mutations(sources: list[Path], tmp_path: Path) -> None:
    fuzz_calls(sources, tmp_path / "calls.trace", range(examples(36, 60)))
    fuzz_bytes(sources, tmp_path / "bytes.trace", range(examples(24, 40)))


def test_some_mutations_recorded(sources: list[Path], tmp_path: Path) -> None:
    fuzz_calls(sources, tmp_path / "calls.trace", range(150, 150 + examples(18, 30)), record_all)


@pytest.mark.slow
def test_more_mutations(sources: list[Path], tmp_path: Path) -> None:
    fuzz_calls(sources, tmp_path / "calls.trace", range(60, 150))
    fuzz_bytes(sources, tmp_path / "bytes.trace", range(40, 100))
    fuzz_calls(sources, tmp_path / "calls.trace", range(180, 230), record_all)


PARTS = 20
"""Parts of ten thousand traces, 300 with mutated calls and 200 with mutated bytes each."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_mutations(sources: list[Path], tmp_path: Path, part: int) -> None:
    fuzz_calls(sources, tmp_path / "calls.trace", range(1000 + 300 * part, 1300 + 300 * part))
    fuzz_bytes(sources, tmp_path / "bytes.trace", range(1000 + 200 * part, 1200 + 200 * part))
