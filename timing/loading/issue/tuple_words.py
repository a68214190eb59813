"""Uniforms and constants of Bifrost's tuples: a tuple reads one pair of uniforms, or up to two constants.

After Mesa's `bi_schedule.c`: both operations of a tuple share what is read (`bi_update_fau`), and where an operation
needs more than fits, moves bring it to registers (`bi_lower_fau`), one for each word (`bi_opt_cse`, which follows). The
test of coverage and blending read a pair of their own, jumps the distance as a constant. Uniforms of half precision are
halves in memory, too (`fp16_const_buffers` in `pan_screen.c`). Constants that Mesa's lowering adds are left out, and a
zero counts as any other constant.
"""

from __future__ import annotations

from collections.abc import Sequence

from .operations import DOTS, Row

Word = tuple[str, int, int]
"""Uniform or constant: file, index, component; of halves (files HALF and IMM) every second component, or below 0."""
Words = frozenset[Word]
NONE: Words = frozenset()
COVERAGE_WORD: Words = frozenset({("CONST", -1, 0)})
BLEND_WORD: Words = frozenset({("CONST", -2, 0)})
PLACE_WORDS: tuple[Words, Words] = (NONE, frozenset({("IMM", -1, 0)}))
"""Of a component of a fragment's place that is converted: one half, to which the sum goes."""
JUMP_WORD: Word = ("IMM", -2, 0)
BRANCHES = frozenset({"BRK", "CONT", "ENDLOOP"})
CONSTANTS = 2
"""Constants of a tuple, 32 bits each."""


def fits(words: Words) -> bool:
    """Whether a tuple can read all of some uniforms and constants."""
    pairs = {(file, index, component // 2) for file, index, component in words if file != "IMM"}
    constants = sum(file == "IMM" for file, _, _ in words)
    return constants == 0 if len(pairs) == 1 else not pairs and constants <= CONSTANTS


def word_of(file: str, index: int, component: int, half: bool) -> Word:
    """Word of a component; two halves are one."""
    if not half:
        return file, index, component
    return ("HALF", index, component // 2) if file == "CONST" else (file, index, -1 - component // 2)


def dealt(row: Row, part: Sequence[int], steps: int) -> tuple[list[Words], list[Word]]:
    """Uniforms and constants that an instruction reads, for its steps, and those for which no step has room.

    Parameters
    ----------
    row
        Row of the activity's table `instructions`.
    part
        Components that the steps write.
    steps
        Number of steps. Those of a dot product each take a component of both vectors; of other instructions a word
        goes to the first step that can read it.
    """
    words, others = [NONE] * steps, list[Word]()
    across = row["opcode"] in DOTS
    if row["opcode"] in BRANCHES:
        words[0] = frozenset({JUMP_WORD})
    for source in row["sources"] or ():
        if source["file"] not in ("CONST", "IMM"):
            continue
        letters = source["swizzle"][:steps] if across else "".join(dict.fromkeys(source["swizzle"][c] for c in part))
        for i, letter in enumerate(letters):
            word = word_of(source["file"], source["index"], "xyzw".index(letter), row["half"])
            able = [j for j in ((i,) if across else range(steps)) if fits(words[j] | {word})]
            if able:
                words[able[0]] |= {word}
            else:
                others.append(word)
    return words, others
