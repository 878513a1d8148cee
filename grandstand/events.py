"""The core events: the data of every event of a match that is not of its game.

They are in the order in which they come in a match. A game's own event types are the dataclasses in its `events.py`,
and those of campaigns are in `campaign_events.py`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from grandstand.models import Number, OutcomeData, PrivateBatch, Score, SeatId, Wire

Reveal = Literal["live", "after", "never"]
"""The time from which everyone may take an analyst's or a seat's viewpoint: at once, after the match, or never."""

Source = Literal["policy", "repair", "heuristic", "human", "remote", "recorded", "standing", "fallback"]
"""The origin of a decision. `fallback` is the seat's named substitute, after a fault or an expired clock."""

Boundary = Literal["rules", "provider", "timeout", "player", "budget", "ours"]
"""The cause of a fault: an illegal action, a model's provider, a clock, a player's own reply, a spent budget, or our
bug."""

CommentatorBoundary = Literal["provider", "timeout", "budget", "reply", "facts", "ours"]
"""The cause of a fault of the model that words the commentary: its provider, a clock, a spent budget, a reply without a
usable answer, lines that the facts do not support, or our bug."""


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
