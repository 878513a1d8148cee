"""The table of Werewolf by day and night, for a seat or for everybody, and the standing."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, pi, sin
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.picture import (
    Card,
    CardRow,
    Picture,
    PictureFigure,
    Pictures,
    Place,
    Scene,
    Thing,
    Tone,
    ring,
)
from grandstand.games.werewolf.bots.beliefs import claims
from grandstand.games.werewolf.game import ABSTAIN, WerewolfGame
from grandstand.games.werewolf.options import NAMES
from grandstand.games.werewolf.speech import read
from grandstand.games.werewolf.text import plural, stake
from grandstand.games.werewolf.types import Statement

SIDE: Final = 120.0
CENTRE: Final = (60.0, 58.0)
MATRIX: Final = 40.0
"""The side of the matrix of suspicion."""
SYMBOLS: Final = {
    "wolf": "M-5 -5L-2 -2.6L2 -2.6L5 -5L4.4 0.5L1.2 5L-1.2 5L-4.4 0.5Z",
    "seer": "M-5 0Q0 -5.6 5 0Q0 5.6 -5 0ZM-1.6 0A1.6 1.6 0 1 0 1.6 0A1.6 1.6 0 1 0 -1.6 0Z",
    "doctor": "M-1.6 -5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6Z",
    "hunter": "M0 -5L5 4L0 1.6L-5 4Z",
    "villager": "M0 -5L5 -0.6H3.8V5H-3.8V-0.6H-5Z",
}
"""Role -> its outline: a head with ears, an eye, a cross, an arrowhead, a house."""
TONES: Final[dict[str, Tone]] = {"suspect": "bad", "wolf": "bad", "trust": "good", "clear": "good", "guarded": "good"}


def draw(game: WerewolfGame, seat: SeatId | None) -> Picture:
    """Return the table as `seat` sees it, or everybody."""
    night = game.stage == "night"
    ground = Place("table", *CENTRE, 62, 62, "disc", tone="water" if night else "table", name="the table")
    seats = ring(game.seats, centre=CENTRE, radius=43, size=17)
    said = claims(game.speeches).roles
    places = [ground, *_matrix(game), *seats, *(_beside(place) for place in seats), *_lines()]
    things = [_piece(game, each, seat) for each in game.seats]
    things += [_words(f"claim {each}", f"says: {role}") for each, role in said.items() if each in game.alive]
    things += [*_arrows(game), *_known(game, seat), *_corners(game)]
    wolves = sum(game.roles[each] == "wolf" for each in game.alive)
    left = f"{wolves} {plural('wolf', wolves)}"
    figures = [PictureFigure("In the game", str(len(game.alive))), PictureFigure("Wolves among them", str(wolves))]
    describe = f"{game.turn.capitalize()}: {len(game.alive)} in the game, {left} among them. {_last(game)}"
    if seat is not None:
        figures.append(PictureFigure(seat, game.roles[seat], seat))
        describe = f"You are {seat}, {game.roles[seat]}. {describe}"
    return Picture(places, things, describe.strip(), figures, SIDE, SIDE)


def stakes(game: WerewolfGame) -> str:
    """Return what a wrong exile now does, in words; empty if the village can afford one."""
    left = [game.roles[seat] for seat in game.alive]
    return "" if game.stage == "over" else stake(len(left) - 2 * left.count("wolf"), left)


def _piece(game: WerewolfGame, each: SeatId, viewer: SeatId | None) -> Thing:
    """Return the piece of a seat, with its role for those who know it."""
    out = each not in game.alive
    mates = game.wolves if viewer is not None and game.roles[viewer] == "wolf" else []
    known = out or game.stage == "over" or each == viewer or each in mates
    role = game.roles[each] if known else ""
    turn = each in (game.to_act() if not game.secret else game.tied)
    return Thing(
        f"seat {each}",
        "piece",
        each,
        label="" if known else each[0],
        name=f"{each}, {role or 'unknown'}{', out' if out else ''}",
        owner=each,
        state="muted" if out else "strong" if turn else "",
        symbol=SYMBOLS.get(role, ""),
    )


def _beside(place: Place) -> Place:
    """Return the place for words outside a seat; in the lower half, below its name."""
    below = 14.5 if place.y > CENTRE[1] - 5 else -11.5
    return Place(f"claim {place.id}", place.x, place.y + below, 26, 9, "none")


def _lines() -> list[Place]:
    """Return the places in the corners, free of arrows, for the time, the stage and the stakes."""
    return [
        Place("when", 15, 7, 28, 13, "none"),
        Place("what", 15, 16, 28, 9, "none"),
        Place("stake", 15, 109, 28, 9, "none"),
        Place("stake 2", 15, 115, 28, 9, "none"),
    ]


def _words(place: str, text: str, tone: Tone = "") -> Thing:
    return Thing(f"words {place}", "text", place, label=text, tone=tone, size=1.2)


def _corners(game: WerewolfGame) -> Iterator[Thing]:
    """Yield the words in the corners."""
    when = "The end" if game.stage == "over" else f"{'Night' if game.stage == 'night' else 'Day'} {game.day}"
    stage = {"vote": "all vote", "run-off": "run-off", "plea": "run-off", "shot": "a last shot"}.get(game.stage, "")
    won = {"village": "the village wins", "wolves": "the wolves win"}.get(game.winner, "")
    yield _words("when", when)
    if line := won or stage:
        yield _words("what", line)
    if lost := stakes(game):
        yield _words("stake", "One wrong exile", "bad")
        yield _words("stake 2", lost, "bad")


def _spoken(game: WerewolfGame) -> list[Statement]:
    """Return the speeches of the day, while they are what is shown; none when votes are."""
    today = [speech for speech in game.speeches if speech["day"] == game.day and game.stage not in ("night", "over")]
    return [] if game.stage in ("plea", "run-off") else today


def _arrows(game: WerewolfGame) -> Iterator[Thing]:
    """Yield what the last speech says of others as arrows, else the last votes."""
    spoken = _spoken(game)
    for ballot in [] if spoken else game.ballots[-1:]:
        for seat, vote in ballot["votes"].items():
            if vote != ABSTAIN:
                yield Thing(f"vote {seat}", "arrow", seat, vote, tone="accent", name=f"{seat} votes for {vote}")
    for speech in spoken[-1:]:
        seat = speech["seat"]
        for act in map(read, speech["acts"]):
            if act.kind in TONES and act.of in game.alive:
                name = f"{seat} {_verb(TONES[act.kind])} {act.of}"
                yield Thing(f"says {seat} {act.of}", "arrow", seat, act.of, tone=TONES[act.kind], name=name)


def _verb(tone: Tone) -> str:
    return "accuses" if tone == "bad" else "speaks for"


def stances(game: WerewolfGame) -> dict[tuple[SeatId, SeatId], tuple[int, Tone]]:
    """Return the last thing that each seat said of another or voted, as (day, tone)."""
    found: dict[tuple[SeatId, SeatId], tuple[int, Tone]] = {}
    for day in range(1, game.day + 1):
        for speech in (speech for speech in game.speeches if speech["day"] == day):
            for act in map(read, speech["acts"]):
                if act.kind in TONES:
                    found[speech["seat"], act.of] = (day, TONES[act.kind])
        for ballot in (ballot for ballot in game.ballots if ballot["day"] == day):
            found |= {(seat, vote): (day, "bad") for seat, vote in ballot["votes"].items() if vote != ABSTAIN}
    return found


def _matrix(game: WerewolfGame) -> Iterator[Place]:
    """Yield who accuses and who trusts whom, in the middle of the table while all speak: a row for each seat that is in
    the game, its initial in the column of what others say of it. A cross is an accusation or a vote, red today."""
    if not _spoken(game):
        return
    step = MATRIX / len(game.alive)
    at = {seat: MATRIX * -0.5 + (number + 0.5) * step for number, seat in enumerate(game.alive)}
    known = {pair: stance for pair, stance in stances(game).items() if set(pair) <= set(at)}
    for seat, of in [*((seat, seat) for seat in at), *known]:
        day, tone = known.get((seat, of), (0, "light"))
        name = f"{seat} {_verb(tone)} {of}, on day {day}" if day else f"{seat}: what it says of others, and they of it"
        label = ("×" if tone == "bad" else "+") if day else seat[0]
        x, y = CENTRE[0] + at[of], CENTRE[1] + at[seat]
        old = "muted" if day and day < game.day else tone
        yield Place(f"of {seat} {of}", x, y, step, step, label=label, name=name, tone=old)


def _known(game: WerewolfGame, viewer: SeatId | None) -> Iterator[Thing]:
    """Yield a seer's results, and whom a doctor protected last."""
    if viewer is None:
        return
    places = {place.id: place for place in ring(game.seats, centre=CENTRE, radius=43, size=17)}

    def near(seat: SeatId) -> tuple[float, float]:
        place = places[seat]
        angle = atan2(place.y - CENTRE[1], place.x - CENTRE[0]) + pi / 7
        return CENTRE[0] + 31 * cos(angle), CENTRE[1] + 31 * sin(angle)

    if game.roles[viewer] == "seer":
        for check in game.checks:
            of, wolf = check["target"], check["wolf"]
            yield Thing(
                f"check {of}", "token", near(of), label="W" if wolf else "✓", tone="bad" if wolf else "good",
                name=f"{of} was checked: {'a wolf' if wolf else 'no wolf'}",
            )  # fmt: skip
    if game.roles[viewer] == "doctor" and game.guards:
        of = game.guards[-1]
        yield Thing("guard", "token", near(of), label="+", tone="accent", name=f"{of} was protected last")


def _last(game: WerewolfGame) -> str:
    """Return a sentence on the last event."""
    if game.outcome:
        return game.outcome.text
    if game.stage in ("speech", "plea") and game.spoken and game.speeches:
        speech = game.speeches[-1]
        return f"{speech['seat']}: {speech['text'] or 'nothing'}"
    last = game.out[-1] if game.out else None
    gone = {"night": "was attacked", "exile": "was exiled", "shot": "was taken along"}
    return f"{last['seat']}, {last['role']}, {gone[last['how']]}." if last else ""


def card(scene: Scene) -> Card:
    """Return the card of the standing: seats in the game, roles of those that are out, and claims."""
    seats: list[SeatId] = []
    turn, notes, roles, facts = "", dict[SeatId, str](), dict[SeatId, str](), list[str]()
    for kind, data in scene:
        if kind == "TurnStarted":
            turn, seats = data["turn"], list(data["scores"])
        elif kind == "SpeechMade":
            claimed = [act.of for act in map(read, data["acts"]) if act.kind == "claim"]
            notes |= dict.fromkeys([data["seat"]] if claimed else [], f"says: {''.join(claimed[-1:])}")
        elif kind == "SeatOut":
            roles[data["seat"]] = f"out: {data['role']}"
        elif kind == "GameDecided":
            roles = {seat: f"{roles.get(seat, 'in').split(':')[0]}: {role}" for seat, role in data["roles"].items()}
            facts = [{"village": "The village wins", "wolves": "The wolves win"}.get(data["winner"], "Nobody wins")]
    rows = [
        CardRow(seat, seat, roles.get(seat) or notes.get(seat, "in"), not roles.get(seat, "").startswith("out"))
        for seat in seats or NAMES[:0]
    ]
    return Card(turn, rows, facts=facts)


PICTURES: Final[Pictures[WerewolfGame]] = Pictures(
    draw=draw, card=card, beats={"SpeechMade": 0.8, "VotesShown": 2.0, "SeatOut": 1.4}
)
