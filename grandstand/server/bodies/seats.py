"""Playing a seat: what it sees, what it may choose, what it sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from grandstand.models import GameAction, SeatId, Wire
from grandstand.server.bodies.matches import StartEpisode


class SeatView(Wire):
    """All that one seat may know and do now; `asked` is the task that the match waits for, if any.

    `number` numbers the seat's next decision, or its messages in a round of press; the answer repeats it.
    `draft` is the action saved for this turn, `ready` tells whether it was submitted, `writes` whether the players of
    the game write to each other. A stopped clock has no `deadline`, but the seconds `left`.
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
    """An option of a slot, as `grandstand/games/choices.py` defines it."""

    word: str
    text: str
    target: str
    help: str
    kind: str


class PickSlot(Wire):
    """A slot that takes one of its options; without a `default` it must be answered."""

    kind: Literal["pick"] = "pick"
    name: str
    prompt: str
    options: list[SlotOption]
    default: str | None


class ManySlot(Wire):
    """A slot that takes `least` to `most` of its options; options with the same target exclude each other."""

    kind: Literal["many"] = "many"
    name: str
    prompt: str
    options: list[SlotOption]
    least: int
    most: int
    default: list[str] | None


class NumberSlot(Wire):
    """A slot that takes a number from `low` to `high` in steps."""

    kind: Literal["number"] = "number"
    name: str
    prompt: str
    low: int
    high: int
    step: int
    unit: str
    default: int | None


class TextSlot(Wire):
    """A slot that takes a text of at most `limit` characters."""

    kind: Literal["text"] = "text"
    name: str
    prompt: str
    limit: int


SlotForm = Annotated[PickSlot | ManySlot | NumberSlot | TextSlot, Field(discriminator="kind")]
SlotValue = str | int | list[str]


class AskChoices(Wire):
    """A seat's choices so far by slot, or the action of a draft; neither at the beginning."""

    number: int | None = Field(
        default=None, description="The number of the decision; the choices are dropped if it is not the current one."
    )
    chosen: dict[str, SlotValue] = Field(default={}, description="Values for which there is no slot are dropped.")
    action: GameAction | None = Field(default=None, description="An action that no choices lead to is dropped.")


class SeatChoices(Wire):
    """The stages of the choices, the values with defaults filled in, and the action that they make.

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
