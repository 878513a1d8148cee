"""What the sentences of the commentator of cricket may say: each kind, and what makes it true.

It shares with the story only the constructions of `story.forms`, which it fills with what the scorebook says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.support.cricket.analyst_said import ANALYSED
from tests.support.cricket.captains_said import AT_INNINGS_END, AT_THE_END
from tests.support.cricket.story_said import AROUND, ON_A_BALL, SAID, agrees, told
from tests.support.cricket.story_scorebook import (
    TWO_OVERS,
    Data,
    Page,
    counted_runs,
    length,
    name_of,
    overs,
    several,
    some,
)


def reading(kind: str, text: str, pages: Sequence[Page]) -> str | None:
    """Return the form as which the record supports a sentence, or None."""
    page = pages[-1]
    if kind == "headline":
        return "headline" if _headline(text, page) else None
    if kind.startswith("comment"):
        return _comment(text, page)
    if kind in SAID:
        return _said(kind, text, page)
    check = FACTS.get(kind)
    return kind if check is not None and check(text, page) else None


def _said(kind: str, text: str, page: Page) -> str | None:
    """Return `kind` where a truth of it reads so."""
    return kind if any(agrees(kind, text, words) for words in SAID[kind](page)) else None


def _comment(text: str, page: Page) -> str | None:
    data, kind = page.event.data, page.event.type
    match kind:
        case "BallBowled":
            return _ball(text, page) or _first(ON_A_BALL, text, page)
        case "ChanceChanged":
            return _said("turning-point", text, page)
        case "AppealMade" | "ReviewTaken" | "BowlerChosen" | "FieldSet" | "OverRatePenalized" | "PlayerReplaced":
            return _first(AROUND[kind], text, page)
        case "OverEnded" if called := _first(tuple(ANALYSED), text, page):
            return called
        case "OverEnded":
            form = "maiden" if page.book.over_charged == 0 else "over"
            return agrees(form, text, _over_words(page))
        case "TossMade":
            expected = {"dew": "toss_dew", "dry": "toss_dry", None: "toss"}[page.expected]
            return agrees(expected, text, {"winner": page.sides[data["winner"]], "decision": str(data["decision"])})
        case "InningsStarted":
            words = {"batting": page.side, "overs": several(page.book.overs, "over"), "target": str(page.book.target)}
            return agrees("innings" if page.book.target is None else "chase", text, words)
        case "InningsEnded" if best := _first(("innings_best", *AT_INNINGS_END), text, page):
            return best
        case "MatchDecided" if best := _first(("player-of-the-match", *AT_THE_END), text, page):
            return best
        case "InningsEnded":
            return agrees("innings_end", text, {"batting": page.side, "score": page.book.score(), "overs": overs(page)})
        case "PlayInterrupted" | "SuperOverStarted" | "MatchDecided":
            fact = {"PlayInterrupted": "rain", "SuperOverStarted": "super-over"}.get(kind, "result")
            return fact if FACTS[fact](text, page) else None
    return None


def _ball(text: str, page: Page) -> str | None:
    data = page.event.data
    extras, runs = data["extras"] or {}, data["runs"]
    words = {
        "bowler": name_of(page, "bowler"),
        "batter": name_of(page, "batter"),
        "partner": name_of(page, "non_striker"),
        "words": str(data["words"]),
        "ball": length(data),
        "side": page.side,
        "score": page.book.score(),
        "runs": counted_runs(runs),
    }
    if data["wicket"] is not None:
        return told("wicket", text, {**words, **_wicket_words(page)}, page)
    if extras and not runs:
        total = sum(extras.values())
        nouns = {"wides": "wide", "noballs": "no-ball", "byes": "bye", "legbyes": "leg bye"}
        extra = " and ".join(some(count, nouns[name]) for name, count in extras.items())
        blamed = not extras.keys() & {"byes", "legbyes"}
        words |= {"extra": extra, "runs": counted_runs(total)}
        return told("extra" if blamed else "byes", text, words, page)
    if text.startswith(prefix := "No-ball, and a free hit to come. "):
        if "noballs" not in extras:
            return None
        text = text.removeprefix(prefix)
    rope = data["boundary"]
    form = "six" if rope and runs == 6 else "four" if rope and runs == 4 else "run" if runs else "dot"
    if form == "dot":
        met = {"left": "dot_left", "ducked": "dot_left", "beaten": "dot_beaten", "defended": "dot_defended"}
        met |= {"pad": "dot_pad", "body": "dot_pad"}
        form = met.get(data["contact"], "dot")
    return told(form, text, words, page)


def _first(kinds: Sequence[str], text: str, page: Page) -> str | None:
    return next((kind for kind in kinds if _said(kind, text, page)), None)


def _wicket_words(page: Page) -> dict[str, str]:
    wicket: Data = page.event.data["wicket"]
    card = page.book.batters.get(wicket["out"], [0, 0, 0, 0])
    made = f"{card[0]} off {several(card[1], 'ball')}"
    return {"out": page.players[wicket["out"]], "how": _how(page, wicket), "made": made}


def _how(page: Page, wicket: Data) -> str:
    bowler = name_of(page, "bowler")
    fielders = [page.players.get(name, name) for name in wicket["fielders"]]
    kind = wicket["kind"]
    if kind == "caught and bowled":
        return f"is caught and bowled by {bowler}"
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
        "side": page.side, "bowler": name_of(page, "bowler"), "score": book.score(), "chase": chase,
        "over": str(number), "nth": f"{number}{ending}", "overs": overs(page), "runs": counted_runs(book.over_runs),
    }  # fmt: skip


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


def _rain(page: Page) -> Iterator[tuple[object, ...]]:
    book = page.book
    yield several(book.overs, "over"), "." if book.target is None else f", and the target is {book.target} now."


def _big_over(page: Page) -> Iterator[tuple[object, ...]]:
    yield page.side, page.book.over_runs, name_of(page, "bowler")


def _maiden(page: Page) -> Iterator[tuple[object, ...]]:
    if page.book.over_charged == 0:
        yield name_of(page, "bowler"), page.side


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
    "rain": _fact(r"Rain\. The innings is cut to (\d+ overs?)(.+)", _rain),
    "big-over": _fact(r"(.+) take (\d+) from an over of (.+)\.", _big_over),
    "maiden": _fact(r"(.+) bowls a maiden to (.+)\.", _maiden),
    "innings": _fact(r"(.+) end on (.+)\.", _innings),
    "super-over": _fact(r"(.+)", _super_over),
    "result": _result,
    "impact-player": lambda text, page: _first(AROUND["PlayerReplaced"], text, page) is not None,
}
"""The check of each kind of fact."""


def _headline(text: str, page: Page) -> bool:
    if not page.books:
        return text == "{home} play {away}.".format(**page.sides)
    if page.event.type == "MatchDecided":
        return _result(text, page)
    book = page.book
    over = "Super Over: " if book.number > 2 else ""
    falls = sum(fall > book.legal - TWO_OVERS for fall in book.falls)
    true = {f"{over}{page.side} are {book.score()} after {overs(page)}."}
    if book.need and book.left and book.wickets < book.most:
        true = {f"{over}{page.side} need {book.need} off {book.left}, {book.hands()}."}
    elif falls >= 3:
        true = {f"{over}{falls} wickets in two overs: {page.side} are {book.score()} after {overs(page)}."}
    elif not book.legal and not book.runs:
        true = {f"{over}{page.side} are in to bat."}
    return text in true
