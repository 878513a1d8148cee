"""Starting, steering, listing, importing and forking matches."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, SecretStr

from grandstand.events import Reveal
from grandstand.games.catalog import FIRST
from grandstand.games.picture import CardRow
from grandstand.models import SeatId, Wire
from grandstand.spectator.frames import EpisodeSummary


class OwnModel(Wire):
    """A language model that the caller pays for. The key is kept in memory, and dropped when the match ends.

    `api_key` may be left out if the caller has signed in with an account of the endpoint.
    """

    endpoint: str = Field(max_length=80, description="The name of an endpoint in `GET /api/session`.")
    model: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}$", description="The model's name at the endpoint."
    )
    api_key: SecretStr | None = None


class StartEpisode(Wire):
    """A request for a match. Seats left out are filled by the game's strongest free player."""

    game: str = FIRST
    players: dict[SeatId, str] = Field(default={})
    options: dict[str, Any] = Field(default={})
    seed: int | None = None
    pace: float | None = Field(
        default=None, strict=True, ge=0, le=60, description="Seconds between turns; 0 is full speed."
    )
    title: str = Field(default="", max_length=120)
    reveal: Reveal = "never"
    delay: float = Field(default=0, strict=True, ge=0, le=3600, description="Seconds by which spectators are delayed.")
    turns: int | None = Field(default=None, ge=1, description="Stop after this many turns.")
    clock: float | None = Field(
        default=None,
        strict=True,
        ge=1,
        le=86_400,
        description="Seconds a person has for a turn; the roster's by default.",
    )
    approve: bool = Field(default=False, description="Hold each machine-written message until an operator approves it.")
    paused: bool = Field(default=False, description="Begin paused.")
    voice: bool = Field(default=False, description="Let pages read the match aloud unless a viewer mutes it.")
    commentator: str = Field(
        default="",
        max_length=40,
        description="Language model of the roster that words the commentary; by default the built-in words are used.",
    )
    models: dict[SeatId, OwnModel] = Field(
        default={}, description="Language models by seat that the caller pays for with a key of its own."
    )


class StartTournament(Wire):
    """A request for a tournament. Each of its matches is an episode; `slots` of them are played at a time.

    Its length is `matches`, or `until` half the width of an interval is reached, with at most `max_matches`. A ladder
    may have neither: then it goes on until it is stopped. Its limits of tokens and dollars are those of a day.
    """

    game: str = FIRST
    players: list[str] = Field(default=[], max_length=40)
    title: str = Field(default="", max_length=120)
    format: Literal["round-robin", "one-against-all", "swiss", "fixed", "ladder"] = "round-robin"
    pairings: list[list[str]] = Field(
        default=[], max_length=2000, description="Of the format `fixed`: the players of each match in seat order."
    )
    options: dict[str, Any] = Field(default={})
    anchors: list[str] = Field(
        default=[], max_length=40, description="Of the format `ladder`: the players whom a new player meets first."
    )
    pack: str = Field(default="", description="A set of the game's situations to begin from.")
    matches: int = Field(default=0, ge=0, description="The number of matches, rounded up to whole openings.")
    until: float = Field(default=0, ge=0, lt=1, description="Half the width of an interval at which it ends.")
    goal: Literal["scores", "lead"] = "scores"
    max_matches: int = Field(default=0, ge=0, description="The most matches, if it ends by `until`.")
    seed: int | None = None
    on_fault: Literal["fallback", "forfeit", "stop"] = "fallback"
    max_tokens: int | None = Field(default=None, ge=1, description="Tokens of all matches together.")
    max_dollars: float | None = Field(default=None, ge=0, description="US dollars of all matches together.")
    pace: float | None = Field(
        default=None, strict=True, ge=0, le=60, description="Seconds between turns; 0 is full speed."
    )
    slots: int = Field(default=1, ge=1, le=32, description="Matches that are played at a time.")
    reveal: Reveal = "never"
    paused: bool = Field(default=False, description="Begin paused.")


class TournamentForecast(Wire):
    """The matches that a tournament would play at most: `openings` times `per_opening`.

    `models` are the players whose answers cost tokens.
    """

    matches: int
    per_opening: int
    openings: int
    models: list[str]


class Command(Wire):
    """A command that steers a match. Repeated with the same `Idempotency-Key`, it is obeyed once.

    `pace`, `extend` and `step` take `value`: seconds between turns, additional turns, turns to play. `take_over`,
    `hand_back` and `leave` take `seat`; after `leave` a built-in player acts, also in a seat that began as a person's.
    `approve` and `reject` take the `message` id of a MessageHeld, `approve` a new `text` too.
    """

    command: Literal[
        "pause",
        "resume",
        "step",
        "pace",
        "stop",
        "extend",
        "take_over",
        "hand_back",
        "leave",
        "approve",
        "reject",
        "to_front",
    ]
    value: float | None = Field(default=None, ge=0, le=100_000)
    seat: SeatId | None = None
    message: str | None = None
    text: str | None = Field(default=None, max_length=10_000)


class ForkEpisode(Wire):
    """A request for a new match that begins with the position of another after event `seq`, by default its last."""

    seq: int | None = Field(default=None, ge=0)
    players: dict[SeatId, str] = Field(default={}, description="New players by seat; the other seats keep theirs.")
    seed: int | None = Field(default=None, description="Seed of all further draws; by default the parent's.")
    pace: float | None = Field(default=None, strict=True, ge=0, le=60)
    title: str = Field(default="", max_length=120)
    paused: bool = False


class ImportedFile(Wire):
    """A file that was imported, as an episode."""

    episode: EpisodeSummary
    new: bool = Field(description="False if it was imported before.")
    differences: list[str] = Field(description="Moments at which our rules give another result than the file.")


class LaneInfo(Wire):
    """The showcase of one game: the match that is on, or the time of the next start, in seconds since 1970."""

    game: str
    episode_id: str | None = None
    next_at: float | None = None


class Awaited(Wire):
    """The person whom a live match waits for, and the Unix time at which the clock runs out, if there is one."""

    episode_id: str
    seat: SeatId
    deadline: float | None = None


class EpisodeList(Wire):
    """A page of the lobby, newest first."""

    episodes: list[EpisodeSummary]
    total: int
    viewers: dict[str, int] = Field(description="Connections per watched episode.")
    queue: list[str] = Field(description="The episodes that wait for a slot, next first.")
    lanes: list[LaneInfo] = Field(default=[], description="The showcase of each game that has one.")
    waiting: list[str] = Field(
        default=[], description="Live episodes that wait until the record can be written; they go on by themselves."
    )
    awaited: list[Awaited] = Field(
        default=[], description="The people whom live matches wait for, in each match the one with the least time."
    )


class Glance(Wire):
    """A moment of a match on a small board: its picture, and the standing in the words of the game."""

    picture: dict[str, object] | None = Field(
        description="A `Picture` without the fields that have their defaults, and without the places of the game's "
        "ground; None where the game draws none."
    )
    owners: dict[str, SeatId] | None = Field(
        description="Place of the game's ground -> its owner; None for a game without a ground."
    )
    rows: list[CardRow]
    facts: list[str]


class Excerpt(Wire):
    """A short replay: the moment before something happened, and those that show it."""

    episode: EpisodeSummary
    shots: list[Glance]


class RecordedDecision(Wire):
    """A decision of a training match that is used for training: event `seq`, decided by policy `version`."""

    seq: int
    seat: SeatId
    turn: str
    version: int
