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
from grandstand.games.werewolf.text import plural

SIDE: Final = 120.0
CENTRE: Final = (60.0, 58.0)
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
    places = [ground, *seats, *(_beside(place) for place in seats), *_lines()]
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


def critical(game: WerewolfGame) -> bool:
    """Return whether a wrong exile loses the match, given that the wolves then find a victim."""
    wolves = sum(game.roles[seat] == "wolf" for seat in game.alive)
    return game.stage != "over" and len(game.alive) - 2 * wolves <= 2


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
    if critical(game):
        yield _words("stake", "A wrong exile", "bad")
        yield _words("stake 2", "may lose", "bad")


def _arrows(game: WerewolfGame) -> Iterator[Thing]:
    """Yield the last votes as arrows, else today's accusations and trust, with the last speech strong."""
    today = [speech for speech in game.speeches if speech["day"] == game.day and game.stage not in ("night", "over")]
    shown = game.ballots[-1:] if not today or game.stage in ("plea", "run-off") else []
    for ballot in shown:
        for seat, vote in ballot["votes"].items():
            if vote != ABSTAIN:
                yield Thing(f"vote {seat}", "arrow", seat, vote, tone="accent", name=f"{seat} votes for {vote}")
    latest: dict[tuple[SeatId, SeatId], tuple[int, str]] = {}
    for number, speech in enumerate([] if shown else today):
        for act in map(read, speech["acts"]):
            if act.kind in TONES:
                latest[speech["seat"], act.of] = (number, act.kind)
    for (seat, of), (number, kind) in latest.items():
        last = number == len(today) - 1
        name = f"{seat} {'accuses' if TONES[kind] == 'bad' else 'speaks for'} {of}"
        if seat in game.alive and of in game.alive:
            state = "" if last else "support"
            yield Thing(f"says {seat} {of}", "arrow", seat, of, tone=TONES[kind], state=state, name=name)  # type: ignore[arg-type]


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
