"""Sets of squares as the bits of one 64-bit number."""

import numpy as np

NONE = np.uint64(0)  # the empty set
ONE = np.uint64(1)


def size_of(bits: np.uint64) -> np.int64:
    """Kernel: how many bits are set, added up in ever wider fields (Warren, Hacker's Delight)."""
    bits -= (bits >> ONE) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))
