"""What the check of a program makes of its conduct after each incident."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.commands.bot.exam import PLAN, REPEATS, Exam
from grandstand.commands.bot.server import CheckedMatch, CheckRefused, HttpAnswer, HttpRequest, problem

PATH = "/api/episodes/kuhn-1/seats/north"


class Match(CheckedMatch):
    """A match that always waits for the seat, for `length` decisions at most."""

    def __init__(self, length: int = 1000) -> None:
        super().__init__("http://127.0.0.1:1", "")
        self.episode_id, self.seat, self.token = "kuhn-1", "north", "secret"
        self.taken: list[dict[str, Any]] = []
        self.commands: list[str] = []
        self.length = length
        self.left = self.stopped = False

    def command(self, command: str, **more: Any) -> None:
        self.commands.append(command)
        if self.stopped:
            raise CheckRefused("the match has ended")
        self.left = self.left or command == "leave"
        self.stopped = command == "stop"

    def forward(self, request: HttpRequest) -> HttpAnswer:
        if request.headers.get("Authorization") != "Bearer secret":
            return problem(401, "the token is wrong")
        if self.stopped or len(self.taken) >= self.length:
            return problem(409, "episode: it has ended", "episode")
        if request.path.endswith("/take"):
            self.left = False
            return HttpAnswer(201, b"{}")
        if self.left:
            return problem(409, "seat: taken", "seat")
        if request.method == "GET":
            return HttpAnswer(200, json.dumps({"asked": "choose", "number": len(self.taken), "left": 60.0}).encode())
        return self._decide(json.loads(request.body))

    def _decide(self, decision: dict[str, Any]) -> HttpAnswer:
        number = decision.get("number", len(self.taken))
        if number == len(self.taken) - 1 and decision == self.taken[-1]:
            return HttpAnswer(200, b"{}")
        if number != len(self.taken):
            return problem(409, "number: another is due", "number")
        self.taken.append(decision)
        return HttpAnswer(202, b"{}")


class Program:
    """A sound program; its subclasses are not."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.view: dict[str, Any] = {}
        self.drawn = 0

    def call(self, method: str, path: str = PATH + "?wait=30", body: Any = None) -> dict[str, Any]:
        """Send a request until there is an answer."""
        request = HttpRequest(method, path, {"Authorization": "Bearer secret"}, json.dumps(body).encode())
        while not self.exam.done.is_set() or not self.exam.reason:
            answer = self.exam.handle(request)
            if answer is not None and answer.status != 503:
                return answer.data()
        return {"field": "episode"}

    def action(self) -> dict[str, Any]:
        self.drawn += 1
        return {"move": self.drawn}

    def decide(self) -> dict[str, Any]:
        return self.call("POST", PATH, {"action": self.action(), "number": self.view["number"]})

    def take(self) -> None:
        self.call("POST", f"{PATH}/take")

    def play(self) -> None:
        while (view := self.call("GET")).get("field") != "episode":
            self.view = view
            if view.get("field") == "seat":
                self.take()
            else:
                self.decide()


class Unnumbered(Program):
    def decide(self) -> dict[str, Any]:
        return self.call("POST", PATH, {"action": self.action()})


class Forgetful(Program):
    """Another action when an answer is lost."""

    def call(self, method: str, path: str = PATH + "?wait=30", body: Any = None) -> dict[str, Any]:
        while not self.exam.reason:
            again = {**body, "action": self.action()} if body else body
            answer = self.exam.handle(
                HttpRequest(method, path, {"Authorization": "Bearer secret"}, json.dumps(again).encode())
            )
            if answer is not None and answer.status != 503:
                return answer.data()
        return {"field": "episode"}


class Blind(Program):
    """No look at the seat after a decision that has passed."""

    def decide(self) -> dict[str, Any]:
        while (answer := super().decide()).get("field") == "number":
            pass
        return answer


class Proud(Program):
    def take(self) -> None: ...


class Impatient(Program):
    """The end of the match at the first broken connection."""

    def call(self, method: str, path: str = PATH + "?wait=30", body: Any = None) -> dict[str, Any]:
        answer = self.exam.handle(
            HttpRequest(method, path, {"Authorization": "Bearer secret"}, json.dumps(body).encode())
        )
        return {"field": "episode"} if answer is None else answer.data()


class Endless(Program):
    def play(self) -> None:
        super().play()
        for _ in range(3):
            self.call("GET")


def examined(kind: type[Program], match: Match | None = None, status: int | None = 0) -> Exam:
    exam = Exam(match or Match())
    kind(exam).play()
    exam.finish("the program ended with status 0")
    exam.conclude(status)
    return exam


def failed(exam: Exam) -> list[str]:
    return [name for name, check in exam.checks.items() if check.passed is False]


def test_a_sound_program_passes_every_check() -> None:
    match = Match()
    exam = examined(Program, match)
    assert [name for name, check in exam.checks.items() if not check.passed] == []
    assert exam.reason == ""
    assert match.commands == ["pause", "leave", "resume", "stop"]
    assert [decision["number"] for decision in match.taken] == list(range(len(match.taken)))


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (Unnumbered, "numbers", "without a number"),
        (Unnumbered, "lost", "played twice"),
        (Forgetful, "lost", "another action came as decision"),
        (Blind, "passed", "without a look"),
        (Proud, "taken", f"{REPEATS} requests"),
        (Impatient, "cut", "the program ended"),
        (Endless, "ended", "requests more"),
    ],
)
def test_a_program_fails_where_it_goes_wrong(kind: type[Program], name: str, words: str) -> None:
    exam = examined(kind)
    assert name in failed(exam)
    assert words in exam.checks[name].note


def test_what_comes_after_the_end_of_the_check_is_not_judged() -> None:
    exam = examined(Impatient)
    assert failed(exam) == ["cut"]
    assert {name for name in PLAN if exam.checks[name].passed is None} == set(PLAN) - {"cut"}


def test_a_match_that_is_too_short_says_so() -> None:
    exam = examined(Program, Match(length=3))
    assert "longer" in exam.reason
    assert failed(exam) == []
    assert exam.checks["taken"].passed is None


def test_a_wrong_token_is_named() -> None:
    exam = Exam(Match())
    exam.handle(HttpRequest("GET", PATH, {}, b""))
    exam.finish("no request for 60 s")
    assert exam.checks["sits"].note == "a request was answered 401"


def test_an_exit_status_is_judged() -> None:
    exam = examined(Program, status=1)
    assert failed(exam) == ["ended"]
    assert exam.checks["ended"].note == "exit status 1"


def test_a_program_that_asks_all_the_time_does_not_wait() -> None:
    class Quiet(Match):
        def forward(self, request: HttpRequest) -> HttpAnswer:
            return HttpAnswer(200, b'{"asked": null, "number": 0}')

    exam = Exam(Quiet())
    for _ in range(2):
        exam.handle(HttpRequest("GET", f"{PATH}?wait=30", {}, b""))
    assert exam.checks["waits"].passed is None
    for _ in range(2):
        exam.handle(HttpRequest("GET", PATH, {}, b""))
    assert exam.checks["waits"].passed is False
