"""What the matches of a campaign that are left will cost."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.campaigns.match_executor import Workers
from grandstand.campaigns.matches import CampaignMatches
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.ratings.seat_records import SeatRecord, Spent
from grandstand.players.llm.budget import Budget

SEATS = ("a", "b")


class TwoOfFour:
    """Draws two of four matches: the players of the others are not known yet."""

    planned = 4

    def draw(self) -> Sequence[MatchPlan]:
        players = ("model", "bot")
        return [MatchPlan(f"e{number}", "cricket", players, {}, number) for number in range(2)]

    def add(self, match: MatchPlan, result: MatchResult) -> None: ...

    def pilot(self, matches: Sequence[MatchPlan], size: int) -> Sequence[MatchPlan]:
        return matches


def test_matches_that_are_not_drawn_yet_cost_what_all_players_spend() -> None:
    matches = CampaignMatches(TwoOfFour(), Workers(1, 1), Budget("the", None, None), Spent())
    first, _ = matches.draw()
    assert matches.estimate() is None
    spent = (Spent(tokens_in=200, tokens_out=100, dollars=0.5), Spent())
    seats = [
        SeatRecord(seat, player, "llm", spent=item)
        for seat, player, item in zip(SEATS, first.players, spent, strict=True)
    ]
    matches.add(first, MatchResult(0, None, "finished", "", "", [], {}, 9, seats, seconds=10.0))
    estimate = matches.estimate()
    assert estimate is not None
    assert (estimate.left, estimate.units, estimate.measured) == (3, "3 more matches", 1)
    assert (estimate.seconds, estimate.tokens, estimate.dollars) == (30.0, 900, 1.5)
