"""A trained policy in a seat: whole matches, the record that they leave, going on after a restart, and its faults."""

from __future__ import annotations

import asyncio
import json
import math
import re
import shutil
from dataclasses import replace
from pathlib import Path
from threading import Event as Signal

import pytest
import torch
from pydantic import ValidationError

from grandstand.events import PlayerFault, PlayerReported, TurnRecorded
from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import Learning
from grandstand.models import Draft, Event, flat, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import replayed, verify
from grandstand.players.base import AnswerProgress
from grandstand.players.errors import PlayerError
from grandstand.players.options import TrainedOptions
from grandstand.players.roster import Roster
from grandstand.players.roster_file import RosterError
from grandstand.players.workers import key_of
from grandstand.server.bodies.matches import StartEpisode
from grandstand.spectator.replay import Episode
from grandstand.trainer.model.versions import ADAPTER
from grandstand.trainer.rollout import player as player_module
from grandstand.trainer.rollout.live_inference import check_search
from grandstand.trainer.rollout.player import TrainedPlayer
from grandstand.trainer.rollout.trajectories import trajectories
from tests.support.server.match_services import MatchServices, until
from tests.support.trainer.chat import SMALL, chat_policy
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import cricket

CRICKET, DIPLOMACY = game_spec("cricket"), game_spec("diplomacy")
torch.set_num_threads(1)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    run = RunFolder(tiny(), tmp_path / "run")
    run.publish(0, 1)
    return run


def runner(run: RunFolder, roster: Roster | None = None, seed: int = 4) -> MatchRunner:
    """A short match in which the run's policy plays every seat."""
    seating = (roster or run.players()).episode(run.spec)
    players = {seat: seating.player("learner", seat) for seat in run.spec.seats()}
    return MatchRunner(Match(run.spec, SMALL[run.spec.name], seed), players)


async def played(runner: MatchRunner, drafts: list[Draft], turns: int = 1000) -> list[Draft]:
    while not runner.match.over and runner.match.index < turns:
        async for some in runner.play_round():
            drafts += some
    return drafts


def whole(runner: MatchRunner) -> list[Event]:
    """The record of the match, played to its end."""
    drafts = [*runner.created(SMALL[runner.match.spec.name], title="", origin="cli"), *runner.started()]
    return numbered(asyncio.run(played(runner, drafts)))


def numbered(drafts: list[Draft]) -> list[Event]:
    return [
        Event(episode_id="e", epoch=1, seq=seq, at=0, type=item.type, audience=item.audience, data=item.data)
        for seq, item in enumerate(drafts)
    ]


def of(events: list[Event], kind: str) -> list[Event]:
    return [event for event in flat(events) if event.type == kind]


# --- whole matches ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("config", [tiny(), cricket()], ids=["diplomacy", "cricket"])
def test_it_plays_whole_matches_that_are_training_data(tmp_path: Path, config: object) -> None:
    run = RunFolder(config, tmp_path / "run")  # type: ignore[arg-type]
    run.publish(2)
    events = whole(runner(run))
    assert verify(events).over
    assert not of(events, "PlayerFault")
    chosen, turns = of(events, "ActionChosen"), of(events, "TurnRecorded")
    assert {event.data["source"] for event in chosen} == {"policy"}
    assert len(turns) == len(chosen)
    assert {event.audience if isinstance(event.audience, str) else "seat" for event in turns} == {"private"}
    learned = trajectories(Episode(tuple(events)), "tiny")
    assert {item.seat for item in learned} == {event.data["seat"] for event in chosen}
    assert sum(len(item.decisions) for item in learned) == len(chosen)
    assert {decision.version for item in learned for decision in item.decisions} == {2}
    assert not any(item.masked for item in learned)


def test_the_report_tells_version_probability_and_cost(run: RunFolder) -> None:
    events = whole(runner(run))
    reports = [PlayerReported.model_validate(event.data) for event in of(events, "PlayerReported")]
    turns = [TurnRecorded.model_validate(event.data) for event in of(events, "TurnRecorded")]
    orders = [event.data["action"]["orders"] for event in of(events, "ActionChosen")]
    assert all(event.audience == "analyst" for event in of(events, "PlayerReported"))
    for report, turn, words in zip(reports, turns, orders, strict=True):
        usage, thought = report.report.usage, report.report.thought
        assert (usage.tokens_in, usage.tokens_out) == (len(turn.prompt), len(turn.completion))
        assert usage.seconds > 0
        result = re.match(r"tiny@v000001: probability (\S+), entropy (\S+) nats", thought)
        assert result, thought
        assert float(result[1]) == pytest.approx(math.exp(sum(turn.logprobs)), rel=0.06)
        assert float(result[2]) >= 0
        assert all(re.search(rf"{re.escape(word)} [01]\.\d\d", thought) for word in words)


@pytest.mark.long
def test_the_record_of_a_choice_is_small(run: RunFolder, tmp_path: Path) -> None:
    """The built-in policy's is below a kilobyte; a language model's is its prompt's tokens, and little more."""
    turns = of(whole(runner(run)), "TurnRecorded")
    assert max(len(event.model_dump_json()) for event in turns) < 3000
    chat_policy(DIPLOMACY).save(tmp_path / "model")
    engine = TrainedOptions(folder=tmp_path / "model")
    (tmp_path / "chat.toml").write_text(
        f'[[player]]\nname = "learner"\nkind = "trained"\noptions = {{ folder = "{engine.folder}" }}\n'
    )
    match = Match(DIPLOMACY, SMALL["diplomacy"], 1)
    player = Roster.load(tmp_path / "chat.toml").episode(DIPLOMACY).player("learner", "FRANCE")
    turn = asyncio.run(player.choose(match, "FRANCE")).turn
    assert turn is not None
    assert len(turn.model_dump_json()) < 8 * len(turn.prompt) + 4000


def test_greedy_choices_are_not_recorded_to_learn_from(run: RunFolder) -> None:
    events = whole(runner(run, run.players(greedy=True)))
    assert of(events, "ActionChosen")
    assert not of(events, "TurnRecorded")
    assert not of(events, "PlayerFault")


@pytest.mark.long
def test_a_search_answers_in_the_policys_place_and_leaves_nothing_to_learn_from(run: RunFolder) -> None:
    roster = run.players(search=2)
    answers = []
    for _ in range(2):
        match = Match(DIPLOMACY, SMALL["diplomacy"], 4)
        match.apply("ENGLAND", {"orders": []})  # which the search does not see
        player = roster.episode(DIPLOMACY).player("learner", "FRANCE")
        answers.append(asyncio.run(player.choose(match, "FRANCE")))
    choice = answers[0]
    assert choice.action == answers[1].action
    assert choice.turn is None
    assert choice.report is not None
    assert "Search over 2 proposals, instead of the answer of tiny@v000001: probability" in choice.report.thought
    assert choice.report.usage.tokens_out > 2
    game = Match(DIPLOMACY, SMALL["diplomacy"], 4).game
    game.apply("FRANCE", choice.action)
    assert "FRANCE" not in game.to_act()


def test_a_slow_search_works_in_another_process_and_its_end_is_told_from_a_bug(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def dying(key: str, function: object, *arguments: object) -> None:
        asked.append(key)
        raise PlayerError("ours", "the process that computes for this player died twice")

    monkeypatch.setattr(player_module, "computed", dying)
    player = run.players(search=1).episode(DIPLOMACY).player("learner", "FRANCE")
    match = Match(DIPLOMACY, SMALL["diplomacy"], 1)
    with pytest.raises(PlayerError, match="died twice"):
        asyncio.run(player.choose(match, "FRANCE"))
    assert asked == [key_of(match)]


@pytest.mark.long
def test_whole_matches_are_played_with_a_search(run: RunFolder) -> None:
    events = whole(runner(run, run.players(search=1)))
    assert verify(events).over
    assert not of(events, "PlayerFault")
    assert not of(events, "TurnRecorded")
    thoughts = [event.data["report"]["thought"] for event in of(events, "PlayerReported")]
    assert thoughts[0].startswith("Search over 1 proposals"), "nobody has ordered anything yet"
    assert any(re.match(r"[A-Z]+ plays most like \w+ \(\d+%\), .*\. Search over", thought) for thought in thoughts)


@pytest.mark.long
def test_a_captain_searches_too(tmp_path: Path) -> None:
    run = RunFolder(cricket(), tmp_path / "run")
    run.publish(1)
    events = whole(runner(run, run.players(search=2)))
    assert verify(events).over
    assert not of(events, "PlayerFault")
    assert {event.data["source"] for event in of(events, "ActionChosen")} == {"policy"}


def test_a_game_without_a_search_refuses_it(run: RunFolder) -> None:
    spec = replace(DIPLOMACY, learning=Learning(lambda: replace(DIPLOMACY.training, search=None)))
    check_search(run.options(), spec)
    with pytest.raises(OptionError, match="search: diplomacy has no search at play time; leave it out"):
        check_search(run.options(search=4), spec)


@pytest.mark.long
def test_a_match_is_the_same_each_time(run: RunFolder) -> None:
    first, second, other = (of(whole(runner(run, seed=seed)), "ActionChosen") for seed in (4, 4, 5))
    assert first == second
    assert [item.data for item in first] != [item.data for item in other]


@pytest.mark.long
@pytest.mark.parametrize("config", [tiny(), cricket()], ids=["diplomacy", "cricket"])
def test_a_resumed_match_goes_on_as_it_would_have(tmp_path: Path, config: object) -> None:
    run = RunFolder(config, tmp_path / "run")  # type: ignore[arg-type]
    run.publish(1)
    through = whole(runner(run))
    cut = next(event.seq for event in through if event.type == "TurnStarted" and event.data["index"] == 3) + 1
    match, _ = replayed(through[:cut])
    seating = run.players().episode(run.spec, through[:cut])
    players = {seat: seating.player("learner", seat) for seat in run.spec.seats()}
    assert all(player.resumable for player in players.values())
    rest = numbered(asyncio.run(played(MatchRunner(match, players), [])))
    kinds = {"ActionChosen", "TurnRecorded", "EpisodeEnded"}
    again = [(event.type, rounded(event)) for event in flat(rest) if event.type in kinds]
    assert again == [(event.type, rounded(event)) for event in flat(through[cut:]) if event.type in kinds]


@pytest.mark.long
def test_a_server_that_restarts_resumes_its_matches(run: RunFolder, tmp_path: Path) -> None:
    async def scene() -> list[Event]:
        request = StartEpisode(seed=3, options=SMALL["diplomacy"], players=dict.fromkeys(DIPLOMACY.seats(), "learner"))
        first = MatchServices(tmp_path / "record.db", roster=run.players())
        episode = (await first.driver.start(request)).episode_id
        await until(lambda: first.recorder.summary(episode).last_seq > 20)
        await first.driver.close()
        first.recorder.close()
        second = MatchServices(tmp_path / "record.db", roster=run.players())
        assert second.driver.resume_all() == [episode]
        await second.driver.resumed()
        await second.ended(episode)
        return list(second.history.events(episode))

    events = asyncio.run(scene())
    assert of(events, "EpisodeStarted")[-1].data["resumed"]
    assert not of(events, "PlayerFault")
    assert verify(events).over
    straight = whole(runner(run, seed=3))
    assert [event.data for event in of(events, "ActionChosen")] == [
        event.data for event in of(straight, "ActionChosen")
    ]


def rounded(event: Event) -> str:
    """Return the recorded data, to the precision of sampling in a batch."""
    logprobs = [round(value, 3) for value in event.data.get("logprobs", ())]
    return json.dumps({**event.data, "logprobs": logprobs}, sort_keys=True)


@pytest.mark.long
def test_seats_and_matches_share_one_policy(run: RunFolder) -> None:
    roster = run.players()
    players = [roster.episode(DIPLOMACY).player("learner", seat) for seat in ("FRANCE", "ITALY") for _ in range(2)]
    engines = {id(player._engine) for player in players if isinstance(player, TrainedPlayer)}
    assert len(engines) == 1

    async def side_by_side() -> list[list[Draft]]:
        tables = [runner(run, roster, seed) for seed in (1, 2, 3)]
        return list(await asyncio.gather(*(played(table, table.started()) for table in tables)))

    alone = [asyncio.run(played(table, table.started())) for table in (runner(run, seed=seed) for seed in (1, 2, 3))]
    for together, by_itself in zip(asyncio.run(side_by_side()), alone, strict=True):
        assert actions(together) == actions(by_itself)


def actions(drafts: list[Draft]) -> dict[str, list[object]]:
    """Return the actions of each seat, in order."""
    done: dict[str, list[object]] = {}
    for draft in flat_drafts(drafts):
        if draft.type == "ActionChosen":
            done.setdefault(draft.data["seat"], []).append(draft.data["action"])
    return done


def test_a_published_version_plays_from_the_next_choice_on(run: RunFolder) -> None:
    seated = runner(run)

    async def scene() -> list[Draft]:
        drafts = await played(seated, seated.started(), turns=1)
        run.publish(2)
        run.versions.drop(1)
        drafts = await played(seated, drafts, turns=2)
        shutil.rmtree(run.folder)
        return await played(seated, drafts)

    turns = [draft.data for draft in flat_drafts(asyncio.run(scene())) if draft.type == "TurnRecorded"]
    assert {turn["version"] for turn in turns if turn["index"] == 0} == {1}
    assert {turn["version"] for turn in turns if turn["index"] > 0} == {2}


# --- faults -----------------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_play_is_refused_before_the_match(run: RunFolder) -> None:
    (run.versions.path(1) / ADAPTER).write_bytes(b"")
    with pytest.raises(OptionError, match=r"is no whole file of weights .* name another version"):
        runner(run)
    with pytest.raises(OptionError, match="the run learns diplomacy, not cricket"):
        run.players().episode(CRICKET).player("learner", "home")


def fault(player: TrainedPlayer) -> PlayerError:
    with pytest.raises(PlayerError) as caught:
        asyncio.run(player.choose(Match(DIPLOMACY, SMALL["diplomacy"], 1), "FRANCE"))
    return caught.value


def seated(run: RunFolder) -> TrainedPlayer:
    player = run.players().episode(DIPLOMACY).player("learner", "FRANCE")
    assert isinstance(player, TrainedPlayer)
    return player


def test_what_breaks_after_that_is_the_players_fault_and_the_fallback_acts(run: RunFolder) -> None:
    at = runner(run)
    for file in (run.versions.path(1) / ADAPTER, run.versions.path(0) / ADAPTER):
        file.unlink()
    drafts = asyncio.run(played(at, at.started(), turns=1))
    faults = [PlayerFault.model_validate(draft.data) for draft in flat_drafts(drafts) if draft.type == "PlayerFault"]
    assert {draft.boundary for draft in faults} == {"player"}
    assert all(str(run.folder) not in draft.message for draft in faults)  # everybody reads it
    reports = [
        draft.data["report"]["attempts"][0]["fault"] for draft in flat_drafts(drafts) if draft.type == "PlayerReported"
    ]
    assert all(ADAPTER in report for report in reports)
    assert {draft.data["source"] for draft in flat_drafts(drafts) if draft.type == "ActionChosen"} == {"fallback"}


def test_a_bug_of_ours_is_ours(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    player = seated(run)
    monkeypatch.setattr("grandstand.trainer.rollout.live_inference.Question", None)
    error = fault(player)
    assert (error.boundary, error.message) == ("ours", "a bug of ours")
    assert error.report is not None
    assert "TypeError" in error.report.attempts[0].fault
    assert "learner in seat FRANCE broke" in caplog.text


def test_a_budget_is_kept(run: RunFolder) -> None:
    file = run.roster()
    file.write_text(file.read_text().replace("[player.options]", "budget = { tokens = 60 }\n[player.options]"))
    player = Roster.load(file).episode(DIPLOMACY).player("learner", "FRANCE")
    assert isinstance(player, TrainedPlayer)
    match = Match(DIPLOMACY, SMALL["diplomacy"], 1)
    for _ in range(2):
        asyncio.run(player.choose(match, "FRANCE"))
    error = fault(player)
    assert error.boundary == "budget"
    assert error.report is not None
    assert "budget of 60 tokens has 0 left" in error.report.attempts[0].fault


def test_a_long_wait_is_told_of_and_can_be_given_up(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_module, "WATCHED_SECONDS", 0.02)
    player, busy = seated(run), Signal()
    reports: list[AnswerProgress] = []
    player.watch = reports.append
    player._engine._worker.submit(busy.wait)
    match = Match(DIPLOMACY, SMALL["diplomacy"], 1)

    async def scene() -> None:
        choice = asyncio.ensure_future(player.choose(match, "FRANCE"))
        await until(lambda: len(reports) > 2)
        choice.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choice
        again = asyncio.ensure_future(player.choose(match, "FRANCE"))
        await asyncio.sleep(0.01)
        busy.set()
        assert (await again).source == "policy"

    asyncio.run(scene())
    assert {item.stage for item in reports} == {"choosing"}
    assert [item.seconds for item in reports[:3]] == sorted(item.seconds for item in reports[:3])


# --- the roster's entry -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"version": "newest"}, "version"),
        ({"version": -1}, "version"),
        ({"temperature": 0}, "temperature"),
        ({"greedy": True, "temperature": 1}, "greedy and temperature exclude each other; set one of them"),
        ({"greedy": True, "search": 4}, "greedy and search exclude each other"),
        ({"search": -1}, "search"),
        ({"search": 65}, "search"),
        ({"folder": None}, "folder"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        TrainedOptions.model_validate({"folder": "runs/x", **options})


def test_a_roster_names_what_is_wrong(run: RunFolder) -> None:
    with pytest.raises(RosterError, match=r"players.toml: player 'learner': options.version"):
        run.players(version="newest")


def test_its_fallback_is_the_one_of_the_entry(run: RunFolder) -> None:
    player = run.players(fallback="hold").episode(DIPLOMACY).player("learner", "FRANCE")
    assert player.fallback is DIPLOMACY.bots.players["hold"]
    assert not player.talks
