"""The story of a match of Werewolf. Its public lines, headline and chances are computed from public events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.story import Comment, Fact, Names, Outlook, StoryEvent, Telling
from grandstand.games.werewolf.bots.beliefs import PublicTable, claims
from grandstand.games.werewolf.game import ABSTAIN
from grandstand.games.werewolf.lines import LINES
from grandstand.games.werewolf.prospects import prospects
from grandstand.games.werewolf.speech import Act, read
from grandstand.games.werewolf.text import stake
from grandstand.games.werewolf.types import Ballot, Death, Statement

EXILED: Final[Mapping[str, float]] = {"wolf": 0.8, "seer": 0.85}
"""Role -> how much its exile matters; 0.5 for another."""
ENDS: Final[Mapping[str, str]] = {"error": "ended by an error"}
"""Status of a match without an outcome -> its words, if they differ."""
SUSPECTED: Final = 0.45
"""The chance to be a wolf from which a headline names a seat."""


class WerewolfStory:
    """The story of one match."""

    def __init__(self, episode_id: str) -> None:
        self._episode_id = episode_id
        self._dealt: dict[str, int] = {}
        self._alive: list[SeatId] = []
        self._out: list[Death] = []
        self._speeches: list[Statement] = []
        self._ballots: list[Ballot] = []
        self._wolves: dict[SeatId, int] = {}
        """Wolf -> the number of the private event that dealt its role, for facts that only this wolf receives."""
        self._turn = ""
        self._form = ""
        self._close = ""
        """What the last fact on a wrong exile said of it."""
        self._village: float | None = None
        """The last chance of the village."""
        self._swing = 0.0
        """The sum of its recent movements, of which 70 % is left after each."""
        self._readers: Mapping[str, Callable[[StoryEvent], Iterator[Telling]]] = {
            "TableSet": self._table_set,
            "RoleDealt": self._role_dealt,
            "TurnStarted": self._turn_started,
            "SpeechMade": self._speech_made,
            "FalseClaimMade": self._false_claim_made,
            "SeatChecked": self._seat_checked,
            "SeatProtected": self._seat_protected,
            "NightEnded": self._night_ended,
            "SeatOut": self._seat_out,
            "VotesShown": self._votes_shown,
            "EpisodeEnded": self._ended,
        }

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        telling: list[Telling] = []
        for event in events:
            if event.type in self._readers:
                telling += self._readers[event.type](event)
        return telling

    def names(self) -> Names:
        return Names(dict.fromkeys(sorted([*self._alive, *(death["seat"] for death in self._out)]), ()))

    def _table_set(self, event: StoryEvent) -> Iterator[Telling]:
        self._dealt = dict(event.data["dealt"])
        yield from ()

    def _role_dealt(self, event: StoryEvent) -> Iterator[Telling]:
        """Remember a wolf, for its private facts."""
        if event.data["role"] == "wolf":
            self._wolves[event.data["seat"]] = event.seq
        yield from ()

    def _turn_started(self, event: StoryEvent) -> Iterator[Telling]:
        self._turn = event.data["turn"]
        kind, day, *_ = self._turn.split()
        if kind == "night":
            self._alive = list(event.data["to_act"])
            yield self._line("night", event.seq, 0.2, "night", day=day)
        yield from self._match_point(event.seq)
        yield self._outlook(event.seq)

    def _speech_made(self, event: StoryEvent) -> Iterator[Telling]:
        data = event.data
        seat, acts = data["seat"], list(map(read, data["acts"]))
        before = claims(self._speeches)
        first = not any(act.kind == "suspect" for speech in self._speeches for act in map(read, speech["acts"]))
        self._speeches.append(
            Statement(
                day=data["day"],
                turn=self._turn,
                seat=seat,
                acts=data["acts"],
                because=data["because"],
                text=data["text"],
            )
        )
        importance = 0.35 if acts else 0.2
        for act in acts:
            if act.kind == "claim" and act.of != "villager" and before.roles.get(seat) != act.of:
                rivals = [other for other in before.of(act.of) if other in self._alive]
                importance = 0.75 if rivals else 0.6
                yield _claimed(seat, act, rivals, event.seq)
            elif act.kind in ("wolf", "clear"):
                importance = max(importance, 0.55)
                found = "a wolf" if act.kind == "wolf" else "no wolf"
                yield Fact(
                    "result", f"{seat} claims to have checked {act.of}: {found}.", 0.5, (event.seq,), (seat, act.of)
                )
            elif act.kind == "suspect" and first:
                yield Fact("accusation", f"{seat} is the first to accuse: {act.of}.", 0.2, (event.seq,), (seat, act.of))
        words = data["text"] or _acted(acts)
        yield Comment(
            f"{seat}: “{words}”" if data["text"] else f"{seat} {words}.",
            importance,
            (event.seq,),
            "speech",
            seats=(seat,),
        )

    def _false_claim_made(self, event: StoryEvent) -> Iterator[Telling]:
        act, seat = read(event.data["act"]), event.data["seat"]
        truth = f"{seat} is not the {act.of}" if act.kind == "claim" else f"what {seat} says of {act.of} is made up"
        text = f"A lie: {truth}."
        yield Fact("lie", text, 0.6, (event.seq,), (seat,), audience=event.audience)

    def _seat_checked(self, event: StoryEvent) -> Iterator[Telling]:
        data = event.data
        text = f"The seer {data['seer']} checked {data['target']}: {'a wolf' if data['wolf'] else 'no wolf'}."
        importance = 0.6 if data["wolf"] else 0.3
        yield Fact("check", text, importance, (event.seq,), (data["seer"], data["target"]), audience=event.audience)

    def _seat_protected(self, event: StoryEvent) -> Iterator[Telling]:
        data = event.data
        if data["saved"]:
            text = f"The doctor {data['doctor']} saved {data['target']}."
            yield Fact("save", text, 0.6, (event.seq,), (data["doctor"], data["target"]), audience=event.audience)

    def _night_ended(self, event: StoryEvent) -> Iterator[Telling]:
        if not event.data["victim"]:
            yield Fact("unharmed", f"Nobody is out after night {event.data['night']}.", 0.35, (event.seq,))
            yield self._line("unharmed", event.seq, 0.4, "dawn", day=event.data["night"])

    def _seat_out(self, event: StoryEvent) -> Iterator[Telling]:
        data = event.data
        seat, role, how = data["seat"], data["role"], data["how"]
        self._alive = [each for each in self._alive if each != seat]
        self._out.append(Death(seat=seat, role=role, day=data["day"], how=how))
        wolf = role == "wolf"
        importance = {"night": 0.7 if role == "seer" else 0.45, "exile": EXILED.get(role, 0.5), "shot": 0.7}[how]
        past = {"night": "was attacked in the night", "exile": "was exiled", "shot": "was taken along by the hunter"}
        yield Fact(f"{how}", f"{seat}, {_a(role)}, {past[how]}.", importance, (event.seq,), (seat,), {"role": role})
        kind = {"night": "attacked", "shot": "shot", "exile": "exiled wolf" if wolf else "exiled good"}[how]
        yield self._line(kind, event.seq, importance, how, seat, day=data["day"], of=seat, a_role=_a(role))

    def _votes_shown(self, event: StoryEvent) -> Iterator[Telling]:
        data, seq = event.data, event.seq
        shown = Ballot(
            day=data["day"], ballot=data["ballot"], votes=data["votes"], exiled=data["exiled"], tied=data["tied"]
        )
        self._ballots.append(shown)
        votes = Counter(vote for vote in data["votes"].values() if vote != ABSTAIN)
        counted = ", ".join(f"{seat} {count}" for seat, count in votes.most_common())
        if data["tied"] and data["ballot"] == 1:
            yield Fact("tie", f"{_listed(data['tied'])} are level. The votes: {counted}.", 0.5, (seq,), data["tied"])
            yield self._line("tie", seq, 0.5, "vote", *data["tied"], names=_listed(data["tied"]))
        elif not data["exiled"]:
            yield Fact("nobody", f"Nobody is exiled. The votes: {counted or 'none'}.", 0.4, (seq,))
            yield self._line("nobody", seq, 0.4, "vote")
        else:
            (_, most), *others = votes.most_common()
            margin = most - (others[0][1] if others else 0)
            if margin == 1:
                yield Fact(
                    "margin", f"One vote decides against {data['exiled']}: {counted}.", 0.45, (seq,), (data["exiled"],)
                )
            elif not others:
                yield Fact("unanimous", f"All votes are for {data['exiled']}.", 0.3, (seq,), (data["exiled"],))
        for seat, vote in data["votes"].items():
            if seat in self._wolves and vote in self._wolves:
                rests = (self._wolves[seat], seq)
                yield Fact(
                    "betrayal",
                    f"{seat} votes against the other wolf, {vote}.",
                    0.5,
                    rests,
                    (seat, vote),
                    audience=frozenset((seat,)),
                )

    def _match_point(self, seq: int) -> Iterator[Telling]:
        """Yield the fact that a wrong exile may now lose the match."""
        lost = self._turn.startswith("day") and self._stake()
        if lost and lost != self._close:
            yield Fact("match point", f"One wrong exile {lost} the village the match.", 0.65, (seq,))
            self._close = lost

    def _ended(self, event: StoryEvent) -> Iterator[Telling]:
        outcome: Mapping[str, Any] | None = event.data["outcome"]
        if outcome is None:
            yield Outlook(
                {}, 0.0, f"The match was {ENDS.get(event.data['status'], event.data['status'])}.", (event.seq,)
            )
            return
        yield Fact("end", outcome["text"], 1.0, (event.seq,), outcome["winners"], {"reason": outcome["reason"]})
        yield Comment(outcome["text"], 1.0, (event.seq,), "end", seats=outcome["winners"])
        yield Outlook(dict(outcome["scores"]), 0.0, outcome["text"], (event.seq,))

    def _room(self) -> int:
        wolves = self._dealt.get("wolf", 2) - sum(death["role"] == "wolf" for death in self._out)
        return len(self._alive) - 2 * wolves

    def _stake(self) -> str:
        """Return what a wrong exile now does, in words; empty if the village can afford one."""
        return stake(self._room(), set(self._dealt) - {death["role"] for death in self._out})

    def _outlook(self, seq: int) -> Outlook:
        seats = sorted([*self._alive, *(death["seat"] for death in self._out)])
        table = PublicTable(seats, self._dealt, self._alive, self._out, self._speeches, self._ballots)
        village, suspected, wins = prospects(table)
        chances = {seat: round(chance, 3) for seat, chance in wins.items()}
        excitement = self._excitement(village, len(self._alive) / len(seats))
        return Outlook(chances, round(excitement, 3), self._headline(village, suspected), (seq,))

    def _excitement(self, village: float, left: float) -> float:
        """Return closeness x lateness x swing: lateness is 1 with nobody `left`, swing with 0.3 of recent movement."""
        moved = 0.0 if self._village is None else abs(village - self._village)
        self._swing = 0.7 * self._swing + moved
        self._village = village
        return (1 - abs(2 * village - 1)) * (1 - 0.7 * left) * (0.4 + 0.6 * min(1.0, self._swing / 0.3))

    def _headline(self, village: float, suspected: Mapping[SeatId, float]) -> str:
        seers = [seat for seat in claims(self._speeches).of("seer") if seat in self._alive]
        worst = max(self._alive, key=lambda seat: suspected[seat])
        percent = f"the village has a chance of {round(100 * village)}%"
        if self._turn.split()[2:3] in (["plea"], ["run-off"]) and self._ballots:
            return f"A run-off between {_listed(self._ballots[-1]['tied'])}: {percent}."
        if len(seers) > 1:
            return f"{_listed(seers)} {'both' if len(seers) == 2 else 'all'} claim to be the seer: {percent}."
        if lost := self._stake():
            return f"One wrong exile {lost} now: {percent}."
        if suspected[worst] >= SUSPECTED:
            return f"{worst} is suspected most: {percent}."
        return f"{len(self._alive)} are left, and who is a wolf is open: {percent}."

    def _line(self, kind: str, seq: int, importance: float, beat: str, *seats: SeatId, **words: object) -> Comment:
        """Return a line of that kind, in another phrase than the last one."""
        forms = [form for form in LINES[kind] if form != self._form]
        self._form = Random(f"{self._episode_id}/{seq}").choice(forms)
        return Comment(self._form.format(**words), importance, (seq,), beat, seats=seats)


def _claimed(seat: SeatId, act: Act, rivals: Sequence[SeatId], seq: int) -> Fact:
    if rivals:
        text = f"{seat} says to be the {act.of} too, against {_listed(rivals)}."
        return Fact("counter-claim", text, 0.75, (seq,), (seat, *rivals), {"role": act.of})
    return Fact("claim", f"{seat} says to be the {act.of}.", 0.6, (seq,), (seat,), {"role": act.of})


def _acted(acts: Sequence[Act]) -> str:
    """Return a sentence for acts that came without words."""
    verbs = {
        "suspect": "accuses",
        "trust": "trusts",
        "claim": "claims to be the",
        "guarded": "claims to have protected",
    }
    said = [f"{verbs.get(act.kind, 'claims to have checked')} {act.of}" for act in acts]
    return " and ".join(said) or "says nothing"


def _a(role: str) -> str:
    return f"a {role}" if role in ("wolf", "villager") else f"the {role}"


def _listed(seats: Sequence[SeatId]) -> str:
    return " and ".join([", ".join(seats[:-1]), seats[-1]] if len(seats) > 1 else seats)
