"""`grandstand rate`: ratings of players from recorded matches or from results as JSON lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grandstand.commands.console import harmless, refuse
from grandstand.games.base import SeatId
from grandstand.models import EpisodeCreated, Event, Pairing, PairingPlayed, PairingsDrawn
from grandstand.play.headless import part_of
from grandstand.play.ratings.match_results import conditions_of, first_of_each, seed_of
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.rating import rate
from grandstand.play.ratings.statistics import COUNTED, Identity, player_names, seat_records
from grandstand.play.ratings.table import RatingError, RatingTable, ScoredMatch
from grandstand.play.record_folder import ABANDONED, RECORD
from grandstand.play.tournament.episode import TOURNAMENT
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, opened, read_events
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.records import STORE, from_file

Setting = tuple[str, str]
"""The game of a match, and its options and version of the rules as JSON: results of different ones are not mixed."""


def rate_files(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Records, folders of records (as of a tournament), data folders, or JSON lines of players and scores."
        ),
    ],
    game: Annotated[str | None, typer.Option(help="Rate only matches of this game.")] = None,
    anchor: Annotated[
        list[str] | None, typer.Option(help="PLAYER=POINTS, a reference with a fixed rating; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rate the players of recorded matches, with 95 per cent intervals and the probability that one is the stronger.

    A line of results is {"players": {"FRANCE": "a", ...}, "scores": {"FRANCE": 1.0, ...}}: a player for each seat, and
    the scores of the seats that count. Of a recorded match, only seats count in which the player made every decision.
    A player whose prompt differs between the matches is rated as several. Matches with the same seed, options and
    players in the same seats count once.
    """
    try:
        results, repeats = _results(files, game)
        table = rate(results, anchors(anchor or []))
    except (RecordError, RatingError) as error:
        refuse("rate", str(error), 2, error)
    if as_json:
        typer.echo(json.dumps({**document(table), "repeats": repeats}, ensure_ascii=False))
    else:
        _show(table, len(results), repeats)


def anchors(texts: Iterable[str]) -> dict[str, float]:
    """Return the ratings of reference players, given as PLAYER=POINTS. Raises RatingError."""
    ratings = {}
    for text in texts:
        player, _, points = text.rpartition("=")
        try:
            ratings[player] = float(points)
        except ValueError:
            raise RatingError(f"--anchor: {text!r} is not PLAYER=POINTS, such as heuristic=1500") from None
    return ratings


def document(table: RatingTable) -> dict[str, object]:
    """Return the table as it is printed with `--json`."""
    return {
        "ratings": [asdict(rating) for rating in table.ratings],
        "pairs": [asdict(pair) for pair in table.pairs],
        "seats": [asdict(effect) for effect in table.seats],
    }


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


def _results(files: Iterable[Path], game: str | None) -> tuple[list[ScoredMatch], int]:
    """Return the results in `files`, all of one game and one set of options, and how many repeats are left out.

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
    scored = [
        ScoredMatch({seat: names[player] for seat, player in result.players.items()}, result.scores, result.cluster)
        for result in results
    ]
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
        yield from _recorded(from_file(file))


def _in_folder(folder: Path) -> Iterator[tuple[Setting, SeatResults]]:
    """Yield the results of a tournament in a folder of records, or of all records in a folder. Raises RecordError."""
    own = folder / RECORD
    if own.is_file():
        yield from _recorded(read_events(own))
    elif part_of(own).is_file():
        yield from _recorded(intact_events(part_of(own)))
    else:
        files = sorted(path for path in folder.glob("*.jsonl") if path.name != ABANDONED)
        if not files:
            raise RecordError(f"{folder}: contains no records; name a folder of records or a data folder")
        for file in files:
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
            yield from _recorded(event for event in recorder.events(summary.episode_id) if event.type in COUNTED)
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
        yield setting, SeatResults(players, scores, seed=seed_of(listed))


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


def _show(table: RatingTable, matches: int, repeats: int) -> None:
    """Print the table, the pairs that cannot be told apart, and the number of matches that are left out."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    grid = Table(title=f"Ratings from {matches} matches, in Elo points", title_justify="left")
    for name in ("player", "rating", "95 % interval", "matches", "stronger than the next"):
        grid.add_column(name, justify="left" if name == "player" else "right")
    neighbours = {(pair.a, pair.b): pair for pair in table.pairs}
    following = [*table.ratings[1:], None]
    for rating, below in zip(table.ratings, following, strict=True):
        pair = None if below is None else neighbours[rating.player, below.player]
        grid.add_row(
            harmless(rating.player),
            f"{rating.mean:.0f}",
            f"{rating.low:.0f} to {rating.high:.0f}",
            str(rating.games),
            "" if pair is None else f"{pair.probability:.3f}{'' if pair.differ else ' (not significant)'}",
        )
    console.print(grid, markup=False)
    if repeats:
        left_out = "1 match left out: it has" if repeats == 1 else f"{repeats} matches left out: they have"
        console.print(f"{left_out} the seed, options and players of another.")
    if len(table.seats) > 1:
        effects = ", ".join(
            f"{harmless(effect.seat)} {effect.mean:+.0f} ({effect.low:+.0f} to {effect.high:+.0f})"
            for effect in table.seats
        )
        console.print(f"Seats, against the average seat: {effects}", markup=False)
