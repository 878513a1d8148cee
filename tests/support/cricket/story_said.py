"""What facts, and clauses after the line on a ball, may say: the truth, as the words of their slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from grandstand.games.cricket.story.forms import CLAUSES, FORMS
from tests.support.cricket.analyst_said import ANALYSED
from tests.support.cricket.captains_said import AT_INNINGS_END, AT_THE_END, WITH_FIELDS, first_attack
from tests.support.cricket.story_scorebook import COUNTS, TWO_OVERS, Book, Page, name_of, several

Words: TypeAlias = Mapping[str, str]


def told(kind: str, text: str, words: Words, page: Page) -> str | None:
    """Return `kind` where the line on a ball reads so, alone or with a clause that is true."""
    for line in _filled(FORMS[kind], words):
        if text.lower() == line.lower():
            return kind
        if text.lower().startswith(f"{line.lower()} "):
            rest = text[len(line) + 1 :]
            for clause, true in _clauses(page):
                if any(rest.lower() == one.lower() for one in _filled(CLAUSES[clause], true)):
                    return f"{kind} + {clause}"
    return None


def agrees(kind: str, text: str, words: Words) -> str | None:
    """Return `kind` where one of its constructions reads so with the true words."""
    return kind if any(line.lower() == text.lower() for line in _filled(FORMS[kind], words)) else None


def _filled(forms: Sequence[str], words: Words) -> list[str]:
    slots = {**words, **{slot.capitalize(): word for slot, word in words.items()}}
    return [form.format(**slots) for form in forms]


# --- facts, and the lines in which they are said ----------------------------------------------------------------------


def _hat_trick(page: Page) -> Iterator[Words]:
    if page.book.row.get(str(page.event.data["bowler"])) == 3:
        yield {"bowler": name_of(page, "bowler")}


def _collapse(page: Page) -> Iterator[Words]:
    book = page.book
    if sum(fall > book.legal - TWO_OVERS for fall in book.falls) == 3:
        yield {"side": page.side, "score": book.score()}


def _haul(page: Page) -> Iterator[Words]:
    runs, wickets, _ = page.book.bowlers[str(page.event.data["bowler"])]
    yield {"bowler": name_of(page, "bowler"), "wickets": str(wickets), "runs": str(runs)}


def _milestone(page: Page) -> Iterator[Words]:
    data = page.event.data
    runs, balls, fours, sixes = page.book.batters[str(data["batter"])]
    mark = runs // 50 * 50
    if mark and runs - int(data["runs"]) < mark:
        rope = [several(fours, "four")] * (fours > 0) + [f"{sixes} six{'es' * (sixes != 1)}"] * (sixes > 0)
        yield {
            "batter": name_of(page, "batter"), "mark": str(mark), "balls": several(balls, "ball"),
            "rope": f", with {' and '.join(rope)}" if rope else "",
        }  # fmt: skip


def _partnership(page: Page) -> Iterator[Words]:
    data, (runs, balls) = page.event.data, page.book.stand
    total = int(data["runs"]) + sum((data["extras"] or {}).values())
    if runs // 50 > (runs - total) // 50:
        yield {
            "batter": name_of(page, "batter"), "partner": name_of(page, "non_striker"), "runs": str(runs),
            "balls": several(balls, "ball"),
        }  # fmt: skip


def _asking_rate(page: Page) -> Iterator[Words]:
    need, left = page.book.need or 0, page.book.left
    for rate in range(40):
        if need * 6 > rate * left:
            yield {"side": page.side, "rate": str(rate), "need": str(need), "left": str(left)}


def _finish(page: Page) -> Iterator[Words]:
    over = {6: "the last over", 12: "the last two overs"}.get(page.book.left)
    if over is not None:
        yield {"side": page.side, "need": str(page.book.need), "overs": over, "hands": page.book.hands()}


def _turning_point(page: Page) -> Iterator[Words]:
    """Yield the words, with any rounding of the figures by a half."""
    if page.before is None or page.home is None:
        return
    better = "home" if page.home > page.before else "away"
    before, now = (page.before, page.home) if better == "home" else (1 - page.before, 1 - page.home)
    for swing in _rounded(now - before):
        for after in _rounded(now):
            for earlier in _rounded(before):
                yield {"side": page.sides[better], "swing": swing, "now": after, "before": earlier}


def _rounded(share: float) -> set[str]:
    return {f"{share - 1e-5:.0%}", f"{share:.0%}", f"{share + 1e-5:.0%}"}


# --- between the balls ------------------------------------------------------------------------------------------------


def _appeal(page: Page) -> Words:
    data = page.event.data
    nouns = {"lbw": "leg before", "caught": "a catch", "wide": "a wide", "no-ball": "a no-ball for height"}
    looks = {"unlikely": "the right decision", "close": "close", "likely": "wrong"}[data["evidence"]]
    return {
        "batter": name_of(page, "batter"), "bowler": name_of(page, "bowler"), "noun": nouns[data["kind"]],
        "how": "leg before" if data["kind"] == "lbw" else data["kind"],
        "evidence": f"from the middle it looks {looks}",
    }  # fmt: skip


def _appealed(extra: bool, given: bool) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        data = page.event.data
        if data.get("given_out") is given and (data["kind"] in ("wide", "no-ball")) is extra:
            yield _appeal(page)

    return words


def _review(
    upheld: bool, out: bool | None, call: bool | None, extra: bool | None = None
) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        data = page.event.data
        if (
            data.get("upheld") is not upheld
            or out not in (None, data["out"])
            or call not in (None, data["umpires_call"])
            or extra not in (None, data["kind"] in ("wide", "no-ball"))
        ):
            return
        left = "none is left" if data["reviews_left"] == 0 else f"{data['reviews_left']} left"
        noun = {"wide": "a wide", "no-ball": "a no-ball for height"}.get(data["kind"], "")
        yield {"side": page.sides[data["seat"]], "batter": page.players[page.appealed], "left": left, "noun": noun}

    return words


def _bowler(page: Page) -> Iterator[Words]:
    data, book = page.event.data, page.book
    captain = page.captains[book.bowling]
    words = {"bowler": name_of(page, "bowler"), "captain": page.players[captain] if captain != data["bowler"] else "?"}
    if data["replaces"] is not None:
        words["replaces"] = page.players[data["replaces"]]
    runs, wickets, balls = book.bowlers.get(str(data["bowler"]), [0, 0, 0])
    figures = f"{wickets} for {runs}"
    yield {**words, "figures": figures if balls % 6 else f"{figures} from {several(balls // 6, 'over')}"}


def _bowls(true: Callable[[Book, int, bool, int | None], bool]) -> Callable[[Page], Iterator[Words]]:
    """Return the truth of a line on the next bowler; `true` gets the book, the over, whether it is a stand-in, and the
    last over that it began."""

    def words(page: Page) -> Iterator[Words]:
        data, book = page.event.data, page.book
        if true(book, data["over"], data["replaces"] is not None, book.spells.get(data["bowler"])):
            yield from _bowler(page)

    return words


_first = _bowls(lambda book, over, stand_in, before: before is None and over >= 2)
_again = _bowls(lambda book, over, stand_in, before: before is not None and over - before > 3)


def _saves_one(page: Page) -> Iterator[Words]:
    if page.book.need == 1 and page.event.data["outside"] <= 2:
        yield {"side": page.sides[page.book.bowling]}


def _over_rate(page: Page) -> Iterator[Words]:
    data = page.event.data
    words = {2: "two", 3: "three", 4: "four"}
    yield {"side": page.sides[data["seat"]], "outside": words[data["outside"]]}


def _impact(purpose: str) -> Callable[[Page], Iterator[Words]]:
    """Return the truth of a line on an impact player who came in for this: `bat` or `bowl`, now or `later`."""

    def words(page: Page) -> Iterator[Words]:
        data, book = page.event.data, page.book
        role, now = page.cards[data["player"]]["role"], "bat" if book.batting == data["seat"] else "bowl"
        does = {"batter": "bat", "keeper": "bat", "bowler": "bowl", "all-rounder": now}[role]
        true = does if does == now else f"{does} later" if book.number == 1 else ""
        if true == purpose:
            names = {name: page.players[data[name]] for name in ("player", "replaces")}
            article = "an" if role == "all-rounder" else "a"
            yield {
                "side": page.sides[data["seat"]], "player": names["player"], "replaced": names["replaces"],
                "role": f"{article} {role}",
            }  # fmt: skip

    return words


def _keeper_up(page: Page) -> Iterator[Words]:
    bowler = page.cards.get(page.book.bowler, {})
    if page.event.data["preset"] in ("pp_medium", "middle_medium") and bowler.get("style") == "RM":
        keeper = page.keepers[page.book.bowling]
        yield {"keeper": page.players[keeper], "bowler": page.players[page.book.bowler]}


# --- endings ----------------------------------------------------------------------------------------------------------


def _innings_best(page: Page) -> Iterator[Words]:
    book = page.book
    most = max(runs for runs, *_ in book.batters.values())
    wickets = max(taken for _, taken, _ in book.bowlers.values())
    for batter, (runs, balls, *_) in book.batters.items():
        for bowler, (charged, taken, _) in book.bowlers.items():
            if (runs, taken) == (most, wickets):
                yield {
                    "batting": page.side, "batter": page.players[batter],
                    "made": f"{runs} off {several(balls, 'ball')}",
                    "bowler": page.players[bowler], "figures": f"{taken} for {charged}",
                }  # fmt: skip


def _player_of_the_match(page: Page) -> Iterator[Words]:
    winner = page.event.data["winner"]
    own = {name: value for name, value in page.changed.items() if winner in (None, page.seats[name])}
    for name, value in own.items():
        if value < max(own.values()) - 1e-3:
            continue
        bats = [book.batters[name] for book in page.books[:2] if name in book.batters]
        bowls = [book.bowlers[name] for book in page.books[:2] if name in book.bowlers]
        deeds = [f"{runs} off {several(balls, 'ball')}" for runs, balls, *_ in bats]
        deeds += [f"{taken} for {charged}" for charged, taken, _ in bowls]
        yield {"player": page.players[name], "deeds": " and ".join(deeds)}


SAID: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "hat-trick": _hat_trick,
    "collapse": _collapse,
    "haul": _haul,
    "milestone": _milestone,
    "partnership": _partnership,
    "asking-rate": _asking_rate,
    "finish": _finish,
    "turning-point": _turning_point,
    "appeal_out": _appealed(extra=False, given=True),
    "appeal_not_out": _appealed(extra=False, given=False),
    "extra_out": _appealed(extra=True, given=True),
    "extra_not_out": _appealed(extra=True, given=False),
    "review_out": _review(upheld=True, out=True, call=None, extra=False),
    "review_in": _review(upheld=True, out=False, call=None, extra=False),
    "extra_review_out": _review(upheld=True, out=True, call=None, extra=True),
    "extra_review_in": _review(upheld=True, out=False, call=None, extra=True),
    "review_call": _review(upheld=False, out=None, call=True),
    "review_lost": _review(upheld=False, out=None, call=False),
    "field_save_one": _saves_one,
    "keeper_up": _keeper_up,
    "over-rate": _over_rate,
    "impact": _impact(""),
    "impact_bat": _impact("bat"),
    "impact_bat_later": _impact("bat later"),
    "impact_bowl": _impact("bowl"),
    "impact_bowl_later": _impact("bowl later"),
    "bowler_new": _bowls(lambda book, over, stand_in, before: over < 2 or book.number > 2),
    "bowler_on": _first,
    "captain_on": _first,
    "bowler_back": _again,
    "captain_back": _again,
    "bowler_last": _bowls(lambda book, over, stand_in, before: over == book.overs - 1),
    "bowler_injured": _bowls(lambda book, over, stand_in, before: stand_in),
    **ANALYSED,
    **WITH_FIELDS,
    **AT_INNINGS_END,
    **AT_THE_END,
    "innings_best": _innings_best,
    "player-of-the-match": _player_of_the_match,
}
"""Kind -> the words of each truth that a line of it may say."""

ON_A_BALL = ("hat-trick", "collapse", "haul", "milestone", "partnership", "asking-rate", "finish")
AROUND = {
    "AppealMade": ("appeal_out", "appeal_not_out", "extra_out", "extra_not_out"),
    "ReviewTaken": ("review_out", "review_in", "review_call", "review_lost", "extra_review_out", "extra_review_in"),
    "OverRatePenalized": ("over-rate",),
    "PlayerReplaced": ("impact", "impact_bat", "impact_bat_later", "impact_bowl", "impact_bowl_later"),
    "FieldSet": ("field_save_one", "keeper_up", *WITH_FIELDS),
    "BowlerChosen": ("bowler_injured", "bowler_new", "bowler_last", "bowler_on", "captain_on", "bowler_back",
                     "captain_back"),
}  # fmt: skip


# --- clauses ----------------------------------------------------------------------------------------------------------


def _clauses(page: Page) -> Iterator[tuple[str, Words]]:
    """Yield what is true after a ball."""
    book, data = page.book, page.event.data
    if book.need == 0:
        yield "won", {"side": page.side}
    elif book.need is not None:
        words = {"side": page.side, "need": str(book.need), "left": str(book.left)}
        yield "equation", {**words, "balls": several(book.left, "ball")}
        if book.left:
            yield "asking", {"side": page.side, "rate": f"{6 * book.need / book.left:.1f}"}
    elif book.legal:
        yield "rate", {"side": page.side, "rate": f"{6 * book.runs / book.legal:.1f}"}
    yield from _phase(page)
    yield from first_attack(page)
    for kind, count in (("dots", book.dots), ("ropes", book.ropes)):
        if count > 1:
            yield kind, {"count": COUNTS[count] if count < len(COUNTS) else str(count)}
    total = data["runs"] + sum((data["extras"] or {}).values())
    for mark in range(50, 500, 50):
        if book.runs - total < mark <= book.runs:
            yield "total", {"side": page.side, "total": str(mark)}
    if book.wait:
        yield "wait", {"count": str(book.wait)}
    yield "over", {"runs": str(book.over_runs)}
    yield "stand", {"runs": str(book.stand[0]), "balls": several(book.stand[1], "ball")}
    yield from _players(page)
    if data["variation"] == "slower_ball":
        yield "slower", {"kmh": f"{data['kmh']} km/h"}
    yield "quick", {"bowler": name_of(page, "bowler"), "kmh": f"{data['kmh']} km/h"}
    if data["variation"] in ("wrong_un", "arm_ball"):
        turn = {"wrong_un": "wrong 'un", "arm_ball": "arm ball"}[data["variation"]]
        yield "turn", {"bowler": name_of(page, "bowler"), "name": turn}


def _phase(page: Page) -> Iterator[tuple[str, Words]]:
    """Yield what is true of the phase of the innings and of its last three overs."""
    book = page.book
    words = {"side": page.side, "score": book.score()}
    if book.was_legal and book.legal == book.powerplay:
        yield "powerplay", words
    if book.was_legal and book.left == 30:
        yield "last_five", words
    if book.left > 30 and book.powerplay in book.after and book.legal > book.powerplay:
        since = book.runs - book.after[book.powerplay]
        yield "middle", {"runs": str(since), "balls": several(book.legal - book.powerplay, "ball")}
    if book.was_legal and book.legal % 6 == 0 and book.legal > 18:
        before, balls = book.after[book.legal - 18], book.legal - 18
        runs = book.runs - before
        kind = "faster" if runs / 18 > before / balls else "slower_runs"
        yield kind, {"side": page.side, "runs": str(runs), "rate": f"{6 * before / balls:.1f}"}


AWAY = {("OB", "left"), ("SLA", "right")}
"""(style, hand) of those from whom finger spin turns away."""
INTO = {("OB", "right"), ("SLA", "left")}


def _players(page: Page) -> Iterator[tuple[str, Words]]:
    book, data = page.book, page.event.data
    names = {"batter": name_of(page, "batter"), "bowler": name_of(page, "bowler")}
    hand = page.cards[data["batter"]]["hand"]
    meeting = page.cards[data["bowler"]]["style"], hand
    if meeting in AWAY | INTO:
        yield "turns_away" if meeting in AWAY else "turns_in", {**names, "hand": hand}
    runs, balls = book.duels[data["batter"], data["bowler"]]
    yield "duel", {**names, "runs": str(runs), "balls": several(balls, "ball")}
    runs, balls, _, sixes = book.batters[data["batter"]]
    if runs and runs == data["runs"] and data["wicket"] is None:
        yield "off_mark", names
    if data["boundary"] and data["runs"] == 6:
        yield "sixes", {**names, "count": COUNTS[sixes] if sixes < len(COUNTS) else str(sixes)}
    if book.legal % 6 == 0 and data["runs"] % 2 and not data["extras"] and data["wicket"] is None and book.left:
        yield "strike", names
    yield "batter", {**names, "runs": str(runs), "balls": several(balls, "ball")}
    charged, taken, _ = book.bowlers[data["bowler"]]
    yield "figures", {**names, "figures": f"{taken} for {charged}"}
