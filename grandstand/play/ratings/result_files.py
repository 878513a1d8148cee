"""Results of matches for ratings, from records, folders of records, data folders and JSON lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grandstand.campaign_events import TOURNAMENT, Pairing, PairingPlayed, PairingsDrawn
from grandstand.events import EpisodeCreated
from grandstand.games.base import SeatId
from grandstand.models import Event
from grandstand.play.ratings.match_results import conditions_of, first_of_each, roles_of, seed_of
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import Identity, player_names, seat_records
from grandstand.play.ratings.table import RatingError, ScoredMatch
from grandstand.play.record_folder import RECORD, part_of, record_files
from grandstand.spectator.data_folder import STORE
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, opened, read_events
from grandstand.spectator.recorder import Recorder

Setting = tuple[str, str]
"""The game of a match, and its options and version of the rules as JSON: results of different ones are not mixed."""


class ResultLine(BaseModel):
    """A line of results: the players of a match by seat, and the scores of the seats that count."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    players: dict[SeatId, str] = Field(min_length=1)
    scores: dict[SeatId, float]
    game: str = ""
    options: dict[str, object] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_players(self) -> ResultLine:
        unknown = sorted(self.scores.keys() - self.players.keys())
        if unknown:
            raise ValueError(f"scores: seat {unknown[0]!r} has no player; name it in `players`")
        return self


@dataclass(frozen=True)
class SeatResults:
    """The players of a match by seat, and the scores of the seats that count."""

    players: Mapping[SeatId, Identity]
    scores: Mapping[SeatId, float]
    cluster: int | None = None
    seed: int | None = None
    """None where it is unknown, and of a tournament's matches, whose repeats are planned."""
    roles: Mapping[SeatId, str] = field(default_factory=dict)
    """The role of each seat; empty where the game has none, or only the result is known."""


def read_results(files: Iterable[Path], game: str | None, by_role: bool = False) -> tuple[list[ScoredMatch], int]:
    """Return the results in `files`, all of one game and one set of options, and how many repeats are left out. With
    `by_role`, a player has a name for each of its roles: `ledger (wolf)`.

    Raises RecordError and RatingError.
    """
    groups: dict[Setting, list[SeatResults]] = defaultdict(list)
    for file in _each_match_once(files):
        for setting, result in _read(file):
            if game is None or setting[0] == game:
                groups[setting].append(result)
    if len(groups) > 1:
        listed = "; ".join(
            f"{len(results)} of {name or 'no game'} {options}" for (name, options), results in groups.items()
        )
        raise RatingError(
            f"these matches are not of one kind: {listed}. A rating holds for one game and one set of options: name"
            " files of one kind, or a game with --game"
        )
    both = [(setting, result) for setting, results in groups.items() for result in results]
    first, repeats = first_of_each(both, lambda each: conditions_of(each[0], each[1].seed, each[1].players))
    results = [result for _, result in first]
    names = player_names(player for result in results for player in result.players.values())
    if by_role and not all(result.roles for result in results):
        raise RatingError(
            "--by-role: some of these results do not have the roles of the seats; name records of matches"
        )
    scored = []
    for result in results:
        players = {seat: names[player] for seat, player in result.players.items()}
        if by_role:
            players = {seat: f"{name} ({result.roles[seat]})" for seat, name in players.items()}
        scored.append(ScoredMatch(players, result.scores, result.cluster))
    return scored, len(repeats)


def _each_match_once(files: Iterable[Path]) -> list[Path]:
    """Return the files without the matches of a tournament whose own record is among them, as in `cup/*.jsonl`."""
    listed = list(files)
    tournaments = {file.parent for file in listed if file.name == RECORD}
    return [file for file in listed if file.name == RECORD or file.parent not in tournaments]


def _read(file: Path) -> Iterator[tuple[Setting, SeatResults]]:
    """Yield the results in a file or a data folder. Raises RecordError naming the file, the line and the problem."""
    if (file / STORE).is_file():
        yield from _stored(file / STORE)
        return
    if file.is_dir():
        yield from _in_folder(file)
        return
    try:
        with opened(file) as lines:
            first = lines.readline()
    except OSError as error:
        raise RecordError(f"{file}: {error.strerror}; name a record, a data folder or JSON lines of results") from error
    except (ValueError, EOFError) as error:
        raise RecordError(f"{file}: this is neither a record nor JSON lines of results") from error
    if _is_result(first):
        yield from _lines(file)
    else:
        yield from _recorded(read_events(file))


def _in_folder(folder: Path) -> Iterator[tuple[Setting, SeatResults]]:
    """Yield the results of a tournament in a folder of records, or of all records in a folder. Raises RecordError."""
    own = folder / RECORD
    if own.is_file():
        yield from _recorded(read_events(own))
    elif part_of(own).is_file():
        yield from _recorded(intact_events(part_of(own)))
    else:
        for file in record_files(folder):
            yield from _recorded(read_events(file))


def _is_result(line: str) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "scores" in value


def _lines(file: Path) -> Iterator[tuple[Setting, SeatResults]]:
    with opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                result = ResultLine.model_validate_json(line)
            except ValidationError as error:
                problem = error.errors()[0]
                field = ".".join(str(part) for part in problem["loc"])
                reason = f"{field}: {problem['msg']}" if field else problem["msg"].removeprefix("Value error, ")
                raise RecordError(f"{file}: line {number}: {reason}") from error
            players = {seat: (player, "") for seat, player in result.players.items()}
            yield (result.game, _canonical(result.options, 1)), SeatResults(players, result.scores)


def _stored(store: Path) -> Iterator[tuple[Setting, SeatResults]]:
    recorder = Recorder.reading(store)
    try:
        count = recorder.summaries(limit=1)[1]
        for summary in recorder.summaries(status=("finished",), limit=max(count, 1))[0]:
            yield from _recorded(recorder.events(summary.episode_id))
    finally:
        recorder.close()


def _recorded(events: Iterable[Event]) -> Iterator[tuple[Setting, SeatResults]]:
    """Yield the result of a match that was played to its end; seats are left out that others played in part."""
    listed = list(events)
    created = EpisodeCreated.model_validate(listed[0].data)
    if created.game == TOURNAMENT:
        yield from _of_tournament(created, listed)
        return
    records = seat_records(listed)
    scores = {record.seat: record.score for record in records if record.scored and record.score is not None}
    if scores:
        options = OptionSet.of(created.game, created.options, created.rules)
        setting = (created.game, _canonical(json.loads(options.options), created.rules))
        players = {record.seat: (record.player, record.prompt) for record in records}
        yield setting, SeatResults(players, scores, seed=seed_of(listed), roles=roles_of(created.game, listed))


def _of_tournament(created: EpisodeCreated, events: Iterable[Event]) -> Iterator[tuple[Setting, SeatResults]]:
    """Yield the results of a tournament's matches; those of one opening share their luck."""
    plan = created.options
    pack = {"pack": plan["pack"]} if plan["pack"] else {}
    setting = (str(plan["game"]), _canonical({**plan["options"], **pack}, created.rules))
    pairings: dict[int, Pairing] = {}
    for event in events:
        match event.type:
            case "PairingsDrawn":
                pairings |= {pairing.number: pairing for pairing in PairingsDrawn.model_validate(event.data).pairings}
            case "PairingPlayed":
                played = PairingPlayed.model_validate(event.data)
                pairing = pairings[played.number]
                scores = {seat: played.scores[seat] for seat in played.counted}
                players = {seat: (player, "") for seat, player in pairing.players.items()}
                yield setting, SeatResults(players, scores, pairing.opening)


def _canonical(options: Mapping[str, object], rules: int) -> str:
    return json.dumps({**options, "rules": rules}, sort_keys=True, default=str)
