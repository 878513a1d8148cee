"""One server with every kind of page, and the addresses of them, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import LiveServer, live_server
from tests.support.play.story_match import StoryMatch, record
from tests.support.play.tournament_run import MadeUpTournament
from tests.support.trainer import experiment_record, league_record, training_run

LIVE = StoryMatch("live-story", "Turkey needs two more. Only France can stop her.", 0.9, "Turkey takes Vienna.", 0.8)
OVER = StoryMatch("over-story", "It is decided", 0.4, "France falls.", 0.7, "showcase", "Turkey wins alone.", seed=3)


@dataclass
class Site:
    """A server and the addresses of its pages by name."""

    server: LiveServer
    addresses: dict[str, str] = field(default_factory=dict)

    def url(self, name: str) -> str:
        return self.server.url + self.addresses[name]


@contextmanager
def every_page(folder: Path) -> Iterator[Site]:
    """Serve a site with a page of every kind: replays, live matches, seats, training runs, experiments, tournaments."""
    record(folder, (LIVE, OVER))
    league_record.record(folder, league_record.league(120))
    _record_training(folder)
    experiment_record.record(folder, training="training-run")
    _record_tournaments(folder)
    with live_server(folder) as server:
        site = Site(server)
        diplomacy = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1902})
        cricket = server.start_match(game="cricket", seed=21, pace=0, options={"overs": 2})
        server.wait_for(diplomacy, status="finished")
        server.wait_for(cricket, status="finished")
        fork = {"seq": 60, "pace": 0, "players": {"FRANCE": "random"}}
        child = server.post(f"/api/episodes/{diplomacy}/fork", fork).raise_for_status().json()["episode_id"]
        server.wait_for(child, status="finished")
        to_order = server.start_match(
            game="diplomacy", seed=3, pace=0, clock=3600, players={"FRANCE": "person", "ITALY": "person"}
        )
        to_bat = server.start_match(
            game="cricket", seed=4, pace=0, clock=3600, players={"away": "person"}, options={"overs": 5}
        )
        server.post(
            f"/api/episodes/{to_bat}/seats/away", {"action": {"tool": "set_toss", "arguments": {"decision": "bat"}}}
        )
        site.addresses = {
            "lobby": "/",
            "tv": "/tv",
            "Diplomacy, live": f"/episode/{LIVE.episode_id}",
            "Diplomacy, replay": f"/episode/{diplomacy}?seq=70",
            "Diplomacy, end": f"/episode/{diplomacy}",
            "Diplomacy, seat": f"/episode/{to_order}?as=seat:FRANCE",
            "Diplomacy, embedded": f"/embed/{diplomacy}",
            "cricket, embedded": f"/embed/{cricket}",
            "cricket, replay": f"/episode/{cricket}?seq=40",
            "cricket, end": f"/episode/{cricket}",
            "cricket, seat": f"/episode/{to_bat}?as=seat:away",
            "campaigns": "/campaigns",
            "experiments": "/campaigns?kind=experiment",
            "training": "/campaign/training-run",
            "league": "/campaign/training-league#league",
            "league without ratings": "/campaign/training-run#league",
            "tournament": "/campaign/tournament-over",
            "tournament, live": "/campaign/tournament-live",
            "tournament, stopped": "/campaign/tournament-stopped",
            "experiment": "/campaign/experiment-over",
            "experiment, live": "/campaign/experiment-live",
            "experiment, failed": "/campaign/experiment-failed#runs",
            "experiment, planned": "/campaign/experiment-new",
            "no such campaign": "/campaign/nothing-here",
            "cockpit": "/cockpit",
            "tournament form": "/cockpit?tournament",
            "start form": "/cockpit?new",
            "match desk": f"/cockpit?match={to_order}",
            "sandbox": f"/sandbox/{diplomacy}/70",
            "compare": f"/cockpit?left={diplomacy}&right={child}",
            "health": "/health",
            "leaderboard": "/leaderboard?game=cricket",
            "leaderboard without ratings": "/leaderboard?game=diplomacy",
            "player": "/player/strong",
            "player without a rating": "/player/coordinated",
            "no such player": "/player/nobody",
            "no such match": "/episode/nothing-here",
            "no such page": "/nowhere",
        }
        yield site


def _record_training(folder: Path) -> None:
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    runs = {
        "training-run": (training_run.STEPS, training_run.steps()),
        "training-league": (100, training_run.league(100)),
    }
    for name, (count, steps) in runs.items():
        bus.open(name, 1)
        run = [*training_run.opening(count=count), *steps, training_run.ending(count)]
        bus.publish(name, training_run.with_report(run))
    recorder.close()


def _record_tournaments(folder: Path) -> None:
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    over, live, stopped = MadeUpTournament(), MadeUpTournament("Live", format="swiss"), MadeUpTournament("Stopped")
    for name, drafts in {
        "tournament-over": [*over.opening(), *over.matches(), *over.ending()],
        "tournament-live": [*live.opening("publisher"), *live.matches(10, live=1)],
        "tournament-stopped": [*stopped.opening(), *stopped.matches(15), *stopped.ending("stopped by operator")],
    }.items():
        bus.open(name, 1)
        bus.publish(name, drafts)
    recorder.close()
