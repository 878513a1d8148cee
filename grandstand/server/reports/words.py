"""What the reports of the leaderboard and of players share: words, addresses of pages, and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from grandstand.campaigns.words import capital, listed, many
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.report import Link, Note, Notes, Section, Value
from grandstand.server.bodies.players import LeaderboardRow, ReportChoice

OVERLONG = 160
"""The longest label of an option set that is shown."""

CAME = "they came with the installation, and were played by the built-in players"
REFERENCE = "Reference matches came with the installation, and were played by the built-in players."

KINDS = {"bot": "built in", "llm": "language model", "human": "people", "remote": "program"}

CAUSES: Mapping[str, str] = {
    "rules": "It broke the rules",
    "provider": "Its model's provider failed",
    "timeout": "It ran out of time",
    "player": "Its answer could not be used",
    "budget": "Its budget is spent",
    "ours": "An error in Grandstand",
}
"""The boundaries of faults in words."""


def game_title(game: str) -> str:
    return game_spec(game).rules.title if game in GAMES else capital(game)


def kind_title(kind: str) -> str:
    return KINDS.get(kind, kind)


def ordinal(n: int) -> str:
    """Return `1st`, `22nd` or `13th`."""
    teen = 10 < n % 100 < 14
    return f"{n}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def some(names: Sequence[str], most: int = 4) -> str:
    """Return `a, b and c`; of more than `most` names, the rest as a number."""
    rest = len(names) - most
    return listed([*names[:most], f"{rest} more"] if rest > 1 else names)


def chance(probability: float) -> str:
    """Return a share like `97 %`, whose ends are never rounded to certainty."""
    if probability > 0.995:
        return "> 99 %"
    return "< 1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def ago(at: float, now: float) -> str:
    """Return a time, as Unix seconds, relative to `now`: `3 minutes ago`."""
    for name, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if now - at >= length:
            return f"{many(int((now - at) // length), name)} ago"
    return "just now"


def leaderboard_page(game: str = "", setting: str = "", kind: str = "", *, visitors: bool = False) -> str:
    return "/leaderboard" + _query(game=game, setting=setting, kind=kind, visitors="true" if visitors else "")


def player_page(name: str, setting: str = "", show: str = "", *, visitors: bool = False) -> str:
    """Return the address of a player's page, at the matches to `show` if any are named."""
    query = _query(setting=setting, show=show, visitors="true" if visitors else "")
    return f"/player/{quote(name, safe='')}{query}{'#matches' if show else ''}"


def _query(**values: str) -> str:
    text = urlencode({name: value for name, value in values.items() if value})
    return text and f"?{text}"


def page(address: str, text: str = "") -> Link:
    return Link(text=text, page=address)


def counted(count: int, address: str, note: str = "") -> Value:
    """Return a count as a value that links to the matches counted."""
    return Value(value=count, note=note, link=page(address) if count else None)


def choice(title: str, options: Mapping[str, tuple[str, str]], selected: str) -> ReportChoice:
    """Return a choice among options, each with its text and its address."""
    links = [page(address, text) for text, address in options.values()]
    return ReportChoice(title=title, options=links, selected=list(options).index(selected))


def reading(unread: int) -> list[Section]:
    """Return a note for the time in which matches are still being read from the record."""
    if not unread:
        return []
    text = f"Reading the record: {many(unread, 'match is', 'matches are')} not counted yet."
    return [Section(id="reading", body=Notes(notes=[Note(text=text, tone="warning")]))]


def per_match(row: LeaderboardRow) -> float | None:
    """Return the dollars of a match; None if no price is known."""
    return None if row.dollars is None or not row.costed else row.dollars / row.costed


def per_dollar(row: LeaderboardRow) -> float | None:
    """Return the score for a dollar; None if the player is free, or a figure is unknown."""
    dollars = per_match(row)
    return None if not dollars or row.score.mean is None else row.score.mean / dollars


def tokens_per_match(row: LeaderboardRow) -> float | None:
    return row.tokens / row.costed if row.tokens and row.costed else None


def per_answer(row: LeaderboardRow) -> float | None:
    """Return the seconds of an answer; None without answers whose times are known."""
    return row.seconds / row.answers if row.answers else None
