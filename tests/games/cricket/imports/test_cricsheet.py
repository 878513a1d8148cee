"""Cricsheet documents as matches: what is recorded and what follows from it, and written again as it was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from grandstand.games.cricket.events import InningsStarted
from grandstand.games.cricket.export.cricsheet import export_cricsheet
from grandstand.games.cricket.imports.cricsheet import FORM, import_cricsheet
from grandstand.games.exchange import DocumentError, Imported
from grandstand.games.match import event_data
from tests.support.cricket.documents import (
    AWAY,
    BATTERS,
    BOWLERS,
    HOME,
    PLAYERS,
    Document,
    Events,
    ball,
    document_of,
    innings,
    match,
    simulated,
)

SEEDS = (3, 7, 21, 40)
EVEN = (7, 40)
"""Those of days of which nothing is expected: a document does not say what is."""
UNKNOWN = {
    "aim", "landed", "variation", "intent", "shot", "played", "kmh", "pitch", "hit", "zone", "fielder", "contact",
    "words", "free_hit", "next_free_hit", "noball_for",
}  # fmt: skip
"""Fields of a ball that a Cricsheet document does not tell."""


def events_of(imported: Imported) -> Events:
    played = [*imported.opening, *(event for turn in imported.turns for event in turn.events)]
    events: Events = json.loads(json.dumps([(type(event).__name__, event_data(event)) for event in played]))
    return events


def of_type(kind: str, events: Events) -> list[dict[str, Any]]:
    return [data for name, data in events if name == kind]


def imported(document: Document) -> Events:
    """Return the events of a document, after checking that it is written again as it was."""
    events = events_of(import_cricsheet(document))
    assert export_cricsheet(events, {}) == document
    return events


def known(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a simulated ball as far as its document tells of it: not of the wicket-keeper, nor of byes to the rope."""
    ball = json.loads(json.dumps({name: value for name, value in data.items() if name not in UNKNOWN}))
    ball["boundary"] = ball["boundary"] and ball["runs"] > 0
    if ball["wicket"] is not None and ball["wicket"]["kind"] == "caught and bowled":
        ball["wicket"]["fielders"] = []
    return dict(ball)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_every_ball_of_a_simulated_match_comes_out_of_its_document(seed: int) -> None:
    """Score, cards, partnership, need, marks and wickets are derived as the simulation counted them."""
    before = simulated(seed)
    after = imported(document_of(before))
    balls = of_type("BallBowled", after)
    assert [known(data) for data in balls] == [known(data) for data in of_type("BallBowled", before)]
    assert {json.dumps([data[name] for name in sorted(UNKNOWN - {"free_hit", "next_free_hit"})]) for data in balls} == {
        json.dumps([None] * (len(UNKNOWN) - 2))
    }
    for kind in ("TossMade", "BatterArrived", "SuperOverStarted"):
        assert of_type(kind, after) == of_type(kind, before), kind
    # A document has no fielders' places.
    chosen = [{**data, "places": None} for data in of_type("BowlerChosen", before)]
    assert [{**data, "places": None} for data in of_type("BowlerChosen", after)] == chosen
    assert _decided(after) == _decided(before)


def _decided(events: Events) -> list[Any]:
    return [(data["winner"], data["result"], data["by"]) for data in of_type("MatchDecided", events)]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_scorecards_are_those_of_the_simulation(seed: int) -> None:
    def cards(events: Events) -> list[Any]:
        cards = json.loads(json.dumps([data["state"]["innings"] for data in of_type("OverEnded", events)]))
        for card in (card for position in cards for card in position):
            for line in card["batters"]:
                line["out"] = line["out"] and line["out"].replace("†", "")
        return list(cards)

    before = simulated(seed)
    assert cards(imported(document_of(before))) == cards(before)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", EVEN)
def test_chances_are_those_of_the_simulation(seed: int) -> None:
    """But for free hits, which a document does not mark."""
    before = simulated(seed)
    after = imported(document_of(before))

    def chances(events: Events) -> dict[tuple[int, str, int], float]:
        chances: dict[tuple[int, str, int], float] = {}
        balls: list[dict[str, Any]] = []
        for kind, data in events:
            if kind == "BallBowled":
                balls.append(data)
            elif kind == "ChanceChanged" and balls and data["ball"] == balls[-1]["ball"]:
                chances[data["innings"], data["ball"], len(balls)] = data["home"]
        return chances

    balls = of_type("BallBowled", before)
    free = [number for number, data in enumerate(balls, 1) if data["next_free_hit"]]
    ours, theirs = chances(after), chances(before)
    compared = [key for key in theirs if key[2] not in free]
    assert len(compared) == len(balls) - len(free)
    for key in compared:
        assert ours[key] == pytest.approx(theirs[key], abs=2e-5), key
    for data in of_type("ChanceChanged", after):
        assert (data["matchup"], data["luck"], data["decisions"]) == (None, None, [])


def test_a_side_is_known_by_its_names_alone() -> None:
    [started] = of_type("MatchStarted", imported(match(innings(HOME, [ball()] * 6))))
    sheet = started["state"]["teams"]["home"]
    assert sheet["name"] == HOME
    assert (sheet["short"], sheet["captain"], sheet["keeper"]) == ("NR", None, None)
    assert sheet["players"] == [{"name": name, "role": None, "hand": None, "style": None} for name in PLAYERS[HOME]]


def test_batters_who_leave_between_balls() -> None:
    hurt = {"kind": "retired hurt", "player_out": BATTERS[0]}
    events = imported(
        match(
            innings(
                HOME,
                [
                    ball(bat=1),
                    ball(BATTERS[1], BATTERS[0], wickets=[hurt]),
                    ball(BATTERS[2], BATTERS[1], wickets=[{"kind": "bowled", "player_out": BATTERS[2]}]),
                    ball(BATTERS[0], BATTERS[1], wickets=[{"kind": "retired out", "player_out": BATTERS[0]}]),
                    ball(BATTERS[3], BATTERS[1]),
                    ball(BATTERS[3], BATTERS[1]),
                ],
            )
        )
    )
    assert [(data["batter"], data["kind"], data["score"][1]) for data in of_type("BatterRetired", events)] == [
        (BATTERS[0], "retired hurt", 0),
        (BATTERS[0], "retired out", 2),
    ]
    arrived = [(data["batter"], data["position"]) for data in of_type("BatterArrived", events)]
    assert arrived[:4] == [(BATTERS[0], 1), (BATTERS[1], 2), (BATTERS[2], 3), (BATTERS[0], 1)]
    [ended] = of_type("InningsEnded", events)
    assert (ended["wickets"], ended["reason"]) == (2, "play ended")


def test_extras_are_counted_by_their_kinds() -> None:
    over = [
        ball(extras={"wides": 5}),
        ball(extras={"noballs": 1, "byes": 2}),
        ball(bat=4, extras={"noballs": 1}),
        ball(extras={"legbyes": 1}),
        ball(bat=6, extras={"penalty": 5}),
        ball(),
        ball(),
        ball(),
        ball(),
    ]
    events = imported(match(innings(HOME, over)))
    [ended] = of_type("InningsEnded", events)
    card = ended["state"]["innings"][0]
    assert card["extras"] == {"b": 2, "lb": 1, "w": 5, "nb": 2, "p": 5}
    assert card["runs"] == 25
    assert card["bowlers"][0] == [BOWLERS[10], 6, 0, 5 + 1 + 5 + 6, 0, 1, 2]
    marks = [data["mark"] for data in of_type("BallBowled", events)]
    assert marks[:5] == ["5wd", "2nb", "4nb", "1lb", "6"]


def test_an_over_of_seven_balls_is_one_over() -> None:
    events = imported(match(innings(HOME, [ball()] * 7, [ball(bowler=BOWLERS[9])] * 6)))
    names = [data["ball"] for data in of_type("BallBowled", events)]
    assert names[5:8] == ["0.6", "0.7", "1.1"]
    assert [data["score"][2] for data in of_type("BallBowled", events)][5:8] == [6, 6, 7]
    [ended] = of_type("InningsEnded", events)
    assert (ended["balls"], ended["reason"]) == (12, "overs completed")


def test_a_review_tells_what_is_known_of_it() -> None:
    review = {"by": AWAY, "umpire": "Somebody", "batter": BATTERS[0], "decision": "upheld", "type": "wicket"}
    lbw = {"kind": "lbw", "player_out": BATTERS[0]}
    events = imported(match(innings(HOME, [ball(wickets=[lbw], review=review)])))
    [taken] = of_type("ReviewTaken", events)
    assert (taken["seat"], taken["upheld"], taken["out"], taken["kind"]) == ("away", True, True, "lbw")
    assert taken["reviews_left"] is None


def test_fields_that_are_not_understood_are_kept() -> None:
    caught = {"kind": "caught", "player_out": BATTERS[0], "fielders": [{"substitute": True}]}
    deliveries = [
        ball(wickets=[caught]),
        ball(BATTERS[2], bat=4, replacements={"match": [{"in": "A", "out": "B", "reason": "impact_player"}]}),
        ball(BATTERS[2], comment={"future": [1, 2]}),
    ]
    document = match(innings(HOME, deliveries, powerplays=[{"from": 0.1, "to": 0.6, "type": "mandatory"}], odd=True))
    document["later"] = {"version": 3}
    events = imported(document)
    assert of_type("BallBowled", events)[0]["wicket"]["fielders"] == []
    card = of_type("InningsEnded", events)[0]["state"]["innings"][0]["batters"][0]
    assert (card["name"], card["out"]) == (BATTERS[0], f"caught b {BOWLERS[10]}")


def test_a_result_by_duckworth_and_lewis_and_a_revised_target() -> None:
    first = innings(HOME, [ball(bat=1)] * 6, [ball(bat=0, bowler=BOWLERS[9])] * 6)
    names = PLAYERS[AWAY]
    chase = [ball(names[0], names[1], BATTERS[10], bat=2)] * 2
    second = innings(AWAY, chase, target={"overs": 1, "runs": 4})
    outcome = {"winner": AWAY, "by": {"wickets": 10}, "method": "D/L"}
    imported_match = import_cricsheet(match(first, second, outcome=outcome))
    events = imported(match(first, second, outcome=outcome))
    assert of_type("InningsStarted", events)[1]["target"] == 4
    [decided] = of_type("MatchDecided", events)
    assert decided["result"] == f"{AWAY} won by 10 wickets (4 balls left) (D/L)"
    assert imported_match.differences == []


def test_a_result_that_does_not_follow_from_the_balls_is_reported() -> None:
    first = innings(HOME, [ball(bat=1)] * 6)
    names = PLAYERS[AWAY]
    second = innings(AWAY, [ball(names[0], names[1], BATTERS[10])] * 6)
    imported = import_cricsheet(match(first, second, outcome={"winner": HOME, "by": {"runs": 60}}, overs=1))
    assert imported.differences == ["the result: 60 runs, after 6 and 0 by the balls recorded"]


def test_a_match_without_a_result_has_none() -> None:
    imported = import_cricsheet(match(innings(HOME, [ball()] * 3)))
    assert imported.outcome is not None
    assert (imported.outcome.reason, imported.outcome.winners) == ("no result", [])


def broken(path: str, value: object) -> Document:
    """Return a document in which the value at `path` is another; None removes it."""
    document: Document = json.loads(json.dumps(match(innings(HOME, [ball()] * 6))))
    place: Any = document
    *way, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
    for part in way:
        place = place[part]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("info", None, "info: is missing"),
        ("info/overs", None, "info.overs: is missing: only limited-overs cricket can be read"),
        ("info/balls_per_over", 5, "info.balls_per_over: 5; only overs of six balls can be read"),
        ("info/teams", ["A"], "info.teams: must be the names of two teams"),
        ("info/players", {}, f"info.players.{HOME}: is missing"),
        ("info/toss/decision", "toss", "info.toss: names no team"),
        ("innings", [], "innings: is empty"),
        (
            "innings",
            [innings(HOME)] * 19,
            "innings: has 19; a match has two, and two for each of at most 8 Super Overs",
        ),
        ("innings", [innings(HOME)] * 3, "innings[2]: must have `super_over`: a limited-overs match has two other"),
        (
            "innings",
            [innings(HOME), innings(AWAY), innings(HOME, [ball()], [ball()], super_over=True)],
            "innings[2].overs: has 2; a Super Over has one",
        ),
        ("innings/0/team", "Others", "innings[0].team: 'Others' is not one of"),
        ("innings/0/overs/0/over", "one", "innings[0].overs[0].over: must be a whole number"),
        (
            "innings/0/overs/0/deliveries/3/batter",
            "Nobody",
            "innings[0].overs[0].deliveries[3].batter: 'Nobody' is not",
        ),
        ("innings/0/overs/0/deliveries/3/runs/total", 2, "deliveries[3].runs: 0 off the bat and 0 extras are not 2"),
        (
            "innings/0/overs/0/deliveries/3/runs/batter",
            -1,
            "deliveries[3].runs.batter: must be a number of runs, not -1",
        ),
        ("innings/0/overs/0/deliveries/3/extras", {"odd": 0}, "deliveries[3].extras: 'odd' is none of byes"),
        ("innings/0/overs/0/deliveries/3/extras", [1], "deliveries[3].extras: must be an object"),
        ("innings/0/overs", 5, "innings[0].overs: must be a list"),
        ("innings/0/overs/0/deliveries/3/wickets", 5, "deliveries[3].wickets: must be a list"),
        (
            "innings/0/overs/0/deliveries/3/wickets",
            [{"kind": "caught", "player_out": BATTERS[0], "fielders": 5}],
            "deliveries[3].wickets[0].fielders: must be a list",
        ),
        (
            "innings/0/overs/0/deliveries/3/wickets",
            [{"kind": "vanished", "player_out": BATTERS[0]}],
            "deliveries[3].wickets[0].kind: 'vanished' is none of",
        ),
    ],
)
def test_a_fault_is_named_by_its_place(path: str, value: object, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        import_cricsheet(broken(path, value))
    assert message in str(error.value)


@pytest.mark.parametrize("last", [10**400, -1, 51, "6"])
def test_a_powerplay_that_cannot_be_is_passed_over(last: object) -> None:
    document = match(innings(HOME, [ball()] * 6, powerplays=[{"from": 0.1, "to": last, "type": "mandatory"}]))
    turns = import_cricsheet(document).turns
    started = next(event for turn in turns for event in turn.events if isinstance(event, InningsStarted))
    assert started.powerplay is None


def test_the_form_is_told_by_its_keys() -> None:
    assert FORM.matches(match(innings(HOME, [ball()])))
    assert not FORM.matches({"phases": []})


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [4, 11])
def test_an_impact_player_comes_out_of_a_document(seed: int) -> None:
    before = simulated(seed, conditions="ipl-2023")
    after = imported(document_of(before))
    came = of_type("PlayerReplaced", after)
    assert came == of_type("PlayerReplaced", before)
    assert came
    state = of_type("MatchDecided", after)[0]["state"]
    wanted = {
        data["seat"]: {name: data[name] for name in ("innings", "player", "replaces")} for data in came
    }  # fmt: skip
    assert state["replaced"] == wanted
    for data in came:
        sheet = state["teams"][data["seat"]]
        assert [card["name"] for card in sheet["bench"]] == [data["player"]]
        assert data["replaces"] in [card["name"] for card in sheet["players"]]
    assert [known(data) for data in of_type("BallBowled", after)] == [
        known(data) for data in of_type("BallBowled", before)
    ]


def test_replacements_for_other_reasons_are_kept_and_not_told() -> None:
    change = {"in": PLAYERS[AWAY][10], "out": PLAYERS[AWAY][9], "team": AWAY, "reason": "concussion_substitute"}
    events = imported(match(innings(HOME, [ball(replacements={"match": [change]})])))
    assert not of_type("PlayerReplaced", events)
