"""Random numbers: xoshiro256++ (Blackman and Vigna), about a nanosecond a draw inside the kernels.

The state is four 64-bit words, seeded through NumPy's SeedSequence, and is part of a saved agent. These are plain
functions; kernels and explorers call them by these names, too.
"""

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]


def seed_words(words: Words, seed: int | np.random.SeedSequence) -> None:
    """Sets a generator's state for a seed."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    words[:] = sequence.generate_state(4, np.uint64)


@np.errstate(over="ignore")  # 64-bit words wrap, as they are meant to
def uniform(rng: Words) -> float:
    """A number drawn uniformly from [0, 1), with 53 random bits."""
    if len(rng) != 4:  # compiled, a part of it would be read and written beyond its end
        raise IndexError("random numbers need the whole of rng, all four words")
    total = rng[0] + rng[3]
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + rng[0]
    shifted = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = (rng[3] << np.uint64(45)) | (rng[3] >> np.uint64(19))
    return float(result >> np.uint64(11)) * 2.0**-53


def below(rng: Words, count: int) -> int:
    """An integer drawn uniformly from 0 … count − 1."""
    return int(uniform(rng) * count)
