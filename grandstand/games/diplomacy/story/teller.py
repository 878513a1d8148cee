"""The story of one match of Diplomacy: one fold over its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, FALL_RETREATS, SPRING, State
from grandstand.games.diplomacy.story.analyst.prospects import prospects
from grandstand.games.diplomacy.story.analyst.secrets import deeds, intentions
from grandstand.games.diplomacy.story.analyst.verdicts import verdicts
from grandstand.games.diplomacy.story.battles import Battles, read_battles
from grandstand.games.diplomacy.story.chances import chances
from grandstand.games.diplomacy.story.commentary import Commentary, spoken_topics
from grandstand.games.diplomacy.story.conflicts import blocked, conflicts
from grandstand.games.diplomacy.story.items import IMPORTANCE, Line, TurnStory
from grandstand.games.diplomacy.story.memory import Memory, Turn
from grandstand.games.diplomacy.story.outlook import excitement, headline, restlessness
from grandstand.games.diplomacy.story.relations import promises, relations
from grandstand.games.diplomacy.story.seasons import adjustments, ending, opening, retreats, swings, votes, year_end
from grandstand.games.diplomacy.story.standings import captures, encirclements, first_lead, lead, losses, threats
from grandstand.games.diplomacy.story.words import listed, names, place
from grandstand.games.story import Comment, Names, Outlook, StoryEvent, Telling

CLOSING = frozenset({"TurnStarted", "EpisodeEnded"})
"""Types of the events that end a turn."""


class DiplomacyStory:
    """The story of one match. It tells each turn after its last event."""

    def __init__(self, episode_id: str) -> None:
        self._memory = Memory()
        self._turn = Turn()
        self._commentary = Commentary(episode_id)

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        """Return the facts, comments and outlooks of the turns that end with `events`."""
        telling: list[Telling] = []
        for event in events:
            if event.type == "EpisodeCreated":
                self._read_options(event.data.get("options", {}))
            self._turn.add(event)
            if event.type == "NegotiationHeld":
                telling += self._intentions()
            if event.type in CLOSING:
                turn, self._turn = self._turn, Turn()
                telling += self._close(turn)
        return telling

    def _intentions(self) -> list[Comment]:
        """Return what the analyst says of the letters while they are written."""
        state, items = self._memory.state, TurnStory()
        intentions(self._turn, self._memory, items)
        return [] if state is None else self._commentary.comment(items.lines, state.name)

    def names(self) -> Names:
        """Return the names of powers and provinces."""
        return names()

    def _read_options(self, options: Mapping[str, int]) -> None:
        self._memory.last_year = options.get("last_year", self._memory.last_year)

    def _close(self, turn: Turn) -> list[Telling]:
        """Return the facts, comments and outlook of a turn."""
        memory = self._memory
        before = memory.state
        after = before if turn.advanced is None else read_state(turn.advanced.data["state"])
        if after is None:
            return []
        seq = memory.state_seq if turn.advanced is None else turn.advanced.seq
        outlook = self._chances(turn, after)
        items = TurnStory({seat: outlook[seat] - memory.chances[seat] for seat in POWERS})
        promises(turn, memory, items)
        intentions(turn, memory, items)
        deeds(turn, memory, items)
        battles = _read_phase(turn, before, memory, items)
        if battles is not None and before is not None:
            verdicts(turn, battles, before, after, outlook, memory, items)
        votes(turn, memory, items)
        if before is None or not memory.opened:
            memory.opened = True
            memory.year_counts, memory.year_seq = _counts(after), seq
            first_lead(_counts(after), memory)
            if turn.resolved is None:
                opening(after, seq, memory, items)
        elif turn.advanced is not None:
            _count(turn, before, after, memory, items)
            if turn.ended is None:
                swings(memory.chances, outlook, turn.captured.seq if turn.captured is not None else seq, items)
        if turn.ended is not None:
            ending(turn, after, turn.votes[-1].seq if turn.votes else seq, memory, items)
        memory.restlessness = restlessness(memory.restlessness, memory.chances, outlook)
        memory.state, memory.state_seq = after, seq
        memory.chances_before, memory.chances = memory.chances, outlook
        if turn.started is not None and after.phase in (SPRING, FALL):
            prospects(after, (seq, turn.started.seq), memory, items)
        lines = items.lines if battles is None else [*items.lines, *_gridlock(battles, turn, items)]
        phase = turn.resolved.data["phase"] if turn.resolved is not None else after.name
        telling: list[Telling] = [*items.facts, *self._commentary.comment(lines, phase)]
        if turn.advanced is not None or turn.ended is not None or turn.votes:
            telling.append(self._outlook(turn, after, items))
        return telling

    def _chances(self, turn: Turn, after: State) -> dict[SeatId, float]:
        outcome = turn.ended.data.get("outcome") if turn.ended is not None else None
        if outcome is not None and outcome["winners"]:
            winners = outcome["winners"]
            return {seat: round(1 / len(winners), 4) if seat in winners else 0.0 for seat in POWERS}
        if turn.advanced is None:
            return dict(self._memory.chances)
        return chances(after, self._memory.last_year)

    def _outlook(self, turn: Turn, after: State, items: TurnStory) -> Outlook:
        """Return the outlook, which rests on the event that changed the centres, else on the last one of the turn."""
        memory = self._memory
        last = next(
            event for event in (turn.captured, turn.advanced, *turn.votes[-1:], turn.ended) if event is not None
        )
        rests_on = (last.seq,)
        if turn.ended is not None:
            return Outlook(memory.chances, 0.0, items.lines[-1].text(), rests_on)
        lively = excitement(memory.chances, after, memory)
        return Outlook(memory.chances, lively, headline(after, items.facts, items.lines, memory), rests_on)


def _read_phase(turn: Turn, before: State | None, memory: Memory, items: TurnStory) -> Battles | None:
    """Add the facts of the orders; return the battles of a movement phase."""
    if turn.resolved is None or before is None:
        return None
    kind = turn.resolved.data["phase"][-1]
    if kind == "R":
        retreats(turn.resolved, items)
    elif kind == "A":
        adjustments(turn.resolved, items)
    else:
        battles = read_battles(turn.resolved.data["orders"], before.centers)
        conflicts(battles, turn.resolved.seq, memory, items)
        relations(battles, turn, memory, items)
        memory.moved = True
        return battles
    return None


def _count(turn: Turn, before: State, after: State, memory: Memory, items: TurnStory) -> None:
    """Add the facts of the centres and of the position that comes next."""
    assert turn.advanced is not None
    seq, counts = turn.advanced.seq, _counts(after)
    captures(turn, memory, items)
    losses(turn, before, after, items)
    if turn.captured is not None:
        lead(counts, turn.captured.seq, memory, items)
        threats(counts, after, turn, memory, items)
    if after.phase == SPRING or after.phase == FALL:
        encirclements(after, seq, memory, items)
    if before.phase in (FALL, FALL_RETREATS) and after.phase != FALL_RETREATS:
        year_end(after, counts, seq if turn.captured is None else turn.captured.seq, memory, items)


def _counts(state: State) -> dict[SeatId, int]:
    return dict(zip(POWERS, state.center_counts(), strict=True))


def _gridlock(battles: Battles, turn: Turn, items: TurnStory) -> list[Line]:
    """Return a line on the places of bounces that no chosen line mentions."""
    assert turn.resolved is not None
    spoken = spoken_topics(items.lines)
    places = [code for code in blocked(battles) if code not in spoken]
    if len(places) < (3 if items.lines else 1):
        return []
    names = listed([place(code) for code in places[:5]])
    return [Line("gridlock", {"places": names}, IMPORTANCE["gridlock"], (turn.resolved.seq,))]
