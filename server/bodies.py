"""The bodies of the requests and responses of the HTTP API."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from grandstand.models import EpisodeSummary, GameAction, PlayerInfo, Reveal, Role, SeatId, VoiceReady, Wire


class StartEpisode(Wire):
    """A request for a match. Seats left out are filled by the game's strongest free player."""

    game: str = "diplomacy"
    players: dict[SeatId, str] = Field(default={})
    options: dict[str, Any] = Field(default={})
    seed: int | None = None
    pace: float | None = Field(default=None, ge=0, le=60, description="Seconds between turns; 0 is full speed.")
    title: str = Field(default="", max_length=120)
    reveal: Reveal = "never"
    delay: float = Field(default=0, ge=0, le=3600, description="Seconds by which spectators are delayed.")
    turns: int | None = Field(default=None, ge=1, description="Stop after this many turns.")
    clock: float | None = Field(
        default=None, ge=1, le=86_400, description="Seconds a person has for a turn; the roster's by default."
    )
    approve: bool = Field(default=False, description="Hold each machine-written message until an operator approves it.")
    paused: bool = Field(default=False, description="Begin paused.")
    voice: bool = Field(default=False, description="Let pages read the match aloud unless a viewer mutes it.")
    commentator: str = Field(
        default="",
        max_length=40,
        description="Language model of the roster that words the commentary; by default the built-in words are used.",
    )


class StartTournament(Wire):
    """A request for a tournament. Each of its matches is an episode; `slots` of them are played at a time.

    Its length is `matches`, or `until` half the width of an interval is reached, with at most `max_matches`.
    """

    game: str = "diplomacy"
    players: list[str] = Field(default=[], max_length=40)
    title: str = Field(default="", max_length=120)
    format: Literal["round-robin", "one-against-all", "swiss", "fixed"] = "round-robin"
    pairings: list[list[str]] = Field(
        default=[], max_length=2000, description="Of the format `fixed`: the players of each match in seat order."
    )
    options: dict[str, Any] = Field(default={})
    pack: str = Field(default="", description="A set of the game's situations to begin from.")
    matches: int = Field(default=0, ge=0, description="The number of matches, rounded up to whole openings.")
    until: float = Field(default=0, ge=0, lt=1, description="Half the width of an interval at which it ends.")
    goal: Literal["scores", "lead"] = "scores"
    max_matches: int = Field(default=0, ge=0, description="The most matches, if it ends by `until`.")
    seed: int | None = None
    on_fault: Literal["fallback", "forfeit", "stop"] = "fallback"
    max_tokens: int | None = Field(default=None, ge=1, description="Tokens of all matches together.")
    max_dollars: float | None = Field(default=None, ge=0, description="US dollars of all matches together.")
    pace: float | None = Field(default=None, ge=0, le=60, description="Seconds between turns; 0 is full speed.")
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
    pace: float | None = Field(default=None, ge=0, le=60)
    title: str = Field(default="", max_length=120)
    paused: bool = False


class SeatView(Wire):
    """All that one seat may know and do now; `asked` is the task that the match waits for, if any.

    `draft` is what the seat has saved for this turn, `ready` whether it is handed in. A clock that stands still has no
    `deadline` but seconds that are `left`.
    """

    episode_id: str
    seat: SeatId
    index: int
    turn: str
    asked: Literal["choose", "negotiate"] | None
    deadline: float | None
    left: float | None = None
    draft: GameAction | None = None
    ready: bool = False
    observation: Any
    legal: Any
    text: str


class SeatAction(Wire):
    """A decision of a seat: an action, or its messages in a round of press."""

    action: GameAction | None = None
    messages: list[GameAction] | None = None


class SaveDraft(Wire):
    """The action that a seat has prepared for turn `index` and has not submitted; null drops it.

    It need not be complete. When the clock runs out it is the seat's decision, if the rules accept it.
    """

    index: int = Field(ge=0)
    action: GameAction | None


class PlayEpisode(StartEpisode):
    """A request for a match in which the caller plays `seat`, by default the first, and receives its token."""

    seat: SeatId | None = None


class SeatToken(Wire):
    """A token that plays one seat of one match. It is returned once."""

    episode_id: str
    seat: SeatId
    token: str


class Session(Wire):
    """The caller's role. `mode` is `open` if everyone on this machine is an operator."""

    role: Role
    seat: SeatId | None
    episode_id: str | None
    mode: Literal["open", "token", "closed"]
    plays: bool = Field(default=False, description="Whether the caller may start a match and play one seat of it.")
    imports: bool = Field(default=False, description="Whether the caller may import files.")


class ImportedFile(Wire):
    """A file that was imported, as an episode."""

    episode: EpisodeSummary
    new: bool = Field(description="False if it was imported before.")
    differences: list[str] = Field(description="Where the rules here give something other than the file.")


class Ticket(Wire):
    """A one-time substitute for a token, for the address of a socket."""

    ticket: str
    seconds: float


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


class Highlight(Wire):
    """An important moment of a recent match: a fact of its story, and the events that show it, `first` to `last`.

    `first` is the start of the turn, so that its position is the one before what happened.
    """

    episode_id: str
    game: str
    title: str
    first: int
    last: int
    at: float
    turn: str
    kind: str
    text: str
    importance: float
    seats: list[SeatId]


class PlayerRecord(Wire):
    """A player's results in the finished episodes of this record.

    Only seats in which it made every decision itself are scored; decisions of its fallback or of a person are
    counted apart. `mean_score` is None if there is no such seat; `ci95` are the ends of its 95 % interval.
    """

    game: str
    player: str
    seats: int
    scored: int
    mean_score: float | None
    ci95: list[float] | None
    wins: int = Field(description="In seats that are scored.")
    decisions: int
    fallbacks: int = Field(description="Decisions that its fallback made.")
    faults: int


class GameInfo(Wire):
    """A game: its seats, options (as a JSON schema) and available players."""

    name: str
    title: str
    seats: list[SeatId]
    options: dict[str, Any]
    players: list[PlayerInfo]
    formats: list[str] = Field(default=[], description="The formats in which its episodes can be exported.")


class VoiceHealth(Wire):
    """The present voice of matches, and in one line why it is not the provider that was asked for."""

    provider: Literal["cartesia", "browser", "silent"]
    kind: Literal["clips", "browser", "silent"]
    reason: str = ""


class ClipList(Wire):
    """The clips of an episode's lines, in order."""

    clips: list[VoiceReady]


class Health(Wire):
    """The state and load of the server. `waiting`: matches wait until the record is writable."""

    status: Literal["ok", "waiting", "stopping"]
    version: str
    live: int
    queued: int
    viewers: int
    storage: str | None = Field(default=None, description="Why the record cannot be written, if matches wait.")
    voice: VoiceHealth = VoiceHealth(provider="browser", kind="browser")


class Problem(Wire):
    """An error as RFC 9457 problem details. `field` names the part of the request at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    field: str | None = None
