"""The export is valid Cricsheet: its schema, its sums, and the match it tells of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from grandstand.games.base import GameEvent
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.export.cricsheet import export_cricsheet, export_tactics, person
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import DISMISSALS, NOT_OUT_EXITS

DELIVERY = {"batter", "bowler", "non_striker", "runs", "extras", "wickets", "review", "replacements"}
INFO = {
    "balls_per_over", "dates", "event", "gender", "match_type", "officials", "outcome", "overs", "players", "registry",
    "season", "team_type", "teams", "toss", "venue",
}  # fmt: skip


def public(emitted: Sequence[GameEvent]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(type(event).__name__, asdict(event)) for event in emitted if event.seats() is None]


def exported(seed: int, **options: Any) -> tuple[CricketGame, dict[str, Any], dict[str, Any]]:
    game, emitted = play_match(CricketOptions(**options), seed, BOTS["heuristic"], BOTS["random"])
    events = json.loads(json.dumps(public(emitted)))
    header = {"created_at": 1_700_000_000.0}
    return game, json.loads(json.dumps(export_cricsheet(events, header))), export_tactics(events, header)


def check_delivery(delivery: dict[str, Any], squad: dict[str, list[str]]) -> None:
    assert set(delivery) <= DELIVERY
    runs, extras = delivery["runs"], delivery.get("extras", {})
    assert set(runs) == {"batter", "extras", "total"}
    assert runs["total"] == runs["batter"] + runs["extras"]
    assert runs["extras"] == sum(extras.values())
    assert set(extras) <= {"wides", "noballs", "byes", "legbyes", "penalty"}
    everybody = {name for names in squad.values() for name in names}
    assert {delivery["batter"], delivery["bowler"], delivery["non_striker"]} <= everybody
    for wicket in delivery.get("wickets", []):
        assert wicket["kind"] in (*DISMISSALS, *NOT_OUT_EXITS)
        assert {wicket["player_out"], *(f["name"] for f in wicket.get("fielders", []))} <= everybody
    if (review := delivery.get("review")) is not None:
        assert set(review) - {"umpires_call"} == {"by", "umpire", "decision", "type", "batter"}
        assert review["decision"] in ("upheld", "struck down")
        assert review["by"] in squad


@pytest.mark.long
@pytest.mark.parametrize(
    "options", [{"overs": 5}, {"overs": 20, "conditions": "ipl-2023"}, {"overs": 20, "rain": "2@8->14"}, {"overs": 1}]
)
def test_the_document_has_the_schema_and_the_sums(options: dict[str, Any]) -> None:
    game, document, tactics = exported(31, **options)
    info = document["info"]
    assert document["meta"] == {"data_version": "1.1.0", "created": "2023-11-14", "revision": 1}
    assert set(info) == INFO
    assert info["overs"] == options["overs"]
    assert set(info["registry"]["people"]) == {name for names in info["players"].values() for name in names}
    assert all(re.fullmatch(r"[0-9a-f]{8}", code) for code in info["registry"]["people"].values())
    assert len(document["innings"]) == len(tactics["innings"]) == len(game.state.innings)
    for ours, theirs, beside in zip(game.state.innings, document["innings"], tactics["innings"], strict=True):
        balls = [delivery for over in theirs["overs"] for delivery in over["deliveries"]]
        for delivery in balls:
            check_delivery(delivery, info["players"])
        assert sum(delivery["runs"]["total"] for delivery in balls) == ours.runs
        out = [w for delivery in balls for w in delivery.get("wickets", []) if w["kind"] not in NOT_OUT_EXITS]
        assert len(out) == ours.wickets
        assert [len(over["deliveries"]) for over in beside["overs"]] == [len(o["deliveries"]) for o in theirs["overs"]]
        assert ("super_over" in theirs) == (ours.number > 2)
        if ours.number == 2:
            assert theirs["target"] == {"overs": ours.rules.overs, "runs": ours.target}


def test_the_powerplay_counts_every_delivery_of_its_last_over() -> None:
    _, document, _ = exported(31, overs=5)
    for innings in document["innings"][:2]:
        powerplay = innings["powerplays"][0]
        assert (powerplay["from"], powerplay["type"]) == (0.1, "mandatory")
        over, ball = str(powerplay["to"]).split(".")
        deliveries = innings["overs"][int(over)]["deliveries"][: int(ball)]
        legal = sum(not {"wides", "noballs"} & set(d.get("extras", {})) for d in deliveries)
        assert (over, legal) == ("1", 3)


@pytest.mark.long
def test_the_outcome_says_who_won_and_how() -> None:
    observed = set()
    for seed in range(60):
        game, document, _ = exported(seed, overs=1)
        outcome = document["info"]["outcome"]
        assert game.outcome is not None
        if game.outcome.reason == "super over":
            assert outcome["result"] == "tie"
            assert outcome["eliminator"] == game.state.teams[("home", "away").index(game.outcome.winners[0])].name
        else:
            assert outcome["winner"] == game.state.teams[("home", "away").index(game.outcome.winners[0])].name
            assert set(outcome["by"]) <= {"runs", "wickets"}
        observed.add(game.outcome.reason)
    assert observed == {"win", "super over"}


@pytest.mark.long
def test_a_revised_target_is_labelled() -> None:
    documents = (exported(seed, overs=20, rain="1@6->12")[1] for seed in range(31, 34))
    assert [document["info"]["outcome"]["method"] for document in documents] == ["D/L"] * 3


def test_nobody_borrows_a_real_id() -> None:
    assert person("Nobody Inparticular") == person("Nobody Inparticular") != person("Somebody Else")


@pytest.mark.long
def test_an_impact_player_stands_with_the_delivery_before_which_he_came_in() -> None:
    game, document, _ = exported(4, overs=5, conditions="ipl-2023")
    told = {
        change["team"]: change
        for innings in document["innings"]
        for over in innings["overs"]
        for delivery in over["deliveries"]
        for change in delivery.get("replacements", {}).get("match", [])
    }
    assert told
    for team, replaced in zip(game.state.teams, game.state.impact, strict=True):
        players = document["info"]["players"][team.name]
        assert players[:11] == [player.name for player in team.players[:11]]
        assert len(players) == 11 + (replaced is not None)
        if replaced is not None:
            _, came, left = replaced
            assert told[team.name] == {
                "in": team.players[came].name, "out": team.players[left].name, "team": team.name,
                "reason": "impact_player",
            }  # fmt: skip
            assert players[11] == team.players[came].name
