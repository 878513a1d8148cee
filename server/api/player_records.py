"""The records of players that `/api/players` returns: the accounts of finished episodes, each read once."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence

from grandstand.models import EpisodeSummary
from grandstand.play.exchange.importing import ORIGIN as IMPORTED
from grandstand.play.statistics import COUNTED, SeatRecord, player_totals, seat_records
from grandstand.play.tournament.episode import TOURNAMENT
from grandstand.server.bodies import PlayerRecord
from grandstand.spectator.recorder import Recorder

KEPT = 2000
"""Episodes whose accounts stay in memory."""


class PlayerRecords:
    """The accounts of the record's finished episodes, which do not change any more."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._accounts: OrderedDict[tuple[str, float, int], list[SeatRecord]] = OrderedDict()

    async def of(self, episodes: Sequence[EpisodeSummary]) -> list[PlayerRecord]:
        """Return what finished episodes say of each player, the best of each game first."""
        games: dict[str, list[list[SeatRecord]]] = defaultdict(list)
        for episode in episodes:
            # A file can be a match of this record once more, or say what nobody played; a tournament is no match.
            if episode.outcome is not None and episode.origin != IMPORTED and episode.game != TOURNAMENT:
                games[episode.game].append(await self._account(episode))
        return player_records(games)

    async def _account(self, episode: EpisodeSummary) -> list[SeatRecord]:
        key = (episode.episode_id, episode.created_at, episode.last_seq)
        if key not in self._accounts:
            self._accounts[key] = seat_records(await self._recorder.load(episode.episode_id, COUNTED))
            while len(self._accounts) > KEPT:
                self._accounts.popitem(last=False)
        return self._accounts[key]


def player_records(games: Mapping[str, Sequence[Sequence[SeatRecord]]]) -> list[PlayerRecord]:
    """Return each player's record in each game, those without a score last."""
    records = [
        PlayerRecord(
            game=game,
            player=player,
            seats=total.seats,
            scored=total.scored,
            mean_score=total.score.mean,
            ci95=None if total.score.ci95 is None else list(total.score.ci95),
            wins=total.wins,
            decisions=total.decisions,
            fallbacks=total.fallbacks,
            faults=total.faults,
        )
        for game, episodes in games.items()
        for player, total in player_totals(episodes).items()
    ]
    return sorted(
        records, key=lambda record: (record.game, -1 if record.mean_score is None else -1 - record.mean_score)
    )
