"""The bodies of the requests and responses of the HTTP API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr

from grandstand.campaign_events import Estimate
from grandstand.games.registry import FIRST
from grandstand.models import EpisodeSummary, Event, GameAction, PlayerInfo, Reveal, Role, SeatId, VoiceReady, Wire
from grandstand.report import Link, Report


class OwnModel(Wire):
    """A language model that the caller pays for. The key is kept in memory, and dropped when the match ends.

    `api_key` may be left out for the endpoint of an account that the caller has signed in with.
    """

    endpoint: str = Field(max_length=80, description="The name of an endpoint in `GET /api/session`.")
    model: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}$", description="The endpoint's name of the model."
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


class SeatView(Wire):
    """All that one seat may know and do now; `asked` is the task that the match waits for, if any.

    `number` is that of the seat's next decision, or its messages in a round of press. It goes with the answer.
    `draft` is what the seat has saved for this turn, `ready` whether it is handed in, `writes` whether the players of
    the game write to each other. A clock that stands still has no `deadline` but seconds that are `left`.
    """

    episode_id: str
    seat: SeatId
    index: int
    number: int
    turn: str
    asked: Literal["choose", "negotiate"] | None
    deadline: float | None
    left: float | None = None
    draft: GameAction | None = None
    ready: bool = False
    writes: bool = False
    observation: Any
    legal: Any
    text: str


class SeatAction(Wire):
    """A decision of a seat: an action, or its messages in a round of press."""

    action: GameAction | None = None
    messages: list[GameAction] | None = None
    number: int | None = Field(
        default=None, ge=0, description="The `number` of the seat's view; a decision that is sent again counts once."
    )


class SlotOption(Wire):
    """One thing that may be chosen in a slot, as `grandstand/games/choices.py` defines it."""

    word: str
    text: str
    target: str
    help: str
    kind: str


class PickSlot(Wire):
    """A slot for one of its options; without a `default` it must be answered."""

    kind: Literal["pick"] = "pick"
    name: str
    prompt: str
    options: list[SlotOption]
    default: str | None


class ManySlot(Wire):
    """A slot for `least` to `most` of its options, of which those with the same target exclude each other."""

    kind: Literal["many"] = "many"
    name: str
    prompt: str
    options: list[SlotOption]
    least: int
    most: int
    default: list[str] | None


class NumberSlot(Wire):
    """A slot for a number from `low` to `high` in steps."""

    kind: Literal["number"] = "number"
    name: str
    prompt: str
    low: int
    high: int
    step: int
    unit: str
    default: int | None


class TextSlot(Wire):
    """A slot for a text of at most `limit` characters."""

    kind: Literal["text"] = "text"
    name: str
    prompt: str
    limit: int


SlotForm = Annotated[PickSlot | ManySlot | NumberSlot | TextSlot, Field(discriminator="kind")]
SlotValue = str | int | list[str]


class AskChoices(Wire):
    """What a seat has chosen so far, by slot, or the action of a draft; both left out at the beginning."""

    number: int | None = Field(
        default=None, description="The decision that it is about: after another one was asked for, nothing is chosen."
    )
    chosen: dict[str, SlotValue] = Field(default={}, description="Values for which there is no slot are dropped.")
    action: GameAction | None = Field(default=None, description="An action that no choices make counts as none.")


class SeatChoices(Wire):
    """The stages along the choices, what is chosen with the defaults of the other slots, and the action that it makes.

    The last stage is the first that has a slot without a value, if there is one; `action` is then null. `number` is the
    number of the decision.
    """

    number: int
    stages: list[list[SlotForm]]
    chosen: dict[str, SlotValue]
    action: GameAction | None


class DecisionTaken(Wire):
    """A decision that the match has taken; `repeated` if it was taken before, by an earlier request."""

    number: int
    repeated: bool = False


class SaveDraft(Wire):
    """The action that a seat has prepared for turn `index` and has not submitted; null drops it.

    It need not be complete. When the clock runs out it is the seat's decision, if the rules accept it.
    """

    index: int = Field(ge=0)
    action: GameAction | None


class PlayEpisode(StartEpisode):
    """A request for a match in which the caller plays `seat`, by default the first, and receives its token.

    If `models` names that seat, the caller's model plays it.
    """

    seat: SeatId | None = None


class SeatToken(Wire):
    """A token that plays one seat of one match. It is returned once."""

    episode_id: str
    seat: SeatId
    token: str


class EnterKey(Wire):
    """A key for the models of a match that have one endpoint, in place of the one that they had."""

    endpoint: str = Field(max_length=80)
    api_key: SecretStr | None = Field(default=None, description="Left out for an account that is signed in.")


class OwnModelSeat(Wire):
    """A seat with a model that its caller pays for. `reason` is why it has no key, if it has none."""

    seat: SeatId
    endpoint: str
    model: str
    has_key: bool
    reason: str = ""


class EndpointInfo(Wire):
    """An endpoint for which callers may bring their own keys; `signed_in` if an account stands in for the key."""

    name: str
    url: str
    signed_in: bool = False


class SignIn(Wire):
    """The account with which the caller may sign in, and its user, if the caller has signed in."""

    provider: str
    login: str = Field(description="The path at which signing in begins; it is for a tab of its own.")
    user: str | None = None


class Session(Wire):
    """The caller's role. `mode` is `open` if everyone on this machine is an operator."""

    role: Role
    seat: SeatId | None
    episode_id: str | None
    mode: Literal["open", "token", "closed"]
    plays: bool = Field(default=False, description="Whether the caller may start a match and play one seat of it.")
    imports: bool = Field(default=False, description="Whether the caller may import files.")
    endpoints: list[EndpointInfo] = Field(
        default=[], description="The endpoints of language models that the caller may seat with its own key."
    )
    sign_in: SignIn | None = Field(default=None, description="None where no account can be signed in with.")


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


class WholeState(Wire):
    """The whole state of a game, which the event `seq` carries."""

    seq: int
    state: Any


class Excerpt(Wire):
    """The events of a game from the last whole state before some moment, with that state, if there is one."""

    episode: EpisodeSummary
    state: Any
    events: list[Event]


class KeyMoment(Wire):
    """The last important fact of a match, which event `seq` tells, and the events that show it, `first` to `last`."""

    seq: int
    first: int
    last: int
    text: str
    excerpt: Excerpt | None = Field(
        default=None, description="What a board draws it from; None where it has too many events."
    )


class Lobby(Wire):
    """The matches that the lobby shows: those that are live, those that wait, and those that ended last.

    The state of a live match at its summary's `last_seq` is that of `states` and of its `events` since.
    """

    version: str = Field(description="Names this state of the lobby: `epoch.number`.")
    episodes: dict[str, EpisodeSummary]
    live: list[str] = Field(description="The live episodes, newest first.")
    queue: list[str] = Field(description="The episodes that wait for a slot, next first.")
    ended: list[str] = Field(description="The episodes that ended last, newest first; without those of tournaments.")
    total: int = Field(description="The number of ended episodes, without those of tournaments.")
    viewers: dict[str, int] = Field(description="Connections per watched episode.")
    lanes: list[LaneInfo] = Field(description="The showcase of each game that has one.")
    waiting: list[str] = Field(
        description="Live episodes that wait until the record can be written; they go on by themselves."
    )
    awaited: dict[str, Awaited] = Field(
        description="The people whom live matches wait for, in each match the one with the least time."
    )
    moments: dict[str, KeyMoment] = Field(
        description="The last key moment of each live match, and of the last results."
    )
    states: dict[str, WholeState] = Field(description="The last whole state of each live match.")
    events: dict[str, Event] = Field(description="The game's events since that state, as `episode_id/seq`.")


class RecordedDecision(Wire):
    """A decision of a training match that was recorded to learn from: event `seq`, in which `version` decided."""

    seq: int
    seat: SeatId
    turn: str
    version: int


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
    excerpt: Excerpt | None = Field(
        default=None, description="What a board draws the moment from; None where it has too many events."
    )


class PlayerRecord(Wire):
    """A player's results in the finished matches of one option set of this record; imports and forks are left out.

    Only seats in which it made every decision itself are scored; decisions of its fallback or of a person are
    counted apart. `mean_score` is None if there is no such seat; `ci95` are the ends of its 95 % interval. `rating` is
    its online rating over `rating.n` matches, in Elo points; a player with few matches has no mean yet.
    """

    game: str
    setting: str
    options: str = Field(description="The option set in words.")
    player: str
    seats: int
    scored: int
    mean_score: float | None
    ci95: list[float] | None
    wins: int = Field(description="In seats that are scored.")
    decisions: int
    fallbacks: int = Field(description="Decisions that its fallback made.")
    faults: int
    rating: Estimate | None = None


class OptionSetInfo(Wire):
    """The matches of one game with the same options and version of the rules, which may be compared.

    `options` are those that differ from the game's defaults.
    """

    id: str
    game: str
    label: str
    options: dict[str, Any]
    rules: int
    matches: int


class HeadToHead(Wire):
    """Two players in the matches in which both count: the share of comparisons that `a` won, ties as half.

    `stronger` is the probability that `a` is the stronger by the ratings, and `differ` holds at 5 per cent for all
    pairs together.
    """

    a: str
    b: str
    share: Estimate
    stronger: float | None = None
    differ: bool = False


class SeatScore(Wire):
    """The mean score of a player in one seat."""

    player: str
    seat: SeatId
    score: Estimate


class LeaderboardRow(Wire):
    """A player's figures in one option set. `counted` are the matches in which its seat and that of another count.

    `rating` is in Elo points. `answers`, `tokens`, `dollars` and `seconds` are sums over `costed` matches, those whose
    costs the caller may know; `dollars` is None where no price is known.
    """

    player: str
    matches: int
    counted: int
    score: Estimate
    rating: Estimate
    wins: int = 0
    decisions: int = 0
    fallbacks: int = 0
    faults: int = 0
    forfeits: int = 0
    answers: int = 0
    tokens: int = 0
    dollars: float | None = None
    seconds: float = Field(default=0.0, description="From request to answer, summed over answers.")
    kind: str
    seats: int
    scored: int = Field(description="Seats whose score is the player's own.")
    assisted: int = Field(description="Decisions of its seats that other players made after a take-over.")
    costed: int


class Leaderboard(Wire):
    """The players of one option set: those rated, the best first, and those with fewer than `needed` matches.

    `pairs` are all pairs of rated players. `unread` matches are still to be read from the record. The matches that
    visitors started have tables of their own. `repeats` have the seed and players of a match that counts.
    """

    game: str
    visitors: bool = Field(default=False, description="Whether the matches are those that visitors started.")
    visitor_matches: int = Field(default=0, description="Number of the matches of the game that visitors started.")
    repeats: int = Field(default=0, description="Matches left out: the seed and players of each are those of another.")
    setting: OptionSetInfo | None = None
    settings: list[OptionSetInfo] = Field(description="The option sets of the game, those with most matches first.")
    needed: int
    unread: int = 0
    table: list[LeaderboardRow] = Field(default=[])
    unrated: list[LeaderboardRow] = Field(default=[])
    pairs: list[HeadToHead] = Field(default=[])
    seat_effects: dict[SeatId, Estimate] = Field(default={})


class RatingAt(Wire):
    """The rating that a player had after the first `matches` matches of its option set, at the end of the last one."""

    at: float
    matches: int
    rating: Estimate


class StyleFigure(Wire):
    """A measure of the game, as a mean over matches: of the player, and of all others."""

    name: str
    meaning: str
    own: Estimate
    others: Estimate


class PlayerMatch(Wire):
    """A finished match of a player. `counted` if all its seats count; `opponents` are the other players."""

    episode_id: str
    title: str
    ended_at: float
    seats: list[SeatId]
    opponents: list[str]
    score: float | None
    won: bool
    counted: bool
    forfeited: bool
    faults: int
    fallbacks: int
    assisted: int


class PlayerPage(Wire):
    """A player in one option set, as spectators may know it.

    `opponents` begin with those it met most, and in each `a` is the player itself. `moments` are its most important
    ones. Of its `played` matches the newest are listed.
    """

    player: str
    kind: str
    description: str = ""
    visitors: bool = Field(default=False, description="Whether the matches are those that visitors started.")
    settings: list[OptionSetInfo] = Field(description="The option sets in which it has played.")
    setting: OptionSetInfo
    figures: LeaderboardRow
    rank: int | None = Field(default=None, description="Its place among the rated players; None if it is not rated.")
    needed: int
    unread: int = 0
    history: list[RatingAt] = Field(default=[])
    opponents: list[HeadToHead] = Field(default=[])
    style: list[StyleFigure] = Field(default=[])
    causes: dict[str, int] = Field(default={}, description="Its faults by boundary.")
    seats: list[SeatScore] = Field(default=[])
    moments: list[Highlight] = Field(default=[])
    matches: list[PlayerMatch] = Field(default=[])
    played: int


class ReportChoice(Wire):
    """A choice among reports: the name and the page of each, and the place of the one that is shown."""

    title: str
    options: list[Link]
    selected: int


class PageReport(Wire):
    """The report that a page shows, and the choices that lead to others.

    `unread` matches are still to be read from the record, so that the next report may have more.
    """

    report: Report
    choices: list[ReportChoice] = Field(default=[])
    unread: int = 0

    def text(self) -> str:
        """Return it as it is sent, without what is None: most values of a report are."""
        return self.model_dump_json(exclude_none=True)


class GameInfo(Wire):
    """A game: its seats, options (as a JSON schema) and available players."""

    name: str
    title: str
    seats: list[SeatId]
    seats_by: dict[str, dict[str, list[SeatId]]] = Field(
        default={}, description="Option -> its value as text -> the seats, if they depend on it."
    )
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


class PlayerSpending(Wire):
    """The spending of a player today, by its reports. `own_key`: visitors paid, so the server's limits do not apply."""

    player: str
    own_key: bool = False
    answers: int = 0
    tokens: int = 0
    dollars: float | None = None


class DaySpending(Wire):
    """The spending of all matches in a day (UTC) with the operator's keys, and its limits; None where there is none.

    The sums include calls of decisions that are not reported yet. `counted` is false until the record has been read
    after a start; `begins` and `ends` are Unix times.
    """

    begins: float
    ends: float
    tokens: int
    dollars: float
    token_limit: int | None
    dollar_limit: float | None
    counted: bool
    players: list[PlayerSpending]


class Problem(Wire):
    """An error as RFC 9457 problem details. `field` names the part of the request at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    field: str | None = None
