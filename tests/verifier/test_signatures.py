"""The verifier's own Ed25519: the vectors of RFC 8032, agreement with another program, and strictness."""

import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from lengths import sized

from thirdcard.verifier import (
    BASE,
    NEUTRAL,
    ORDER,
    P,
    Point,
    add,
    decode_point,
    is_signed,
    is_small,
    multiply,
    same_point,
)

SIGNATURES = sized(400, 20_000)
# public key, message, signature: RFC 8032, section 7.1, tests 1, 2, 3 and SHA(abc)
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
        "454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
        "3dca179c138ac17ad9bef1177331a704",
    ),
]


def encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def says_the_other(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_the_vectors_of_the_standard_are_signed(public: str, message: str, signature: str) -> None:
    key, text, signed = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    assert is_signed(key, text, signed)
    assert not is_signed(key, text + b"\0", signed)
    for at in (0, 31, 32, 63):
        assert not is_signed(key, text, signed[:at] + bytes([signed[at] ^ 1]) + signed[at + 1 :])


@pytest.mark.sweep
def test_two_programs_agree_on_signatures_good_and_bad() -> None:
    chance = random.Random(8032)
    agreed = {True: 0, False: 0}
    for number in range(SIGNATURES):
        private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
        public = private.public_key().public_bytes_raw()
        message = chance.randbytes(chance.randrange(200))
        signature = private.sign(message)
        kind = number % 8
        if kind == 1:
            message += b"\0"
        elif kind == 2:
            at, bit = chance.randrange(64), 1 << chance.randrange(8)
            signature = signature[:at] + bytes([signature[at] ^ bit]) + signature[at + 1 :]
        elif kind == 3:
            at, bit = chance.randrange(32), 1 << chance.randrange(8)
            public = public[:at] + bytes([public[at] ^ bit]) + public[at + 1 :]
        elif kind == 4:
            signature = chance.randbytes(64)
        elif kind == 5:
            signature = signature[:-1]
        elif kind == 6:
            scalar = int.from_bytes(signature[32:], "little") + ORDER
            signature = signature[:32] + scalar.to_bytes(32, "little")
        ours = is_signed(public, message, signature)
        assert ours is says_the_other(public, message, signature), number
        agreed[ours] += 1
    assert agreed == {True: SIGNATURES // 4, False: SIGNATURES * 3 // 4}


def test_a_signature_that_is_the_same_but_for_the_order_is_another() -> None:
    public, message, signature = (bytes.fromhex(each) for each in VECTORS[0])
    scalar = int.from_bytes(signature[32:], "little")
    for times in range(1, 16):
        again = signature[:32] + (scalar + times * ORDER).to_bytes(33, "little")[:32]
        assert not is_signed(public, message, again)


def small_points() -> list[Point]:
    """The eight points whose order divides eight: multiples of one that has order eight."""
    for y in range(2, 1000):
        point = decode_point(y.to_bytes(32, "little"))
        torsion = multiply(ORDER, point) if point else NEUTRAL
        if not same_point(multiply(4, torsion), NEUTRAL):
            return [multiply(times, torsion) for times in range(8)]
    raise AssertionError("no point of order eight")


def test_points_of_small_order_prove_nothing() -> None:
    """With such a key the equation can be met for any message; strict programs refuse it."""
    points = small_points()
    assert len({encode(point) for point in points}) == 8
    for point in points:
        assert is_small(point)
        commitment = multiply(5, BASE)
        signature = encode(commitment) + (5).to_bytes(32, "little")
        assert not is_signed(encode(point), b"anything", signature)
        assert not is_signed(bytes.fromhex(VECTORS[0][0]), b"", encode(point) + bytes(32))
    # the neutral point as key: the equation itself holds
    assert same_point(multiply(5, BASE), add(multiply(5, BASE), multiply(12345, NEUTRAL)))


def test_a_point_has_one_encoding() -> None:
    assert decode_point(P.to_bytes(32, "little")) is None
    assert decode_point((P + 1).to_bytes(32, "little")) is None
    assert decode_point(((1 << 255) - 1).to_bytes(32, "little")) is None
    # x is zero, and yet said to be odd
    assert decode_point((1 | 1 << 255).to_bytes(32, "little")) is None
    assert decode_point((P - 1 | 1 << 255).to_bytes(32, "little")) is None
    assert decode_point((1).to_bytes(32, "little")) == NEUTRAL
    # about half of all numbers are the y of no point
    nothing = [decode_point(y.to_bytes(32, "little")) is None for y in range(200)]
    assert 60 < sum(nothing) < 140


def test_what_has_a_wrong_length_is_not_signed() -> None:
    public, message, signature = (bytes.fromhex(each) for each in VECTORS[0])
    assert not is_signed(public[:-1], message, signature)
    assert not is_signed(public, message, signature + b"\0")
