"""The statements of which messages are made, and their composition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots.talking.board import power_words, season_words
from grandstand.games.diplomacy.bots.talking.letters.phrases import TO_PEOPLE
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.replies import ANSWERS
from grandstand.games.diplomacy.bots.talking.tones import AFTER, BEFORE, Situation
from grandstand.games.diplomacy.bots.talking.voice import Voice, linked
from grandstand.games.diplomacy.rules.map import POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import Order, order_text

ALL = -1
"""The recipient of a public message."""
PARTS = 2
"""Statements of one message."""
GENTLE = ("warm", "courtly")
"""Tones whose openings and endings do not go with harsh words."""
HARSH = frozenset(
    (
        "reproach_broken",
        "protest_attack",
        "threat",
        "give_notice",
        "no_peace",
        "no_ally",
        "answer_break",
        "answer_reproach_cold",
        "answer_protest_cold",
        "answer_threat_defy",
        "answer_sorry_cold",
    )
)
PAST = frozenset(
    (
        "reproach_broken",
        "own_up",
        "excuse",
        "protest_attack",
        "thank_support",
        "thank_kept",
        "congratulate",
        "condole",
        "answer_thanks",
        "answer_sorry",
        "answer_sorry_cold",
        "answer_congratulate",
    )
)
"""Kinds about past events: they come first."""
GRIEVANCES = frozenset(("reproach_broken", "protest_attack", "threat"))
COURTESIES = frozenset(("own_up", "excuse", "thank_support", "thank_kept", "congratulate", "condole", "answer_thanks"))
"""Kinds that do not go into one message with a grievance."""
ALONE = frozenset(("give_notice", "plea"))
"""Kinds that stand alone."""
OFFERS = frozenset(("propose_ally", "propose_pact", "propose_peace"))
"""Further kinds that do not go into one message with a grievance; a truce does."""
REQUESTS = frozenset(("ask_support", "ask_support_hold", "ask_leave"))
CONTRASTS = ("Even so, ", "All the same, ", "Still, ")
ADDITIONS = ("One thing more: ", "And another thing: ")
SMALL_TALK = 3.0
"""The weight above the minimum below which a character without talkativeness writes nothing."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement to a power, or to all. `weight` is its importance."""

    kind: str
    to: int
    weight: float
    slots: Mapping[str, str] = field(default_factory=dict)
    promises: tuple[Order, ...] = ()
    lies: bool = False
    """True if the promises are not meant."""
    mentioned: tuple[Order, ...] = ()
    """Own orders that it mentions without promising them: the same message promises those units no other order."""
    owed: bool = False
    """True if a person waits for it: it is made even if it repeats an earlier one."""


def messages(mind: Mind, statements: Iterable[Statement], most: int, rng: Random) -> list[Action]:
    """Return messages with the weightiest statements, at most `most`, one to each recipient."""
    full = mind.game.options.press == "full"
    by_recipient: dict[int, list[Statement]] = {}
    for statement in sorted(statements, key=lambda item: -item.weight):
        if full or statement.to == ALL:
            by_recipient.setdefault(statement.to, []).append(statement)
    plan = _Commitments(mind)
    voice = Voice(
        (message.text for message in mind.mail if message.sender == mind.seat),
        (message.text for message in mind.mail if message.sender != mind.seat),
        Random(f"{mind.character.name}/{rng.random()}"),
        f"{mind.seat}/{mind.character.name}",
    )
    actions: list[Action] = []
    least = SMALL_TALK * (1 - mind.character.talkativeness)
    for to, candidates in by_recipient.items():
        if len(actions) >= most or candidates[0].weight < 2 + least:
            break
        chosen = plan.compatible(candidates)[:PARTS]
        if not chosen and any(statement.owed for statement in candidates):
            chosen = [Statement("no_plan", to, 1, {"reason": "my units are spoken for"}, owed=True)]
        message = _message(mind, to, chosen, voice, rng)
        if message is not None:
            actions.append(message)
    return actions


class _Commitments:
    """The orders promised so far in a phase: no unit is promised two orders."""

    def __init__(self, mind: Mind) -> None:
        self._promised = dict(mind.promised)
        self._lies: set[int] = {at for at, order in mind.promised.items() if mind.pledged.get(at) != order}

    def compatible(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements whose promises are compatible with the earlier ones, and note the promises."""
        result: list[Statement] = []
        repeated: set[Order] = set()
        mentioned: dict[int, Order] = {}
        for statement in statements:
            if not all(_go_together(statement.kind, other.kind) for other in result):
                continue
            orders = {UNIT_PROVINCE[order[1]]: order for order in statement.promises}
            clash = any(
                self._promised.get(at, order) != order or mentioned.get(at, order) != order
                for at, order in orders.items()
            )
            mixed = any(at in self._promised and (at in self._lies) != statement.lies for at in orders)
            if clash or mixed or repeated & set(statement.promises):
                continue
            result.append(statement)
            if len(result) <= PARTS:
                repeated |= set(statement.promises)
                mentioned.update((UNIT_PROVINCE[order[1]], order) for order in statement.mentioned)
                self._promised.update(orders)
                if statement.lies:
                    self._lies.update(orders)
        return result


def _go_together(kind: str, other: str) -> bool:
    """Return whether two statements may be in one message: no kind twice, and no courtesy beside a grievance."""
    if kind == other or kind in ALONE or other in ALONE:
        return False
    kinds = {kind, other}
    return not kinds & GRIEVANCES or not kinds & (COURTESIES | OFFERS)


def _message(mind: Mind, to: int, statements: Sequence[Statement], voice: Voice, rng: Random) -> Action | None:
    promises: list[str] = []
    lies: list[str] = []
    texts: list[str] = []
    worded: list[Statement] = []
    for statement in sorted(statements, key=lambda item: item.kind not in PAST):
        text = voice.statement(
            _manner(statement.kind, mind), _slots(mind, to) | dict(statement.slots), again=statement.owed
        )
        if not text:
            continue
        texts.append(linked(_link(worded[-1].kind, statement.kind, rng), text) if worded else text)
        worded.append(statement)
        orders = [order_text(order) for order in statement.promises]
        promises += orders
        if statement.lies:
            lies += orders
    if not worded:
        return None
    text = " ".join(_adorned(mind, to, worded, texts, voice, rng))
    if len(text) > mind.game.options.message_length:
        return None
    recipients: str | list[SeatId] = "all" if to == ALL else [POWERS[to]]
    message: dict[str, object] = {"to": recipients, "text": text}
    if promises:
        message["promises"] = promises
    if lies:
        message["lies"] = lies
    return {"message": message}


def _manner(kind: str, mind: Mind) -> str:
    """Return the kind in the manner of the character's tone, where it has phrases of its own."""
    own = f"{kind}/{mind.character.tone}"
    return own if own in ANSWERS else kind


def _link(before: str, kind: str, rng: Random) -> str:
    """Return the link between two statements of a message; empty where they need none."""
    if _is_friendly(before) != _is_friendly(kind) and kind not in REQUESTS:
        return rng.choice(CONTRASTS)
    if kind in REQUESTS and before not in PAST and rng.random() < 0.5:
        return rng.choice(ADDITIONS)
    return ""


def _is_friendly(kind: str) -> bool:
    return kind not in HARSH and not kind.startswith("no_")


def _adorned(
    mind: Mind, to: int, statements: Sequence[Statement], texts: Sequence[str], voice: Voice, rng: Random
) -> list[str]:
    """Return the texts of a message with the opening and ending of the character's tone."""
    tone, slots = mind.character.tone, _slots(mind, to)
    out = list(texts)
    if to == ALL or (tone in GENTLE and any(statement.kind in HARSH for statement in statements)):
        return out
    if statements[0].kind not in ANSWERS and rng.random() < 0.25:
        out.insert(0, voice.flourish(BEFORE[tone], slots))
    if statements[-1].kind not in TO_PEOPLE and rng.random() < 0.2:
        out.append(voice.flourish(AFTER[tone].get(_situation(statements[-1]), ()), slots))
    return [text for text in out if text]


def _situation(last: Statement) -> Situation:
    """Return the situation of a message that ends with the statement."""
    if not _is_friendly(last.kind):
        return "refusing"
    return "pledging" if last.promises or last.kind.startswith(("yes_", "answer_", "thank_")) else "asking"


def _slots(mind: Mind, to: int) -> dict[str, str]:
    state = mind.state
    season = season_words(state)
    following = f"the autumn of {state.year}" if season == "spring" else f"the spring of {state.year + 1}"
    return {
        "you": "everybody" if to == ALL else power_words(to),
        "me": power_words(mind.power),
        "season": season,
        "Season": season.capitalize(),
        "year": str(state.year),
        "Year": str(state.year),
        "next": following,
    }
