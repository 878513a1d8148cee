"""The wire types on which all others are built, and OpenEnv's. Pydantic only; TypeScript is generated from them.

An `Event` is a numbered fact of one episode; `(episode_id, seq)` is the one address of a moment. The data of the core
events are in `events.py`, those of a game's events in the game's own, the messages of a stream in
`spectator/frames.py`, and the bodies of the HTTP API in `server/bodies/`.

The client's distribution ships this file alone, and OpenEnv's tools read its types by this name.
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


Status = Literal["queued", "live", "finished", "stopped", "error", "interrupted"]


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
                return {**data, "type": "EpisodeStarted", "data": {"resumed": turn}}
        return data

    def model_post_init(self, _context: Any) -> None:
        """Share the set of the fields, all of which every event has: it takes more memory than most events' data."""
        object.__setattr__(self, "__pydantic_fields_set__", EVENT_FIELDS)


EVENT_FIELDS = set(Event.model_fields)


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


class OutcomeData(Wire):
    """The result of a match. `winners` is empty if no seat won."""

    reason: str
    winners: list[SeatId]
    scores: dict[SeatId, Score]
    text: str


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


class PlayerInfo(Wire):
    """A player that may take a seat."""

    name: str
    kind: str
    game: str
    description: str
    available: bool = True
    reason: str = Field(default="", description="The reason why it cannot be seated now, and the remedy.")


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
