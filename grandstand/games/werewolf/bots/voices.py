"""The phrases of the characters, by kind of act, if they have their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

GENERAL: Final[Mapping[str, Sequence[str]]] = {
    "suspect": (
        "I suspect {of}.",
        "My finger points at {of}.",
        "{of} is where I would look.",
        "Let us talk about {of}.",
        "I do not like what I see of {of}.",
        "If I had to vote now, it would be {of}.",
    ),
    "trust": (
        "I trust {of}.",
        "{of} seems honest to me.",
        "I would leave {of} alone.",
        "With {of} I feel safe.",
    ),
    "claim": (
        "I am the {role}.",
        "You should know it: I am the {role}.",
        "The {role} is me.",
        "I have kept it to myself so far: {role}.",
    ),
    "wolf": (
        "I checked {of}: a wolf.",
        "In the night I saw it: {of} is a wolf.",
        "{of} is a wolf, I have checked.",
    ),
    "clear": (
        "I checked {of}: no wolf.",
        "{of} is no wolf, that I know.",
        "Leave {of} alone, I have checked.",
    ),
    "guarded": ("I protected {of}.", "It was {of} that I protected in the night."),
    "pass": (
        "I have nothing to add.",
        "I would rather listen.",
        "Go on, I am listening.",
        "Nothing from me for now.",
        "I am not sure of anything yet.",
    ),
}

VOICES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "ledger": {
        "suspect": ("By my count {of} is the likeliest.", "I have it in my book: {of}.", "The sums point to {of}."),
        "trust": ("{of} adds up.", "Nothing stands against {of} in my book."),
        "clear": ("Strike {of} off the list: no wolf.",),
        "pass": ("The columns do not balance yet.", "Too few entries to say anything."),
    },
    "magistrate": {
        "suspect": ("{of}, what do you say to this?", "I call upon {of} to explain.", "The case against {of} is open."),
        "trust": ("I find nothing against {of}.", "{of} is heard, and believed."),
        "claim": ("For the record: I am the {role}.",),
        "pass": ("I hear all sides first.", "The hearing goes on."),
    },
    "advocate": {
        "suspect": ("I say it unwillingly: {of}.", "Nobody speaks for {of}, and neither can I."),
        "trust": ("I stand by {of}.", "Somebody has to speak up for {of}.", "Go easy on {of}."),
        "pass": ("Let nobody be exiled in haste.", "Everyone deserves a hearing."),
    },
    "hothead": {
        "suspect": (
            "{of}! Who else!",
            "It is {of}, I feel it in my bones!",
            "Out with {of}!",
            "I have had enough of {of}!",
        ),
        "claim": ("Enough of this! I am the {role}!",),
        "wolf": ("{of} is a wolf! I saw it!",),
        "pass": ("Come on, somebody say something!", "This is going nowhere!"),
    },
    "pretender": {
        "suspect": (
            "As you must have noticed, {of} is hiding something.",
            "One of us plays a part, and plays it badly: {of}.",
        ),
        "trust": ("{of} and I understand each other.",),
        "claim": ("I had hoped to stay unseen. I am the {role}.", "Since it must be said: the {role} speaks to you."),
        "pass": ("I keep my thoughts to myself a little longer.",),
    },
    "believer": {
        "suspect": ("I fear it is {of}.", "I want to be wrong about {of}."),
        "trust": ("I believe {of}.", "{of} has a good heart."),
        "pass": ("I pray that we choose well.", "I do not know whom to believe."),
    },
    "firebrand": {
        "suspect": (
            "Wake up, all of you: {of}!",
            "Why does nobody see {of}?",
            "I started this, and it ends with {of}.",
        ),
        "claim": ("Now it is said: I am the {role}!",),
        "wolf": ("There sits a wolf, and its name is {of}!",),
        "pass": ("You are all asleep!",),
    },
    "weathercock": {
        "suspect": ("I see it like the others: {of}.", "Well, then {of} for me as well.", "I have come round to {of}."),
        "trust": ("Most of us seem to trust {of}.",),
        "pass": ("I go with the table.", "It could be anyone, could it not?"),
    },
    "mouse": {
        "suspect": ("Um, {of}, perhaps.", "I hardly dare to say it: {of}."),
        "trust": ("{of} was kind to me.",),
        "claim": ("Please do not exile me. I am the {role}.",),
        "pass": ("I'd rather not say.", "Nothing.", "Me? Nothing, really.", "Please, go on without me."),
    },
}
