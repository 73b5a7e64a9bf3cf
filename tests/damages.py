"""What can happen to the bytes of a file."""

import random
from collections.abc import Callable

Damage = Callable[[bytes], bytes]


def emptied(content: bytes) -> bytes:
    return b""


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def without_the_last_byte(content: bytes) -> bytes:
    return content[:-1]


def zeros_of_a_lost_block(content: bytes) -> bytes:
    return content[:100] + bytes(len(content) - 100)


def of_something_else(content: bytes) -> bytes:
    return b"\x80\x05N." * 100


def flipped(place: float, bit: int = 4) -> Damage:
    """Another bit at a place between 0, the first byte, and 1, the last."""

    def damage(content: bytes) -> bytes:
        where = int(place * (len(content) - 1))
        return content[:where] + bytes([content[where] ^ 1 << bit]) + content[where + 1 :]

    return damage


DAMAGES = [
    *(emptied, cut_off, without_the_last_byte, zeros_of_a_lost_block, of_something_else),
    *(flipped(i / 8) for i in range(9)),
]


def any_damage(chance: random.Random) -> Damage:
    """One of them, or a bit anywhere, bytes put in, taken out, exchanged or repeated."""
    first, second = sorted((chance.random(), chance.random()))

    def places(content: bytes) -> tuple[int, int]:
        return int(first * len(content)), int(second * len(content))

    def taken_out(content: bytes) -> bytes:
        begin, end = places(content)
        return content[:begin] + content[end:]

    def repeated(content: bytes) -> bytes:
        begin, end = places(content)
        return content[:end] + content[begin:]

    def put_in(content: bytes) -> bytes:
        begin, _ = places(content)
        return content[:begin] + chance.randbytes(chance.randint(1, 20)) + content[begin:]

    def exchanged(content: bytes) -> bytes:
        begin, end = places(content)
        return content[end:] + content[begin:end] + content[:begin]

    if chance.random() < 0.5:
        return flipped(chance.random(), chance.randrange(8))
    return chance.choice([*DAMAGES, taken_out, repeated, put_in, exchanged])
