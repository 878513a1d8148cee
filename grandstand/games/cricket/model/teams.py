"""Invented sides: eleven players each and a bench, hidden ability, and season-like figures that hint at it.

No player is real. Abilities are drawn for each match from its seed. The public figures of a season add the luck of a
season to them, so that they give evidence of an ability without revealing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any, Final, cast

from grandstand.games.base import Shared
from grandstand.games.cricket.laws.rules import ELEVEN
from grandstand.games.cricket.model import estimates
from grandstand.games.cricket.model.estimates import AbilityEstimate, estimate
from grandstand.games.cricket.model.keyed_random import match_random
from grandstand.games.cricket.model.matchups import LEFT_HANDED
from grandstand.games.cricket.model.picture.speed import usual_kmh
from grandstand.games.cricket.types import PlayerSheet, TeamSheet
from grandstand.games.cricket.vocab import PHASES, STYLES

SIDES: Final = (
    ("Harbour Herons", "HAR"), ("Saltmarsh Kites", "SLT"), ("Copperfield Foxes", "COP"), ("Monsoon Royals XI", "MON"),
    ("Northgate Rams", "NOR"), ("Lantern City Owls", "LAN"), ("Redstone Lynxes", "RED"), ("Palm Quay Dolphins", "PLM"),
    ("Highveld Hawks XI", "HIV"), ("Riverbend Otters", "RIV"), ("Granite Coast Gulls", "GRA"),
    ("Tamarind Tigers XI", "TAM"),
)  # fmt: skip
_GIVEN: Final = (
    "Aarav", "Adil", "Amos", "Anil", "Arlo", "Asif", "Basil", "Bheki", "Callum", "Chidi", "Conrad", "Daksh", "Dev",
    "Dilan", "Ellis", "Emeka", "Farid", "Finlay", "Gihan", "Guy", "Hamza", "Hemant", "Imran", "Ishan", "Jabu", "Joss",
    "Kabir", "Kasun", "Kemar", "Lahiru", "Leon", "Luca", "Madhav", "Marlon", "Mika", "Nadeem", "Nuwan", "Omari", "Otis",
    "Pavan", "Quin", "Rafe", "Rehan", "Rohan", "Samir", "Shai", "Sipho", "Tariq", "Theo", "Tom", "Usman", "Varun",
    "Viraj", "Will", "Yusuf", "Zane",
)  # fmt: skip
_FAMILY: Final = (
    "Abara", "Amblecote", "Ashdene", "Bandarage", "Belmoor", "Bhandwal", "Brackwell", "Caldbeck", "Chandrapal-Rao",
    "Chettiwar", "Corrigall", "Dallowin", "Deshkar", "Dhanvale", "Dlabane", "Eastry", "Ekwena", "Fernhough", "Gamlath",
    "Garside-Lowe", "Ghorbani", "Goonetille", "Hallamore", "Haqqal", "Hartnoll", "Ibekwe", "Iyengaar", "Jadwani",
    "Joncourt", "Kalubowila", "Kandoor", "Kestrell", "Khandwani", "Lachlane", "Lodhiya", "Mabuso", "Malikzai",
    "Marlowby", "Mehrauli", "Mokgethi", "Nandkar", "Ndimande", "Norbrook", "Oduber", "Okonjo", "Pallewela", "Pankhania",
    "Pemberlow", "Qadiri", "Quarrie", "Rajdhan", "Rathnaweera", "Rowantree", "Sandhurst-Bell", "Senavi", "Shirwadkar",
    "Sibanyoni", "Siddiqal", "Tanwir", "Tharanga-Silva", "Thornbeck", "Umarzada", "Vandort-Hill", "Vasanthan",
    "Wadekar-Joshi", "Walcotte", "Weerakkodi", "Whinfell", "Yardleigh", "Yousafi", "Zaveri-Nath", "Zondani",
)  # fmt: skip

_ROLES: Final = (
    "batter", "batter", "batter", "batter", "keeper", "all-rounder", "all-rounder",
    "bowler", "bowler", "bowler", "bowler",
)  # fmt: skip


_BENCH: Final = ((3, "spin"), (6, "spin"), (8, "pace"), (9, "spin"))
"""The usual place in the order of each substitute, and what he bowls: a batter, an all-rounder, two bowlers."""


@dataclass(frozen=True, slots=True)
class Cricketer:
    """A cricketer. `batting`, `bowling`, `liking` and `accuracy` are hidden; the rest is public."""

    name: str
    place: int
    """The usual place in the order, 0-10."""
    role: str
    hand: str
    style: str | None
    season: dict[str, Any]
    batting: float
    bowling: float
    liking: tuple[float, float, float]
    accuracy: float
    """Scale of the miss when the bowler aims: 0.8 is a master, 1.4 a learner."""
    kmh: float
    """Speed of the stock ball; 0 for a player who does not bowl."""

    @property
    def group(self) -> str:
        return STYLES[self.style][0] if self.style else "spin"

    @property
    def front_line(self) -> bool:
        return self.role in ("bowler", "all-rounder")

    def sheet(self) -> PlayerSheet:
        """Return what everybody may know of the player, as the `state` of events contains it."""
        season = self.season
        card: PlayerSheet = {"name": self.name, "role": self.role, "hand": self.hand, "style": self.style}
        card["bat"] = [season["inns"], season["runs"], season["avg"], season["sr"]]
        if self.style is not None:
            card["bowl"] = [season["overs"], season["wkts"], *season["econ"]]
        return card


@dataclass(frozen=True)
class Team:
    """Eleven players in their usual batting order, then the bench. `captain` and `keeper` are indices."""

    name: str
    short: str
    players: tuple[Cricketer, ...]
    captain: int
    keeper: int

    def index(self, name: str) -> int | None:
        wanted = name.strip().lower()
        for i, player in enumerate(self.players):
            if player.name.lower() == wanted:
                return i
        return None

    @cached_property
    def estimates(self) -> tuple[AbilityEstimate, ...]:
        """Return the public estimate of each player's ability."""
        return tuple(estimate(p.place, p.role, p.season) for p in self.players)

    def eleven(self, replaced: Sequence[int] | None) -> list[int]:
        """Return who plays, in the usual batting order, after (who came in, who left)."""
        came, left = replaced or (None, None)
        playing = [i for i in range(len(self.players)) if (i < ELEVEN or i == came) and i != left]
        return sorted(playing, key=lambda i: self.players[i].place)

    @cached_property
    def sheet(self) -> TeamSheet:
        """Return the public card of the side, which never changes."""
        sheets = [player.sheet() for player in self.players]
        sheet: TeamSheet = {
            "name": self.name,
            "short": self.short,
            "captain": self.players[self.captain].name,
            "keeper": self.players[self.keeper].name,
            "players": sheets[:ELEVEN],
        }
        if bench := sheets[ELEVEN:]:
            sheet["bench"] = bench
        return cast("TeamSheet", Shared(sheet))


@lru_cache(maxsize=320)
def invented_teams(seed: int, bench: bool = False) -> tuple[Team, Team]:
    """Return home and away for a match seed: names, abilities and seasons. The elevens are the same with a bench."""
    rng = match_random(seed, "teams")
    sides = rng.sample(SIDES, 2)
    names = list(zip(rng.sample(_GIVEN, 22), rng.sample(_FAMILY, 22), strict=True))
    speeds = match_random(seed, "speeds")
    home, away = (
        Team(name, short, _players(rng, speeds, names[11 * i : 11 * i + 11]), rng.choice((1, 2, 3, 5)), keeper=4)
        for i, (name, short) in enumerate(sides)
    )
    return _with_bench(home, away, match_random(seed, "bench")) if bench else (home, away)


def _with_bench(home: Team, away: Team, rng: Random) -> tuple[Team, Team]:
    """Return the sides with substitutes, whose names nobody else has."""
    count = len(_BENCH)
    taken = {word for player in (*home.players, *away.players) for word in player.name.split(" ")}
    given, family = ([word for word in words if word not in taken] for words in (_GIVEN, _FAMILY))
    names = [" ".join(pair) for pair in zip(rng.sample(given, 2 * count), rng.sample(family, 2 * count), strict=True)]
    benches = [[_player(rng, rng, place, names.pop(), group) for place, group in _BENCH] for _ in range(2)]
    with_home, with_away = (replace(team, players=(*team.players, *benches.pop())) for team in (home, away))
    return with_home, with_away


def _players(rng: Random, speeds: Random, names: list[tuple[str, str]]) -> tuple[Cricketer, ...]:
    spin_all_rounder = rng.random() < 0.5
    attack = ["spin", "pace", "pace", "pace"] if rng.random() < 0.85 else ["spin", "spin", "pace", "pace"]
    groups = ["spin", "pace"] if spin_all_rounder else ["pace", "spin"]
    groups = ["spin", "pace", "spin", "pace", "spin", *groups, *attack]
    return tuple(
        _player(rng, speeds, i, f"{forename} {family}", groups[i]) for i, (forename, family) in enumerate(names)
    )


def _player(rng: Random, speeds: Random, place: int, name: str, group: str) -> Cricketer:
    role = _ROLES[place]
    batting, bowling = rng.gauss(0, 1), rng.gauss(0, 1)
    if role in ("batter", "keeper"):
        bowling += estimates.PART_TIMER
    liking = [rng.gauss(0, 1) for _ in PHASES]
    mean = sum(liking) / 3
    pace_styles, spin_styles = ("RF", "RFM", "RFM", "RM", "LFM", "LF"), ("OB", "LB", "LB", "SLA", "SLA", "LWS")
    style = rng.choice(pace_styles if group == "pace" else spin_styles)
    accuracy = min(1.4, max(0.8, estimates.ACCURACY - estimates.ACCURACY_GAIN * bowling + rng.gauss(0, 0.1)))
    return Cricketer(
        name=name,
        place=place,
        role=role,
        hand="left" if rng.random() < LEFT_HANDED else "right",
        style=None if role == "keeper" else style,
        season=_season(rng, place, role, batting, bowling, liking, mean),
        batting=batting,
        bowling=bowling,
        liking=(liking[0] - mean, liking[1] - mean, liking[2] - mean),
        accuracy=accuracy,
        kmh=0.0 if role == "keeper" else usual_kmh(style, speeds),
    )


def _season(
    rng: Random, place: int, role: str, batting: float, bowling: float, liking: list[float], mean: float
) -> dict[str, Any]:
    """Draw a season's figures: about fourteen innings with the bat and forty overs with the ball, luck included."""
    played = rng.randint(9, 16)
    outs = max(1, round(played * (0.95 if place < 3 else 0.8)))
    average = estimates.AVERAGE[place] * (1 + estimates.AVERAGE_GAIN * batting)
    average *= max(0.35, 1 + rng.gauss(0, estimates.AVERAGE_LUCK) / outs**0.5)
    rate = estimates.STRIKE_RATE[place] * (1 + estimates.RATE_GAIN * batting)
    balls = max(1.0, 100 * average * outs / rate)
    rate *= max(0.6, 1 + rng.gauss(0, estimates.RATE_LUCK) / balls**0.5)
    season: dict[str, Any] = {
        "inns": played,
        "runs": round(average * outs),
        "avg": round(average, 1),
        "sr": round(rate),
    }
    overs = rng.randint(24, 52) if role in ("bowler", "all-rounder") else rng.randint(2, 9)
    if role != "keeper":
        saved = [estimates.ECONOMY_GAIN * bowling + estimates.LIKING_GAIN * (likes - mean) for likes in liking]
        luck = [rng.gauss(0, estimates.ECONOMY_LUCK) / (overs / 3) ** 0.5 for _ in PHASES]
        figures = [round(estimates.ECONOMY[p] - saved[p] + luck[p], 1) for p in range(3)]
        usual = overs * estimates.WICKETS * (1 + estimates.WICKETS_GAIN * bowling)
        wickets = max(0, round(usual + rng.gauss(0, estimates.WICKETS_LUCK) * overs**0.5))
        season.update(overs=overs, wkts=wickets, econ=[max(4.0, figure) for figure in figures])
    return season
