"""Passwords and the codes of second factors: the only door to argon2, pyotp, segno and zxcvbn.

A password is kept as an Argon2id hash, encrypted with the floor's key and bound to the person's name: whoever
reads the journal alone can neither guess it nor give it to somebody else.
"""

import asyncio
import base64
import binascii
import datetime
import functools
import hmac
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pyotp
import segno
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from zxcvbn import zxcvbn

from thirdcard.floor.state import Person, Secret
from thirdcard.journal.keys import KeyRing, Sealed
from thirdcard.refusals import Refusal, Refused, refuse

SHORTEST, LONGEST = 10, 128
LEAST_SCORE = 3  # of zxcvbn: more than a hundred million guesses
JUDGED = 40  # characters whose strength is judged: the work grows with their number
OWN_WORDS = ("thirdcard", "baccarat", "tiger", "dragon", "casino", "dealer", "banker", "player")
STEP = 30  # seconds that a code of a second factor lasts
PASSWORD_CHECKS_AT_ONCE = 2  # passwords checked at the same time; each takes its memory
ISSUER = "thirdcard"


class Cost(Struct, frozen=True):
    """The cost of a guess: passes, kibibytes of memory, lanes; by default as RFC 9106 recommends."""

    passes: int = 3
    memory: int = 65_536
    lanes: int = 4


class NewFactor(Struct, frozen=True):
    """A new second factor: as it is kept, and as its owner gets to see it once."""

    kept: Secret
    text: str
    uri: str

    @property
    def picture(self) -> tuple[str, ...]:
        """The QR code that a phone reads, row by row: 1 is dark."""
        rows = segno.make(self.uri, micro=False, error="m").matrix
        return tuple("".join(map(str, row)) for row in rows)


class CredentialKeeper:
    """Makes and checks passwords and second factors, never in the event loop's thread."""

    def __init__(self, keys: KeyRing, cost: Cost = Cost(), at_once: int = PASSWORD_CHECKS_AT_ONCE) -> None:  # noqa: B008 - frozen
        self._keys = keys
        self._hasher = PasswordHasher(
            time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self.waiting = 0

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown()

    # passwords

    async def keep(self, name: str, password: str) -> str:
        """A password as it is kept for a person."""
        loop = asyncio.get_running_loop()
        made = await loop.run_in_executor(self._threads, self._hasher.hash, _plain(password))
        sealed = self._keys.encrypt(made.encode(), bound_to=_bound("password", name))
        return f"{sealed.key_id}:{base64.b64encode(sealed.content).decode()}"

    async def is_right(self, person: Person | None, password: str) -> bool:
        """Whether a password is a person's; for nobody it is wrong, after the same work."""
        kept = self._hash_of(person) if person else None
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            work = loop.run_in_executor(self._threads, self._matches, kept, _plain(password))
            return await work and kept is not None
        finally:
            self.waiting -= 1

    @functools.cached_property
    def _nobody(self) -> str:
        """Return the hash that a password is compared with where the person does not exist."""
        return self._hasher.hash(secrets.token_hex())

    def _matches(self, kept: str | None, password: str) -> bool:
        nobody = self._nobody
        try:
            return self._hasher.verify(kept or nobody, password)
        except (VerificationError, InvalidHashError):
            return False

    def _hash_of(self, person: Person) -> str | None:
        key_id, _, content = person.password.partition(":")
        try:
            sealed = Sealed(key_id, base64.b64decode(content, validate=True))
        except binascii.Error:
            return None
        found = self._keys.decrypt(sealed, bound_to=_bound("password", person.name))
        return found.decode() if found else None

    # second factors

    def new_factor(self, name: str, text: str | None = None) -> NewFactor:
        """A second factor for a person, of a secret that nobody has had before unless one is given."""
        text = text or pyotp.random_base32()
        sealed = self._keys.encrypt(text.encode(), bound_to=_bound("second factor", name))
        uri = pyotp.TOTP(text, interval=STEP).provisioning_uri(name=name, issuer_name=ISSUER)
        return NewFactor(Secret(sealed.key_id, sealed.content), text, uri)

    def step_of(self, person: Person, code: str, at: datetime.datetime) -> int | None:
        """The step of a code, if it is that of now or a neighbour; nothing where it is wrong."""
        kept = person.second_factor
        sealed = Sealed(kept.key_id, kept.content) if kept else None
        text = self._keys.decrypt(sealed, bound_to=_bound("second factor", person.name)) if sealed else None
        if text is None:
            return None
        now, given = int(at.timestamp()) // STEP, code.replace(" ", "").encode()
        found = [
            step
            for step in (now - 1, now, now + 1)
            if hmac.compare_digest(code_at(text.decode(), step).encode(), given)
        ]
        return max(found, default=None)


def code_at(secret: str, step: int) -> str:
    """The code of a secret at a step of thirty seconds."""
    return pyotp.TOTP(secret, interval=STEP).generate_otp(step)


def weak(name: str, password: str) -> Refused | None:
    """Why a password cannot be used: too short, too long, with the name in it, or soon guessed."""
    fits = SHORTEST <= len(password) <= LONGEST and name.casefold() not in password.casefold()
    if fits and zxcvbn(password[:JUDGED], user_inputs=[name, *OWN_WORDS])["score"] >= LEAST_SCORE:
        return None
    return refuse(Refusal.PASSWORD_TOO_WEAK, least=SHORTEST, most=LONGEST)


def _plain(password: str) -> str:
    """The same characters however they were typed, and never more than any password has."""
    return unicodedata.normalize("NFKC", password[: LONGEST + 1]).encode(errors="replace").decode()


def _bound(what: str, name: str) -> bytes:
    return f"{what} of {name}".encode()
