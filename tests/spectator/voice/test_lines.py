"""The lines of the voice: which events are spoken, and which lines are dropped."""

from __future__ import annotations

from grandstand.events import CommentAdded, FactNoted
from grandstand.models import Draft, Event
from grandstand.spectator.voice.lines import LineQueue, VoiceLine, line_of
from grandstand.spectator.voice.plan import LONGEST, OTHER_VOICE, VOICE, VoicePlan

PLAN = VoicePlan(kind="cartesia", voices={"cricket": OTHER_VOICE, "press": "reader"})


def event(draft: Draft, seq: int = 3) -> Event:
    return Event(episode_id="m", epoch=1, seq=seq, at=5.0, **draft._asdict())


def comment(text: str, speaker: str = "") -> Event:
    return event(Draft.of(CommentAdded(text=text, importance=0.5, rests_on=[1], beat="ball", speaker=speaker)))


def line(number: int, importance: float, episode_id: str = "m") -> VoiceLine:
    return VoiceLine(episode_id, number, f"line {number}", "v", importance, f"{episode_id}/{number}", float(number))


def numbers(queue: LineQueue) -> list[int]:
    return [item.comment for item in queue.clear()]


def test_a_comment_is_a_line_in_the_voice_of_its_game() -> None:
    spoken = line_of(comment("  A wide\nball. "), "cricket", PLAN)
    assert spoken is not None
    assert (spoken.comment, spoken.text, spoken.voice, spoken.importance) == (3, "A wide ball.", OTHER_VOICE, 0.5)
    other = line_of(comment("A wide ball."), "diplomacy", PLAN)
    assert other is not None
    assert other.voice == VOICE
    assert other.clip != spoken.clip, "another voice is another clip"
    assert other.clip == PLAN.clip("A wide ball.", VOICE)


def test_the_analyst_has_another_voice() -> None:
    for game in ("cricket", "diplomacy"):
        voices = {line.voice for speaker in ("", "analyst") if (line := line_of(comment("A", speaker), game, PLAN))}
        assert voices == {VOICE, OTHER_VOICE}
    named = VoicePlan(kind="cartesia", voices={"analyst": "second"})
    said = line_of(comment("A", "analyst"), "cricket", named)
    assert said is not None
    assert said.voice == "second"


def test_the_clip_depends_on_the_model_and_the_form() -> None:
    names = {plan.clip("A", "v") for plan in (PLAN, VoicePlan(kind="cartesia", model="other"), VoicePlan(form="wav"))}
    assert len(names) == 3


def test_what_is_not_for_everyone_is_no_line() -> None:
    secret = event(Draft.of(CommentAdded(text="A", importance=1, rests_on=[1], beat="b"), ["NORTH"]))
    fact = event(Draft.of(FactNoted(kind="k", text="A", importance=1, rests_on=[1])))
    assert line_of(secret, "cricket", PLAN) is None
    assert line_of(fact, "cricket", PLAN) is None
    assert line_of(comment("…"), "cricket", PLAN) is None, "there is nothing to say"


def test_public_press_is_read_in_its_own_voice_where_one_is_set() -> None:
    data = {"turn": "S1901M", "sender": "FRANCE", "recipients": ["ITALY"], "text": "Peace!", "public": True}
    spoken = line_of(event(Draft("MessageSent", data)), "diplomacy", PLAN)
    assert spoken is not None
    assert (spoken.text, spoken.voice) == ("France: Peace!", "reader")
    assert line_of(event(Draft("MessageSent", data, ["FRANCE", "ITALY"])), "diplomacy", PLAN) is None
    assert line_of(event(Draft("MessageSent", data)), "diplomacy", VoicePlan(kind="cartesia")) is None


def test_each_sender_of_public_press_has_one_of_the_voices() -> None:
    voices = ("bass", "alto", "tenor", "treble")
    plan = VoicePlan(kind="cartesia", voices={"press": "|".join(voices)})

    def voice_of(sender: str, text: str) -> str:
        data = {"turn": "S1901M", "sender": sender, "recipients": ["ITALY"], "text": text, "public": True}
        spoken = line_of(event(Draft("MessageSent", data)), "diplomacy", plan)
        assert spoken is not None
        return spoken.voice

    seats = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    heard = {seat: voice_of(seat, "Peace!") for seat in seats}
    assert len(set(heard.values())) > 2
    assert set(heard.values()) <= set(voices)
    assert {seat: voice_of(seat, "War!") for seat in seats} == heard


def test_a_long_line_is_cut_between_words_and_a_bad_one_is_made_readable() -> None:
    spoken = line_of(comment("word " * 500 + "\ud800"), "cricket", PLAN)
    assert spoken is not None
    assert len(spoken.text) <= LONGEST
    assert spoken.text.endswith("word")
    broken = line_of(comment("a\ud800b"), "cricket", PLAN)
    assert broken is not None
    assert broken.text == "ab"


def test_two_lines_of_a_match_wait_and_the_least_important_is_dropped() -> None:
    queue = LineQueue()
    assert queue.add(line(1, 0.5)) is None
    assert queue.add(line(2, 0.9)) is None
    assert queue.add(line(9, 0.1, "other")) is None
    assert queue.add(line(3, 0.7)) == line(1, 0.5)
    assert queue.add(line(4, 0.2)) == line(4, 0.2), "it is not worth the others"
    assert queue.add(line(5, 0.7)) == line(3, 0.7), "of two that matter the same, the older"
    assert numbers(queue) == [2, 9, 5]


def test_a_line_that_is_put_back_keeps_its_place() -> None:
    queue = LineQueue()
    queue.add(line(1, 0.5))
    first = queue.next()
    queue.add(line(2, 0.5))
    assert first is not None
    queue.put_back(first)
    assert numbers(queue) == [1, 2]


def test_a_clip_that_is_being_made_is_not_made_again() -> None:
    queue = LineQueue()
    queue.add(line(1, 0.5))
    assert queue.next(["m/1"]) is None
    assert queue.next() == line(1, 0.5)
    assert queue.next() is None
