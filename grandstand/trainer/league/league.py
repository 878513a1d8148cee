"""The league of a run: record matches, choose opponents, admit versions and rate all players. No tensors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from grandstand.campaign_events import LeagueRated, RatedPlayer
from grandstand.games.base import Json, SeatId
from grandstand.games.spec import GameSpec
from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.table import MIDDLE, Rating, RatingError, ScoredMatch
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.league_settings import SELF, Role
from grandstand.trainer.config.objective_settings import POLICY
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.admission import elite, is_landmark, members
from grandstand.trainer.league.matchmaking import Candidate, OpponentMix, candidates, metric_name, mix, weights_at
from grandstand.trainer.league.payoffs import PayoffMatrix, points_and_games
from grandstand.trainer.league.peers import Peers, inherit, inheritable
from grandstand.trainer.league.resets import Resets
from grandstand.trainer.league.results import earned, own_scores
from grandstand.trainer.league.roles import PeerRoles, run_of
from grandstand.trainer.league.rows import (
    Horizon,
    Kind,
    LeagueError,
    LeagueMatch,
    LeaguePlayer,
    Stage,
    address_of,
    name_at,
    options_key,
    policy_name,
    version_number,
)
from grandstand.trainer.league.store import KEY, LeagueStore, run_key
from grandstand.trainer.league.summary import rounded, summary

MODEL, PARENT, BEGAN = "model", "parent", "began"
"""Topics of decisions: the digest of a run's model; the player that it starts from; the version that it joins with."""
OPPONENTS, RATINGS, ELITE, PEERS = "opponents", "ratings", "elite", "peers"
"""The opponents of a step; at a checkpoint the ratings, the new elite version if there is one, and the versions of
other runs that are opponents from then on."""
EVALUATED = "evaluated"
"""The gain over the base with which a version was evaluated."""
RATED_GROUPS = 400
"""Newest groups of matches of each run from which ratings are estimated at a checkpoint. With more groups, ratings lag
behind what the policy has learned; with fewer, their intervals are wide."""
FORGOTTEN = 10
"""Half-lives after which results are left out of the expected scores."""


class League:
    """A run's view of its league. Its decisions use only results that exist in every repetition of the run."""

    def __init__(self, config: TrainConfig, spec: GameSpec, folder: Path) -> None:
        """Open the league of the run in `folder`, and add the run's base and the bots.

        Raises LeagueError if it cannot be used, or if `league.inherit_from` has nothing that the run could inherit.
        """
        self._config, self._spec = config, spec
        self._run, self._options = config.run.name, options_key(config.game.options)
        self.store = LeagueStore(Path(config.league.folder) if config.league.folder else folder)
        self._joins = not (folder / KEY).is_file()
        """True if the run has not been in a league before."""
        self.store.register(self._run, run_key(folder))
        if config.league.inherit_from and self.store.last_decision(self._run, PEERS) is None:
            # Before the work of cloning, after which the model is known.
            inheritable(Path(config.league.inherit_from), spec.name, self._run)
        self.resets = Resets(config, self.store)
        self._peers = Peers(folder, self._run)
        self._model = ""
        self.store.add(LeaguePlayer(name, spec.name, "bot") for name in spec.bots.players)

    def close(self) -> None:
        self.store.close()

    # --- results ------------------------------------------------------------------------------------------------------

    def record(self, stage: Stage, step: int, episodes: Iterable[tuple[str, Episode]]) -> None:
        """Record matches by (lot, episode); those of one lot start from the same situation."""
        results = []
        for lot, episode in episodes:
            players, scores = own_scores(episode.events)
            if self._config.league.stopped == "reward" and episode.events[-1].data["status"] == "stopped":
                scores = earned(episode, self._spec, scores, self._config.reward)
            where = (episode.episode_id, stage, step, self._spec.name, self._options, lot)
            results.append(LeagueMatch(*where, players, scores))
        self.store.record(self._run, results)

    # --- opponents ----------------------------------------------------------------------------------------------------

    def opponents(self, step: int, version: int) -> OpponentMix:
        """Return the chances of the opponents of a step that `version` plays, decided once."""
        decided = self.store.decide(self._run, OPPONENTS, step, lambda: asdict(self._mix(step, version)))
        return OpponentMix(decided["chances"], decided["shares"], decided["expected"])

    def _mix(self, step: int, version: int) -> OpponentMix:
        league, members = self._config.league, self.members(version)
        players = candidates(self._config, self._spec, members, self.expected(version), self.peer_roles(version))
        payoffs = self._payoffs(players, version) if league.pfsp == "nash" else None
        return mix(league, weights_at(self._config, step), players, payoffs)

    def _payoffs(self, players: Iterable[Candidate], version: int) -> PayoffMatrix:
        """Return the payoffs between the players that `version` may meet, by address."""
        names = (player.address for player in players if player.address != SELF)
        players_met = [name_at(name, self._run) for name in names]
        rows = self.store.between(self._spec.name, self._options, players_met, Horizon(self._run, version))
        results = points_and_games(
            (address_of(name, self._run), address_of(other, self._run), wins, draws, games)
            for name, other, wins, draws, games in rows
        )
        ratings = {address_of(name, self._run): points for name, points in self.ratings(version).items()}
        return PayoffMatrix(results, self._config.league.prior, ratings)

    def expected(self, version: int) -> dict[str, float]:
        """Return the policy's expected score against each opponent that it has met, by address, when at `version`.

        It is the mean of a Beta distribution: the prior, and the results of the versions up to this one with weights
        that halve with their age, since the policy began anew.
        """
        league = self._config.league
        oldest = max(self.resets.since(version), version - int(FORGOTTEN * league.half_life))
        won: dict[str, float] = defaultdict(float)
        played: dict[str, float] = defaultdict(float)
        for own, opponent, wins, draws, games in self.store.against(
            self._spec.name, self._options, Horizon(self._run, version), oldest
        ):
            met = version_number(opponent, self._run)
            if met is not None and met >= own:
                continue  # the earlier version was the opponent
            weight = 0.5 ** ((version - own) / league.half_life)
            won[opponent] += weight * (wins + draws / 2)
            played[opponent] += weight * games
        prior = league.prior
        return {
            address_of(name, self._run): (prior / 2 + won[name]) / (prior + games)
            for name, games in sorted(played.items())
        }

    # --- versions of other runs ---------------------------------------------------------------------------------------

    def _first_peers(self) -> list[str]:
        source = self._config.league.inherit_from
        if source:
            inherit(Path(source), self._spec.name, self._run, self._model, self.store)
        return self._take_peers()

    def _take_peers(self) -> list[str]:
        return self._peers.take(self.store.players(self._spec.name), self._model)

    def peers(self, version: int) -> list[str]:
        """Return the versions of other runs that are opponents when the policy is at `version`."""
        last = self.store.last_decision(self._run, PEERS, version - 1)
        return last[1] if last else []

    def peer_roles(self, version: int) -> PeerRoles:
        """Return the versions of other runs that are opponents, with the roles of these."""
        roles = self._run_roles()
        return {name: roles.get(run_of(name), "main") for name in self.peers(version)}

    def _run_roles(self) -> dict[str, Role]:
        """Return the roles of the runs in the league, by their names."""
        return {player.run: player.role or "main" for player in self.store.players(self._spec.name) if player.run}

    def peer_folders(self, done: int) -> dict[int, Path]:
        """Return the adapters of the peers that are needed after step `done`, by their numbers at the sampler."""
        names = sorted({name for version in self._playing(done) for name in self.peers(version)})
        return {self._peers.number(name): self._peers.path(name) for name in names}

    def peer_numbers(self, version: int) -> dict[str, int]:
        """Return the numbers at the sampler of the peers that `version` meets."""
        return {name: self._peers.number(name) for name in self.peers(version)}

    def keep_peers(self, checkpoints: Iterable[int]) -> None:
        """Delete the copies of peers that resuming from none of the checkpoints needs."""
        versions = {version for done in checkpoints for version in (*self._playing(done), done + 1)}
        self._peers.keep({name for version in versions for name in self.peers(version)})

    def _playing(self, done: int) -> range:
        """Return the versions that play steps after `done`, up to that one."""
        return range(max(0, done - self._config.rollout.buffer_depth), done + 1)

    # --- versions -----------------------------------------------------------------------------------------------------

    def begin(self, version: int, model: Callable[[], str]) -> None:
        """Join with the run's present version; earlier ones may be deleted if the run is older than its league.

        `model` returns the digest of the run's model. Raises LeagueError if `league.inherit_from` cannot be used, or if
        the run was in another league before.
        """
        if version and not self._joins and self.store.last_decision(self._run, BEGAN) is None:
            raise LeagueError(
                f"league.folder: the league in {self.store.path.parent.absolute()} does not have this run, which is at "
                f"step {version}; resume it with its own league, and from the same working directory if the folder is "
                "relative"
            )
        self._model = self.store.decide(self._run, MODEL, 0, model)
        parent = self.store.decide(self._run, PARENT, 0, lambda: "")
        self.store.add(
            [
                LeaguePlayer(
                    policy_name(self._run, 0),
                    self._spec.name,
                    "base",
                    self._run,
                    0,
                    parent=parent,
                    model=self._model,
                    role=self._config.league.role,
                )
            ]
        )
        began = self.store.decide(self._run, BEGAN, 0, lambda: version)
        self.store.decide(self._run, PEERS, began - 1, self._first_peers)

    def start_from(self, parent: str) -> None:
        """Note the player of another run that the run's base is. It must come before `begin`."""
        self.store.decide(self._run, PARENT, 0, lambda: parent)

    def members(self, version: int) -> list[int]:
        """Return the run's versions that are in the league when the policy is at `version`."""
        league, every = self._config.league, self._config.run.checkpoint_every
        began = self.store.decide(self._run, BEGAN, 0, lambda: 0)
        stayed = [*self._elites(version - 1), *self.resets.reached(version - 1)]
        inside = members(version, every, league.recent, league.landmark_every, stayed)
        return [member for member in inside if member >= began]

    def kept(self, done: int) -> set[int]:
        """Return the versions that stay, as decided up to step `done`.

        They are landmarks, elites, the best by evaluation, an exploiter's versions that reached its aim, and
        those that `league.keep` names.
        """
        league = self._config.league
        every = league.landmark_every
        landmarks = {version for version in range(every, done + 1, every or 1) if is_landmark(version, every)}
        best = self.best(done)
        named = {version for version in (*league.keep, best) if version is not None and version <= done}
        return landmarks | set(self._elites(done)) | set(self.resets.reached(done)) | named

    def note_evaluation(self, version: int, gain: float) -> int:
        """Note how much better than the base a version was evaluated, and return the best version so far."""
        self.store.decide(self._run, EVALUATED, version, lambda: gain)
        return self.best(version) or version

    def best(self, done: int) -> int | None:
        """Return the version with the highest evaluation up to step `done`, the later of equals; None without any."""
        gains = self.store.decisions(self._run, EVALUATED, done)
        return max(gains, key=lambda version: (gains[version], version)) if gains else None

    def _elites(self, step: int) -> list[int]:
        """Return the elite versions, as decided up to a step, the last one being the best."""
        decided = self.store.decisions(self._run, ELITE, step)
        return [decided[at] for at in sorted(decided) if decided[at] is not None]

    def needed(self, done: int) -> set[int]:
        """Return the versions that are needed in the steps after `done`, or that stay for ever."""
        playing = self._playing(done)
        opponents = {version for at in playing for version in self.members(at)}
        return {0, *playing, *opponents, *self.kept(done)}

    def drop(self, versions: Iterable[int]) -> None:
        """Remove versions whose weights are deleted."""
        self.store.remove(self._spec.name, [policy_name(self._run, version) for version in versions])

    def admit(self, version: int, adapter: Path) -> dict[str, float]:
        """Admit the version of a checkpoint, rate all players, and return the ratings as metrics."""
        league, every = self._config.league, self._config.run.checkpoint_every
        aim = self.resets.decide(version, self.expected(version), self.peer_roles(version))
        previous = max(0, version - every)
        player = LeaguePlayer(
            policy_name(self._run, version),
            self._spec.name,
            "policy",
            self._run,
            version,
            str(adapter.absolute()),
            policy_name(self._run, previous if previous >= self.resets.since(version) else 0),
            self._model,
            landmark=is_landmark(version, league.landmark_every) or version in self.resets.reached(version),
            role=league.role,
        )
        self.store.add([player])
        rated = self.store.decide(self._run, RATINGS, version, lambda: self._rate(version))
        chosen = self.store.decide(self._run, ELITE, version, lambda: rated["elite"])
        self.store.decide(self._run, PEERS, version, self._take_peers)
        metrics = {"league/members": float(len(self.members(version))), **aim}
        if chosen is not None:
            metrics["league/elite"] = float(chosen)
        for rating in rated["ratings"]:
            name = self.label(rating["player"])
            metrics |= {
                f"league/rating/{name}": rating["mean"],
                f"league/rating/{name}/low": rating["low"],
                f"league/rating/{name}/high": rating["high"],
            }
        return metrics

    def label(self, name: str) -> str:
        """Return a player's name in metrics: `v12` for a version of the run's own policy."""
        return metric_name(address_of(name, self._run))

    # --- ratings ------------------------------------------------------------------------------------------------------

    def ratings(self, version: int) -> dict[str, float]:
        """Return the last ratings by player that were decided before the policy was at `version`, its own under POLICY.

        They are computed from matches that were over before any decision of `version`. Where the policy has no rating
        since the last checkpoint, it has that of its newest version; where it has begun anew since, that of its base.
        """
        last = self.store.last_decision(self._run, RATINGS, version - 1)
        if last is None:
            return {}
        step, decided = last
        points = {rating["player"]: rating["mean"] for rating in decided["ratings"]}
        own = [name for name in points if version_number(name, self._run) is not None]
        if self.resets.since(version) > step:
            points[POLICY] = points.get(policy_name(self._run, 0), MIDDLE)
        elif own:
            points.setdefault(POLICY, points[max(own)])
        return points

    def _rate(self, version: int) -> Json:
        """Return the ratings from the newest matches, and the version that they make the new elite one."""
        matches = self._newest(version, self.store.newest)
        base, players = policy_name(self._run, 0), {match.players[seat] for match in matches for seat in match.scores}
        try:
            table = rating_model()(matches, {base: MIDDLE} if base in players else None)
        except RatingError:  # there is nothing to compare yet
            return {"ratings": [], "elite": None}
        last = max([0, *self._elites(version - 1)])
        newer = {policy_name(self._run, own): own for own in self.members(version) if own > last}
        chosen = elite(table, newer, policy_name(self._run, last))
        return {"ratings": [asdict(rating) for rating in table.ratings], "elite": chosen}

    def rated(self, version: int) -> LeagueRated | None:
        """Return the ratings that were decided at a checkpoint with the payoffs behind them; None if there are none."""
        ratings = self.store.decisions(self._run, RATINGS, version).get(version, {"ratings": []})["ratings"]
        if not ratings:
            return None
        roles = self._run_roles()
        players = [self._player(Rating(**rating), roles) for rating in ratings]
        return summary(version, players, self._newest(version, self.store.siblings), self._config.league.prior)

    def _player(self, rating: Rating, roles: Mapping[str, Role]) -> RatedPlayer:
        """Return the player of a rating; it has a role if runs of several roles are in the league."""
        name, label = rating.player, self.label(rating.player)
        version = version_number(name, self._run)
        kind: Kind | Literal["peer"] = (
            "bot" if name in self._spec.bots.players else "policy" if name == POLICY else "peer"
        )
        return RatedPlayer(
            name=name,
            label=label,
            kind=kind if version is None else "policy" if version else "base",
            role=roles.get(self._run if name == POLICY else run_of(name), "") if len(set(roles.values())) > 1 else "",
            version=version,
            landmark=version is not None and is_landmark(version, self._config.league.landmark_every),
            rating=rounded(rating.mean, rating.low, rating.high, rating.games),
        )

    def _newest(self, version: int, query: Callable[[str, str, Horizon, int], list[ScoredMatch]]) -> list[ScoredMatch]:
        """Return the matches from which the ratings of a checkpoint are estimated, with the seats that are rated."""
        rated = self._rated_players(version)
        matches = query(self._spec.name, self._options, Horizon(self._run, version), RATED_GROUPS)
        return [self._renamed(match, version, rated) for match in matches]

    def _rated_players(self, version: int) -> set[str]:
        """Return the names of the run's members and base, of the bots, and of other runs' versions in the league."""
        own = {policy_name(self._run, member) for member in (0, *self.members(version))}
        others = {player.name for player in self.store.players(self._spec.name) if player.run != self._run}
        return own | others | {*self.peers(version)}

    def _renamed(self, match: ScoredMatch, now: int, rated: Container[str]) -> ScoredMatch:
        """Return the match with only the seats that are rated.

        The run's versions since the last checkpoint that are no member are one player, the policy.
        """
        names: dict[SeatId, str] = {}
        for seat in match.scores:
            name = match.players[seat]
            own = version_number(name, self._run)
            if name in rated:
                names[seat] = name
            elif own is not None and own > now - self._config.run.checkpoint_every:
                names[seat] = POLICY
        return ScoredMatch(names, {seat: match.scores[seat] for seat in names}, match.cluster)
