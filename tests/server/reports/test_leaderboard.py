from __future__ import annotations

import pytest

from grandstand.campaign_events import Estimate
from grandstand.report import Report
from grandstand.server.bodies.players import Leaderboard, LeaderboardRow, PageReport
from grandstand.server.reports.leaderboard import leaderboard_report
from tests.support.campaigns.published import cell, column, figure, section, table, texts
from tests.support.server.people import SETTING, leaderboard, pair, row

ABCD = [row(name) for name in "abcd"]
CHAIN = [pair(a, b, differ=a + b not in ("ab", "bc", "cd")) for a, b in ("ab", "ac", "ad", "bc", "bd", "cd")]
"""Only neighbours are not separated."""


def report(board: Leaderboard) -> Report:
    return leaderboard_report(board).report


def options(page: PageReport, title: str) -> tuple[list[tuple[str, str]], int]:
    choice = next(choice for choice in page.choices if choice.title == title)
    return [(link.text, link.page) for link in choice.options], choice.selected


@pytest.mark.parametrize(
    ("players", "pairs", "headline"),
    [
        (ABCD, CHAIN, "a is the highest; 1 other player is not separated from it"),
        (ABCD[:2], CHAIN[:1], "Nobody is separated from a, the highest"),
        (ABCD, [], "a leads, separated from every other player"),
        (ABCD[:1], [], "a is the only rated player"),
        ([], [], "No player has 20 matches that count yet"),
    ],
)
def test_the_headline_says_who_leads(players: list[LeaderboardRow], pairs: list[object], headline: str) -> None:
    assert report(leaderboard(*players, pairs=pairs)).headline == headline


def test_a_rank_is_a_range_where_players_are_not_separated() -> None:
    body = report(leaderboard(*ABCD, pairs=CHAIN))
    assert [value.value for value in column(body, "ratings", "rank")] == ["1–2", "1–3", "2–4", "3–4"]
    assert [value.value for value in column(body, "ratings", "near")] == ["b", "a and c", "b and d", "c"]
    separated = figure(body, "Separated pairs")
    assert (separated.value.value, separated.of) == (3, 6)
    apart = report(leaderboard(*ABCD))
    assert [value.value for value in column(apart, "ratings", "rank")] == ["1", "2", "3", "4"]
    assert {value.value for value in column(apart, "ratings", "near")} == {"nobody"}


def test_all_ratings_share_an_axis_also_if_some_players_are_left_out() -> None:
    low = row("low", kind="llm", rating=Estimate(mean=1000, low=900, high=1100, n=30))
    page = leaderboard_report(leaderboard(*ABCD, low), "llm")
    ratings = table(page.report, "ratings")
    assert [line.id for line in ratings.rows] == ["low"]
    rating = next(entry for entry in ratings.columns if entry.id == "rating")
    assert (rating.low, rating.high) == (900, 1580)
    assert cell(page.report, "ratings", "low", "rank").value == "5"
    assert options(page, "Players") == (
        [
            ("All kinds", "/leaderboard?game=cricket&setting=s1"),
            ("built in", "/leaderboard?game=cricket&setting=s1&kind=bot"),
            ("language model", "/leaderboard?game=cricket&setting=s1&kind=llm"),
        ],
        2,
    )
    assert len(table(leaderboard_report(leaderboard(*ABCD, low), "remote").report, "ratings").rows) == 5


def test_numbers_lead_to_their_matches_and_nothing_leads_to_none() -> None:
    body = report(leaderboard(row("a/b & c", fallbacks=2), row("d"), visitors=True))
    fallbacks = cell(body, "results", "a/b & c", "fallbacks")
    assert fallbacks.link is not None
    assert fallbacks.link.page == "/player/a%2Fb%20%26%20c?setting=s1&show=fallbacks&visitors=true#matches"
    assert cell(body, "results", "d", "fallbacks").link is None
    assert texts(body, "visitors")[0].startswith("Visitors choose the players")


def test_costs_are_of_the_matches_whose_costs_are_known() -> None:
    model = row("m", dollars=6, costed=12, tokens=2400, answers=8, seconds=20)
    body = report(leaderboard(model, row("b"), row("free", dollars=0)))
    costs = [cell(body, "results", "m", name).value for name in ("cost", "value", "tokens", "seconds")]
    assert costs == [0.5, 1.0, 200, 2.5]
    assert cell(body, "results", "b", "cost").value is None
    assert (cell(body, "results", "free", "cost").value, cell(body, "results", "free", "value").value) == (0, None)
    bare = [entry.id for entry in table(report(leaderboard(row("b"))), "results").columns]
    assert bare == ["player", "counted", "score", "wins", "fallbacks", "faults", "forfeits"]


def test_players_with_few_matches_are_apart() -> None:
    few = row("new", counted=3, matches=5, score=Estimate(mean=0.5, n=3), rating=Estimate(n=3))
    body = report(leaderboard(unrated=[few]))
    assert [entry.id for entry in body.sections] == ["unrated"]
    value = cell(body, "unrated", "new", "counted")
    assert (value.value, value.note) == (3, "of 20 matches, 2 not counted")


def test_seats_are_shown_with_their_intervals() -> None:
    effect = Estimate(mean=9, low=-30, high=48, n=120)
    body = report(leaderboard(*ABCD, seat_effects={"home": effect, "away": effect}))
    assert [value.value for value in column(body, "seats", "seat")] == ["Home", "Away"]
    assert (cell(body, "seats", "home", "effect").low, cell(body, "seats", "home", "effect").high) == (-30, 48)
    alone = report(leaderboard(*ABCD, seat_effects={"home": effect, "away": Estimate(n=3)}))
    assert "seats" not in [entry.id for entry in alone.sections]


def test_repeats_and_unread_matches_are_said() -> None:
    page = leaderboard_report(leaderboard(*ABCD, repeats=1, unread=7))
    assert page.unread == 7
    assert texts(page.report, "reading") == ["Reading the record: 7 matches are not counted yet."]
    assert "One match is left out, with the same seed" in page.report.summary
    assert "the newest 120 matches of these options" in page.report.summary


def test_a_game_without_matches_offers_to_start_one() -> None:
    page = leaderboard_report(Leaderboard(game="diplomacy", settings=[], needed=20, visitor_matches=4))
    assert page.report.headline == "No finished match yet"
    note = section(page.report, "start").body
    assert "/cockpit?new" in note.model_dump_json()
    assert [choice.title for choice in page.choices] == ["Game", "Matches"]
    assert options(page, "Matches") == (
        [
            ("This server's", "/leaderboard?game=diplomacy"),
            ("Started by visitors (4)", "/leaderboard?game=diplomacy&visitors=true"),
        ],
        0,
    )
    reading = leaderboard_report(Leaderboard(game="gone", settings=[], needed=20, unread=2))
    assert reading.report.headline == "Reading the record"
    games, selected = options(reading, "Game")
    assert games[selected][0] == "Gone"


def test_reference_matches_are_counted_and_explained() -> None:
    setting = SETTING.model_copy(update={"reference": 100})
    body = report(leaderboard(*ABCD, setting=setting))
    assert (figure(body, "Matches").value.value, figure(body, "Matches").value.note) == (120, "100 reference")
    assert "100 are reference: they came with the installation" in body.summary
    assert "reference" not in report(leaderboard(*ABCD)).model_dump_json()
