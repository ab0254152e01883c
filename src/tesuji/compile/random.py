"""Random numbers for kernels: xoroshiro128++ with streams derived by name.

The generator is Blackman and Vigna's xoroshiro128++ (2019): 128 bits of state, a handful of
instructions a number, no known failure in the usual test batteries.  A stream is a pair of words in
an array that the caller owns, so that each thread has its own.

Seeds never come from the clock.  ``seed_of(7, "match", 3, "black")`` names a stream; two different
names give unrelated streams, and the same name gives the same stream on every machine.
"""

import hashlib
import math

import numpy as np
import numpy.typing as npt

from tesuji.compile.plain import interpret

Words = npt.NDArray[np.uint64]

PAD = 8  # words between the streams of two threads: one cache line, so they never share one


def seed_of(seed: int, *name: int | str) -> int:
    """A 128-bit seed for the stream called ``name`` under ``seed``.

    >>> seed_of(1, "thread", 0) == seed_of(1, "thread", 0)
    True
    >>> seed_of(1, "thread", 0) == seed_of(1, "thread", 1)
    False
    """
    text = repr((int(seed), *name)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:16], "little")


def stream(seed: int, *name: int | str) -> Words:
    """The generator's state for one stream, alone on its cache line."""
    value = seed_of(seed, *name) or 1  # all zeros is the one state that is not allowed
    state = np.zeros(PAD, np.uint64)
    state[0] = value & 0xFFFF_FFFF_FFFF_FFFF
    state[1] = value >> 64
    return state


def zobrist(name: str, *shape: int) -> Words:
    """A table of random 64-bit keys for hashing boards (Zobrist 1970), always the same.

    The bits come straight from the generator: those never change, what NumPy makes of them may.
    """
    bits = np.random.PCG64(seed_of(0, "zobrist", name)).random_raw(math.prod(shape))
    return np.asarray(bits, np.uint64).reshape(shape)


def next64(rng: Words) -> np.uint64:
    """Kernel: the next 64 random bits."""
    a = np.uint64(rng[0])
    b = np.uint64(rng[1])
    total = a + b
    result = ((total << np.uint64(17)) | (total >> np.uint64(47))) + a
    b ^= a
    rng[0] = ((a << np.uint64(49)) | (a >> np.uint64(15))) ^ b ^ (b << np.uint64(21))
    rng[1] = (b << np.uint64(28)) | (b >> np.uint64(36))
    return result


def below(rng: Words, n: int) -> np.int64:
    """Kernel: a random integer in 0 .. n-1, for n up to 2**32.

    One multiplication instead of a division (Lemire 2019, without the rejection step): the bias is
    below n / 2**32, far under anything a search can notice.
    """
    return np.int64(((next64(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


def draw_below(rng: Words, n: int) -> int:
    """As `below`, for code that is not compiled."""
    return int(interpret(below)(rng, n))


def unit(rng: Words) -> float:
    """Kernel: a random number in [0, 1) with 53 bits."""
    return np.float64(next64(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
