"""The generator against its published definition, its distribution, and its streams."""

import numpy as np
import pytest
from scipy import stats

from tesuji.compile import below, next64, seed_of, specialise, stream, unit, zobrist
from tesuji.compile.plain import interpret

MASK = (1 << 64) - 1


def reference(a: int, b: int) -> tuple[int, int, int]:
    """xoroshiro128++ in Python integers: the result and the next state."""

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    result = (rotl((a + b) & MASK, 17) + a) & MASK
    b ^= a
    return result, rotl(a, 49) ^ b ^ ((b << 21) & MASK), rotl(b, 28)


def draw(rng, out, n):
    for i in range(len(out)):
        out[i] = below(rng, n)


def draw_units(rng, out):
    for i in range(len(out)):
        out[i] = unit(rng)


def draw_words(rng, out):
    for i in range(len(out)):
        out[i] = next64(rng)


@pytest.mark.parametrize("jit", [True, False])
def test_follows_the_published_recurrence(jit):
    rng = stream(5, "words")
    a, b = int(rng[0]), int(rng[1])
    out = np.zeros(50, np.uint64)
    specialise(draw_words, {}, label="test words", jit=jit)(rng, out)
    for word in out.tolist():
        expected, a, b = reference(a, b)
        assert word == expected
    assert rng[:2].tolist() == [a, b]


def test_below_is_uniform():
    out = np.zeros(70_000, np.int64)
    specialise(draw, {}, label="test below")(stream(1, "uniform"), out, 7)
    assert stats.chisquare(np.bincount(out, minlength=7)).pvalue > 0.001
    assert out.min() == 0
    assert out.max() == 6


def test_unit_is_uniform():
    out = np.zeros(50_000)
    specialise(draw_units, {}, label="test unit")(stream(1, "unit"), out)
    assert stats.kstest(out, "uniform").pvalue > 0.001


def test_streams_are_independent():
    outs = [np.zeros(20_000, np.uint64) for _ in range(3)]
    kernel = specialise(draw_words, {}, label="test words")
    for name, out in enumerate(outs):
        kernel(stream(1, "thread", name), out)
    bits = [np.unpackbits(out.view(np.uint8)).astype(float) for out in outs]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert abs(np.corrcoef(bits[i], bits[j])[0, 1]) < 5 / np.sqrt(len(bits[0]))
    assert not set(outs[0].tolist()) & set(outs[1].tolist())


def test_a_stream_lies_alone_on_its_cache_line():
    assert stream(0, "x").nbytes == 64


def test_seeds_have_names():
    assert seed_of(3, "match", 1, "black") == seed_of(3, "match", 1, "black")
    names = [
        (3, "match", 1),
        (3, "match", 2),
        (4, "match", 1),
        (3, "matc", "h1"),
        (3, "match", "1"),
    ]
    assert len({seed_of(*name) for name in names}) == len(names)


def test_zobrist_tables_are_fixed():
    assert zobrist("a", 2, 3).shape == (2, 3)
    assert (zobrist("a", 2, 3) == zobrist("a", 2, 3)).all()
    assert len(np.unique(zobrist("a", 1000))) == 1000
    assert zobrist("a", 2).tolist() == [
        4544216437637402477,
        15485781558503576847,
    ]  # keys are kept in files


def test_interpreted_numbers_equal_compiled_numbers():
    compiled, plain = np.zeros(100, np.int64), np.zeros(100, np.int64)
    specialise(draw, {}, label="test below")(stream(9, "same"), compiled, 361)
    interpret(draw)(stream(9, "same"), plain, 361)
    assert (compiled == plain).all()
