"""The wire types that every layer shares, defined once. Pydantic only; TypeScript is generated from them.

An `Event` is a numbered fact of one episode; `(episode_id, seq)` is the one address of a moment. In this order: the
envelope, the data of the core events, readers of private batches, an episode's summary, players, publishing, and
OpenEnv's types. A game's event types are the dataclasses in its `events.py`, the messages of a stream are in
`spectator/frames.py`, and the other bodies of the HTTP API in `server/bodies/`.

It is one file, and a long one, because the client's distribution ships it alone, and OpenEnv reads its types by this
name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator

SeatId = str

Role = Literal["spectator", "seat", "operator"]
"""The role of a caller. Each role may take the viewpoint of the same name."""

ViewpointRole = Role | Literal["analyst"]
"""The role of a viewpoint: an analyst's view is open to operators, and to everyone once an episode reveals it."""

Audience = Literal["public", "analyst", "operator", "private"] | list[SeatId]
"""The viewers who may know an event: everyone; analysts and operators (reasoning, costs); operators alone; no viewer
(training data); or these seats, analysts and operators."""

Reveal = Literal["live", "after", "never"]
"""The time from which everyone may take an analyst's or a seat's viewpoint: at once, after the match, or never."""

Status = Literal["queued", "live", "finished", "stopped", "error", "interrupted"]

Source = Literal["policy", "repair", "heuristic", "human", "remote", "recorded", "standing", "fallback"]
"""The origin of a decision. `fallback` is the seat's named substitute, after a fault or an expired clock."""

Boundary = Literal["rules", "provider", "timeout", "player", "budget", "ours"]
"""The cause of a fault: an illegal action, a model's provider, a clock, a player's own reply, a spent budget, or our
bug."""

CommentatorBoundary = Literal["provider", "timeout", "budget", "reply", "facts", "ours"]
"""The cause of a fault of the model that words the commentary: its provider, a clock, a spent budget, a reply without a
usable answer, lines that the facts do not support, or our bug."""

MAX_NUMBER = 2**53 - 1

LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last that common calendar libraries support."""


class Wire(BaseModel):
    """Base of all wire types: immutable, strict about names, and without NaN and infinity, which JSON does not have."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
"""A number that SQLite, JSON and JavaScript all hold exactly."""

Score = Annotated[float, Field(ge=-1e12, le=1e12)]
"""A seat's score, bounded so that means and deviations over many scores cannot overflow."""


class Event(Wire):
    """A numbered envelope. `seq` is contiguous from 0 within the episode; `at` is Unix time in seconds."""

    episode_id: str
    epoch: Number
    seq: Number
    at: float = Field(ge=0, le=LAST_SECOND)
    type: str
    audience: Audience
    data: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _of_older_record(cls, data: Any) -> Any:
        match data:
            case {"type": "EpisodeResumed", "data": {"turn": turn}}:  # in older records, an event of its own
                return {**data, "type": EpisodeStarted.__name__, "data": {"resumed": turn}}
        return data


class Draft(NamedTuple):
    """An event to be published, without its number and time."""

    type: str
    data: dict[str, Any]
    audience: Audience = "public"

    @classmethod
    def of(cls, data: Wire, audience: Audience = "public") -> Draft:
        """Return a core event as a draft."""
        return cls(type(data).__name__, data.model_dump(mode="json"), audience)


@dataclass(frozen=True, slots=True)
class SeatDraft:
    """The action that a person has prepared for turn `index`. It is never an event, so that nobody can count it."""

    index: int
    action: Mapping[str, Any]
    ready: bool = False
    """True once it is submitted; it may be changed until the last seat has submitted."""


class PrivateEvent(Wire):
    """An event without a number of its own: one part of a `PrivateBatch`."""

    type: str
    audience: Literal["analyst", "operator", "private"] | list[SeatId]
    data: dict[str, Any]


class PrivateBatch(Wire):
    """All private events of one decision or one round of press under one number, even if there are none.

    Its audience is `private`, and each part has its own: a viewer receives the parts that it may know, or the bare
    number if it may know none. So no viewer can count what is hidden.
    """

    events: list[PrivateEvent]


class SeatInfo(Wire):
    """The player of a seat. `player` is the roster name, `kind` the kind of player.

    `prompt` is the hash of everything that shapes its prompts; empty for a player that has none, and in older records.
    """

    seat: SeatId
    player: str
    kind: str
    prompt: str = ""


class Moment(Wire):
    """An address: event `seq` of an episode."""

    episode_id: str
    seq: int


class TrainingMatch(Wire):
    """The place of a match in the training run whose episode is `run`.

    Decisions of its policy's version feed `step`; an evaluation measures the version `step`, and feeds none.
    """

    run: str
    stage: Literal["training", "evaluation"]
    step: int


class EpisodeCreated(Wire):
    """The first event of an episode, with seq 0. Spectators are `delay` seconds behind; a fork names its `parent`."""

    game: str
    title: str
    options: dict[str, Any]
    seats: list[SeatInfo]
    origin: Literal["showcase", "api", "openenv", "cli", "publisher", "trainer", "fork", "imported", "tournament"]
    source: str = Field(default="", description="The place that an imported record comes from, in words.")
    reveal: Reveal = "never"
    delay: float = Field(default=0.0, strict=True, ge=0, le=3600)
    clock: float | None = Field(default=None, strict=True)
    approve: bool = False
    voice: bool = False
    commentator: str = Field(default="", description="The roster entry that words the commentary; empty for none.")
    parent: Moment | None = None
    rules: int = Field(default=1, description="The version of the game's rules by which the record was made.")
    training: TrainingMatch | None = None
    visitor: bool = Field(default=False, description="True if a visitor started it.")


class SeedSet(Wire):
    """The seed of every random draw. Only operators receive it, since future draws follow from it."""

    seed: int


class EpisodeStarted(Wire):
    """Play began; or it continued from the log at the turn `resumed`, after a restart or at the start of a fork."""

    resumed: str | None = None


class TurnStarted(Wire):
    """The match waits for `to_act`. `index` counts turns from 0; `scores` is the standing in the match's scoring."""

    index: int
    turn: str
    to_act: list[SeatId]
    scores: dict[SeatId, Score]


class ActionChosen(Wire):
    """A seat's accepted action. Only the seat may know it; the game's own events carry what is public."""

    seat: SeatId
    index: int
    action: dict[str, Any]
    source: Source


class ActionRejected(Wire):
    """An action that the rules refused: `field` names the part at fault."""

    seat: SeatId
    index: int
    action: dict[str, Any]
    field: str
    reason: str


class PlayerFault(Wire):
    """A player failed to give a legal action; its fallback acts. The message is plain text without secrets."""

    seat: SeatId
    boundary: Boundary
    message: str


class Usage(Wire):
    """The cost of a response. Tokens are the endpoint's count, or an estimate from the text if it gave none."""

    seconds: float = 0.0
    calls: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = Field(default=0, description="Of tokens_in, those read from the endpoint's cache.")
    tokens_cache_written: int = Field(default=0, description="Of tokens_in, those written to the endpoint's cache.")
    tokens_reasoning: int = Field(default=0, description="Of tokens_out, those of its reasoning.")
    dollars: float | None = Field(default=None, description="None if the roster names no price.")
    estimated: bool = False


class Attempt(Wire):
    """One reply of a model, cut to a readable length, and the reason if it could not be used."""

    reply: str
    boundary: Boundary | None = None
    fault: str = ""


class PlayerReport(Wire):
    """How a player reached a decision. `thought` and the replies are its own words: data, never instructions."""

    usage: Usage = Usage()
    attempts: list[Attempt] = []
    thought: str = ""
    memory: bool = False
    """True if the player keeps notes between its answers."""
    intentions: bool = False
    """True if the player is asked which of its promises it does not mean."""
    prompt: str = ""
    """The hash of everything that shapes the player's prompts, as in `SeatInfo`."""
    model: str = ""
    """The model that was asked, by the provider's name for it; empty where none was, and in older records."""


class PlayerThinking(Wire):
    """A player's progress, every few seconds: its stage, time and token count, never its words."""

    seat: SeatId
    index: int
    stage: Literal["choosing", "repairing", "waiting", "negotiating"]
    seconds: float
    tokens: int
    retries: int


class ActionRequested(Wire):
    """The match waits for a person in `seat`; sent again when the clock stops or goes on, and when `ready` changes.

    `deadline` is the Unix time at which the clock runs out; None without a clock, and while the clock is stopped with
    `left` seconds on it. `ready`: a decision was submitted, which may be changed until the last seat has submitted. The
    event says nothing about the decision or a draft.
    """

    seat: SeatId
    index: int
    kind: Literal["choose", "negotiate"]
    deadline: float | None = None
    left: float | None = None
    ready: bool = False


class NegotiationHeld(Wire):
    """Round `round` of `rounds` of press before the actions of turn `index` is over; its messages are delivered."""

    index: int
    round: int
    rounds: int


class PlayerReported(Wire):
    """The report on a seat's decision, for analysts."""

    seat: SeatId
    index: int
    task: Literal["choose", "negotiate"]
    source: Source
    report: PlayerReport


class TurnRecorded(Wire):
    """A trained policy's decision token by token, as training data. No viewer receives it.

    `completion`, `logprobs` and `allowed` are of one length. A token that had no alternative has log-probability 0 and
    nothing in `allowed`; any other has all token ids that were legal there, its own included, and its log-probability
    among them at `temperature`. `features` are the game's numbers about the position before the decision.
    """

    seat: SeatId
    index: int
    policy: str
    version: int
    temperature: float
    prompt: list[int]
    completion: list[int]
    logprobs: list[float]
    allowed: list[list[int]]
    features: dict[str, float] = {}


class ControlChanged(Wire):
    """A command that steered the match, its new value, and the user who gave it.

    Decisions on held messages (`approve`, `reject`) are for operators alone, in the `PrivateBatch` of their round.
    """

    command: str
    value: Any = None
    by: str


class SeatOpened(Wire):
    """A token for the seat was issued; only its hash is kept."""

    seat: SeatId
    token_sha256: str


class MessageHeld(Wire):
    """A message waits for an operator's approval. Those of a round are parts of one `PrivateBatch`."""

    id: str
    seat: SeatId
    action: dict[str, Any]


class OutcomeData(Wire):
    """The result of a match. `winners` is empty if no seat won."""

    reason: str
    winners: list[SeatId]
    scores: dict[SeatId, Score]
    text: str


class EpisodeEnded(Wire):
    """The last event of an episode."""

    status: Literal["finished", "stopped", "error", "interrupted"]
    outcome: OutcomeData | None = None
    message: str = ""


class FactNoted(Wire):
    """A notable fact of the match, derived by its game from the events `rests_on`.

    `kind` is a word of the game, `seats` begins with the seat that did it. `importance` is from 0 to 1.
    """

    kind: str
    text: str
    importance: float
    rests_on: list[int]
    seats: list[SeatId] = []
    data: dict[str, Any] = {}


class CommentAdded(Wire):
    """A line on the events `rests_on`. `beat` is its part of a turn; `seats` begins with the one that did it; `kind` is
    that of what it tells. The `speaker` is `analyst`, or empty for the commentator."""

    text: str
    importance: float
    rests_on: list[int]
    beat: str
    by: str = Field(default="", description="The roster entry that worded it; empty for the built-in commentator.")
    seats: list[SeatId] = []
    kind: str = ""
    speaker: str = ""


class CommentatorFault(Wire):
    """The model that words the commentary failed, so `lines` lines have built-in words. `message` has no secrets."""

    commentator: str
    boundary: CommentatorBoundary
    message: str
    lines: int


class CommentatorReported(Wire):
    """The report on a model's wording of the lines of one part of a turn, for analysts: `used` of `lines` were used."""

    commentator: str
    lines: int
    used: int
    report: PlayerReport


class OutlookUpdated(Wire):
    """The prospects after the events `rests_on`: each seat's chance of winning if the game estimates it, excitement
    from 0 to 1, a headline. Where an older record names no events, they are those of the turn."""

    chances: dict[SeatId, float]
    excitement: float
    headline: str
    rests_on: list[int] = []


class SpokenWord(Wire):
    """A word of a clip, and the second at which it begins."""

    text: str
    start: float


class VoiceReady(Wire):
    """The clip in which the voice speaks the line with the number `comment`: a comment, or a public message.

    `clip` names its audio, `seconds` its length; `words` are its words, if the provider was asked for their times.
    A clip that is announced with its first audio is not `whole`: its length is estimated, and the rest follows.
    """

    comment: Number
    clip: str
    seconds: float = Field(ge=0, le=3600)
    words: list[SpokenWord] = []
    whole: bool = True


class VoiceChanged(Wire):
    """From here on the commentary is spoken in the server's `clips`, by the viewer's `browser`, or it is `silent`.

    `reason` is one line on why it is not spoken in clips; empty if clips were not requested.
    """

    kind: Literal["clips", "browser", "silent"]
    reason: str = ""


CORE_EVENTS: dict[str, type[Wire]] = {
    kind.__name__: kind
    for kind in (
        EpisodeCreated,
        SeedSet,
        EpisodeStarted,
        TurnStarted,
        ActionChosen,
        ActionRejected,
        PlayerThinking,
        ActionRequested,
        NegotiationHeld,
        PrivateBatch,
        PlayerReported,
        TurnRecorded,
        PlayerFault,
        ControlChanged,
        SeatOpened,
        MessageHeld,
        FactNoted,
        CommentAdded,
        CommentatorFault,
        CommentatorReported,
        OutlookUpdated,
        VoiceReady,
        VoiceChanged,
        EpisodeEnded,
    )
}


def flat(events: Iterable[Event]) -> Iterator[Event]:
    """Yield `events` with every `PrivateBatch` replaced by its parts, each under the number and time of the batch.

    All readers of recorded events use it, so that older records with separate private events read the same.
    """
    for event in events:
        if event.type == PrivateBatch.__name__:
            yield from (event.model_copy(update=part) for part in event.data["events"])
        else:
            yield event


def flat_drafts(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield `drafts` with every `PrivateBatch` replaced by its parts."""
    for draft in drafts:
        if draft.type == PrivateBatch.__name__:
            yield from (Draft(part["type"], part["data"], part["audience"]) for part in draft.data["events"])
        else:
            yield draft


class QueuePlace(Wire):
    """The place of a match in the queue, from 1, and an estimate of the seconds until it begins."""

    place: int
    seconds: float | None = None


class EpisodeSummary(Wire):
    """An episode in the lobby, folded from its public events alone."""

    episode_id: str
    epoch: int
    game: str
    title: str
    status: Status
    origin: str
    source: str = ""
    options: dict[str, Any]
    seats: list[SeatInfo]
    reveal: Reveal = "never"
    delay: float = 0.0
    clock: float | None = None
    approve: bool = False
    voice: bool = False
    commentator: str = ""
    parent: Moment | None = None
    training: TrainingMatch | None = None
    visitor: bool = False
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    last_seq: int
    turn: str = ""
    scores: dict[SeatId, float] = {}
    outlook: OutlookUpdated | None = None
    headline: str = Field(default="", description="The headline of a campaign's report.")
    paused: bool = False
    taken: list[SeatId] = Field(default=[], description="Seats that a person has taken over.")
    left: list[SeatId] = Field(default=[], description="Seats whose person has left, so that a built-in player acts.")
    outcome: OutcomeData | None = None
    message: str = ""
    queue: QueuePlace | None = Field(default=None, description="Its place in the queue while it waits for a slot.")
    reference: bool = Field(default=False, description="True if it came with the installation.")


class PlayerInfo(Wire):
    """A player that may take a seat."""

    name: str
    kind: str
    game: str
    description: str
    available: bool = True
    reason: str = Field(default="", description="The reason why it cannot be seated now, and the remedy.")


class PublishBatch(Wire):
    """Events of one episode, in order, from an external driver."""

    events: list[Event] = Field(min_length=1, max_length=1000)


class Published(Wire):
    """The progress of a published episode: the server has all events below `next_seq`."""

    next_seq: int


# OpenEnv's wire types. They have the fields of its base types, which come with a package that is slow to import.


def _action(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise ValueError("must be an object")


GameAction = Annotated[dict[str, Any], PlainValidator(_action, json_schema_input_type=dict[str, Any])]
"""An action as it was received. Errors inside it, invalid Unicode in keys included, are reported by the match."""


STEP_KEYS = frozenset({"action", "messages", "reply", "number", "wait", "metadata"})

STEP_HELP = (
    "The JSON object that `system_prompt` asks for, or any text that holds it in the one field `reply`. Programs may "
    "send `action` (an action of the game), `messages` (the seat's messages in a round of press; an empty list is "
    "silence), `number` (of the observation that is answered) and `wait` (seconds to wait for the seat's turn) instead."
)


def _step_schema(schema: dict[str, Any]) -> None:
    """Describe a step for language models.

    A generic harness shows this schema to the model, and takes plain text for the value of the only field.
    """
    reply = {"type": "string", "title": "Reply", "description": "Your answer to `text`, as `system_prompt` says."}
    schema.update(description=STEP_HELP, properties={"reply": reply}, additionalProperties=True)


class MatchAction(Wire):
    """A step: one of `action`, `messages` and `reply`, or none of them to observe the match.

    Any other object, such as one in the form that a model was asked for, is taken as its `reply`: it is read, or
    refused with a reason that the model can act on.
    """

    model_config = ConfigDict(json_schema_extra=_step_schema)

    action: GameAction | None = None
    messages: list[GameAction] | None = None
    reply: str | None = None
    number: int | None = Field(
        default=None, ge=0, description="The `number` of the observation that is answered; a repeated step counts once."
    )
    wait: float | None = Field(default=None, ge=0, le=20)
    metadata: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _from_a_model(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"reply": valid_text(value)}
        if not isinstance(value, dict) or _is_step(value):
            reply = value.get("reply") if isinstance(value, dict) else None
            return value if reply is None else {**value, "reply": valid_text(reply)}
        try:
            return {"reply": valid_text(json.dumps(value, ensure_ascii=False))}
        except RecursionError:
            raise ValueError("has too many objects within each other") from None


def _is_step(value: dict[Any, Any]) -> bool:
    """Return whether `value` is a step as a program sends it, not the reply of a model.

    A model's messages have the same key as a program's, but are not actions of the game.
    """
    if not value.keys() <= STEP_KEYS:
        return False
    action, messages, reply = value.get("action"), value.get("messages"), value.get("reply")
    return (
        isinstance(action, dict | None)
        and isinstance(reply, str | None)
        and (messages is None or (isinstance(messages, list) and all(_is_message(item) for item in messages)))
    )


def _is_message(item: Any) -> bool:
    return isinstance(item, dict) and "message" in item


def valid_text(text: str) -> str:
    """Return `text` as valid Unicode: halves of a split character joined, lone halves replaced."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class MatchObservation(Wire):
    """Everything that a seat may know and do now, in the forms that `show` of reset names, by default `text`."""

    done: bool = False
    reward: float = Field(default=0.0, ge=-1, le=1, description="Reward of the step; see `reward` of reset.")
    metadata: dict[str, Any] = Field(
        default={}, description="After a reset: `seat_token` resumes the seat, `open_seats` has the tokens of others."
    )
    status: Literal["choose", "negotiate", "waiting", "over"] = Field(
        description="An action is due, messages are due, other seats have to act, or the match has ended."
    )
    match_id: str
    game: str
    seat: SeatId
    turn: str
    index: int
    number: int = Field(default=0, description="Number of the seat's next decision; see `number` of a step.")
    watch: str = Field(description="Path of the page that shows the match, live and afterwards.")
    system_prompt: str = Field(default="", description="Instructions for a language model; shown with `text`.")
    text: str = Field(default="", description="The moment for a language model: its prompt, with the legal choices.")
    view: Any = Field(default=None, description="The same as data.")
    legal: Any = Field(default=None, description="The legal actions as data, if an action is due.")
    scores: dict[SeatId, float] = Field(description="The standing, which is public.")
    deadline: float | None = Field(default=None, description="End of the seat's clock, as Unix time.")
    error: str = Field(default="", description="The reason why the step changed nothing.")
    error_field: str = Field(default="", description="The part of the action at fault.")
    outcome: OutcomeData | None = None
    message: str = Field(default="", description="The reason if the match was not played to its end.")

    @property
    def seat_token(self) -> str | None:
        """Return the token that resumes the seat; only the observation of a reset has it."""
        token = self.metadata.get("seat_token")
        return token if isinstance(token, str) else None

    @property
    def open_seats(self) -> dict[SeatId, str]:
        """Return the tokens of seats left to other sessions; only the observation of a reset has them."""
        return dict(self.metadata.get("open_seats", {}))


class MatchState(Wire):
    """The state of a session. `episode_id` is the client's name for it, by default the match's id."""

    episode_id: str | None = None
    step_count: int = Field(default=0, ge=0)
    match_id: str | None = None
    game: str | None = None
    seat: SeatId | None = None
    turn: str = ""
    index: int = 0
    status: Literal["choose", "negotiate", "waiting", "over"] | None = None
    watch: str | None = None
