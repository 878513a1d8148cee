"""Is what the commentator of Diplomacy says true, and how often does it repeat itself?

    python -m tests.support.diplomacy.story_checker [--matches N] [--seed S] [--games FILE] [--records DIR ...] [--show]

Plays matches of bots with seeded press (promises, most of them kept), or tells the saved games of a file (JSON lines,
compressed) or the recordings in folders, and checks every fact, comment and headline against the record, with the
program in `story_truths.py`: each power, place and number must be true of the events on which the sentence rests.
Prints counts, what is read and how much of it repeats (`story_load.py`), the sentences that are wrong, and the cost.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE, PROVINCE_NAMES, START_YEAR
from grandstand.games.diplomacy.story.analyst.forms import ANALYSIS
from grandstand.games.story import Audience, Outlook, StoryEvent
from tests.support.diplomacy.analyst_truths import STAKES, claims, stakes
from tests.support.diplomacy.story_load import Reading
from tests.support.diplomacy.story_matches import Played, comments, play, saved_games, tell_record, tell_saved
from tests.support.diplomacy.story_truths import BY_PHASE, Filling, Record, agrees, readings, value_of

UNREAD = {"clause", "season", "deed", "text", "headline"}
"""Slots whose words are compared with the record as they stand."""


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
        if form == "headline_more_stake" and true_form(texts["headline"], statement, record) is None:
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
    if form.removeprefix("headline_") in STAKES and form not in ANALYSIS:
        yield from stakes(form, record.phase(statement.rests_on).after)
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=Path, help="saved games to tell, instead of matches of bots")
    parser.add_argument(
        "--records", type=Path, nargs="+", help="folders of recordings to tell, instead of matches of bots"
    )
    parser.add_argument("--show", action="store_true", help="print the comments")
    args = parser.parse_args()
    checked, read, seconds = Checked(), Reading(), list[float]()
    sources: list[Callable[[], Played]] = [partial(play, seed) for seed in range(args.seed, args.seed + args.matches)]
    what = f"matches, seeds from {args.seed}"
    if args.games:
        sources, what = [partial(tell_saved, saved) for saved in saved_games(args.games)], f"games of {args.games}"
    elif args.records:
        files = [file for folder in args.records for file in sorted(folder.glob("*.jsonl"))]
        sources, what = [partial(tell_record, file) for file in files], "recordings"
    for source in sources:
        played = source()
        check(played, checked)
        read.count(played)
        seconds += played.seconds
        if args.show:
            print("\n".join(item.text for item in comments(played)))
    print(f"{len(sources)} {what}, years from {START_YEAR}")
    print(f"sentences checked {checked.count}, wrong {len(checked.wrong)}")
    print(f"claims of the analyst {checked.claims}; movement phases {checked.movements}, without one {checked.silent}")
    print("by form: " + ", ".join(f"{form} {count}" for form, count in checked.forms.most_common()))
    print(read.summary())
    print(f"cost per turn {1000 * sum(seconds) / len(seconds):.2f} ms of CPU, slowest {1000 * max(seconds):.1f} ms")
    for text in checked.wrong[:40]:
        print("WRONG", text)


if __name__ == "__main__":
    main()
