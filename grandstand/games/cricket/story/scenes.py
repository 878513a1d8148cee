"""What happens between the balls: appeals and reviews, impact players and bowling changes."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.games.cricket.laws.field import KEEPER_UP
from grandstand.games.cricket.story.clauses import figures
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.wording import Wording, count_text, plural
from grandstand.games.cricket.vocab import MEDIUM, REVIEWED_EXTRAS
from grandstand.games.story import Comment, Fact

NOUNS = {
    "lbw": "leg before", "caught": "a catch", "stumped": "a stumping", "run out": "a run out", "wide": "a wide",
    "no-ball": "a no-ball for height",
}  # fmt: skip
HOW = {"lbw": "leg before"}
EVIDENCE = {
    "unlikely": "from the middle it looks the right decision",
    "close": "from the middle it looks close",
    "likely": "from the middle it looks wrong",
}
SAVING_ONE = 2
"""The most fielders outside the circle in a field that saves the single."""
SPELL = 3
"""Overs without a bowler after which its next one begins another spell."""


def appeal(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the line on a decision that a side may send to review."""
    memory.appeal = data
    kind: str = data["kind"]
    slots = {
        "batter": memory.player(data["batter"]),
        "bowler": memory.player(data["bowler"]),
        "noun": NOUNS.get(kind, kind),
        "how": HOW.get(kind, kind),
        "evidence": EVIDENCE[data["evidence"]],
    }
    decision = "out" if data["given_out"] else "not_out"
    text = wording.line(f"{'extra' if kind in REVIEWED_EXTRAS else 'appeal'}_{decision}", **slots)
    yield Comment(text, 0.45, [seq], "ball")


def review(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the line on a review: its result, and its effect."""
    made, memory.appeal = memory.appeal, None
    left = data["reviews_left"]
    slots = {
        "side": memory.names[data["seat"]],
        "batter": "the batter" if made is None else memory.player(made["batter"]),
        "left": "none is left" if left == 0 else "how many are left is not known" if left is None else f"{left} left",
        "noun": NOUNS.get(data["kind"], data["kind"] or ""),
    }
    if data["upheld"]:
        what = "extra_review" if data["kind"] in REVIEWED_EXTRAS else "review"
        kind, weight = f"{what}_{'out' if data['out'] else 'in'}", 0.75
    else:
        kind, weight = ("review_call" if data["umpires_call"] else "review_lost"), 0.5
    yield Comment(wording.line(kind, **slots), weight, [seq], "ball", seats=[data["seat"]])


def replaced(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Fact | Comment]:
    """Yield the impact player of a side, as a fact and a line, with what he came in for."""
    innings = memory.innings
    if innings is None:
        return
    seat, sheet = data["seat"], memory.sheets.get(data["player"], {})
    bats, role = innings.batting == seat, sheet.get("role")
    now = "bat" if bats else "bowl"
    does = {"batter": "bat", "bowler": "bowl", "all-rounder": now}.get(str(role))
    kind = f"impact_{does}" if does == now else f"impact_{does}_later" if does and innings.number == 1 else "impact"
    slots = {
        "side": memory.names[seat],
        "player": memory.player(data["player"]),
        "replaced": memory.player(data["replaces"]),
        "role": f"{'an' if role == 'all-rounder' else 'a'} {role}",
    }
    fact, line = wording.fact(kind, **slots)
    yield Fact("impact-player", fact, 0.5, [seq], [seat])
    yield _said(line, 0.5, seq)


def bowler(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the line on the next bowler, if it is a change: a first over, another spell, the last over."""
    innings = memory.innings
    if innings is None:
        return
    name, over = data["bowler"], data["over"]
    before, innings.bowler = innings.last_over.get(name), name
    innings.last_over[name] = over
    slots = {"bowler": memory.player(name), "figures": _figures(innings, name)}
    if captain := memory.captain(innings.bowling, besides=name):
        slots["captain"] = captain
    if data["replaces"] is not None:
        yield _said(wording.line("bowler_injured", **slots, replaces=memory.player(data["replaces"])), 0.4, seq)
    elif over < 2 or innings.super_over:
        yield _said(wording.line("bowler_new", **slots), 0.2, seq)
    elif over == innings.overs - 1 and before is not None:
        yield _said(wording.line("bowler_last", **slots), 0.4, seq)
    elif before is None:
        yield _said(wording.line("captain_on" if captain else "bowler_on", **slots), 0.25, seq)
    elif over - before > SPELL:
        yield _said(wording.line("captain_back" if captain else "bowler_back", **slots), 0.25, seq)


def field(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Comment]:
    """Yield the line on a field that is a decision for all to see: the keeper up, or the ring in for the last run."""
    innings = memory.innings
    if innings is None:
        return
    innings.fielders = (tuple(data["places"]), seq)
    if innings.need == 1 and data["outside"] <= SAVING_ONE:
        yield _said(wording.line("field_save_one", side=memory.names[innings.bowling]), 0.45, seq)
    elif data["preset"] in KEEPER_UP and memory.sheets.get(innings.bowler, {}).get("style") in MEDIUM:
        keeper = memory.keepers.get(innings.bowling, "")
        slots = {"bowler": memory.player(innings.bowler), "keeper": memory.player(keeper) or "the keeper"}
        yield _said(wording.line("keeper_up", **slots), 0.3, seq)


def over_rate(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Fact | Comment]:
    """Yield the penalty of a side that is late, as a fact and a line."""
    slots = {"side": memory.names[data["seat"]], "outside": count_text(data["outside"])}
    fact, line = wording.fact("over-rate", **slots)
    yield Fact("over-rate", fact, 0.5, [seq], [data["seat"]])
    yield _said(line, 0.5, seq)


def _said(text: str, weight: float, seq: int) -> Comment:
    return Comment(text, weight, [seq], "captain")


def _figures(innings: InningsSoFar, name: str) -> str:
    card = innings.bowlers.get(name)
    if card is None:
        return ""
    return f"{figures(card)} from {plural(card[0] // 6, 'over')}" if card[0] % 6 == 0 else figures(card)
