"""The options of a reset: the match that a session wants, or the one that it joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from grandstand.games.base import OptionError, SeatId
from grandstand.games.catalog import FIRST
from grandstand.games.registry import game_spec
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.openenv.tasks import reset_task

LONGEST_WAIT = 20.0
"""The most seconds that an answer may take. Clients give up after a minute and then lose their session."""

SHARED_CLOCK = 300.0
"""Default seconds for a turn if sessions share a match, so that a lost session does not hold up the others."""


class Reset(BaseModel):
    """The options of `reset`, besides `seed` and `episode_id`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    game: str = FIRST
    seat: SeatId | None = Field(default=None, description="The session's seat; the game's first by default.")
    opponents: str | dict[SeatId, str] = Field(
        default={}, description="Players of the other seats by roster name: one for all, or by seat."
    )
    options: dict[str, Any] = Field(default={}, description="The match's options.")
    seed: int | None = Field(default=None, ge=0)
    max_turns: int | None = Field(default=None, ge=1, description="Stop the match after so many turns.")
    clock: float | None = Field(default=None, ge=1, le=86_400, description="Seconds a session has for a turn.")
    wait: float = Field(default=LONGEST_WAIT, ge=0, le=LONGEST_WAIT, description="Seconds an answer may be held back.")
    match: str | None = Field(default=None, description="Join this match, with `seat` and `seat_token`.")
    seat_token: SecretStr | None = None
    token: SecretStr | None = Field(default=None, description="The operator's token.")
    show: frozenset[Literal["text", "view", "legal"]] = Field(
        default=frozenset({"text"}),
        description="What observations contain: the moment, in up to three forms.",
    )
    reward: Literal["score", "gain"] = Field(
        default="score",
        description="The score at the end of the match, or at each step the gain in the standing.",
    )
    split: str | None = Field(default=None, description="With `index`, a task; the other options override the task's.")
    index: int | None = Field(default=None, ge=0)

    @classmethod
    def read(cls, words: Mapping[str, Any]) -> Reset:
        """Return the options as they were sent. Raises OptionError, which names the field at fault and the remedy."""
        try:
            reset = cls(**words)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            if first["type"] == "extra_forbidden":
                known = ", ".join(cls.model_fields)
                raise OptionError(
                    f"{name}: reset knows no such word; there are {known}, and a match's own options go into `options`"
                ) from None
            raise OptionError(f"{name}: {first['msg']}") from None
        if (reset.split is None) != (reset.index is None):
            raise OptionError("split: split and index name a task together; send both or neither")
        if reset.split is None or reset.index is None:
            return reset
        base = reset_task(reset.split, reset.index).reset
        rest = {name: value for name, value in words.items() if name not in ("split", "index")}
        return cls.read({**base, **rest})

    @property
    def joins(self) -> tuple[str, SeatId, str] | None:
        """Return (match, seat, token) of a session that joins an existing match. Raises OptionError."""
        if self.match is None:
            if self.seat_token is not None:
                raise OptionError("match: a seat token is for a match; name it")
            return None
        if self.seat is None or self.seat_token is None:
            raise OptionError("seat_token: to join a match takes its id, the seat and the seat's token")
        made = sorted({"game", "opponents", "options", "seed", "max_turns", "clock"} & self.model_fields_set)
        if made:
            raise OptionError(f"{made[0]}: the match is made already; leave out {', '.join(made)}")
        return self.match, self.seat, self.seat_token.get_secret_value()

    def request(self, remote: Sequence[str]) -> tuple[StartEpisode, list[SeatId]]:
        """Return the requested match, and the seats that sessions play, this session's first. Raises OptionError.

        `remote` names the roster's remote players: an opponent of that name leaves its seat to another session.
        """
        spec = game_spec(self.game)
        seats = spec.seats(self.options)
        seat = self._seat(seats)
        if isinstance(self.opponents, str):
            others = dict.fromkeys((other for other in seats if other != seat), self.opponents)
        else:
            others = dict(self.opponents)
        if seat in others:
            raise OptionError(f"opponents.{seat}: that is the session's own seat")
        request = StartEpisode(
            game=self.game,
            players={**others, seat: remote[0]},
            options=self.options,
            seed=self.seed,
            pace=0.0,
            turns=self.max_turns,
            title=f"{spec.rules.title} over OpenEnv",
        )
        return request, [seat, *(other for other, player in others.items() if player in remote)]

    def _seat(self, seats: Sequence[SeatId]) -> SeatId:
        if self.seat is None:
            return seats[0]
        if self.seat not in seats:
            raise OptionError(f"seat: {self.game} has no seat {self.seat!r}; there are {', '.join(seats)}")
        return self.seat
