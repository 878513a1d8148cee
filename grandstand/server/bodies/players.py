"""Leaderboards, players, and the reports of the server."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from grandstand.campaign_events import Estimate
from grandstand.models import SeatId, Wire
from grandstand.report import Link, Report
from grandstand.server.bodies.lobby import Highlight


class PlayerRecord(Wire):
    """A player's results in the finished matches of one option set of this record; imports and forks are left out.

    Only seats in which it made every decision itself are scored; decisions of its fallback or of a person are
    counted apart. `mean_score` is None if there is no such seat; `ci95` are the ends of its 95 % interval. `rating` is
    its online rating over `rating.n` matches, in Elo points; a player with few matches has no mean yet.
    """

    game: str
    setting: str
    options: str = Field(description="The option set in words.")
    player: str
    seats: int
    scored: int
    mean_score: float | None
    ci95: list[float] | None
    wins: int = Field(description="In seats that are scored.")
    decisions: int
    fallbacks: int = Field(description="Decisions that its fallback made.")
    faults: int
    rating: Estimate | None = None


class OptionSetInfo(Wire):
    """The matches of one game with the same options and version of the rules, which may be compared.

    `options` are those that differ from the game's defaults.
    """

    id: str
    game: str
    label: str
    options: dict[str, Any]
    rules: int
    matches: int
    reference: int = Field(default=0, description="How many of the matches came with the installation.")


class Rivalry(Wire):
    """What a player and another did to each other in all matches of a game in which both had a seat.

    `deed` is a participle, such as `stabbed`; of the matches, `reference` came with the installation.
    """

    other: str
    deed: str
    done: int
    suffered: int
    matches: int
    reference: int = 0


class HeadToHead(Wire):
    """Two players in the matches in which both count: the share of comparisons that `a` won; a tie is half.

    `stronger` is the probability that `a` is the stronger by the ratings, and `differ` holds at 5 per cent for all
    pairs together.
    """

    a: str
    b: str
    share: Estimate
    stronger: float | None = None
    differ: bool = False


class SeatScore(Wire):
    """The mean score of a player in one seat."""

    player: str
    seat: SeatId
    score: Estimate


class LeaderboardRow(Wire):
    """A player's figures in one option set. `counted` are the matches in which its seat and that of another count.

    `rating` is in Elo points. `answers`, `tokens`, `dollars` and `seconds` are sums over the `costed` matches, whose
    costs the caller may know; `dollars` is None where no price is known.
    """

    player: str
    matches: int
    counted: int
    score: Estimate
    rating: Estimate
    wins: int = 0
    decisions: int = 0
    fallbacks: int = 0
    faults: int = 0
    forfeits: int = 0
    answers: int = 0
    tokens: int = 0
    dollars: float | None = None
    seconds: float = Field(default=0.0, description="From request to answer, summed over answers.")
    kind: str
    seats: int
    scored: int = Field(description="Seats whose score is the player's own.")
    assisted: int = Field(description="Decisions of its seats that other players made after a take-over.")
    costed: int


class Leaderboard(Wire):
    """The players of one option set: those rated, the best first, and those with fewer than `needed` matches.

    `pairs` are all pairs of rated players. `unread` matches are still to be read from the record. The matches that
    visitors started have tables of their own. `repeats` have the seed and players of a match that counts.
    """

    game: str
    visitors: bool = Field(default=False, description="Whether the matches are those that visitors started.")
    visitor_matches: int = Field(default=0, description="Number of the matches of the game that visitors started.")
    repeats: int = Field(default=0, description="Matches left out: the seed and players of each are those of another.")
    setting: OptionSetInfo | None = None
    settings: list[OptionSetInfo] = Field(description="The option sets of the game, those with most matches first.")
    needed: int
    unread: int = 0
    table: list[LeaderboardRow] = Field(default=[])
    unrated: list[LeaderboardRow] = Field(default=[])
    pairs: list[HeadToHead] = Field(default=[])
    seat_effects: dict[SeatId, Estimate] = Field(default={})


class RatingAt(Wire):
    """The rating that a player had after the first `matches` matches of its option set, at the end of the last one."""

    at: float
    matches: int
    rating: Estimate


class StyleFigure(Wire):
    """A measure of the game, as a mean over matches: of the player, and of all others."""

    name: str
    meaning: str
    own: Estimate
    others: Estimate


class PlayerMatch(Wire):
    """A finished match of a player. `counted` if all its seats count; `opponents` are the other players."""

    episode_id: str = Field(description="Empty for a reference match whose record is not here.")
    title: str
    ended_at: float
    seats: list[SeatId]
    opponents: list[str]
    score: float | None
    won: bool
    counted: bool
    forfeited: bool
    faults: int
    fallbacks: int
    assisted: int
    reference: bool = Field(default=False, description="True if it came with the installation.")


class PlayerPage(Wire):
    """A player in one option set, as spectators may know it.

    `opponents` are sorted by the number of meetings, and `a` is always the player. `moments` are its most important
    ones. `matches` lists the newest of its `played` matches.
    """

    player: str
    kind: str
    description: str = ""
    visitors: bool = Field(default=False, description="Whether the matches are those that visitors started.")
    settings: list[OptionSetInfo] = Field(description="The option sets in which it has played.")
    setting: OptionSetInfo
    figures: LeaderboardRow
    rank: int | None = Field(default=None, description="Its place among the rated players; None if it is not rated.")
    needed: int
    unread: int = 0
    history: list[RatingAt] = Field(default=[])
    opponents: list[HeadToHead] = Field(default=[])
    rivalries: list[Rivalry] = Field(default=[], description="Those with most deeds first.")
    style: list[StyleFigure] = Field(default=[])
    causes: dict[str, int] = Field(default={}, description="Its faults by boundary.")
    seats: list[SeatScore] = Field(default=[])
    moments: list[Highlight] = Field(default=[])
    matches: list[PlayerMatch] = Field(default=[])
    played: int
    reference: int = Field(default=0, description="How many of the matches came with the installation.")


class ReportChoice(Wire):
    """A choice among reports: the name and the page of each, and the place of the one that is shown."""

    title: str
    options: list[Link]
    selected: int


class PageReport(Wire):
    """The report that a page shows, and the choices that lead to others.

    `unread` matches are still to be read from the record, so that the next report may have more.
    """

    report: Report
    choices: list[ReportChoice] = Field(default=[])
    unread: int = 0

    def text(self) -> str:
        """Return it as JSON without its None values, which are most of a report."""
        return self.model_dump_json(exclude_none=True)
