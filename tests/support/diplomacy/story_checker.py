"""Is what the commentator of Diplomacy says true, and how often does it repeat itself?

    python -m tests.support.diplomacy.story_checker [--matches N] [--seed S] [--games FILE] [--show]

Plays matches of bots with seeded press (promises, most of them kept), or tells the saved games of a file (JSON lines,
compressed), and checks every fact, comment and headline against the record, with the program in
`truths.py`: each power, place and number must be true of the events on which the sentence rests. Prints
counts, the sentences that are wrong, the rate of repetition, and the cost.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from grandstand.games.base import GameEvent
from grandstand.games.diplomacy.bots import POLICIES
from grandstand.games.diplomacy.events import PactOffered, PhaseAdvanced
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.record.saved_game import saved_game_events, saved_game_outcome
from grandstand.games.diplomacy.rules.map import POWER, POWERS, PROVINCE, PROVINCE_NAMES, START_YEAR
from grandstand.games.diplomacy.rules.orders import Order, order_text
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.diplomacy.story.analyst.forms import ANALYSIS
from grandstand.games.match import event_data
from grandstand.games.story import Audience, Comment, Outlook, StoryEvent, Telling
from tests.support.diplomacy.analyst_truths import claims
from tests.support.diplomacy.story_truths import BY_PHASE, Filling, Record, agrees, readings, value_of

LINES = 200
"""Lines whose constructions are counted together."""
LINE_UP = ("coordinated", "coordinated", "defensive", "territorial", "dumbbot", "dumbbot", "dumbbot")
FIELDS = ("line-up", "mixed", "random")
"""Fields by turns: the line-up in seats that are drawn, one with players who move at random, and those alone. Random
players support each other, which the others hardly do."""


UNREAD = {"clause", "season", "deed", "text"}
"""Slots whose words are compared with the record as they stand."""


@dataclass
class Played:
    """A match with its story, told turn by turn as it is played."""

    events: list[StoryEvent] = field(default_factory=list)
    telling: list[tuple[int, Sequence[Telling]]] = field(default_factory=list)
    """The facts, comments and outlook of each part, after the number of its last event."""
    seconds: list[float] = field(default_factory=list)
    """The cost of each turn."""


def play(seed: int, last_year: int = 1920) -> Played:
    """Play a match and tell it."""
    rng = Random(f"story/{seed}")
    names, kind = ["random"] * len(POWERS), FIELDS[seed % len(FIELDS)]
    if kind == "line-up":
        names = rng.sample(LINE_UP, len(LINE_UP))
    elif kind == "mixed":
        names = [rng.choice(("coordinated", "dumbbot", "random")) for _ in POWERS]
    game = DiplomacyGame(DiplomacyOptions(last_year=last_year))
    played, story = Played(), DiplomacyStory(f"diplomacy-{seed}")
    batch = [_core(0, "EpisodeCreated", {"options": {"last_year": last_year}})]
    batch += _numbered(game.opening(), 1)
    while True:
        seq = batch[-1].seq if batch else played.events[-1].seq
        if game.outcome is None:
            batch.append(_core(seq + 1, "TurnStarted", {"turn": game.turn}))
        else:
            batch.append(_core(seq, "EpisodeEnded", {"outcome": event_data(game.outcome)}))  # type: ignore[arg-type]
        _tell(story, batch, played)
        if game.outcome is not None:
            return played
        batch = _numbered(_play_turn(game, names, rng), played.events[-1].seq + 1)


def tell_saved(saved: Mapping[str, Any], last_year: int = 1935) -> Played:
    """Tell a saved game, as a match that was played here."""
    played, story = Played(), DiplomacyStory(str(saved["id"]))
    batch = [_core(0, "EpisodeCreated", {"options": {"last_year": last_year}})]
    for event in saved_game_events(saved):
        batch += _numbered([event], batch[-1].seq + 1 if batch else played.events[-1].seq + 1)
        if isinstance(event, PhaseAdvanced):
            batch.append(_core(batch[-1].seq + 1, "TurnStarted", {"turn": event.phase}))
            _tell(story, batch, played)
            batch = []
    outcome = saved_game_outcome(saved)
    ended = {"outcome": None if outcome is None else event_data(outcome)}  # type: ignore[arg-type]
    _tell(story, [*batch, _core((batch or played.events)[-1].seq, "EpisodeEnded", ended)], played)
    return played


def saved_games(file: Path) -> list[dict[str, Any]]:
    """Return the saved games of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _core(seq: int, kind: str, data: dict[str, Any]) -> StoryEvent:
    return StoryEvent(seq, kind, data)


def _numbered(events: Sequence[GameEvent], seq: int) -> list[StoryEvent]:
    return [
        StoryEvent(number, type(event).__name__, event_data(event), event.seats())
        for number, event in enumerate(events, seq)
    ]


def _tell(story: DiplomacyStory, batch: Sequence[StoryEvent], played: Played) -> None:
    began = time.process_time()
    telling = story.tell(batch)
    played.seconds.append(time.process_time() - began)
    played.events += batch
    played.telling.append((batch[-1].seq, telling))


def _play_turn(game: DiplomacyGame, names: Sequence[str], rng: Random) -> list[GameEvent]:
    """Play one phase: in movement phases, first promises, then orders, which break some of them."""
    state, events = game.state, list[GameEvent]()
    orders = {power: POLICIES[names[power]](state, power, rng) for power in state.to_act()}
    if state.name.endswith("M"):
        for power in orders:
            events += _promise(game, power, orders[power], rng)
    for power in orders:
        texts = [order_text(order) for order in orders[power].values()]
        events += game.apply(POWERS[power], {"orders": texts})
    return events


def _promise(game: DiplomacyGame, power: int, orders: Mapping[int, Order], rng: Random) -> list[GameEvent]:
    others = [name for name in POWERS if name != POWERS[power] and game.in_play(POWER[name])]
    if not orders or not others or rng.random() < 0.6:
        return []
    order = rng.choice(list(orders.values()))
    if rng.random() < 0.3:
        order = rng.choice(game.state.legal_orders()[next(at for at, it in orders.items() if it == order)])
    message: dict[str, Any] = {"text": "You have my word.", "promises": [order_text(order)]}
    message["to"] = "all" if rng.random() < 0.2 else rng.sample(others, min(len(others), rng.choice((1, 1, 2))))
    if order not in orders.values():
        message["lies"] = message["promises"]
    events = game.apply(POWERS[power], {"message": message})
    if message["to"] != "all" and rng.random() < 0.3:
        events += _pact(game, power, message, rng)
    return events


def _pact(game: DiplomacyGame, power: int, message: Mapping[str, Any], rng: Random) -> list[GameEvent]:
    """Offer the promised order as a pact, which the others accept, and take a note."""
    offer = {"text": "A pact?", "to": message["to"], "pact": message["promises"]}
    events = game.apply(POWERS[power], {"message": offer})
    name = next(event.pact for event in events if isinstance(event, PactOffered))
    for other in message["to"]:
        parties = [POWERS[power], *(third for third in message["to"] if third != other)]
        answer = {"text": "Agreed.", "to": parties, "pact": [f"ACCEPT {name}"]}
        events += game.apply(other, {"message": answer})
    note = f"The pact is {rng.choice(('good', 'bad', 'dear'))} for me."
    return [*events, *game.apply(POWERS[power], {"notes": {"text": note}})]


@dataclass
class Checked:
    """The result of checking sentences."""

    count: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    movements: int = 0
    """Movement phases with orders."""
    silent: int = 0
    """Those of which the analyst says nothing to everybody."""

    @property
    def claims(self) -> int:
        """Return the number of true claims of the analyst."""
        return sum(count for form, count in self.forms.items() if form in ANALYSIS)


class Statement(NamedTuple):
    """A sentence with the events on which it rests, who may read it, and the chances of winning around its turn."""

    text: str
    rests_on: Sequence[int]
    audience: Audience
    before: Mapping[str, float]
    after: Mapping[str, float]


def statements(played: Played) -> Iterator[Statement]:
    """Yield every fact, comment and headline."""
    before: Mapping[str, float] = {}
    for _, telling in played.telling:
        outlook = next((item for item in telling if isinstance(item, Outlook)), None)
        after = before if outlook is None else outlook.chances
        for item in telling:
            if isinstance(item, Outlook):
                yield Statement(item.headline, item.rests_on, None, before, after)
            else:
                yield Statement(item.text, item.rests_on, item.audience, before, after)
        before = after


def check(played: Played, checked: Checked) -> None:
    """Check every sentence of a match."""
    record = Record(played.events)
    insights = [item for item in comments(played) if item.speaker and item.audience is None]
    for phase in record.phases:
        if phase.name.endswith("M") and phase.orders and phase.before:
            checked.movements += 1
            start = max(event.seq for event in played.events if event.seq < phase.seq and event.type == "PhaseAdvanced")
            checked.silent += not any(start <= seq <= phase.seq for item in insights for seq in item.rests_on)
    audiences = {event.seq: event.audience for event in played.events}
    for statement in statements(played):
        form = true_form(statement.text, statement, record)
        checked.count += 1
        checked.forms[form or "wrong"] += 1
        if form is None:
            checked.wrong.append(f"{statement.text} {list(statement.rests_on)}")
        for seq in statement.rests_on:
            audience = audiences[seq]
            if audience is not None and (statement.audience is None or not statement.audience <= audience):
                checked.wrong.append(f"{statement.text}: for {statement.audience}, rests on {audience}")


def true_form(text: str, statement: Statement, record: Record) -> str | None:
    """Return the form as which the record supports a sentence, or None."""
    for form, texts in readings(text):
        if form == "headline_last":
            if int(texts["year"]) == record.options["last_year"] and true_form(texts["headline"], statement, record):
                return form
            continue
        if form.endswith(("_rise", "_fall")):
            power = texts.pop("b").upper()
            gained = statement.after[power] - statement.before[power]
            true = (gained > 0) is form.endswith("_rise")
            if not true or int(texts.pop("after")) != round(100 * statement.after[power]):
                continue
        try:
            slots = {slot: value_of(slot, word, form) for slot, word in texts.items() if slot not in UNREAD}
        except (KeyError, ValueError):
            continue  # A sentence of another form, whose words are not what this one has there.
        if any(agrees(filling, slots) for filling in _fillings(form, statement, record, texts)):
            return form
    return None


def _fillings(form: str, statement: Statement, record: Record, texts: Mapping[str, str]) -> Iterator[Filling]:
    if form == "headline_start":
        if not record.phases or statement.rests_on[-1] < record.phases[0].seq:
            yield {}
        return
    if form in BY_PHASE:
        yield from BY_PHASE[form](record, record.phase(statement.rests_on))
        return
    if form in ANALYSIS:
        origin = value_of("origin", texts["origin"], form) if "origin" in texts else ""
        yield from claims(form, record, statement.rests_on, texts, origin, _says)
        return
    before, after = statement.before, statement.after
    event = next(event for event in record.events if event.seq == statement.rests_on[-1])
    if form.startswith("promise"):
        yield from _promises(event, texts)
    elif form.startswith("swing"):
        for power in POWERS:
            yield {"a": power, "before": round(100 * before[power]), "after": round(100 * after[power])}
    elif form.startswith("vote"):
        withdrawn = form == "vote_withdrawn"
        yield {"a": event.data["seat"]} if withdrawn == (event.data["vote"] == "none") else {}
    elif form == "opening":
        if _season(event.data["phase"]) == texts["season"].lower():
            yield {"count": len([units for units in event.data["state"]["units"].values() if units]), "solo": 18}
    else:
        yield from _ending(form, record, texts)


def _season(phase: str) -> str:
    return f"{ {'S': 'spring', 'F': 'fall', 'W': 'winter'}[phase[0]] } {phase[1:5]}"


def _promises(event: StoryEvent, texts: Mapping[str, str]) -> Iterator[Filling]:
    data = event.data
    giver = data.get("sender", data.get("power"))
    for text in data.get("promises", [data.get("meant") or data.get("promise")]):
        if _says(texts["clause"], text):
            others = {"EVERYBODY"} if data["public"] else set(data["recipients"]) - {giver}
            yield {"a": giver, "others": others}


def _says(clause: str, order: str) -> bool:
    """Return whether a clause names the places of an order, in their order, and no others, and its kind of act."""
    codes = [word[:3] for word in re.findall(r"\b[A-Z]{3}\b(?:/[NSEW]C)?", order) if word != "VIA"]
    names = [PROVINCE_NAMES[_index(code)].lower() for code in codes]
    text = clause.lower()
    positions = [text.find(name) for name in names]
    act = next((verb for sign, verb in _ACTS.items() if sign in f"{order} "), "appears")
    return -1 not in positions and positions == sorted(positions) and act in text


_ACTS = {" S ": "supports", " C ": "carries", " - ": "goes", " R ": "retreats", " H ": "stays", " D ": "disbanded"}
"""Orders that help another unit's move hold its sign too, so that they are tried first."""


def _index(code: str) -> int:
    return PROVINCE[code]


def _ending(form: str, record: Record, texts: Mapping[str, str]) -> Iterator[Filling]:
    if record.outcome is None:
        if form == "stopped" and _season(record.position["phase"]) == texts["season"].lower():
            yield {}
        return
    winners, reason = record.outcome["winners"], record.outcome["reason"]
    counts = {power: len(codes) for power, codes in record.phases[-1].after["centers"].items()}
    forms = {"solo": "solo", "year-limit": "ahead" if len(winners) == 1 else "ahead_level"}
    if forms.get(reason, "draw") == form:
        year = int(record.phases[-1].name[1:5])
        yield {"a": winners[0], "powers": set(winners), "centres": counts[winners[0]], "year": year}


@dataclass
class Repetition:
    """Counts of comments for everybody that repeat within a match."""

    comments: int = 0
    identical: int = 0
    in_a_row: int = 0
    constructions: list[int] = field(default_factory=list)
    """The number of constructions in each 200 lines in a row."""
    headlines: int = 0
    standing: int = 0
    """Headlines that are the same as before."""


_NAMES = re.compile(
    rf"\b(?:the )?(?:{'|'.join(map(re.escape, [*PROVINCE_NAMES, *map(str.capitalize, POWERS)]))})\b", re.IGNORECASE
)


def skeleton(text: str) -> str:
    """Return a sentence without its names and numbers."""
    bare = re.sub(r"(X(, | and ))+X", "X", _NAMES.sub("X", text))
    return re.sub(
        r"\b(one|two|three|four|five|six|seven|eight|nine|\w+teen|ten|eleven|twelve|\d+)\b", "N", bare.lower()
    )


def comments(played: Played) -> list[Comment]:
    """Return the comments of a match, in order."""
    return [item for _, telling in played.telling for item in telling if isinstance(item, Comment)]


def repetition(played: Played, total: Repetition) -> None:
    """Count the repetitions of a match."""
    texts = [item.text for item in comments(played) if item.audience is None]
    total.comments += len(texts)
    total.identical += len(texts) - len(set(texts))
    bare = [skeleton(text) for text in texts]
    total.in_a_row += sum(first == second for first, second in pairwise(bare))
    total.constructions += [len(set(bare[at : at + LINES])) for at in range(0, len(bare) - LINES + 1, LINES)]
    headlines = [item.headline for _, telling in played.telling for item in telling if isinstance(item, Outlook)]
    total.headlines += len(headlines)
    total.standing += sum(first == second for first, second in pairwise(headlines))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=Path, help="saved games to tell, instead of matches of bots")
    parser.add_argument("--show", action="store_true", help="print the comments")
    args = parser.parse_args()
    checked, repeated, seconds, turns = Checked(), Repetition(), 0.0, 0
    slowest = 0.0
    seeds = range(args.seed, args.seed + args.matches)
    sources: list[Callable[[], Played]] = [partial(play, seed) for seed in seeds]
    if args.games:
        sources = [partial(tell_saved, saved) for saved in saved_games(args.games)]
    for source in sources:
        played = source()
        check(played, checked)
        repetition(played, repeated)
        seconds += sum(played.seconds)
        turns += len(played.seconds)
        slowest = max(slowest, *played.seconds)
        if args.show:
            print("\n".join(item.text for item in comments(played)))
    what = f"saved games of {args.games}" if args.games else f"matches, seeds from {args.seed}"
    print(f"{len(sources)} {what}, years from {START_YEAR}")
    print(f"sentences checked {checked.count}, wrong {len(checked.wrong)}")
    print(f"claims of the analyst {checked.claims}; movement phases {checked.movements}, without one {checked.silent}")
    print("by form: " + ", ".join(f"{form} {count}" for form, count in checked.forms.most_common()))
    print(
        f"public comments {repeated.comments}: identical to an earlier one of the match {repeated.identical} "
        f"({repeated.identical / repeated.comments:.1%}), construction of the line before {repeated.in_a_row}"
    )
    if repeated.constructions:
        print(f"constructions of {LINES} public lines: {min(repeated.constructions)} to {max(repeated.constructions)}")
    print(f"headlines {repeated.headlines}, the same as before {repeated.standing}")
    print(f"cost per turn {1000 * seconds / turns:.2f} ms of CPU, slowest {1000 * slowest:.1f} ms")
    for text in checked.wrong[:40]:
        print("WRONG", text)


if __name__ == "__main__":
    main()
