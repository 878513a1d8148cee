"""Every malformed reply that we know of, and what is made of it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.players.llm import replies
from grandstand.players.llm.replies import LONGEST, ReplyError, clean, parse_reply, split_thought
from tests.support.players.plain_reader import parse_plainly

ORDERS = {"orders": ["A PAR H"]}

READ = {
    "plain": '{"orders": ["A PAR H"]}',
    "byte order mark": '\ufeff{"orders": ["A PAR H"]}',
    "fenced": 'Sure!\n```json\n{"orders": ["A PAR H"]}\n```\nGood luck.',
    "fence without language": '```\n{"orders": ["A PAR H"]}\n```',
    "prose around": 'I think {holding} is best: {"orders": ["A PAR H"]} as said.',
    "after thought": '<think>perhaps {"orders": ["A PAR - BUR"]}?</think>{"orders": ["A PAR H"]}',
    "thought opened by the template": 'perhaps {"orders": ["A PAR - BUR"]}</think>\n{"orders": ["A PAR H"]}',
    "the last one counts": '{"orders": ["A PAR - BUR"]} No, rather: {"orders": ["A PAR H"]}',
    "wrapped": '{"action": {"orders": ["A PAR H"]}}',
    "wrapped in prose": 'So: {"action": {"orders": ["A PAR H"]}}.',
    "in a list": '[{"orders": ["A PAR H"]}]',
    "bare list": '["A PAR H"]',
    "JSON within a string": json.dumps('{"orders": ["A PAR H"]}'),
    "single quotes": "{'orders': ['A PAR H']}",
    "typographic quotes": "{“orders”: [“A PAR H”]}",
    "backticks": "{`orders`: [`A PAR H`]}",
    "trailing commas": '{"orders": ["A PAR H",],}',
    "bare keys": '{orders: ["A PAR H"]}',
    "comments": '{"orders": [ // my units\n "A PAR H" /* hold */ ] # done\n}',
    "new lines": '{\n\t"orders"\n:\n[\n"A PAR H"\n]\n}\n\n',
}


@pytest.mark.parametrize("text", READ.values(), ids=READ.keys())
def test_reads_what_was_meant(text: str) -> None:
    assert parse_reply(text, ("orders",)) == ORDERS


def test_reads_values_that_are_nearly_json() -> None:
    text = """Here: {'text': 'It's a deal, isn't it', "quote": "he said "no" twice", 'yes': True, 'no': None, n: -1.5e2,
    "line": "one\ntwo", 'escaped': 'tab\\tand \\u00e9 and \\'quote\\'', }"""
    assert parse_reply(text, ("text",)) == {
        "text": "It's a deal, isn't it",
        "quote": 'he said "no" twice',
        "yes": True,
        "no": None,
        "n": -150.0,
        "line": "one\ntwo",
        "escaped": "tab\tand é and 'quote'",
    }


REFUSED = {
    "empty": ("", "empty"),
    "blank": (" \n ", "empty"),
    "all thought": ("<think>I could hold</think>", "inside its reasoning"),
    "thought without end": ('<think>I could {"orders": ["A PAR H"]}', "inside its reasoning"),
    "prose": ("I hold everywhere.", "no JSON object"),
    "breaks off in a string": ('{"orders": ["A PAR H", "A MAR', "breaks off inside a string"),
    "breaks off in a list": ('{"orders": ["A PAR H"', "breaks off before"),
    "breaks off after an inner object": ('{"plan": {"orders": ["A PAR H"]}, "orders": ["A MAR', "breaks off"),
    "breaks off after a draft": ('Draft: {"orders": ["A PAR H"]}. Final: {"orders": [', "breaks off"),
    "other keys": ('{"answer": 42, "why": 1}', "the object has the keys answer, why"),
    "only a number": ("42", "no JSON object"),
    "missing colon": ('{"orders" ["A PAR H"]}', "':' was expected"),
    "missing comma": ('{"orders": ["A PAR H" ["A MAR H"]]}', "was expected at"),
    "not a number": ('{"orders": NaN}', "a value was expected"),
    "a list of objects without the key": ('[{"move": "A PAR H"}]', "the keys move"),
    "too long": ("x" * (LONGEST + 1), "write at most"),
    "too large a number": ('{"orders": 1e999}', "too large"),
    "too deep": ('{"orders": ' + "[" * 40 + "]" * 40 + "}", "within each other"),
    "much too deep": ('{"orders": ' + "[" * 20_000, "within each other"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses_what_it_would_have_to_guess(text: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        parse_reply(text, ("orders",))


def test_makes_every_string_valid_unicode() -> None:
    answer = parse_reply(r'{"orders": ["\ud83d\ude00 \ud800 \udc00"], "\udfff": 1}', ("orders",))
    assert answer == {"orders": ["😀 \ufffd \ufffd"], "\ufffd": 1}
    assert clean("\ud83d" + "\ude00") == "😀"


def test_passes_every_string_through_the_given_function() -> None:
    answer = parse_reply(
        r'{"orders": [{"a": "\u0073ecret"}, 1]}', ("orders",), lambda text: text.replace("secret", "-")
    )
    assert answer == {"orders": [{"a": "-"}, 1]}


def test_keeps_thoughts_apart() -> None:
    assert split_thought("<think>one</think>a<THINKING>two</THINKING>b") == ("one\n\ntwo", "ab")
    assert split_thought("one</think>a") == ("one", "a")
    assert split_thought("a") == ("", "a")


def filled(piece: str, before: str = "", after: str = "") -> str:
    """Return as many of `piece` as the longest reply can hold."""
    return before + piece * ((LONGEST - len(before) - len(after)) // len(piece)) + after


HOSTILE = {
    "false starts that each read all of it": '{"' * 64 + "x" * 99_000 + '":!',
    "false starts with quotes": '{"' * 64 + '"a' * 49_000,
    "false starts with numbers": '{"a":' * 30 + "[" + "1," * 49_000 + "!",
    "false starts with blanks": "{a" * 64 + " " * 99_000 + "!",
    "braces": filled("{"),
    "nested objects": filled('{"a":'),
    "nested wrappers": '{"a":' * 900 + "1" + "}" * 900,
    "comments that never end": filled("{a/*"),
    "comments": filled("/**/", before="{"),
    "empty lines": filled("#\n", before="{"),
    "quotes": filled('"a', before='{"'),
    "quotes before comments": filled('"#', before="{'a': \""),
    "escapes": filled("\\\\", before='{"a": "'),
    "numbers": filled("1,", before="{'orders': [", after="]}"),
    "valid numbers": filled("1,", before='{"orders": [', after="1]}"),
    "valid strings": filled('"",', before='{"orders": [', after='""]}'),
    "valid objects": filled("{},", before='{"orders": [', after="{}]}"),
    "false starts before valid numbers": filled("{!", after='{"orders": [' + "1," * 40_000 + "1]}"),
    "keys": filled("a:1,", before="{", after="}"),
    "thoughts": filled("<think>"),
    "ended thoughts": filled("<thinking></think>"),
    "a string of JSON": '"' + '\\"' * 49_000 + '"',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_takes_little_time(text: str) -> None:
    assert len(text) <= LONGEST
    times = []
    for _ in range(3):
        began = time.process_time()
        with pytest.raises(ReplyError):
            parse_reply(text, ("orders",))
        times.append(time.process_time() - began)
    assert min(times) < 0.5  # seconds of CPU: about 0.01 on a slow machine, and minutes if it is quadratic


ORDINARY = st.sampled_from([*READ.values(), *(text for text, _ in REFUSED.values() if len(text) < 1000)])
NEARLY = st.text(alphabet="{}[]\":,\\'ab1 \n\x1f<think>/*#“”u", max_size=80)


@settings(max_examples=500)
@given(ORDINARY, NEARLY, st.integers(0, 100), NEARLY)
def test_ordinary_text_is_read_as_a_plain_reader_reads_it(text: str, piece: str, at: int, other: str) -> None:
    for changed in (text[:at] + piece + text[at:], f"{{'orders': [{piece}]}}", piece, f'{other}{{"orders": "{piece}'):
        outcomes: list[object] = []
        for read in (parse_reply, parse_plainly):
            try:
                outcomes.append(read(changed, ("orders",)))
            except ReplyError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(-1e9, 1e9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.long
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), VALUES)
def test_json_comes_back_as_it_was(rest: dict[str, object], orders: object) -> None:
    answer = {**rest, "orders": orders}
    assert parse_reply(json.dumps(answer), ("orders",)) == answer
    assert parse_reply(f"My answer is\n{json.dumps(answer, indent=1)}", ("orders",)) == answer


@given(st.text(alphabet="{}[]\":,\\'ab1 \n<think>/*#", max_size=60) | st.text(max_size=40))
def test_never_fails_in_any_other_way(text: str) -> None:
    for piece in (text, f'{{"orders": {text}'):
        try:
            answer = parse_reply(piece, ("orders",))
        except ReplyError:
            continue
        assert "orders" in answer


def test_objects_nested_too_deeply_for_the_parser_are_not_tried_at_each_brace(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    real = replies._Reader.object_at

    def object_at(reader: replies._Reader, at: int) -> tuple[dict[str, Any], int]:
        tried.append(at)
        return real(reader, at)

    monkeypatch.setattr(replies._Reader, "object_at", object_at)
    with pytest.raises(ReplyError):
        parse_reply('{"orders": ["A PAR - BUR", ' * 2000, ["orders"])
    assert len(tried) <= 9
