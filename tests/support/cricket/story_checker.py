"""Is what the commentator of cricket says true, and how often does it repeat itself?

    python -m tests.support.cricket.story_checker [--matches N] [--overs N] [--seed S] [--decisions over] [--show]

Plays matches of built-in captains, ball by ball or by plans for overs, and checks every fact, comment and headline
against the record, with the scorebook in `story_scorebook.py`: each name, number and result must be true of the events
on which the sentence rests. Prints counts, the sentences that are wrong, how many constructions 200 lines have, the
rate of repetition, and the cost.
"""

from __future__ import annotations

import argparse
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from random import Random

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import DECISIONS, CricketOptions
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.match import event_data
from grandstand.games.story import Comment, Outlook, StoryEvent, Telling
from tests.support.cricket.analyst_said import ANALYSED
from tests.support.cricket.story_scorebook import TWO_OVERS, Page, Scorebook
from tests.support.cricket.story_truths import reading

CAPTAINS = (("neutral", "neutral"), ("heuristic", "neutral"), ("random", "cricsheet"))
"""The captains by turns: random ones leave balls, retire batters and break field restrictions, which others do not."""
LINES = 200
"""Lines whose constructions are counted together."""
INNINGS = 2
"""Innings of a match without a Super Over."""
FIFTY, COLLAPSE = 50, 3
"""Runs of a batter, and wickets within two overs, that are told."""
RAIN = 5
"""Every so many matches rain is possible."""


@dataclass
class Played:
    """A match with its story, told decision by decision as it is played."""

    events: list[StoryEvent] = field(default_factory=list)
    telling: list[tuple[int, Sequence[Telling]]] = field(default_factory=list)
    """The facts, comments and outlook of each part, after the number of its last event."""
    seconds: float = 0.0


def play(seed: int, overs: int, decisions: str = "ball", conditions: str = "icc") -> Played:
    """Play a match and tell it."""
    rain = "random" if seed % RAIN == 0 else "none"
    options = CricketOptions(overs=overs, rain=rain, decisions=decisions, conditions=conditions)
    game, names = CricketGame(options, seed), CAPTAINS[seed % len(CAPTAINS)]
    captains = {
        seat: (BOTS[name], Random(f"{seed}/{seat}")) for seat, name in zip(("home", "away"), names, strict=True)
    }
    played, story, batch = Played(), CricketStory(f"cricket-{seed}"), list(game.opening())
    while True:
        first = len(played.events)
        events = [
            StoryEvent(seq, type(event).__name__, event_data(event), event.seats())
            for seq, event in enumerate(batch, first)
        ]
        began = time.process_time()
        telling = story.tell(events)
        played.seconds += time.process_time() - began
        played.events += events
        played.telling.append((len(played.events) - 1, telling))
        if game.outcome is not None:
            return played
        seat = game.to_act()[0]
        captain, rng = captains[seat]
        batch = list(game.apply(seat, game.standing(seat) or captain(game, seat, rng)))


@dataclass
class Checked:
    """The result of checking sentences."""

    count: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    overs: int = 0
    """Overs that were completed, without those of Super Overs."""
    silent: int = 0
    """Those of which the analyst says nothing."""

    @property
    def claims(self) -> int:
        """Return the number of true claims of the analyst."""
        return sum(count for form, count in self.forms.items() if form in ANALYSED)


def sentences(played: Played) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Yield (kind, text, numbers of events) of every fact, comment and headline."""
    for _, telling in played.telling:
        for item in telling:
            if isinstance(item, Outlook):
                yield "headline", item.headline, item.rests_on
            elif isinstance(item, Comment):
                yield f"comment {item.beat}", item.text, item.rests_on
            else:
                yield item.kind, item.text, item.rests_on


def check(played: Played, checked: Checked) -> None:
    """Check every sentence of a match."""
    pages: list[Page] = Scorebook().pages(played.events)
    spoken = {item.rests_on[-1] for item in comments(played) if item.speaker}
    ended = {event.seq for event in played.events if event.type == "OverEnded" and event.data["innings"] <= INNINGS}
    checked.overs += len(ended)
    checked.silent += len(ended - spoken)
    for kind, text, rests_on in sentences(played):
        checked.count += 1
        form = reading(kind, text, [pages[seq] for seq in rests_on])
        checked.forms[form or "wrong"] += 1
        if form is None:
            checked.wrong.append(f"{kind}: {text} {list(rests_on)}")


@dataclass
class Repetition:
    """Counts of comments and headlines that repeat within a match."""

    comments: int = 0
    identical: int = 0
    in_a_row: int = 0
    again: int = 0
    """Comments with a construction that the over has had."""
    constructions: list[int] = field(default_factory=list)
    """The number of constructions in each 200 lines in a row."""
    headlines: int = 0
    standing: int = 0
    """Headlines that are the same as before."""


def comments(played: Played) -> list[Comment]:
    """Return the comments of a match, in order."""
    return [item for _, telling in played.telling for item in telling if isinstance(item, Comment)]


def skeleton(text: str) -> str:
    """Return a sentence without its names, numbers and the picture of the ball."""
    bare = re.sub(r"(: |, )[a-z][^.:]*(?=[.:])", " …", text)
    return re.sub(
        r"\d+|\b(one|two|three|four|five|six|seven)\b", "N", re.sub(r"\b[A-Z][\w'’-]+( [A-Z]\w*)*", "X", bare)
    )


def repetition(played: Played, total: Repetition) -> None:
    """Count the repetitions of a match."""
    texts = [item.text for item in comments(played)]
    total.comments += len(texts)
    total.identical += len(texts) - len(set(texts))
    bare = [skeleton(text) for text in texts]
    total.constructions += [len(set(bare[at : at + LINES])) for at in range(0, len(bare) - LINES + 1, LINES)]
    total.in_a_row += sum(first == second for first, second in pairwise(bare))
    total.again += sum(len(lines) - len(set(lines)) for lines in _overs(played))
    headlines = [item.headline for _, telling in played.telling for item in telling if isinstance(item, Outlook)]
    total.headlines += len(headlines)
    total.standing += sum(first == second for first, second in pairwise(headlines))


def _overs(played: Played) -> Iterator[list[str]]:
    """Yield the constructions of the comments of each over, those after its last ball included."""
    ends = [event.seq for event in played.events if event.type == "OverEnded"]
    for _, lines in groupby(comments(played), lambda item: bisect_left(ends, item.rests_on[-1])):
        yield [skeleton(item.text) for item in lines]


MOMENTS = ("fifties and hundreds", "collapses", "reviews")


def moments(played: Played) -> Iterator[tuple[str, bool]]:
    """Yield each moment of a match that the scorebook has, and whether a line tells it."""
    lines = [(item.kind, item.beat, item.rests_on[-1]) for item in comments(played)]
    for page in Scorebook().pages(played.events):
        event, seq = page.event, page.event.seq
        if event.type == "ReviewTaken":
            yield "reviews", any(last == seq for _, _, last in lines)
        if event.type != "BallBowled":
            continue
        book, data = page.book, event.data
        runs = book.batters[data["batter"]][0]
        if runs // FIFTY > (runs - data["runs"]) // FIFTY:
            yield "fifties and hundreds", any(kind == "milestone" and last == seq for kind, _, last in lines)
        lost = sum(fall > book.legal - TWO_OVERS for fall in book.falls)
        if data["wicket"] is not None and lost == COLLAPSE and book.wickets < book.most:
            yield "collapses", any(kind == "collapse" and last == seq for kind, _, last in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=12)
    parser.add_argument("--overs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decisions", choices=DECISIONS, default=DECISIONS[0])
    parser.add_argument("--show", action="store_true", help="print the comments")
    args = parser.parse_args()
    checked, repeated, seconds, balls = Checked(), Repetition(), 0.0, 0
    happened, spoken = Counter[str](), Counter[str]()
    for seed in range(args.seed, args.seed + args.matches):
        played = play(seed, args.overs, args.decisions)
        check(played, checked)
        repetition(played, repeated)
        for moment, is_told in moments(played):
            happened[moment] += 1
            spoken[moment] += is_told
        seconds += played.seconds
        balls += sum(event.type == "BallBowled" for event in played.events)
        if args.show:
            print("\n".join(item.text for item in comments(played)))
    print(f"{args.matches} matches of {args.overs} overs, seeds from {args.seed}, {balls} balls")
    print(f"sentences checked {checked.count}, wrong {len(checked.wrong)}")
    print(f"claims of the analyst {checked.claims}; overs {checked.overs}, without one {checked.silent}")
    print("by form: " + ", ".join(f"{form} {count}" for form, count in checked.forms.most_common()))
    print(
        f"comments {repeated.comments}: identical to an earlier one of the match {repeated.identical} "
        f"({repeated.identical / repeated.comments:.1%}), construction of the line before {repeated.in_a_row} "
        f"({repeated.in_a_row / repeated.comments:.1%}), of an earlier line of the over {repeated.again}"
    )
    print(f"headlines {repeated.headlines}, the same as before {repeated.standing}")
    print("told: " + ", ".join(f"{moment} {spoken[moment]} of {happened[moment]}" for moment in MOMENTS))
    if repeated.constructions:
        print(f"constructions of {LINES} lines: {min(repeated.constructions)} to {max(repeated.constructions)}")
    print(f"cost per ball {1000 * seconds / balls:.2f} ms of CPU")
    for text in checked.wrong[:40]:
        print("WRONG", text)


if __name__ == "__main__":
    main()
