"""The rules of Werewolf: nights, speeches, sealed votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Final

from grandstand.games.base import Action, GameEvent, Outcome, SeatId
from grandstand.games.choices import Chosen, Option, Pick, Slot, Text
from grandstand.games.simple import SimpleGame
from grandstand.games.werewolf import speech
from grandstand.games.werewolf.events import (
    AttackChosen,
    FalseClaimMade,
    GameDecided,
    NightEnded,
    NoteWritten,
    RoleDealt,
    SeatChecked,
    SeatOut,
    SeatProtected,
    ShotFired,
    SpeechMade,
    TableSet,
    VotesShown,
)
from grandstand.games.werewolf.options import WerewolfOptions, roles, seats
from grandstand.games.werewolf.text import SCORING, seat_text
from grandstand.games.werewolf.types import Attack, Ballot, Death, NightCheck, NightNote, Observation, Statement

ABSTAIN: Final = "abstain"
NOBODY: Final = "nobody"
LAST_DAY: Final = 12
"""A match that is not decided after this day has no result."""
WHOM: Final[Mapping[str, str]] = {
    "wolf": "Whom do the wolves attack?",
    "seer": "Whom do you check?",
    "doctor": "Whom do you protect?",
}
"""Role -> its question at night; the others are asked whom they suspect, so that everybody answers."""


class WerewolfGame(SimpleGame):
    """A match. Its attributes are the position, as JSON values."""

    def __init__(self, options: WerewolfOptions, seed: int) -> None:
        self.options = asdict(options)
        self.seed = seed
        self.seats = list(seats(options))
        dealt = roles(options)
        self.dealt: dict[str, int] = dict(Counter(dealt))
        self.roles: dict[SeatId, str] = dict(
            zip(self.seats, Random(f"{seed}/roles").sample(dealt, len(dealt)), strict=True)
        )
        self.first = Random(f"{seed}/order").randrange(len(self.seats))
        self.alive = list(self.seats)
        self.day = 1
        self.stage = "night"
        """`night`, `speech`, `vote`, `plea`, `run-off`, `shot` or `over`."""
        self.then = ""
        """The stage after the hunter's shot."""
        self.order: list[SeatId] = []
        self.spoken = 0
        self.tied: list[SeatId] = []
        self.answers: dict[SeatId, str] = {}
        self.checks: list[NightCheck] = []
        self.guards: list[SeatId] = []
        self.saves: list[int] = []
        self.attacks: list[Attack] = []
        self.notes: list[NightNote] = []
        self.out: list[Death] = []
        self.speeches: list[Statement] = []
        self.ballots: list[Ballot] = []
        self.lies: list[str] = []
        """False acts, as `Ada, day 1: claim seer`."""
        self.winner = ""

    @property
    def turn(self) -> str:
        if self.stage == "night":
            return f"night {self.day}"
        number = f" {self.spoken + 1}" if self.stage in ("speech", "plea") else ""
        return f"day {self.day} {self.stage}{number}" if self.stage != "over" else "over"

    @property
    def secret(self) -> bool:
        """Whether everybody answers in secret now."""
        return self.stage in ("night", "vote", "run-off")

    @property
    def outcome(self) -> Outcome | None:
        if not self.winner:
            return None
        wolves = [seat for seat in self.seats if self.roles[seat] == "wolf"]
        if self.winner == NOBODY:
            return Outcome("days", [], dict.fromkeys(self.seats, 0.5), f"Nobody has won after {LAST_DAY} days.")
        winners = [seat for seat in self.seats if (seat in wolves) == (self.winner == "wolves")]
        who = " and ".join(wolves)
        text = f"The wolves {who} win." if self.winner == "wolves" else f"The village wins: {who} were the wolves."
        return Outcome(self.winner, winners, {seat: float(seat in winners) for seat in self.seats}, text)

    def scores(self) -> dict[SeatId, float]:
        """Return 1 for the winners at the end; before it all are level, since a score must not reveal a role."""
        return self.outcome.scores if self.outcome else dict.fromkeys(self.seats, 0.5)

    def to_act(self) -> tuple[SeatId, ...]:
        if self.stage in ("speech", "plea"):
            return (self.order[0],)
        if self.stage == "shot":
            return (self.out[-1]["seat"],)
        return () if self.stage == "over" else tuple(seat for seat in self.alive if seat not in self.answers)

    def opening(self) -> list[GameEvent]:
        dealt = [RoleDealt(seat, self.roles[seat], self._wolves_for(seat)) for seat in self.seats]
        return [TableSet(dict(self.dealt)), *dealt]

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        if chosen or seat not in self.to_act():
            return ()
        others = [other for other in self.alive if other != seat]
        if self.stage in ("speech", "plea"):
            return speech.slots(seat, others, list(self.dealt))
        if self.stage == "night":
            ask = WHOM.get(self.roles[seat], "Whom do you suspect most? Nobody will know.")
            targets = [Option(other, target=other) for other in self._targets(seat)]
            return [Pick("target", targets, ask), Text("note", speech.LONGEST, self._note_for(seat))]
        words = [other for other in (self.tied if self.stage == "run-off" else self.alive) if other != seat]
        nobody = NOBODY if self.stage == "shot" else ABSTAIN
        ask = "Whom do you take along?" if self.stage == "shot" else "Whom do you vote to exile?"
        return [Pick("vote", [Option(nobody), *(Option(word, target=word) for word in words)], ask)]

    def default_action(self, seat: SeatId) -> Action:
        """Return a random target at night, silence and an abstention by day."""
        if self.stage == "night":
            return {"target": Random(f"{self.seed}/default/{self.day}/{seat}").choice(self._targets(seat)), "note": ""}
        return super().default_action(seat)

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        if self.stage in ("speech", "plea"):
            return self._speak(seat, chosen)
        if self.stage == "shot":
            return self._shoot(seat, str(chosen["vote"]))
        self.answers[seat] = str(chosen["target" if self.stage == "night" else "vote"])
        if self.stage == "night" and (words := speech.clean(str(chosen["note"]))):
            self.notes.append(NightNote(night=self.day, seat=seat, text=words))
        if self.to_act():
            return []
        answers = {each: self.answers[each] for each in self.alive}
        self.answers = {}
        return self._dawn(answers) if self.stage == "night" else self._count(answers)

    def observation(self, seat: SeatId) -> Observation:
        own, over = self.roles[seat], self.stage == "over"
        mates = self._wolves_for(seat)
        gone = next((death["day"] for death in self.out if death["seat"] == seat), LAST_DAY)
        notes = [
            note
            for note in self.notes
            if note["seat"] == seat or (note["seat"] in mates and self._past(note) and note["night"] <= gone)
        ]
        return Observation(
            seat=seat,
            role=own,
            wolves=self.wolves if over else mates,
            turn=self.turn,
            day=self.day,
            dealt=dict(self.dealt),
            alive=list(self.alive),
            out=list(self.out),
            order=list(self.order),
            tied=list(self.tied),
            speeches=list(self.speeches),
            ballots=list(self.ballots),
            checks=list(self.checks) if own == "seer" else [],
            guards=list(self.guards) if own == "doctor" else [],
            saves=list(self.saves) if own == "doctor" else [],
            attacks=[attack for attack in self.attacks if seat in attack["named"]],
            notes=sorted(notes, key=lambda note: (note["night"], self.seats.index(note["seat"]))),
            scoring=SCORING,
        )

    def text(self, seat: SeatId) -> str:
        return seat_text(self.observation(seat))

    def reseed(self, seed: int) -> None:
        self.seed = seed

    @property
    def wolves(self) -> list[SeatId]:
        return [seat for seat in self.seats if self.roles[seat] == "wolf"]

    def lies_in(self, seat: SeatId, acts: Sequence[str]) -> list[str]:
        """Return those of the acts that the seat knows to be false: a role that it does not have, or a result of a
        check or a protection that was none of its own."""
        true = {speech.claim(self.roles[seat])}
        if self.roles[seat] == "seer":
            true |= {speech.result(check["target"], check["wolf"]) for check in self.checks}
        if self.roles[seat] == "doctor":
            true |= {f"guarded {target}" for target in self.guards}
        return [act for act in acts if act not in true and act.split()[0] in ("claim", "saw", "guarded")]

    def _wolves_for(self, seat: SeatId) -> list[SeatId]:
        return self.wolves if self.roles[seat] == "wolf" else []

    def _past(self, note: NightNote) -> bool:
        return note["night"] < self.day or self.stage != "night"

    def _note_for(self, seat: SeatId) -> str:
        return "A word to the other wolf" if self.roles[seat] == "wolf" else "A word to yourself"

    def _targets(self, seat: SeatId) -> list[SeatId]:
        """Return whom the seat may name at night."""
        others = [other for other in self.alive if other != seat]
        role = self.roles[seat]
        if role == "wolf":
            return [other for other in others if self.roles[other] != "wolf"]
        if role == "doctor":
            return [other for other in others if other not in self.guards[-1:]]
        if role == "seer":
            checked = [check["target"] for check in self.checks]
            return [other for other in others if other not in checked] or others
        return others

    def _dawn(self, answers: Mapping[SeatId, str]) -> list[GameEvent]:
        """Resolve the night at once: the protection, the attack, and the result of a seer who lives."""
        by_role = {self.roles[seat]: seat for seat in self.alive}
        named = {seat: answers[seat] for seat in self.alive if self.roles[seat] == "wolf"}
        attacked = Random(f"{self.seed}/attack/{self.day}").choice(sorted(set(named.values())))
        written = [note for note in self.notes if note["night"] == self.day]
        readers = {seat: list(named) if seat in named else [seat] for seat in answers}
        events: list[GameEvent] = [
            *(NoteWritten(self.day, note["seat"], note["text"], readers[note["seat"]]) for note in written),
            AttackChosen(self.day, named, attacked),
        ]
        self.attacks.append(Attack(night=self.day, named=named, target=attacked))
        victim = attacked
        if doctor := by_role.get("doctor"):
            self.guards.append(answers[doctor])
            if answers[doctor] == attacked:
                self.saves.append(self.day)
                victim = ""
            if doctor != victim:
                events.append(SeatProtected(self.day, doctor, answers[doctor], not victim))
        seer = by_role.get("seer")
        if seer and seer != victim:
            wolf = self.roles[answers[seer]] == "wolf"
            self.checks.append(NightCheck(night=self.day, target=answers[seer], wolf=wolf))
            events.append(SeatChecked(self.day, seer, answers[seer], wolf))
        events.append(NightEnded(self.day, victim))
        return [*events, *(self._remove(victim, "night") if victim else []), *self._go_on("speech")]

    def _speak(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        acts = [str(act) for act in chosen["acts"]] if isinstance(chosen["acts"], tuple) else []
        because, text = str(chosen["because"]), speech.clean(str(chosen["text"]))
        said = Statement(day=self.day, turn=self.turn, seat=seat, acts=acts, because=because, text=text)
        self.speeches.append(said)
        lies = self.lies_in(seat, acts)
        self.lies += [f"{seat}, day {self.day}: {act}" for act in lies]
        self.order.pop(0)
        self.spoken += 1
        if not self.order:
            self.stage, self.spoken = ("vote" if self.stage == "speech" else "run-off"), 0
        return [SpeechMade(seat, self.day, acts, because, text), *(FalseClaimMade(seat, act) for act in lies)]

    def _count(self, votes: Mapping[SeatId, str]) -> list[GameEvent]:
        """Show the votes: exile the seat with the most, or hold a run-off of those who are level, after which nobody is
        exiled."""
        ballot = 1 if self.stage == "vote" else 2
        counted = Counter(vote for vote in votes.values() if vote != ABSTAIN)
        most = max(counted.values(), default=0)
        top = [seat for seat in self._speaking_order() if most and counted[seat] == most]
        exiled, self.tied = (top[0], []) if len(top) == 1 else ("", top)
        shown = Ballot(day=self.day, ballot=ballot, votes=dict(votes), exiled=exiled, tied=list(self.tied))
        self.ballots.append(shown)
        events: list[GameEvent] = [VotesShown(self.day, ballot, dict(votes), exiled, list(self.tied))]
        if self.tied and ballot == 1:
            self.stage, self.order, self.spoken = "plea", list(self.tied), 0
            return events
        self.tied = []
        return [*events, *(self._remove(exiled, "exile") if exiled else []), *self._go_on("night")]

    def _shoot(self, seat: SeatId, target: str) -> list[GameEvent]:
        if target == NOBODY:
            return [ShotFired(seat, ""), *self._go_on(self.then, shot=True)]
        return [ShotFired(seat, target), *self._remove(target, "shot"), *self._go_on(self.then, shot=True)]

    def _remove(self, seat: SeatId, how: str) -> list[GameEvent]:
        self.alive.remove(seat)
        self.out.append(Death(seat=seat, role=self.roles[seat], day=self.day, how=how))
        return [SeatOut(seat, self.roles[seat], self.day, how)]

    def _go_on(self, stage: str, shot: bool = False) -> list[GameEvent]:
        """Begin the next stage, unless the hunter shoots first or the match is decided."""
        last = self.out[-1] if self.out else None
        if not shot and last and last["role"] == "hunter" and last["day"] == self.day and self._just_out(last, stage):
            self.stage, self.then = "shot", stage
            return []
        self.then = ""
        wolves = sum(self.roles[seat] == "wolf" for seat in self.alive)
        if wolves == 0 or wolves * 2 >= len(self.alive) or (stage == "night" and self.day == LAST_DAY):
            self.winner = "village" if wolves == 0 else "wolves" if wolves * 2 >= len(self.alive) else NOBODY
            self.stage = "over"
            return [GameDecided(self.winner, dict(self.roles))]
        self.stage = stage
        if stage == "night":
            self.day += 1
        else:
            self.order, self.spoken = self._speaking_order() * int(self.options["rounds"]), 0
        return []

    def _just_out(self, death: Death, stage: str) -> bool:
        """Return whether the last death was in the stage that ends."""
        return death["how"] == ("night" if stage == "speech" else "exile")

    def _speaking_order(self) -> list[SeatId]:
        """Return the living seats in speaking order, which begins a seat later each day."""
        start = (self.first + self.day - 1) % len(self.seats)
        return [seat for seat in (*self.seats[start:], *self.seats[:start]) if seat in self.alive]
