"""The tournament's own episode: the drafts of its events, from its creation to its outcome.

Its game is `tournament`, and its seats are the players by name. Seeds are in no event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.campaign_events import TOURNAMENT, Pairing, PairingBegan, PairingPlayed, PairingsDrawn
from grandstand.campaigns.tournament.tournament import Tournament, milestone
from grandstand.games.registry import game_spec
from grandstand.models import Draft, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted

DRAWN_AT_ONCE = 200
"""The most pairings in one event."""


class TournamentEpisode:
    """The drafts of a tournament's events, each to be published in order."""

    def __init__(
        self, tournament: Tournament, kinds: Mapping[str, str] | None = None, *, watchable: bool = True
    ) -> None:
        """`kinds` are the kinds of the players by name; `watchable` is false if viewers have no records of matches."""
        self.tournament = tournament
        self._watchable = watchable
        self._kinds = kinds or {}
        self._due = 1
        self._turns = 0

    def continue_after(self, played: int, turns: int) -> None:
        """Continue after the standings of `played` matches, which were turn number `turns`."""
        self._due = milestone(played)
        self._turns = turns

    def created(self, **about: Any) -> list[Draft]:
        """Return the first drafts; `about` has fields of EpisodeCreated that the tournament does not know."""
        plan = self.tournament.plan
        seats = [SeatInfo(seat=name, player=name, kind=self._kinds.get(name, "bot")) for name in plan.players]
        title = plan.title or f"{plan.game}: {plan.format} of {len(plan.players)} players"
        rules = game_spec(plan.game).rules.version
        created = EpisodeCreated(game=TOURNAMENT, title=title, options=plan.public(), seats=seats, rules=rules, **about)
        return [Draft.of(created), Draft.of(EpisodeStarted())]

    def drawn(self, pairings: Sequence[Pairing]) -> list[Draft]:
        """Return the drafts for pairings that were drawn."""
        pieces = [pairings[at : at + DRAWN_AT_ONCE] for at in range(0, len(pairings), DRAWN_AT_ONCE)]
        planned = self.tournament.planned
        return [Draft.of(PairingsDrawn(planned=planned, pairings=list(piece))) for piece in pieces]

    def began(self, number: int, episode_id: str = "") -> list[Draft]:
        """Return the draft for the beginning of a match; without an id no viewer can watch it."""
        return [Draft.of(PairingBegan(number=number, episode_id=self._shown_id(episode_id)))]

    def ended(self, number: int) -> list[Draft]:
        """Return the drafts for the end of a match whose result was added, with standings if they are due."""
        drafts = self.played(number)
        if len(self.tournament.played) >= self._due or not self.tournament.waiting:
            drafts += self.standings()
        return drafts

    def played(self, number: int) -> list[Draft]:
        """Return the draft for the end of a match, without standings."""
        match = self.tournament.played[number]
        played = PairingPlayed(
            number=number,
            episode_id=self._shown_id(match.episode_id),
            status=match.status,
            message=match.message,
            scores=match.scores,
            counted=list(match.counted),
            faults={record.seat: record.faults for record in match.seats if record.faults},
            fallbacks={record.seat: record.fallbacks for record in match.seats if record.fallbacks},
        )
        return [Draft.of(played)]

    def standings(self) -> list[Draft]:
        """Return the standings, and a turn of the episode with the mean scores."""
        standings = self.tournament.standings()
        self._due = milestone(standings.played)
        self._turns += 1
        scores = {row.player: row.score.mean for row in standings.table if row.score.mean is not None}
        turn = TurnStarted(
            index=self._turns - 1, turn=f"{standings.played} of {standings.planned}", to_act=[], scores=scores
        )
        return [Draft.of(standings), Draft.of(turn)]

    def _shown_id(self, episode_id: str) -> str:
        return episode_id if self._watchable else ""

    def over(self, message: str = "") -> list[Draft]:
        """Return the last drafts: the final standings and the outcome, or `message` on why it stopped early."""
        if message:
            return [Draft.of(self.tournament.standings()), Draft.of(EpisodeEnded(status="stopped", message=message))]
        outcome = self.tournament.outcome()
        return [Draft.of(self.tournament.standings()), Draft.of(EpisodeEnded(status="finished", outcome=outcome))]
