"""The speech act of a sentence: asking, offering, refusing, warning. Rules over its gloss; the first match counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from grandstand.games.diplomacy.bots.talking.letters.gloss import Gloss, glosses
from grandstand.games.diplomacy.rules.map import POWER

Kind = Literal[
    "ask_bot",
    "threat",
    "break",
    "ask_past",
    "ask_third",
    "plan",
    "ask_support",
    "offer_support",
    "bargain",
    "bounce",
    "leave",
    "ally",
    "peace",
    "draw",
    "ask_price",
    "ask_choice",
    "offer_help",
    "ask_trust",
    "ask_whether",
    "ask_plans",
    "refuse",
    "reproach",
    "protest",
    "insult",
    "warn",
    "report",
    "assure",
    "announce",
    "accept",
    "sorry",
    "thanks",
    "congratulate",
    "condole",
    "small_talk",
    "greet",
    "unknown",
]
"""The kinds of acts, in the order in which the acts of a letter are answered."""

_HOSTILE = (
    r"\b(?:i|we)(?: will| be| in| going to| have to| must| you)* (?:attack|bounce|betray|end|over" r"|build)\b(?! #)"
)
_PROPOSES = (
    r"\b(?:let us|want|suggest|will|can|please|how about|need|offer|join|with (?:me|you)|between we"
    r"|we (?:be|must|need))\b"
)
_NO_PROPOSAL = (
    r"\bnot\b|\bdid\b|\b(?:convince|trying)\b|\b(?:be|have) you\b|\b(?:they|he|she)\b"
    r"|\b(?:ally|peace) (?:with|and) #|\bthink we (?:we )?be\b"
)
_OPEN = re.compile(
    r"^(?:(?:so|but|and|well|hello|ok|accept|#\w+)[ ,]+)*(?:why|what|who|where|which|how|when|is it true"
    r"|be (?:you|i|we|that|it|#)|do you|did you|will you|can (?:you|i|we)|have (?:you|#)"
    r"|(?:did|will|be|do) #)(?=\W|[A-Z]|$)"
)
_ECHO = re.compile(r",? if (?:you|that|it|u) (?:be|want|can|do|will|accept|need|help|like)\b[^@#]*$")
"""Matches a polite condition, such as `if you want`."""


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: Kind
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    asks: bool | None = None
    third: bool | None = None
    """Whether a power that is neither the writer nor the reader must be named, or must not be."""


def _rule(kind: Kind, pattern: str, unless: str = "", *, asks: bool | None = None, third: bool | None = None) -> _Rule:
    return _Rule(kind, re.compile(pattern), re.compile(unless) if unless else None, asks, third)


_RULES = (
    _rule("ask_bot", r"\bbot\b.*\byou\b|\byou\b.*\bbot\b|\b(?:be|talk\w*|with|to) (?:a |to |with )*bot\b", r"^bot\b"),
    _rule(
        "small_talk",
        r"\bchat\b",
        r"\b(?:support|ally|attack|peace|bounce|stay out of|did|insult|lie|deal|well)\b|^accept",
    ),
    _rule(
        "reproach",
        r"\byou did (?:promise|say)\b|\byou did lie\b|\byou\b.*\bdid (?:break|betray)\b",
        r"\bwhat happen\b|\bwhy\b",
        asks=False,
        third=False,
    ),
    # Conditions
    _rule("threat", r"\bor else\b"),
    _rule(
        "threat",
        rf"\b(?:if|unless|or|one more)\b.*{_HOSTILE}|{_HOSTILE}.*\b(?:unless|if you (?!will|can|do|want))\b"
        rf"|^(?:take|go|attack|one more)\b.* and .*{_HOSTILE}",
        r"\bwant\b.*\bor\b|\bcan you\b|\bdid\b",
        asks=False,
    ),
    _rule(
        "bargain",
        r"^(?=.*\b(?:i|we|my)\b)(?=.*\b(?:you|your)\b).*\b(?:if|as long as|price for)\b",
        r"\b(?:win|know|let me know|see|help)\b|^what|\bprice\b(?! for you)|\bbounce me\b",
    ),
    # Questions
    _rule("ask_price", r"^(?!.*\bnot\b).*\bprice\b|\bwhat\b.*\byou\b.*\b(?:want|take|need|get)\b.* for\b", asks=True),
    _rule("ask_choice", r"\brather\b.*\bor\b|[@#]\w+\b.*\bor\b.*[@#]\w+", r"\bsupport\b|\bif\b|\bbot\b", asks=True),
    _rule(
        "ask_trust",
        r"\btrust you\b|\bhow (?:do|can|will|be) (?:i|we) (?:know|see)\b|\byou\b.*\bbetray (?:me|we)\b",
        asks=True,
    ),
    _rule("ask_third", r"\bis it true\b|\b(?:be|is) (?:that|it|this) (?:really )?true\b"),
    _rule("ask_past", r"\b(?:why|how come|what happen)\b", asks=True, third=False),
    _rule("ask_past", r"\b(?:why|how come)\b.*\byou\b|\bdid you (?:lie|attack|betray|break|promise|go|take)\b"),
    _rule("ask_past", r"\b(?:did you|have you|you did)\b", r"\bplease\b", asks=True, third=False),
    _rule("ask_third", r"\bwho\b.*\b(?:win|winner|strong|danger|watch|think)\b|\bwinner\b", asks=True),
    _rule(
        "offer_help",
        r"\b(?:how|what|anything i) can i\b|\bcan i (?:be|do|help)\b|\blet me know if you need\b"
        r"|\bwant me to\b|\bneed (?:any |anything |some |my )+(?:help|from me)|\bhelp you\b|\banything i can\b",
        r"\bsupport\b|\bnot\b|\bthank\b",
    ),
    # Refusals, notices
    _rule("peace", r"\bnot\b.*\battack\b.* each other\b|\bstop attack\b"),
    _rule(
        "report",
        r"^(?:hello|so|and|but|,| )*#\w+ .*\b(?:attack|take|did attack|betray) (?:me|my|we)\b",
        asks=False,
        third=True,
    ),
    _rule("warn", r"\bnot trust\b.*#|\bwatch\b", asks=False),
    _rule(
        "assure",
        r"\b(?:i|we|my|not)\b.*\bnot\b.*\b(?:attack|betray|going to|go|take|bounce)\b.*\b(?:you|your|against"
        r"|@\w+)|\bnothing against you\b",
        r"\b(?:not of we|you (?:will|be|do|can)|support|help|ally|peace|move)\b|@\w+ (?:>|to) @",
        asks=False,
    ),
    _rule(
        "break",
        r"\b(?:ally|deal|peace)(?: \w+){0,3} (?:over|end|did break)\b"
        r"|\b(?:end|break|over)(?: \w+){0,3} (?:ally|deal|peace)\b|\b(?:we|you|i) be over\b"
        r"|\bwe be in attack\b",
        r"\byou\b.*\bdid break\b|\bnot\b|\blet us\b|\b(?:they|them|he)\b",
        asks=False,
    ),
    _rule("leave", r"\bnot of (?:we|you)\b.*@|\b(?:dmz|stay out of)\b.*\bbetween we\b"),
    _rule("refuse", r"\brefuse\b", r"\byou\b.*\brefuse"),
    _rule(
        "refuse",
        r"\b(?:i|we)\b[^,]*\bnot\b[^,]*\b(?:want|need|accept|ally|peace|support|help|able|can|think|deal|vote"
        r"|draw|do)\b|\b(?:can|will|do) not (?:help|support|do|join|accept|want|need|spare)\b|\bnot support\b"
        r"|\bthere (?:will )?be not\b|\bnot (?:peace|ally|deal|accept|great|want|draw)\b|^not(?: ,| \.| !|$)"
        r"|\bit not accept",
        r"^(?:he|she|they|it|#\w+)\b|\b(?:let us|why|you did)\b|\b(?:can|will) you not\b|\bnot .*each other",
        asks=False,
    ),
    # Questions about third powers, and proposals that name one
    _rule(
        "ally",
        r"\b(?:let us|want|can you|will you|please|together|we|join|interested|how about)\b.*\b(?:ally|attack"
        r"|against|stop)\b",
        r"\bbe you (?:and|ally)\b|\b(?:ally|together) with #|\bwhat\b|\bwin\b|\bdid\b|\bsay\b|^#|\btold\b",
        third=True,
    ),
    _rule("ally", r"\bally\b.*\bagainst #|^(?:attack|stop) #", r"\bbe you\b|\bwhat\b|^#|\bdid\b|\bknow\b", third=True),
    _rule("ask_third", r"#", r"\b(?:support|@\w+ (?:>|to) @)\b.*\bme\b", asks=True, third=True),
    # Support, bounces, zones
    _rule("announce", r"\bsupport (?:myself|ourselves)\b"),
    _rule("offer_support", r"\b(?:want|need|offer|take|give you|have) my support\b|\bdo you want (?:a )?support\b"),
    _rule(
        "offer_support",
        r"^(?!.*\b(?:can|will|please|do) you\b)(?:.*\b(?:i|we|my (?:army|fleet|unit)|let me"
        r"|me)\b.*?\bsupport\b(?! (?:me|my)\b))",
        r"\byour\b[^@]*\b(?:support|help)\b|\bneed\b|\bplease\b|\bthank\b|\bdid\b|\bsupport from you\b"
        r"|\byou (?:be|will) support\b|^(?:the )?#",
    ),
    _rule(
        "bounce",
        r"\bbounce\b",
        r"\bnot bounce\b|\bdid\b|\bbounce you\b|\b(?:he|they|#\w+) (?:will )?bounce\b|\bbe not\b",
    ),
    _rule("ask_support", r"\bsupport\b|\bhelp (?:me|my)\b.*@|\bneed\b.*\byour\b.*\bhelp\b", r"\bthank\b|\bdid\b"),
    _rule("ask_whether", r"\byou be not\b.*\b(?:right|be you)\b", asks=True),
    _rule("ask_whether", r"\bbe you\b.*\b(?:going to|go|take|attack|hold)\b", r"\bplease\b", asks=True),
    _rule(
        "leave",
        r"\b(?:dmz|stay out of)\b|\bleave\b.*@|\byou(?:r \w+)?\b.*\bout of (?:the )?@|\bget\b.*\bout of\b"
        r"|^(?:please )?(?:do )?not (?:go|take|going to|attack)\b.*@|\byou\b.*\bnot (?:go|take|going to)\b.*@",
        r"^(?!.*\b(?:you|we|us|please)\b).*\b(?:i|my)\b|\bthank\b",
    ),
    _rule("assure", r"\b(?:i|my)\b.*\bstay out of\b"),
    # Friendship
    _rule("draw", r"\bdraw\b"),
    _rule("ally", rf"\bally\b.*{_PROPOSES}|{_PROPOSES}.*\bally\b|^\W*ally\b", _NO_PROPOSAL),
    _rule("report", r"\bpeace\b", r"\b(?:let us|between we|with me|you and (?:i|me)|we)\b", asks=False, third=True),
    _rule("peace", rf"\bpeace\b.*{_PROPOSES}|{_PROPOSES}.*\b(?:peace|friend)\b|^\W*peace\b", _NO_PROPOSAL),
    _rule("ally", r"\bally\b", _NO_PROPOSAL, asks=True),
    _rule("peace", r"\bpeace\b", _NO_PROPOSAL, asks=True),
    _rule("ally", r"\bhelp me\b.*\bagainst\b"),
    # Questions about the reader
    _rule(
        "ask_whether",
        r"\b(?:be|will|do) you\b.*\b(?:going to|go|take|attack|hold|betray|build)\b",
        r"^what|^where|\bplease\b|\bwho\b",
        asks=True,
    ),
    _rule("ask_plans", r"\bwhat do you plan\b|\blet me know\b.*\b(?:plan|you)\b"),
    _rule(
        "ask_plans",
        r"\bwhat\b.*\b(?:you|your|plan|army|fleet|unit)\b|\bwhich\b.*\byou\b.*\bgo|\byour plan\b"
        r"|\bwho\b.*\byou\b|\bwhere\b.*\b(?:you|your|go|going to|army|fleet)\b",
        asks=True,
    ),
    _rule(
        "plan",
        r"\byou (?:can|will|must|need|have|go|take|attack|hold)\b.*@|\bcan you\b.*@|\bsuggest\b.*@"
        r"|\blet us\b.*@|\b(?:want|need) you to\b.*@",
    ),
    # What was, and what others do
    _rule(
        "reproach",
        r"\byou\b.*\b(?:did lie|lie|did promise|did betray|did break|did say|betray)\b|\blie\b"
        r"|\bdid (?:break|lie)\b",
        third=False,
    ),
    _rule(
        "protest",
        r"\byou did (?:attack|take|go|bounce)\b|\b(?:did attack|attack|did take) (?:me|my)\b"
        r"|\byou\b.*\bdid attack\b",
        third=False,
    ),
    _rule("insult", r"\binsult\b"),
    _rule("warn", r"#\w+.*\b(?:win|strong|danger|big|stop|watch)\b", asks=False, third=True),
    _rule(
        "report",
        r"\bknow\b.*#|#\w+.*\b(?:attack|say|did|want|plan|go|going to|build|ally|peace|be|will|take|have)\b",
        asks=False,
        third=True,
    ),
    _rule("report", r"\b(?:he|she|they)\b.*\b(?:did|say|attack|want)\b", asks=False),
    _rule("leave", r"\b(?:you|please|can)\b.*\bgive me\b.*@|^give me\b.*@|\bcan i (?:please )?(?:have|get|take)\b.*@"),
    _rule("announce", r"\bunsure\b", asks=False),
    _rule(
        "announce",
        r"\b(?:i|we|my)\b.*\b(?:go|going to|hold|take|attack|did go|build|plan|cut)\b.*[@#]"
        r"|^(?:just )?(?:hold|go)\b.*@|^(?:army|fleet)? ?@\w+ (?:>|hold)",
    ),
    # Courtesies
    _rule(
        "accept",
        r"^\W*(?:(?:hello|#\w+|and|so|well|chat)\W+)*(?:accept|deal|great(?: deal| plan)?)(?= *(?:[,.!]|$)"
        r"| (?:to|by|for|with|then|i|we|that|and|let) | @)|\b(?:i|we)(?: will| be)? accept\b"
        r"|\baccept (?:to|by|for|with) me\b|\bthat accept\b|^accept (?:deal|chat)",
        asks=False,
    ),
    _rule("sorry", r"\bsorry\b"),
    _rule("thanks", r"\bthank\b"),
    _rule("congratulate", r"\bwell played\b"),
    _rule("condole", r"\bcondole\b"),
    _rule("small_talk", r"\bchat\b"),
    _rule("greet", r"\bhello\b"),
)


def kind_of(gloss: Gloss, speaker: int, listener: int) -> Kind:
    """Return the kind of act of a sentence."""
    words = _ECHO.sub("", gloss.words)
    asks = gloss.asks or bool(_OPEN.search(words))
    third = bool(thirds(words, speaker, listener))
    for rule in _RULES:
        if rule.asks is not None and rule.asks != asks:
            continue
        if rule.third is not None and rule.third != third:
            continue
        if rule.pattern.search(words) and not (rule.unless and rule.unless.search(words)):
            return rule.kind
    return "unknown"


def thirds(words: str, speaker: int, listener: int) -> tuple[int, ...]:
    """Return the powers that a gloss names, without the two correspondents."""
    named = (POWER[name] for name in re.findall(r"#([A-Z]+)", words))
    return tuple(dict.fromkeys(power for power in named if power not in (speaker, listener)))


@lru_cache(maxsize=4096)
def kinds_in(text: str, speaker: int = -1, listener: int = -1) -> tuple[tuple[Gloss, Kind], ...]:
    """Return the sentences of a letter with the act of each; without `speaker` and `listener`, every power counts as a
    third."""
    return tuple((gloss, kind_of(gloss, speaker, listener)) for gloss in glosses(text))
