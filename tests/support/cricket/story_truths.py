"""The truth about a cricket match, to check the commentator by: a scorebook of its own, and what sentences may say.

The scorebook adds up the runs, extras and wickets of the balls and reads none of the record's own totals. It shares
with the story only the constructions of `wording.FORMS`, which it fills with what is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grandstand.games.cricket.story.wording import FORMS
from grandstand.games.story import StoryEvent

Data: TypeAlias = Mapping[str, Any]
Words: TypeAlias = Mapping[str, str]

_CREDITED = ("bowled", "caught", "lbw", "stumped", "hit wicket")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_TWO_OVERS = 12


@dataclass
class Book:
    """The scorebook of an innings."""

    number: int
    batting: str
    bowling: str
    overs: int
    target: int | None
    runs: int = 0
    wickets: int = 0
    legal: int = 0
    batters: dict[str, list[int]] = field(default_factory=dict)
    """Runs, balls, fours, sixes."""
    bowlers: dict[str, list[int]] = field(default_factory=dict)
    """Runs, wickets."""
    falls: list[int] = field(default_factory=list)
    """Legal balls at the fall of each wicket."""
    stand: list[int] = field(default_factory=lambda: [0, 0])
    """Runs and balls of the partnership."""
    row: dict[str, int] = field(default_factory=dict)
    """By bowler: wickets with successive balls."""
    over_runs: int = 0
    over_charged: int = 0

    @property
    def most(self) -> int:
        return 10 if self.number <= 2 else 2

    @property
    def need(self) -> int | None:
        return None if self.target is None else max(0, self.target - self.runs)

    @property
    def left(self) -> int:
        return max(0, 6 * self.overs - self.legal)

    def score(self) -> str:
        if self.wickets >= self.most:
            return f"{self.runs} all out"
        return f"{self.runs} for {self.wickets}" if self.wickets else f"{self.runs} without loss"

    def hands(self) -> str:
        return _several(self.most - self.wickets, "wicket") + " left"

    def count(self, data: Data) -> None:
        """Count a ball."""
        extras = data["extras"] or {}
        batter = self.batters.setdefault(data["batter"], [0, 0, 0, 0])
        bowler = self.bowlers.setdefault(data["bowler"], [0, 0])
        total = data["runs"] + sum(extras.values())
        charged = total - sum(extras.get(kind, 0) for kind in ("byes", "legbyes", "penalty"))
        legal = not extras.keys() & {"wides", "noballs"}
        self.runs += total
        self.legal += legal
        self.over_runs += total
        self.over_charged += charged
        bowler[0] += charged
        faced = "wides" not in extras
        batter[0] += data["runs"]
        batter[1] += faced
        batter[2] += data["boundary"] and data["runs"] == 4
        batter[3] += data["boundary"] and data["runs"] == 6
        self.stand[0] += total
        self.stand[1] += faced
        wicket = data["wicket"]
        credited = wicket is not None and wicket["kind"] in _CREDITED
        if credited:
            bowler[1] += 1
        if credited or legal:
            self.row[data["bowler"]] = self.row.get(data["bowler"], 0) + 1 if credited else 0
        if wicket is not None:
            self.out()

    def out(self) -> None:
        self.wickets += 1
        self.falls.append(self.legal)


@dataclass
class Page:
    """The match after an event."""

    event: StoryEvent
    sides: dict[str, str]
    players: dict[str, str]
    """Full name -> what the player is called."""
    books: list[Book]
    before: float | None
    """The chance of the home side before the last ball."""
    home: float | None

    @property
    def book(self) -> Book:
        return self.books[-1]

    @property
    def side(self) -> str:
        return self.sides[self.book.batting]


class Scorebook:
    """The scorer of one match."""

    def pages(self, events: Sequence[StoryEvent]) -> list[Page]:
        """Return the match after each event."""
        self._page = Page(events[0], {}, {}, [], None, None)
        self._new_stand = False
        return [self._turn(event) for event in events]

    def _turn(self, event: StoryEvent) -> Page:
        page, data = self._page, event.data
        page.event = event
        if event.type == "MatchStarted":
            self._sheets(data)
        elif event.type == "InningsStarted":
            page.books.append(Book(data["innings"], data["batting"], data["bowling"], data["overs"], data["target"]))
        elif event.type == "PlayInterrupted":
            page.book.overs, page.book.target = data["overs"], data["target"]
        elif event.type == "BallBowled":
            if page.book.legal % 6 == 0 and self._new_over:
                page.book.over_runs = page.book.over_charged = 0
            self._new_over = False
            if self._new_stand:
                page.book.stand = [0, 0]
            page.book.count(data)
            self._new_stand = data["wicket"] is not None
        elif event.type == "BatterRetired":
            if data["kind"] == "retired out":
                page.book.out()
            page.book.stand = [0, 0]
        elif event.type == "ChanceChanged":
            page.before, page.home = page.home, data["home"]
        elif event.type in ("OverEnded", "InningsEnded"):
            self._new_over, self._new_stand = True, event.type == "InningsEnded" or self._new_stand
        return Page(event, page.sides, page.players, [*page.books[:-1], *map(deepcopy, page.books[-1:])], page.before,
                    page.home)  # fmt: skip

    _new_over = True

    def _sheets(self, data: Data) -> None:
        teams = data["state"]["teams"]
        self._page.sides = {seat: team["name"] for seat, team in teams.items()}
        names = [player["name"] for team in teams.values() for player in team["players"]]
        for name in names:
            last = name.rsplit(" ", 1)[-1]
            alone = sum(other.rsplit(" ", 1)[-1] == last for other in names) == 1
            self._page.players[name] = last if alone else name


# --- what a sentence may say ------------------------------------------------------------------------------------------


def reading(kind: str, text: str, pages: Sequence[Page]) -> str | None:
    """Return the form as which the record supports a sentence, or None."""
    page = pages[-1]
    if kind == "headline":
        return "headline" if _headline(text, page) else None
    if kind.startswith("comment"):
        return _comment(text, page)
    check = FACTS.get(kind)
    return kind if check is not None and check(text, page) else None


def _comment(text: str, page: Page) -> str | None:
    data, kind = page.event.data, page.event.type
    match kind:
        case "BallBowled":
            return _ball(text, page)
        case "OverEnded":
            form = "maiden" if page.book.over_charged == 0 else "over"
            return _agrees(form, text, _over_words(page))
        case "TossMade":
            return _agrees("toss", text, {"winner": page.sides[data["winner"]], "decision": str(data["decision"])})
        case "InningsStarted":
            words = {"batting": page.side, "overs": _several(page.book.overs, "over"), "target": str(page.book.target)}
            return _agrees("innings" if page.book.target is None else "chase", text, words)
        case "InningsEnded":
            return _agrees(
                "innings_end", text, {"batting": page.side, "score": page.book.score(), "overs": _overs(page)}
            )
        case "PlayInterrupted" | "SuperOverStarted" | "MatchDecided":
            fact = {"PlayInterrupted": "rain", "SuperOverStarted": "super-over"}.get(kind, "result")
            return fact if FACTS[fact](text, page) else None
    return None


def _ball(text: str, page: Page) -> str | None:
    data = page.event.data
    extras, runs = data["extras"] or {}, data["runs"]
    words = {
        "bowler": _name(page, "bowler"),
        "batter": _name(page, "batter"),
        "words": str(data["words"]),
        "ball": _length(data),
        "side": page.side,
        "score": page.book.score(),
        "runs": _counted_runs(runs),
    }
    if data["wicket"] is not None:
        return _agrees("wicket", text, {**words, **_wicket_words(page)})
    if extras and not runs:
        total = sum(extras.values())
        nouns = {"wides": "wide", "noballs": "no-ball", "byes": "bye", "legbyes": "leg bye"}
        extra = " and ".join(_some(count, nouns[name]) for name, count in extras.items())
        blamed = not extras.keys() & {"byes", "legbyes"}
        return _agrees("extra" if blamed else "byes", text, {**words, "extra": extra, "runs": _counted_runs(total)})
    if text.startswith(prefix := "No-ball, and a free hit to come. "):
        if "noballs" not in extras:
            return None
        text = text.removeprefix(prefix)
    rope = data["boundary"]
    form = "six" if rope and runs == 6 else "four" if rope and runs == 4 else "run" if runs else "dot"
    return _agrees(form, text, words)


def _wicket_words(page: Page) -> dict[str, str]:
    wicket: Data = page.event.data["wicket"]
    card = page.book.batters.get(wicket["out"], [0, 0, 0, 0])
    made = f"{card[0]} off {_several(card[1], 'ball')}"
    return {"out": page.players[wicket["out"]], "how": _how(page, wicket), "made": made}


def _how(page: Page, wicket: Data) -> str:
    bowler = _name(page, "bowler")
    fielders = [page.players.get(name, name) for name in wicket["fielders"]]
    kind = wicket["kind"]
    if kind == "caught":
        return (
            f"is caught and bowled by {bowler}"
            if fielders in ([], [bowler])
            else f"is caught by {fielders[0]} off {bowler}"
        )
    if kind == "stumped" and fielders:
        return f"is stumped by {fielders[0]} off {bowler}"
    if kind == "run out" and fielders:
        return f"is run out by {' and '.join(fielders[:2])}"
    return {"bowled": f"is bowled by {bowler}", "lbw": f"is lbw to {bowler}"}.get(kind, f"is out, {kind}")


def _over_words(page: Page) -> dict[str, str]:
    book = page.book
    number = (book.legal + 5) // 6
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    chase = ""
    if book.need and book.left:
        chase = f" and need {book.need} off {book.left}, with {book.hands()}"
    return {
        "side": page.side, "bowler": _name(page, "bowler"), "score": book.score(), "chase": chase, "over": str(number),
        "nth": f"{number}{ending}", "overs": _overs(page), "runs": _counted_runs(book.over_runs),
    }  # fmt: skip


def _agrees(kind: str, text: str, words: Words) -> str | None:
    """Return `kind` where one of its constructions reads so with the true words."""
    slots = {**words, **{slot.capitalize(): word for slot, word in words.items()}}
    return kind if any(form.format(**slots).lower() == text.lower() for form in FORMS[kind]) else None


# --- facts ------------------------------------------------------------------------------------------------------------


def _fact(pattern: str, truth: Callable[[Page], Iterator[tuple[object, ...]]]) -> Callable[[str, Page], bool]:
    """Return the check of a sentence: it matches the pattern, and one of the truths is what stands in its groups."""
    compiled = re.compile(pattern)

    def check(text: str, page: Page) -> bool:
        match = compiled.fullmatch(text)
        return match is not None and any(match.groups() == tuple(map(str, values)) for values in truth(page))

    return check


def _wicket(page: Page) -> Iterator[tuple[object, ...]]:
    words = _wicket_words(page)
    yield words["out"], words["how"], words["made"]


def _hat_trick(page: Page) -> Iterator[tuple[object, ...]]:
    if page.book.row.get(str(page.event.data["bowler"])) == 3:
        yield (_name(page, "bowler"),)


def _collapse(page: Page) -> Iterator[tuple[object, ...]]:
    book = page.book
    if sum(fall > book.legal - _TWO_OVERS for fall in book.falls) == 3:
        yield page.side, book.score()


def _haul(page: Page) -> Iterator[tuple[object, ...]]:
    runs, wickets = page.book.bowlers[str(page.event.data["bowler"])]
    yield _name(page, "bowler"), wickets, runs


def _milestone(page: Page) -> Iterator[tuple[object, ...]]:
    data = page.event.data
    runs, balls, fours, sixes = page.book.batters[str(data["batter"])]
    mark = runs // 50 * 50
    if mark and runs - int(data["runs"]) < mark:
        rope = [_several(fours, "four")] * (fours > 0) + [f"{sixes} six{'es' * (sixes != 1)}"] * (sixes > 0)
        yield _name(page, "batter"), mark, _several(balls, "ball"), f", with {' and '.join(rope)}" if rope else ""


def _partnership(page: Page) -> Iterator[tuple[object, ...]]:
    data, (runs, balls) = page.event.data, page.book.stand
    total = int(data["runs"]) + sum((data["extras"] or {}).values())
    if runs // 50 > (runs - total) // 50:
        yield _name(page, "batter"), _name(page, "non_striker"), runs, _several(balls, "ball")


def _asking_rate(page: Page) -> Iterator[tuple[object, ...]]:
    need, left = page.book.need or 0, page.book.left
    yield from ((page.side, rate, need, left) for rate in range(40) if need * 6 > rate * left)


def _finish(page: Page) -> Iterator[tuple[object, ...]]:
    overs = {6: "the last over", 12: "the last two overs"}.get(page.book.left)
    if overs is not None:
        yield page.side, page.book.need, overs, page.book.hands()


def _rain(page: Page) -> Iterator[tuple[object, ...]]:
    book = page.book
    yield _several(book.overs, "over"), "." if book.target is None else f", and the target is {book.target} now."


def _big_over(page: Page) -> Iterator[tuple[object, ...]]:
    yield page.side, page.book.over_runs, _name(page, "bowler")


def _maiden(page: Page) -> Iterator[tuple[object, ...]]:
    if page.book.over_charged == 0:
        yield _name(page, "bowler"), page.side


def _innings(page: Page) -> Iterator[tuple[object, ...]]:
    yield page.side, page.book.score()


def _super_over(page: Page) -> Iterator[tuple[object, ...]]:
    first, second = page.books[-2:]
    if first.runs == second.runs or second.need == 1:
        yield (
            "The scores are level: a Super Over decides."
            if len(page.books) == 2
            else "Level again: one more Super Over.",
        )


def _turning_point(text: str, page: Page) -> bool:
    match = re.fullmatch(r"The chance of (.+) rises by (\d+)% to (\d+)% with one ball\.", text)
    if match is None or page.before is None or page.home is None:
        return False
    rise, now = (
        (page.home - page.before, page.home) if page.home > page.before else (page.before - page.home, 1 - page.home)
    )
    better = page.sides["home" if page.home > page.before else "away"]
    return match[1] == better and abs(int(match[2]) - 100 * rise) <= 0.51 and abs(int(match[3]) - 100 * now) <= 0.51


def _result(text: str, page: Page) -> bool:
    """Return whether the result follows from the innings; who leads a chase that rain ends is not worked out again."""
    books = page.books
    match = re.fullmatch(r"(.+) won by (\d+) (run|wicket)s?(?: \((\d+) balls? left\))?(?: \((.+)\))?\.", text)
    if match is None:
        won = re.fullmatch(r"match tied; (.+) won the Super Over\.", text)
        last = books[-1]
        if won is not None:
            chased = last.need == 0
            return len(books) > 2 and won[1] == page.sides[last.batting if chased else last.bowling]
        return text == "match tied." or text.startswith("no result: under ")
    chase = books[1]
    assert chase.target is not None
    if match[3] == "wicket":
        true = (page.sides[chase.batting], str(10 - chase.wickets), str(chase.left))
        return chase.need == 0 and (match[1], match[2], match[4]) == true
    if match[5] is not None:
        return match[1] in page.sides.values()
    return match[1] == page.sides[chase.bowling] and int(match[2]) == chase.target - 1 - chase.runs > 0


FACTS: Mapping[str, Callable[[str, Page], bool]] = {
    "wicket": _fact(r"(.+?) (is .+), for (.+)\.", _wicket),
    "hat-trick": _fact(r"A hat-trick for (.+): three wickets with three balls\.", _hat_trick),
    "collapse": _fact(r"(.+) have lost 3 wickets within two overs and are (.+)\.", _collapse),
    "haul": _fact(r"(.+) has (\d+) wickets for (\d+)\.", _haul),
    "milestone": _fact(r"(.+) reaches (\d+) off (\d+ balls?)(.*)\.", _milestone),
    "partnership": _fact(r"(.+) and (.+) have put on (\d+) together, off (\d+ balls?)\.", _partnership),
    "asking-rate": _fact(r"(.+) now need more than (\d+) an over: (\d+) off (\d+)\.", _asking_rate),
    "finish": _fact(r"(.+) need (\d+) off (the last .*overs?), with (.+)\.", _finish),
    "rain": _fact(r"Rain\. The innings is cut to (\d+ overs?)(.+)", _rain),
    "big-over": _fact(r"(.+) take (\d+) from an over of (.+)\.", _big_over),
    "maiden": _fact(r"(.+) bowls a maiden to (.+)\.", _maiden),
    "innings": _fact(r"(.+) end on (.+)\.", _innings),
    "super-over": _fact(r"(.+)", _super_over),
    "turning-point": _turning_point,
    "result": _result,
}
"""The check of each kind of fact."""


def _headline(text: str, page: Page) -> bool:
    if not page.books:
        return text == "{home} play {away}.".format(**page.sides)
    if page.event.type == "MatchDecided":
        return _result(text, page)
    book = page.book
    over = "Super Over: " if book.number > 2 else ""
    falls = sum(fall > book.legal - _TWO_OVERS for fall in book.falls)
    true = {f"{over}{page.side} are {book.score()} after {_overs(page)}."}
    if book.need and book.left and book.wickets < book.most:
        true = {f"{over}{page.side} need {book.need} off {book.left}, {book.hands()}."}
    elif falls >= 3:
        true = {f"{over}{falls} wickets in two overs: {page.side} are {book.score()}."}
    elif not book.legal and not book.runs:
        true = {f"{over}{page.side} are in to bat."}
    return text in true


# --- words ------------------------------------------------------------------------------------------------------------


def _name(page: Page, role: str) -> str:
    return page.players[str(page.event.data[role])]


def _length(data: Data) -> str:
    name: str = data["landed"][0]
    return {"good": "good length", "back_of_length": "back of a length"}.get(name, name.replace("_", " "))


def _overs(page: Page) -> str:
    over, ball = divmod(page.book.legal, 6)
    return f"{over}.{ball} overs" if ball else _several(over, "over")


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _some(count: int, noun: str) -> str:
    return f"a {noun}" if count == 1 else f"{_COUNTS[count]} {noun}s"


def _counted_runs(count: int) -> str:
    word = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{word} run{'s' * (count > 1)}"
