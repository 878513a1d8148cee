from __future__ import annotations

from grandstand.campaign_events import Estimate
from grandstand.report import Chart, Notes, Report
from grandstand.server.bodies.players import PlayerPage, Rivalry
from grandstand.server.reports.player import player_report
from tests.support.campaigns.published import cell, column, figure, section, table, texts
from tests.support.server.people import NOW, match, pair, player_page, row


def report(page: PlayerPage, show: str = "all") -> Report:
    return player_report(page, show, NOW).report


def test_a_rated_player_has_its_place_and_its_interval() -> None:
    body = report(player_page(description="Attacks early."))
    assert (body.headline, body.summary) == ("2nd on the leaderboard", "Built in: Attacks early.")
    rating = figure(body, "Rating").value
    assert (rating.value, rating.low, rating.high) == (1500, 1420, 1580)
    assert rating.link is not None
    assert rating.link.page == "/leaderboard?game=cricket&setting=s1"


def test_a_player_without_a_rating_says_how_many_matches_it_has() -> None:
    few = row("strong", counted=3, score=Estimate(mean=0.5, n=3), rating=Estimate(n=3))
    body = report(player_page(rank=None, figures=few))
    assert body.headline == "Not rated yet"
    assert (figure(body, "Rating").value.value, figure(body, "Rating").value.note) == ("not yet", "3 of 20 matches")
    score = figure(body, "Score").value
    assert (score.low, score.note) == (None, "n too small for an interval")
    assert [entry.id for entry in body.sections] == ["figures", "matches"], "nothing stands where nothing is known"


def test_faults_are_told_by_their_causes_and_costs_where_they_are_known() -> None:
    model = row("strong", faults=3, forfeits=1, dollars=6, costed=12, tokens=2400, answers=8, seconds=20)
    body = report(player_page(figures=model, causes={"provider": 2, "novel": 1}))
    faults = figure(body, "Faults").value
    assert faults.note == "Its model's provider failed: 2; novel: 1"
    assert faults.link is not None
    assert faults.link.page == "/player/strong?setting=s1&show=faults#matches"
    assert figure(body, "Forfeits").value.value == 1
    costs = section(body, "costs").body
    assert "in sum $6.00 in 12 matches" in costs.model_dump_json()
    assert "costs" not in [entry.id for entry in report(player_page()).sections]


def test_the_rating_over_time_is_a_line_with_its_interval() -> None:
    points = [
        {"at": NOW, "matches": count, "rating": Estimate(mean=1500 + count, low=1400, high=1700, n=count)}
        for count in (45, 60)
    ]
    chart = section(report(player_page(history=points)), "history").body
    assert isinstance(chart, Chart)
    assert chart.describe == (
        "Rating over time: after 45 matches 1545 (1400 to 1700), after 60 matches 1560 (1400 to 1700)"
    )
    assert "history" not in [entry.id for entry in report(player_page(history=points[:1])).sections]


def test_opponents_are_compared_by_results_and_by_the_ratings() -> None:
    pairs = [
        pair("strong", "weak", differ=True),
        pair("strong", "even", differ=False, n=1).model_copy(update={"stronger": 0.4}),
        pair("strong", "new", differ=False).model_copy(update={"stronger": None}),
        pair("strong", "last", differ=True).model_copy(update={"stronger": 0.9999}),
    ]
    body = report(player_page(opponents=pairs))
    assert [value.value for value in column(body, "opponents", "strength")] == [
        "stronger with 90 %",
        "weaker with 60 %, not separated",
        "not rated yet",
        "stronger with > 99 %",
    ]
    matches = cell(body, "opponents", "weak", "matches")
    assert (matches.value, matches.link and matches.link.page) == (
        12,
        "/player/strong?setting=s1&show=against%3Aweak#matches",
    )


def test_measures_stand_beside_those_of_the_others() -> None:
    style = [
        {
            "name": "runs_saved",
            "meaning": "runs that were saved",
            "own": Estimate(mean=2, n=2),
            "others": Estimate(mean=-2, low=-3, high=-1, n=40),
        }
    ]
    body = report(player_page(style=style))
    assert cell(body, "style", "runs_saved", "measure").value == "Runs saved"
    own, others = (cell(body, "style", "runs_saved", name) for name in ("own", "others"))
    assert ((own.n, own.low), (others.low, others.high)) == ((2, None), (-3, -1))


def test_seats_and_moments() -> None:
    seats = [{"player": "strong", "seat": seat, "score": Estimate(mean=0.8, n=3)} for seat in ("home", "away")]
    moment = {
        "episode_id": "cricket-1",
        "game": "cricket",
        "title": "Match 1",
        "first": 30,
        "last": 34,
        "at": NOW - 3 * 86_400,
        "turn": "1.2",
        "kind": "wicket",
        "text": "strong decides the match.",
        "importance": 1.0,
        "seats": ["home"],
    }
    body = report(player_page(seats=seats, moments=[moment]))
    assert [value.value for value in column(body, "seats", "seat")] == ["Home", "Away"]
    notes = section(body, "moments").body
    assert isinstance(notes, Notes)
    [note] = notes.notes
    assert note.link is not None
    assert (note.link.text, note.link.page) == ("1.2, Match 1, 3 days ago", "/episode/cricket-1?seq=30&to=34")


def test_matches_are_those_that_are_asked_for() -> None:
    matches = [
        match(1),
        match(2, won=False, opponents=["b", "c"], score=0.0),
        match(3, won=False, counted=False, fallbacks=1, faults=2, score=None, opponents=[]),
    ]
    page = player_page(matches=matches, played=9)

    def ids(show: str) -> list[str]:
        return [line.id for line in table(report(page, show), "matches").rows]

    assert ids("all") == ids("what is this") == ["cricket-1", "cricket-2", "cricket-3"]
    assert (ids("won"), ids("faults"), ids("against:c")) == (["cricket-1"], ["cricket-3"], ["cricket-2"])
    assert ids("uncounted") == ["cricket-3"]
    assert texts(report(page, "forfeited"), "matches") == ["No match of this kind."]
    assert section(report(page), "matches").note == "The newest 3 of its 9 matches."
    body = report(page)
    assert [value.value for value in column(body, "matches", "opponents")] == ["weak", "b and c", "alone"]
    assert [value.value for value in column(body, "matches", "ended")] == ["2 hours ago"] * 3
    choices = player_report(page, "against:c", NOW).choices[1]
    assert [link.text for link in choices.options] == [
        "All (3)",
        "Won (1)",
        "Counted (2)",
        "Not counted (1)",
        "With faults (1)",
        "With fallbacks (1)",
        "Against c (1)",
    ]
    assert choices.selected == 6


def test_a_match_that_does_not_count_says_why() -> None:
    reasons = {
        "": match(1),
        "forfeited": match(2, forfeited=True),
        "not counted: its fallback made 1 decision, 1 fault": match(3, counted=False, fallbacks=1, faults=1),
        "not counted: another player decided for it": match(4, counted=False, assisted=3),
        "not counted: it made no decision": match(5, counted=False),
    }
    body = report(player_page(matches=list(reasons.values()), played=5))
    assert [value.note for value in column(body, "matches", "result")] == list(reasons)


def test_rivalries_are_told_in_words_with_the_matches_behind_them() -> None:
    rivals = [
        Rivalry(other="Andrassy", deed="stabbed", done=9, suffered=1, matches=14, reference=6),
        Rivalry(other="Cavour", deed="stabbed", done=13, suffered=0, matches=20),
        Rivalry(other="Crispi", deed="stabbed", done=0, suffered=2, matches=1),
    ]
    body = report(player_page(player="Bismarck", rivalries=rivals))
    assert texts(body, "rivalries") == [
        "Bismarck has stabbed Andrassy nine times, and was stabbed once in return.",
        "Bismarck has stabbed Cavour 13 times.",
        "Crispi has stabbed Bismarck twice.",
    ]
    notes = section(body, "rivalries").body
    assert isinstance(notes, Notes)
    links = [note.link for note in notes.notes if note.link is not None]
    assert [link.text for link in links] == ["14 matches, 6 reference", "20 matches", "1 match"]
    assert links[0].page == "/player/Andrassy"
    assert "came with the installation" in section(body, "rivalries").note
    assert "came" not in section(report(player_page(rivalries=rivals[1:])), "rivalries").note


def test_the_matches_of_a_player_say_how_many_are_reference() -> None:
    note = figure(report(player_page()), "Matches").value.note
    assert figure(report(player_page(reference=12)), "Matches").value.note == f"{note}, 12 reference"


def test_a_reference_match_is_marked_and_leads_to_its_record_only_if_that_is_here() -> None:
    here, gone = match(1, reference=True), match(2, reference=True, episode_id="")
    titles = column(report(player_page(matches=[here, gone, match(3)])), "matches", "match")
    assert [(title.note, title.link is not None) for title in titles] == [
        ("reference", True),
        ("reference, its result alone", False),
        ("", True),
    ]
