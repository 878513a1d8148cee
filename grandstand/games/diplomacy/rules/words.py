"""Parser of the text of an order to its parts, in many spellings; no position needed.

Understood beside `A PAR - BUR`: any case; `->`, `-->`, `=>`, `to`, `moves to` for the dash; verbs written out; full
province names and the usual other abbreviations; coasts as `STP/SC`, `STP(SC)`, `stp sc`, `St Petersburg (south
coast)`; `BUILD A PAR` for `A PAR B`; the kind of a unit left out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from grandstand.games.diplomacy.rules.map import IMPASSABLE, PROVINCE_NAMES, PROVINCES, UNITS


class OrderError(ValueError):
    """A refused order; the message gives the reason and the remedy."""


class NotAnOrder(OrderError):
    """Text that is no order at all."""


class OrderWords(NamedTuple):
    """The parts of an order: `F STP/SC S A MOS - LVN` is kind F, place STP/SC, verb S, other A, at MOS, to LVN."""

    verb: str
    """One of `H - S C R D B WAIVE`; `-` with `via` for a move by convoy."""
    kind: str = ""
    place: str = ""
    other: str = ""
    at: str = ""
    to: str = ""
    via: bool = False


_ALIASES = {
    "GULF OF LYONS": "LYO", "GULF OF LION": "LYO", "GOL": "LYO", "GOB": "BOT", "BOTHNIA": "BOT", "HELIGOLAND BIGHT":
    "HEL", "HELIGOLAND": "HEL", "HELGOLAND": "HEL", "MID ATLANTIC OCEAN": "MAO", "MID ATLANTIC": "MAO",
    "MID-ATLANTIC": "MAO", "MID": "MAO", "NORTH ATLANTIC": "NAO", "NAT": "NAO", "NORWEGIAN": "NWG", "NRG": "NWG",
    "ECH": "ENG", "CHANNEL": "ENG", "TYN": "TYS", "TYRRHENIAN": "TYS", "LPL": "LVP", "LVO": "LVN", "ST. PETERSBURG":
    "STP", "SAINT PETERSBURG": "STP", "SKAGERRACK": "SKA", "TYROL": "TYR", "TRL": "TYR", "ROMANIA": "RUM", "ROUMANIA":
    "RUM", "ADRIATIC": "ADR", "AEGEAN": "AEG", "BALTIC": "BAL", "BARENTS": "BAR", "IONIAN": "ION", "IRISH": "IRI",
    "WESTERN MED": "WES", "EASTERN MED": "EAS", "TUNISIA": "TUN",
}  # fmt: skip
_NAMES = {name.upper(): code for name, code in zip(PROVINCE_NAMES, PROVINCES, strict=True)}
_NAMES |= {name.upper(): code for code, name in IMPASSABLE.items()} | _ALIASES
_NAME = re.compile(r"\b(" + "|".join(re.escape(name) for name in sorted(_NAMES, key=len, reverse=True)) + r")(?!\w)")
_COAST = re.compile(
    r"\b(BUL|SPA|STP)(?:\s*/\s*([NSEW])C?\b|\s*\(\s*([NSEW])[^)]*\)|[\s-]*([NSEW])C\b|[\s-]*([NSEW])\w*\s+COAST\b)"
)
_ARROW = re.compile(r"[-=]*>|[→–—]")
_TOKEN = re.compile(r"[A-Z]{3}/[NSEW]C|\w+|-")
_VERBS = {
    "H": "H HOLD HOLDS STAND STANDS",
    "-": "- M TO MOVE MOVES",
    "S": "S SUPPORT SUPPORTS",
    "C": "C CONVOY CONVOYS",
    "R": "R RETREAT RETREATS",
    "D": "D DISBAND DISBANDS REMOVE REMOVES",
    "B": "B BUILD BUILDS",
    "VIA": "VIA BY",
    "WAIVE": "WAIVE WAIVES",
    "A": "A ARMY",
    "F": "F FLEET",
}
_MEANING = {word: verb for verb, words in _VERBS.items() for word in words.split()}
_PLACES = {unit[2:] for unit in UNITS} | set(PROVINCES) | set(IMPASSABLE)
_MEANING |= {place: place for place in _PLACES}
_NOISE = {"THE", "IN", "AT", "FROM", "AUSTRIAN", "ENGLISH", "FRENCH", "GERMAN", "ITALIAN", "RUSSIAN", "TURKISH"}


def _tokens(text: str) -> list[str]:
    """Return the standard tokens: `f stp(sc) Supports army Moscow -> Livonia` is `F STP/SC S A MOS - LVN`."""
    plain = _ARROW.sub(" - ", text.upper())
    plain = _NAME.sub(lambda match: _NAMES[match[1]], plain)
    plain = _COAST.sub(lambda match: f"{match[1]}/{match[2] or match[3] or match[4] or match[5]}C", plain)
    tokens: list[str] = []
    for word in _TOKEN.findall(plain):
        if word in _NOISE:
            continue
        meaning = _MEANING.get(word)
        if meaning is None:
            raise NotAnOrder(f"{text!r}: {word!r} is neither a place on the map nor a word of an order")
        if meaning != "-" or not tokens or tokens[-1] not in ("-", "R"):
            tokens.append(meaning)
    return tokens


def _unit(tokens: list[str], text: str) -> tuple[str, str]:
    """Remove `A PAR`, or `PAR`, from the front and return it."""
    kind = tokens.pop(0) if tokens and tokens[0] in "AF" else ""
    if not tokens or tokens[0] not in _PLACES:
        raise NotAnOrder(f"{text!r}: a unit such as 'A PAR' or 'F STP/SC' is missing")
    return kind, tokens.pop(0)


def _place(tokens: list[str], text: str) -> str:
    if not tokens or tokens[0] not in _PLACES:
        raise NotAnOrder(f"{text!r}: a destination is missing")
    return tokens.pop(0)


def standard(words: OrderWords) -> str:
    """Return the order in standard notation, without the kinds of units that it leaves out."""
    if words.verb == "WAIVE":
        return words.verb
    unit = f"{words.kind} {words.place}".strip()
    if words.verb in ("-", "R"):
        return f"{unit} {words.verb} {words.to}" + (" VIA" if words.via else "")
    if words.verb not in ("S", "C"):
        return f"{unit} {words.verb}"
    other = f"{words.other} {words.at}".strip()
    return f"{unit} {words.verb} {other}" + (f" - {words.to}" if words.to else "")


@lru_cache(maxsize=1 << 14)
def order_words(text: str) -> OrderWords:
    """Return the parts of the order. Raises NotAnOrder with the problem."""
    tokens = _tokens(text)
    if tokens == ["WAIVE"]:
        return OrderWords("WAIVE")
    front = tokens.pop(0) if tokens and tokens[0] in ("B", "D") else ""
    kind, place = _unit(tokens, text)
    verb = front or (tokens.pop(0) if tokens else "H")
    words = OrderWords(verb, kind, place)
    if verb == "-":
        words = words._replace(to=_place(tokens, text))
        if tokens[:1] == ["VIA"]:
            words = words._replace(via=True)
            del tokens[: 2 if tokens[1:2] == ["C"] else 1]
    elif verb == "R":
        words = words._replace(to=_place(tokens, text))
    elif verb in ("S", "C"):
        other, at = _unit(tokens, text)
        words = words._replace(other=other, at=at)
        if verb == "C" or (tokens[:1] == ["-"] and tokens[1:2] != ["H"]):
            if tokens[:1] == ["-"]:
                tokens.pop(0)
            words = words._replace(to=_place(tokens, text))
            if tokens[:1] == ["VIA"]:
                del tokens[: 2 if tokens[1:2] == ["C"] else 1]
        elif tokens in (["H"], ["-", "H"]):
            tokens.clear()
    elif verb not in ("H", "D", "B"):
        raise NotAnOrder(f"{text!r}: after the unit comes H, -, S, C, R, D or B")
    if tokens:
        raise NotAnOrder(f"{text!r}: there is something left over at the end, {' '.join(tokens)!r}")
    return words
