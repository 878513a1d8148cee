"""The speeches of the built-in players: acts in the phrases of a character, with a true reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grandstand.games.werewolf.bots.minds import Mind
from grandstand.games.werewolf.bots.voices import GENERAL, VOICES
from grandstand.games.werewolf.speech import LONGEST, Act, read

BECAUSE: Final = {
    "votes": ("that vote against {who}, who was no wolf", "the vote against {who} was no accident"),
    "claims": ("it does not fit what {who} says", "either that or {who} lies, and I believe {who}"),
    "words": ("so quick to point at {who}", "so loud against {who}, with so little to show"),
    "silence": ("not one accusation so far", "not a word that helps us yet"),
    "attacks": ("{who} said so too, and was attacked", "{who} saw it, and is gone"),
}
"""Kind of reason -> its phrases, each of which is true when it is given."""


def reason(mind: Mind, acts: Sequence[str]) -> str:
    """Return the kind of reason that is true for the first accusation; `no reason` if none is."""
    accused = next((act.of for act in map(read, acts) if act.kind == "suspect"), "")
    return next((kind for kind, _ in _reasons(mind, accused)), "no reason") if accused else "no reason"


def words(mind: Mind, acts: Sequence[str], because: str) -> str:
    """Return the speech, in sentences that nobody has used before if there are any."""
    said = " ".join(speech["text"] for speech in mind.seen["speeches"])
    spoken = ""
    for act in [*map(read, acts)] or [Act("pass", "")]:
        sentence = _sentence(mind, act, said)
        if act.kind == "suspect" and because != "no reason":
            sentence = _joined(sentence, _because(mind, act.of, because, said))
            because = "no reason"
        if len(f"{spoken} {sentence}") <= LONGEST:
            spoken = f"{spoken} {sentence}".strip()
    return spoken


def _sentence(mind: Mind, act: Act, said: str) -> str:
    """Return an act in a sentence of the character, at random among the least used."""
    own = VOICES.get(mind.who.name, {}).get(act.kind, ())
    forms = [*own, *own, *GENERAL[act.kind]]
    mind.rng.shuffle(forms)
    role = act.of if act.kind == "claim" else ""
    filled = [form.format(of=act.of, role=role) for form in forms]
    return min(filled, key=lambda sentence: said.count(sentence))


def _because(mind: Mind, accused: str, kind: str, said: str) -> str:
    who = next(who for found, who in _reasons(mind, accused) if found == kind)
    forms = [form.format(who=who) for form in BECAUSE[kind]]
    mind.rng.shuffle(forms)
    return min(forms, key=said.count)


def _joined(sentence: str, because: str) -> str:
    """Return `I suspect Ben: so quick to point at Ada.`; two sentences after a question or another colon."""
    if ":" in sentence or sentence.endswith("?"):
        return f"{sentence} {because[:1].upper()}{because[1:]}."
    return f"{sentence.rstrip('.!')}: {because}."


def _reasons(mind: Mind, accused: str) -> Iterator[tuple[str, str]]:
    """Yield the true reasons against a seat: the kind, and the seat that it mentions."""
    seen = mind.seen
    good = [death["seat"] for death in seen["out"] if death["role"] != "wolf"]
    attacked = [death["seat"] for death in seen["out"] if death["how"] == "night"]
    votes = [ballot["votes"].get(accused, "") for ballot in reversed(seen["ballots"])]
    speeches = [(speech, list(map(read, speech["acts"]))) for speech in seen["speeches"]]
    accusing = [
        act.of for speech, acts in speeches if speech["seat"] == accused for act in acts if act.kind == "suspect"
    ]
    rivals = [seat for seat in mind.made.of(mind.made.roles.get(accused, "")) if seat != accused]
    doubting = [
        speech["seat"]
        for speech, acts in speeches
        if speech["seat"] in attacked and any(act == ("suspect", accused) for act in acts)
    ]
    if rivals:
        yield "claims", rivals[0]
    if doubting:
        yield "attacks", doubting[-1]
    if wrong := [vote for vote in votes if vote in good]:
        yield "votes", wrong[0]
    if others := [seat for seat in accusing if seat not in (mind.me, *mind.mates)]:
        yield "words", others[-1]
    if not accusing and any(speech["seat"] == accused for speech, _ in speeches):
        yield "silence", ""
