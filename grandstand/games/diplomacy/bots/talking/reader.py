"""The reader of messages: requests, offers and moods.

Letters of characters are read by keywords, for which their phrases were made. Letters of people and language models
are parsed by `letters/`. A text that is not understood has an empty reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grandstand.games.diplomacy.bots.talking.letters.acts import Kind, kinds_in
from grandstand.games.diplomacy.bots.talking.letters.gloss import glosses
from grandstand.games.diplomacy.bots.talking.letters.orders import moves, supports
from grandstand.games.diplomacy.bots.talking.letters.own_words import is_own
from grandstand.games.diplomacy.bots.talking.letters.reading import acts_of
from grandstand.games.diplomacy.rules.map import PROVINCE, PROVINCE_NAMES, PROVINCES
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import State

_SPOKEN = {
    "channel": "ENG", "the med": "WES", "bothnia": "BOT", "heligoland": "HEL", "mid-atlantic": "MAO", "mid atlantic":
    "MAO", "north atlantic": "NAO", "saint petersburg": "STP", "st. petersburg": "STP", "tyrol": "TYR", "romania":
    "RUM", "adriatic": "ADR", "aegean": "AEG", "baltic": "BAL", "barents": "BAR", "ionian": "ION", "black sea": "BLA",
    "tyrrhenian": "TYS", "western med": "WES", "eastern med": "EAS", "gulf of lyons": "LYO", "tunisia": "TUN",
    "heligoland bight": "HEL", "skagerrack": "SKA", "irish": "IRI", "norwegian": "NWG", "apulia": "APU",
}  # fmt: skip
_PLACES = {name.lower(): code for name, code in zip(PROVINCE_NAMES, PROVINCES, strict=True)} | _SPOKEN
_PLACE = re.compile(
    r"\b(?:(?i:(" + "|".join(map(re.escape, sorted(_PLACES, key=len, reverse=True))) + r"))|(" + "|".join(PROVINCES)
    + r"))\b(?!-)(?:/[NS]C)?"
)  # fmt: skip
_POWERS = {
    "austria": 0, "england": 1, "britain": 1, "france": 2, "germany": 3, "italy": 4, "russia": 5, "turkey": 6,
}  # fmt: skip
_POWER = re.compile(r"\b(" + "|".join(_POWERS) + r")\b", re.IGNORECASE)

MOODS: dict[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for name, words in {
        "refuse": r"decline|refuse|i cannot|can't|i must say no|not this time|out of the question|no, |i won't|i will "
        r"not|we will not|impossible|unable to|afraid not|not possible",
        "accept": r"agreed|i agree|accept|it is settled|gladly|you have my word on it|with pleasure|consider it done"
        r"|\bdeal[.!,]|count on me|sounds good|happy to|very well|yes\b|done[.,;:]|you have it|settled, then"
        r"|you have an ally|i have given the order|the order is written",
        "ally": r"alliance|allies\b|ally\b|join forces|side by side|work together|partnership|common cause|team up",
        "peace": r"peace\b|truce|non-aggression|leave each other|no quarrel|quiet border|keep the peace"
        r"|not attack each other|live and let live|ceasefire",
        "leave": r"stay out|keep out|leave .{1,40}(?:empty|alone|vacant)|demilitari[sz]ed|dmz|neutral zone"
        r"|no man's land|withdraw|pull back|keep away|stands? empty|stays empty|neither of us enters|keep clear"
        r"|nobody of mine|nothing of mine enters|worth more to me empty",
        "support": r"(?-i:[A-Z]{3} S [AF]? ?[A-Z]{3})|support"
        r"|help\b|back my|back your|second\b|lend\b|supports\b|assist",
        "attack": r"attack|against|strike|divide|partition|march on|move on|finish|bring down|take down",
        "thanks": r"thank|grateful|obliged|in your debt|appreciate|much indebted",
        "reproach": r"you promised|you broke|broke your|broken your|you lied|liar|betray|treacher|stabbed|backstab"
        r"|your word was|deceiv|word and broke it|void by the time",
        "protest": r"you attacked|you moved against|your attack|you came at|you marched|invaded|you took my",
        "threat": r"or else|you will regret|will pay for|consequences|last warning|i will destroy|i'll destroy"
        r"|answer for (?:it|this)|crush you|come for you|war, then",
        "sorry": r"i am sorry|i'm sorry|so sorry|sorry (?:about|for)|apolog|forgive me for|regret what|my fault"
        r"|no excuse",
        "break": r"our agreement ends|our ways part|no longer bound|we are at war|i release you|consider us enemies",
        "congratulate": r"congratulat|well played|bravo|compliments on|well done|nicely done|handsomely done",
        "condole": r"condolences|sorry to see|hard luck|unlucky|pity about",
        "warn": r"beware|be careful|watch out|look to your|warn you|keep an eye|masses|massing|too strong|too large"
        r"|must be stopped|stop .{1,20}(?:now|together|before)|runaway|about to win|close to winning|winning alone",
        "draw": r"\bdraw\b|call it even|share the victory",
        "greet": r"^\s*(?:hello|hi|hey|good (?:morning|day|evening)|greetings)\b",
        "ask": r"what are your|what do you (?:plan|intend|want|mean)|your plans|your intentions|where (?:will|do) you"
        r"|what will you|tell me your|who will you|which way|whom will you",
        "insult": r"idiot|stupid|fool\b|moron|pathetic|coward|useless|shut up|hate you",
    }.items()
}
"""Mood -> the words that show it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a message, as far as it was understood."""

    moods: frozenset[str] = frozenset()
    places: tuple[int, ...] = ()
    """Provinces in the order in which they are named."""
    powers: tuple[int, ...] = ()
    """Powers named, in order."""
    asked: tuple[Order, ...] = ()
    """Supports that the speaker asks of the listener."""
    offered: tuple[Order, ...] = ()
    """Supports that the speaker offers the listener."""
    announced: tuple[Order, ...] = ()
    """Moves and holds of its own that the speaker announces."""
    question: bool = False

    @property
    def empty(self) -> bool:
        """Return whether nothing was understood."""
        return not (self.moods or self.asked or self.offered or self.announced)


_MOODS_OF: dict[Kind, str] = {
    "ally": "ally", "peace": "peace", "accept": "accept", "break": "break", "leave": "leave", "ask_support": "support",
    "offer_support": "support", "thanks": "thanks", "reproach": "reproach", "protest": "protest", "threat": "threat",
    "sorry": "sorry", "congratulate": "congratulate", "condole": "condole", "warn": "warn", "draw": "draw",
    "greet": "greet", "ask_plans": "ask", "insult": "insult",
}  # fmt: skip


@lru_cache(maxsize=4096)
def moods_of(text: str) -> frozenset[str]:
    """Return the moods of a text; no position needed."""
    if is_own(text):
        return frozenset(name for name, pattern in MOODS.items() if pattern.search(text))
    return frozenset(mood for gloss, kind in kinds_in(text) for mood in _moods_by(kind, gloss.words))


def _moods_by(kind: Kind, words: str) -> tuple[str, ...]:
    """Return the moods of an act; refusing an alliance or peace also ends an existing one."""
    if kind != "refuse":
        return (_MOODS_OF[kind],) if kind in _MOODS_OF else ()
    if re.search(r"\b(?:ally|peace)\b", words):
        return ("refuse", "break")
    return () if re.search(r"\b(?:support|help)\b", words) else ("refuse",)


@lru_cache(maxsize=4096)
def places_of(text: str) -> tuple[int, ...]:
    """Return the provinces that a text names, in order. Codes are read in capitals, unless all of the text is."""
    if text.isupper() and re.search(r"[A-Z]{4}", text):
        return ()
    return tuple(PROVINCE[_PLACES[name.lower()] if name else code] for name, code in _PLACE.findall(text))


@lru_cache(maxsize=1024)
def read(text: str, state: State, speaker: int, listener: int) -> Reading:
    """Return the content of a message of one power to another, in the position in which it was written."""
    if not is_own(text):
        return _read_person(text, state, speaker, listener)
    moods, places = moods_of(text), places_of(text)
    powers = tuple(dict.fromkeys(_POWERS[name.lower()] for name in _POWER.findall(text)))
    asked: list[Order] = []
    offered: list[Order] = []
    announced: list[Order] = []
    for clause in re.split(r"[.;!?\n]+(?:\s|$)", text):
        named = places_of(clause)
        if not named:
            continue
        if MOODS["support"].search(clause):
            request, offer = bool(_REQUEST.search(clause)), bool(_OFFER.search(clause))
            asks = supports(state, named, listener, speaker) if request or not offer else []
            asked += asks
            if not asks and (offer or not request):
                offered += supports(state, named, speaker, listener)
        elif _ANNOUNCES.search(clause):
            announced += moves(state, named, speaker)
    return Reading(
        moods,
        tuple(dict.fromkeys(places)),
        tuple(power for power in powers if power not in (speaker, listener)),
        tuple(dict.fromkeys(asked)),
        tuple(dict.fromkeys(offered)),
        tuple(dict.fromkeys(announced)),
        "?" in text,
    )


def _read_person(text: str, state: State, speaker: int, listener: int) -> Reading:
    """Return the content of a message that is not in the phrases of the characters."""
    acts = acts_of(text, state, speaker, listener)
    given = [order for act in acts if act.kind != "refuse" for order in act.mine]
    return Reading(
        moods_of(text),
        tuple(dict.fromkeys(place for act in acts for place in act.places)),
        tuple(dict.fromkeys(power for act in acts for power in act.powers)),
        tuple(
            order for act in acts if act.kind != "refuse" for order in act.yours if order[0] in (SUPPORT, SUPPORT_MOVE)
        ),
        tuple(order for order in given if order[0] in (SUPPORT, SUPPORT_MOVE)),
        tuple(order for order in given if order[0] in (MOVE, VIA, HOLD)),
        any(gloss.asks for gloss in glosses(text)),
    )


_REQUEST = re.compile(
    r"\b(?:support my|support me|help me|lend me|have my|your (?:army|fleet|unit)[^:;.,]*?\bsupports?\b"
    r"|support (?:of|from|by) your|your support|i need|please)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:my (?:army|fleet|unit)[^:;.,]*?\b(?:supports?|second)\b(?! my)"
    r"|(?:can|will|could|would|i'll) support (?:you|it)|support your|lend you|give you|help you)\b",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:my (?:army|fleet|unit)|i (?:will|am going to|shall|move|go|hold|stay)|i'll|we (?:will|move|go|hold)"
    r"|[AF] [A-Z]{3})\b",
    re.IGNORECASE,
)
