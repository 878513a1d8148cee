"""The report of a tournament: what it says at every stage, and which matches its figures rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.episode import TournamentState, report
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.events import Usage
from grandstand.games.base import SeatId
from grandstand.report import Value
from tests.support.campaigns.published import cell, column, figure, rows_of, section, table, texts
from tests.support.play.leagues import plan, played, record, won_by

OVER = TournamentState({}, "")
CLEAR = won_by({"a": 45.0, "b": 30.0, "c": 15.0, "d": 0.0})


def play(tournament: Tournament, count: int = 10_000, **about: Any) -> Tournament:
    """Play the next matches; a beats b, and b beats c."""
    pairings = [pairing for pairing in tournament.pairings if pairing.number not in tournament.played]
    for pairing in (pairings or tournament.draw())[:count]:
        add(tournament, pairing, **about)
    return tournament


def add(tournament: Tournament, pairing: Pairing, failure: str = "", **about: Any) -> None:
    scores: Mapping[SeatId, float] = CLEAR(pairing, np.random.default_rng(1))
    records = [record(seat, name, scores[seat], **about) for seat, name in pairing.players.items()]
    status = "stopped" if failure else "finished"
    tournament.add(pairing.number, f"match-{pairing.number}", status, failure, records)  # type: ignore[arg-type]


def test_before_the_first_match_it_says_what_is_to_come() -> None:
    tournament = Tournament(plan(matches=60))
    new = report(tournament, TournamentState({}))
    assert (new.headline, new.summary) == ("No result yet", "3 players play 60 matches of cricket.")
    assert texts(new, "waiting")[0].startswith("The standings appear here after the first match")
    assert "matches" not in {entry.id for entry in new.sections}
    tournament.draw()
    drawn = report(tournament, TournamentState({2: "match-2"}))
    assert [value.value for value in column(drawn, "matches", "state")][:4] == ["waiting", "waiting", "live", "waiting"]
    assert [row.id for row in table(drawn, "live").rows] == ["2"]
    assert figure(drawn, "Played").value.note == "1 live"
    assert drawn.progress is not None
    assert (drawn.progress.done, drawn.progress.total, drawn.owners) == (0, 60, ["a", "b", "c"])


def test_after_one_match_it_has_a_leader_and_no_interval() -> None:
    tournament = play(Tournament(plan(matches=60)), 1)
    shown = report(tournament, TournamentState({}, seconds=80.0, left=4700.0))
    assert (shown.headline, shown.tone) == ("a leads", "")
    assert "not separated from b and c yet" in shown.summary
    own = cell(shown, "standings", "a", "score")
    assert (own.value, own.n) == (1.0, 1)
    assert own.low == pytest.approx(0.025)
    assert cell(shown, "standings", "c", "score") == Value(note="no match yet", behind=own_behind(shown, "c"))
    assert cell(shown, "heads", "a", "against b").note == "not separated"
    assert cell(shown, "heads", "a", "against c").note == "no comparison yet"
    assert texts(shown, "separated") == ["Nobody is separated yet: Every difference so far may be luck."]
    assert (figure(shown, "Time").value.value, shown.progress and shown.progress.seconds) == (80.0, 4700.0)


def own_behind(shown: Any, player: str) -> Any:
    return cell(shown, "standings", player, "score").behind


def test_after_all_matches_it_says_who_won_and_what_is_separated() -> None:
    tournament = play(Tournament(plan(matches=60)))
    shown = report(tournament, OVER)
    assert (shown.headline, shown.tone) == ("a won", "good")
    assert figure(shown, "First").value.note.endswith("ahead of all others, beyond chance")
    assert [value.value for value in column(shown, "standings", "rank")] == ["1", "2", "3"]
    assert texts(shown, "separated") == ["Separated: a is ahead of b and c.", "b is ahead of c."]
    duel = cell(shown, "heads", "a", "against b")
    assert (duel.value, duel.strong, duel.note) == (1.0, True, "a is ahead")
    assert cell(shown, "heads", "b", "against a").value == 0.0
    assert cell(shown, "matches", "0", "result").value == "a 1, b 0"
    link = cell(shown, "matches", "3", "match").link
    assert link is not None
    assert link.episode_id == "match-3"


def test_players_of_equal_strength_are_not_separated_and_nobody_won() -> None:
    tournament = played(Tournament(plan(matches=60)), won_by({"a": 0.0, "b": 0.0, "c": 0.0}), np.random.default_rng(2))
    shown = report(tournament, OVER)
    assert (shown.headline, shown.tone) == ("Undecided", "")
    assert {value.value for value in column(shown, "standings", "rank")} == {"1–3"}
    assert texts(shown, "separated")[0].startswith("Nobody is separated: ")


def test_a_match_that_failed_is_listed_with_its_reason_and_in_no_score() -> None:
    tournament = play(Tournament(plan(matches=60)), 1, failure="the provider did not answer")
    shown = report(play(tournament), OVER)
    failed = figure(shown, "Failed").value
    assert (failed.value, failed.tone) == (1, "warning")
    assert failed.behind is not None
    assert (failed.behind.title, rows_of(failed.behind.rows)) == ("Failed matches", {0})
    assert cell(shown, "failed", "0", "result").value == "the provider did not answer"
    assert shown.progress is not None
    assert (shown.progress.done, shown.progress.failed) == (60, 1)
    assert 0 not in rows_of(own_behind(shown, "a").rows)
    assert cell(shown, "standings", "a", "player").note == "39 of 40 matches"


def test_a_tournament_that_stopped_says_why() -> None:
    shown = report(play(Tournament(plan(matches=60)), 8), TournamentState({}, "stopped by operator"))
    assert (shown.headline, shown.tone) == ("Not finished", "warning")
    assert shown.summary == "Stopped by operator. The standings hold for the matches that were played."


@pytest.mark.parametrize("format", ["round-robin", "swiss", "one-against-all"])
def test_each_figure_names_exactly_the_matches_that_it_rests_on(format: str) -> None:
    seats = {"game": "diplomacy", "matches": 42} if format == "one-against-all" else {"matches": 24}
    tournament = Tournament(plan(format=format, **seats))
    played(tournament, won_by({"a": 2.0, "b": 1.0, "c": 0.0}), np.random.default_rng(3), faulty=0.3)
    shown = report(tournament, OVER)
    ended = tournament.played
    assert [row.id for row in table(shown, "matches").rows] == [str(number) for number in range(len(ended))]
    for player in tournament.plan.players:
        alone = {
            number: [
                seat
                for seat, name in match.pairing.players.items()
                if name == player
                and (format != "one-against-all" or list(match.pairing.players.values()).count(name) == 1)
            ]
            for number, match in ended.items()
        }
        counted = {number for number, seats in alone.items() if set(seats) & ended[number].counted.keys()}
        assert counted < {number for number, seats in alone.items() if seats}, "a fallback played in some"
        assert rows_of(own_behind(shown, player).rows) == counted
        for seat in tournament.plan.seats:
            own = cell(shown, "seats", player, seat).behind
            at = {number for number, seats in alone.items() if seat in seats and seat in ended[number].counted}
            assert (rows_of(own.rows) if own else set()) == at
        for other in tournament.plan.players:
            if other != player and (rests := cell(shown, "heads", player, f"against {other}").behind) is not None:
                both = {n for n, match in ended.items() if {player, other} <= _counting(match)}
                assert rows_of(rests.rows) == both


def _counting(match: Any) -> set[str]:
    return {match.pairing.players[seat] for seat in match.counted}


def test_a_swiss_tournament_shows_its_rounds_and_that_more_are_drawn() -> None:
    tournament = play(Tournament(plan(format="swiss", players=["a", "b", "c", "d"], matches=12)), 3)
    shown = report(tournament, TournamentState({}))
    assert [value.value for value in column(shown, "rounds", "round")] == ["1", "1"]
    assert [value.value for value in column(shown, "rounds", "played")] == ["2 of 2", "1 of 2"]
    assert texts(shown, "later") == ["At most 8 more matches are drawn later, from the results."]
    first = column(shown, "rounds", "players")[0].behind
    assert first is not None
    assert rows_of(first.rows) == {0, 1}


def test_until_it_is_precise_the_intervals_hold_at_every_look() -> None:
    tournament = Tournament(plan(matches=0, until=0.2, max_matches=120))
    shown = report(play(tournament), TournamentState({}))
    assert (
        section(shown, "standings").note
        == "The best first, with 95 % intervals that hold at every look at the results."
    )
    assert cell(shown, "plan", "length", "value").value == "at most 20 of 6 matches"


def test_cost_and_faults_are_those_of_each_player() -> None:
    tournament = Tournament(plan(players=["a", "b"], matches=2))
    for pairing in tournament.draw():
        records = [record(seat, name, 0.5, faults=int(name == "b")) for seat, name in pairing.players.items()]
        for own in records:
            if own.player == "a":
                own.spent.add(Usage(tokens_in=90, tokens_out=10, dollars=0.5, seconds=2.0, calls=1))
        tournament.add(pairing.number, "", "finished", "", records)
    shown = report(tournament, OVER)
    assert (figure(shown, "Cost").value.value, figure(shown, "Cost").value.note) == (1.0, "200 tokens")
    assert cell(shown, "standings", "a", "cost").value == 0.5
    assert cell(shown, "standings", "b", "cost").value is None
    faults = cell(shown, "standings", "b", "faults")
    assert faults.behind is not None
    assert (faults.value, faults.behind.title, rows_of(faults.behind.rows)) == ("2 faults", "Faults of b", {0, 1})
    assert cell(shown, "cost", "a", "per_dollar").value == 1.0
    assert cell(shown, "matches", "1", "faults").value == "b 1 fault"
    assert cell(shown, "matches", "1", "match").link is None, "nobody can watch a match without an episode"


def test_without_language_models_there_is_no_cost() -> None:
    shown = report(play(Tournament(plan(matches=6))), OVER)
    assert section(shown, "cost").note.startswith("No language model plays: ")
    assert "cost" not in {entry.id for entry in table(shown, "standings").columns}


def test_the_plan_is_shown_without_its_seeds_and_with_the_command_that_repeats_it() -> None:
    tournament = Tournament(plan(seed=73_146_559, openings=[51_234_567], options={"overs": 5}, max_tokens=9))
    shown = report(tournament, TournamentState({}))
    assert texts(shown, "repeat") == [
        "Play it again: grandstand tournament cricket --players a,b,c --matches 6 --max-tokens 9 --set overs=5"
    ]
    assert cell(shown, "plan", "option overs", "value").value == "5"
    assert "73146559" not in shown.model_dump_json()
    assert "51234567" not in shown.model_dump_json()
    listed = Tournament(plan(format="fixed", pairings=[["a", "b"], ["b", "c"]]))
    assert "repeat" not in {entry.id for entry in report(listed, TournamentState({})).sections}
