"""What a program has to stand before it is rated: incidents in its requests, and what it does after each.

The program's requests come here and are passed on to a match of a real server. Now and then a connection is cut or an
answer replaced, as it happens between machines; what the program does next decides.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import parse_qs, urlsplit

from grandstand.commands.bot.server import CheckedMatch, CheckRefused, HttpAnswer, HttpRequest, problem, read_object

Incident = Literal["cut", "lost", "unavailable", "refused", "passed", "taken", "ended"]

PLAN: Final[tuple[Incident, ...]] = ("cut", "lost", "unavailable", "refused", "refused", "passed", "taken", "ended")
"""The incidents in their order. One decision without any lies before and between them; the two refusals follow."""
CUTS: Final = 3
"""Requests in a row whose connection is closed without an answer."""
REPEATS: Final = 50
"""Requests after an incident, without getting any further, at which the check gives up."""
BUSY: Final = 0.5
"""Least seconds between two requests without `wait` while the match does not wait for the seat."""


@dataclass(slots=True)
class ConductCheck:
    """One thing that the program has to do."""

    name: str
    remedy: str
    passed: bool | None = None
    """None until it is known."""
    note: str = ""


def _checks() -> dict[str, ConductCheck]:
    return {
        "sits": ConductCheck("sits down", "GET …/seats/SEAT with the header `Authorization: Bearer TOKEN`"),
        "waits": ConductCheck("waits for its turn", "ask with `?wait=30`, which answers when the seat is asked"),
        "numbers": ConductCheck(
            "numbers its decisions", "send the view's `number` with each action, and with messages"
        ),
        "clock": ConductCheck("keeps the clock", "answer before the view's `deadline`"),
        "cut": ConductCheck(
            "reconnects", f"after a broken connection send the request again, a second later; {CUTS} in a row"
        ),
        "lost": ConductCheck(
            "repeats a decision whose answer is lost", "send the same action and number again: it counts once"
        ),
        "unavailable": ConductCheck("repeats a decision after 503", "wait a second and send the same request again"),
        "refused": ConductCheck(
            "chooses again after 422, twice", "nothing was played: send an action with the same number"
        ),
        "passed": ConductCheck(
            "looks again after 409 `number`", "another decision is due: GET the seat before the next POST"
        ),
        "taken": ConductCheck(
            "takes its seat back", "after 409 `seat` send POST …/seats/SEAT/take with the seat's token"
        ),
        "ended": ConductCheck("ends with its match", "after 409 `episode` ask no more, and exit with status 0"),
    }


class Exam:
    """The state of one check. Requests may come from several threads."""

    def __init__(self, match: CheckedMatch) -> None:
        self._match = match
        self._lock = threading.Lock()
        self.checks = _checks()
        self.done = threading.Event()
        """Set when nothing more is to be learned but how the program ends."""
        self.ended = False
        """True when the program was told that its match has ended."""
        self.reason = ""
        """Why the check ended before all incidents; '' if it did not."""
        self._asked_at = time.monotonic()
        self._pending = 0
        self._plan = deque(PLAN)
        self._open: Incident | None = None
        self._decision: dict[str, Any] = {}
        """The decision that the open incident met."""
        self._after = 0
        """Requests since the open incident."""
        self._cuts = 0
        self._decisions = 0
        """Decisions that the server has taken since the last incident was closed."""
        self._looked = False
        self._shown: dict[int, tuple[float, float]] = {}
        """Number of a decision -> when it was first shown, and when its clock runs out."""
        self._slowest = 0.0
        self._decided = False
        """True when a decision was taken."""
        self._denied = ""
        self._polled = 0.0

    def handle(self, request: HttpRequest) -> HttpAnswer | None:
        """Return the answer to the program's request; None to close its connection without one."""
        with self._lock:
            self._asked_at = time.monotonic()
            self._pending += 1
        try:
            return self._handle(request)
        finally:
            with self._lock:
                self._pending -= 1
                self._asked_at = time.monotonic()

    @property
    def idle(self) -> float:
        """Return the seconds since the last request or answer; 0 while a request waits."""
        with self._lock:
            return 0.0 if self._pending else time.monotonic() - self._asked_at

    def finish(self, reason: str) -> None:
        """End the check: the open incident fails for `reason`, and what is not known yet stays so."""
        with self._lock:
            self._finish(reason)

    def conclude(self, status: int | None) -> None:
        """Judge what is left when the program has ended, by its exit status; None if it is no child of ours."""
        with self._lock:
            if self.ended and self._after > 1:
                self._judge("ended", False, f"{self._after} requests more")
            elif self.ended:
                self._judge("ended", status in (None, 0), f"exit status {status}" if status else "")
            if self._decided:
                self._judge("waits", True)
                self._judge("numbers", True)
                self._judge("clock", True, f"slowest decision {self._slowest:.1f} s")

    def _handle(self, request: HttpRequest) -> HttpAnswer | None:
        path = urlsplit(request.path).path
        if not path.startswith(self._match.path):
            return self._match.forward(request)
        decides = request.method == "POST" and path == self._match.path
        with self._lock:
            self._count()
            if self._open == "cut" and not self._cuts:
                self._close("cut", True)
            answer = self._meet(read_object(request.body)) if decides else None
            if self._cuts:
                self._cuts -= 1
                return None
        answer = answer or self._match.forward(request)
        with self._lock:
            return self._learn(request, path, decides, answer)

    def _count(self) -> None:
        self._after += 1
        if self._open and not self.ended and self._after > REPEATS:
            self._finish(f"{REPEATS} requests without getting any further")

    def _meet(self, decision: dict[str, Any]) -> HttpAnswer | None:
        """Judge a decision after an incident, or let the next one happen to it; return the answer if there is one."""
        self._time(decision)
        if self._open in ("lost", "unavailable", "refused", "passed"):
            again = self._open == "refused" and self._plan[0] == "refused"
            self._judge_next(self._open, decision)
            return self._fire(decision) if again and self._open is None else None
        ready = self._open is None and self._plan and self._decisions
        return self._fire(decision) if ready else None

    def _time(self, decision: dict[str, Any]) -> None:
        number = decision.get("number")
        if not isinstance(number, int):
            self._judge("numbers", False, "a decision came without a number")
            return
        now = time.monotonic()
        shown, due = self._shown.pop(number, (now, now))
        self._slowest = max(self._slowest, now - shown)
        if now > due:
            self._judge("clock", False, f"a decision took {now - shown:.0f} s")

    def _fire(self, decision: dict[str, Any]) -> HttpAnswer | None:
        """Let the next incident happen to `decision`."""
        self._open = incident = self._plan.popleft()
        self._decision, self._after, self._looked = decision, 0, False
        match incident:
            case "cut":
                self._cuts = CUTS
            case "unavailable":
                return problem(503, "the record cannot be written at the moment; send the same request again")
            case "refused":
                return problem(422, "action: refused by this check, twice; send another with the same number", "action")
            case "passed":
                return problem(409, "number: another decision is due; look at the seat again", "number")
            case "taken":
                self._steer("pause")
                self._steer("leave", seat=self._match.seat)
            case "ended":
                self._steer("stop")
        return None

    def _steer(self, command: str, **more: str) -> None:
        with suppress(CheckRefused):  # the match has ended meanwhile, and the program is told so
            self._match.command(command, **more)

    def _judge_next(self, incident: Incident, decision: dict[str, Any]) -> None:
        """Judge the decision that comes after an incident."""
        number, before = decision.get("number"), self._decision.get("number")
        if incident == "lost" and number == before and decision != self._decision:
            self._close(incident, False, f"another action came as decision {number}, which was taken")
        elif incident == "lost" and number is None:
            self._close(incident, False, "without a number the decision is played twice")
        elif incident == "refused" and number is not None and number != before:
            self._close(incident, False, f"decision {number} came; {before} is due")
        elif incident == "passed" and not self._looked:
            self._close(incident, False, "the next decision came without a look at the seat")
        else:
            self._close(incident, True)

    def _learn(self, request: HttpRequest, path: str, decides: bool, answer: HttpAnswer) -> HttpAnswer | None:
        """Learn from what the server answers; return what the program gets."""
        data = answer.data()
        if answer.status == 409 and data.get("field") == "episode":
            return self._over(answer)
        if request.method == "GET" and path == self._match.path and answer.status == 200:
            self._see(request, data)
        elif path == f"{self._match.path}/take" and answer.status == 201 and self._open == "taken":
            self._close("taken", True)
            self._steer("resume")
        elif answer.status in (401, 403):
            self._denied = f"a request was answered {answer.status}"
        elif decides and answer.status in (200, 202):
            self._decisions += 1
            self._decided = True
            if self._open == "lost" and self._after == 0:
                return None
        elif decides and self._open == "lost" and self._after == 0:
            self._plan.appendleft("lost")
            self._open = None
        return answer

    def _see(self, request: HttpRequest, view: dict[str, Any]) -> None:
        """Learn from a view of the seat that the program gets."""
        self._looked = True
        self._judge("sits", True)
        now = time.monotonic()
        if view.get("asked"):
            left = view.get("left")
            self._shown.setdefault(int(view["number"]), (now, now + (3600 if left is None else float(left))))
        elif "wait" not in parse_qs(urlsplit(request.path).query):
            if now - self._polled < BUSY:
                self._judge("waits", False, "it asks many times a second")
            self._polled = now

    def _over(self, answer: HttpAnswer) -> HttpAnswer:
        """Learn that the program is told of the end of its match."""
        if not self.ended:
            if self._open not in (None, "ended") or any(incident != "ended" for incident in self._plan):
                self.reason = "the match ended before: choose a longer one with --set"
            self.ended, self._open, self._after = True, None, 0
            self._plan.clear()
            self.done.set()
        return answer

    def _close(self, incident: Incident, passed: bool, note: str = "") -> None:
        self._open, self._after, self._decisions = None, 0, 0
        if not passed or incident not in self._plan:
            self._judge(incident, passed, note)

    def _judge(self, name: str, passed: bool, note: str = "") -> None:
        """Decide a check that is not decided yet."""
        check = self.checks[name]
        if check.passed is None:
            check.passed, check.note = passed, note

    def _finish(self, reason: str) -> None:
        if self.done.is_set():
            return
        self.reason = reason
        if self._open is not None:
            self._judge(self._open, False, reason)
        elif self.checks["sits"].passed is None:
            self._judge("sits", False, self._denied or reason)
        self._open = None
        self._plan.clear()
        self.done.set()
