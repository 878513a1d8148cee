"""The story of a match of OpenSpiel: the general one, and for Texas hold'em the chances of the hands, for those who may
know them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.foreign.equity import BOARD, chances
from grandstand.games.foreign.pictures.cards import SUITS
from grandstand.games.story import GeneralStory, Outlook, StoryEvent, Telling, plain

ANALYSTS: Final[frozenset[SeatId]] = frozenset()
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SIGNS: Final = tuple(SUITS.values())


class SpielStory(GeneralStory):
    """The story of one match."""

    def __init__(self, episode_id: str, events: Sequence[str] = ()) -> None:
        super().__init__(episode_id, events)
        self._holdem = False
        self._hands: dict[SeatId, list[str]] = {}
        self._board: list[str] = []
        self._folded: set[SeatId] = set()

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        telling: list[Telling] = []
        for event in events:
            telling += super().tell([event])
            if event.type == "EpisodeCreated":
                self._holdem = event.data["options"].get("game") == "universal_poker"
            elif self._holdem:
                telling += self._dealt(event)
        return telling

    def _dealt(self, event: StoryEvent) -> Iterator[Telling]:
        """Remember cards and folds; yield the chances of the hands at the start of a turn."""
        data: Mapping[str, Any] = event.data
        if event.type == "PictureShown":
            self._board = _cards(data["state"]["things"], "common")
        elif event.type == "PictureSeen":
            self._hands[data["seat"]] = _cards(data["things"], f"hand {data['seat']}")
        elif event.type == "MoveMade" and data["move"] == "Fold":
            self._folded.add(data["seat"])
        elif event.type == "TurnStarted" and self._outlook is not None:
            yield self._equities(self._outlook, event.seq)

    def _equities(self, public: Outlook, seq: int) -> Outlook:
        """Return the outlook with the exact share of the pot that each hand can expect; 0 for a hand that is folded."""
        hands = {seat: hand for seat, hand in self._hands.items() if seat not in self._folded}
        dead = [_number(card) for seat in self._folded for card in self._hands.get(seat, ())]
        board = [_number(card) for card in self._board[:BOARD]]
        found = chances([[*map(_number, hand)] for hand in hands.values()], board, dead) if len(hands) > 1 else []
        shares = {seat: chance.share for seat, chance in zip(hands, found, strict=False)} or dict.fromkeys(hands, 1.0)
        first = max(shares, key=lambda seat: shares[seat])
        headline = f"{plain(first)} holds {' '.join(hands[first])} and expects {100 * shares[first]:.1f}% of the pot."
        values = {seat: round(shares.get(seat, 0.0), 4) for seat in self._names}
        return Outlook(values, public.excitement, headline[:1].upper() + headline[1:], (seq,), ANALYSTS)


def _cards(things: Sequence[Mapping[str, Any]], place: str) -> list[str]:
    """Return the open cards at a place, in their order."""
    return [thing["label"] for thing in things if thing["kind"] == "card" and thing["at"] == place and thing["label"]]


def _number(card: str) -> int:
    """Return a card as the number that `chances` takes."""
    return 4 * RANKS.index(card[:-1]) + SIGNS.index(card[-1])
