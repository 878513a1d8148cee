"""A match of a game of TextArena: moves are free texts, and the library decides which are legal."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Self

from grandstand.games.base import Action, GameEvent, Json, Outcome, SeatId
from grandstand.games.choices import Slot, Text
from grandstand.games.foreign.arena_library import chance, new_environment
from grandstand.games.foreign.arena_moves import PLAYED, drawn_move
from grandstand.games.foreign.game import MOVE, ForeignGame, MoveMade

LONGEST: Final = 1000
"""The most characters of a move, as in the library's games of conversation."""
TRIES: Final = 200
"""The most moves that a random player tries before it makes one that is refused."""
MOST: Final = 500
"""Moves after which a match ends as it stands, since some games have no end of their own."""
RECENT: Final = 3
"""The last texts in which a random player looks for moves."""
BRACKETED: Final = re.compile(r"\[[^\[\]\n]{1,40}\]")
"""Matches what the library shows as a move."""
LARGE: Final = 300
"""Entries of a list of words that copies of a game share."""
MOVED: Final = "player_action"
BOARD: Final = "game_board"


@dataclass(frozen=True, slots=True)
class TextShown(GameEvent):
    """The game showed a text to everybody, or to the seats of `to` alone."""

    kind: str
    """`prompt`, `game_board`, `game_message`, `game_action_description`, `game_admin`, or a `player_action` that it
    passed on."""
    text: str
    to: list[SeatId]

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset(self.to) or None


@dataclass(frozen=True, slots=True)
class MoveRefused(GameEvent):
    """A move broke the rules of the game: the seat moves again, or suffers what the rules say (`final`)."""

    seat: SeatId
    reason: str
    final: bool
    public: bool

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.public else frozenset((self.seat,))


class ArenaMatch(ForeignGame):
    """A match of one game. Each step draws chance from a stream of its own, so that seed and moves are the match."""

    open_moves, secrets = False, True

    def __init__(self, name: str, seats: int, seed: int) -> None:
        super().__init__(seed)
        self._begin(name, seats, seed)

    def _begin(self, name: str, seats: int, seed: int) -> None:
        self.name, self.game_seed, self.title = name, seed, title(name)
        self.seats = tuple(f"player_{number}" for number in range(seats))
        self.steps: list[tuple[int, str]] = []
        """The seed of chance and the move of each step."""
        self.words: dict[SeatId, list[TextShown]] = {seat: [] for seat in self.seats}
        """What each seat was shown."""
        self.boards: list[str] = []
        """The last board that everybody was shown; empty without one."""
        self.message = ""
        """The last message that everybody was shown."""
        self.env = new_environment(name, seed)
        with chance(f"{seed}/reset"):
            self.env.reset(num_players=seats, seed=seed % 2**31)
        self.begun = self._heard()

    @property
    def form(self) -> str:
        """The library's name of the game, without version and variant."""
        return self.name.partition("-")[0]

    def movers(self) -> Sequence[SeatId]:
        over = self.env.state.done or len(self.steps) >= MOST
        return () if over else (self.seats[self.env.state.current_player_id],)

    def opening(self) -> list[GameEvent]:
        return list(self.begun)

    def offered(self, seat: SeatId) -> Slot:
        return Text(MOVE, LONGEST, "your words, with a move in brackets")

    def move(self, moves: Mapping[SeatId, str]) -> list[GameEvent]:
        ((seat, word),) = moves.items()
        before = self.to_json()
        try:
            return self._step(seat, (self.seed, word))
        except Exception:  # half-way, perhaps
            vars(self).update(vars(self.load(before)))
            raise

    def _step(self, seat: SeatId, step: tuple[int, str]) -> list[GameEvent]:
        """Make a move, and return its events."""
        seed, word = step
        state = self.env.state
        player, errors, faults = state.current_player_id, _errors(state), _faults(state)
        with chance(f"{seed}/{len(self.steps)}"):
            self.env.step(word if "[" in word or "]" in word or not self.bracketed else f"[{word}]")
        heard = self._heard()
        self.steps.append(step)
        final = _faults(state) > faults
        public = any(each.kind == MOVED and not each.to for each in heard)
        events: list[GameEvent] = [MoveMade(seat, word, public)]
        if final or _errors(state) > errors:
            reason = _reason(state, player) if final else _refusal(heard)
            events.append(MoveRefused(seat, reason, final, public or final))
        return [*events, *(each for each in heard if each.kind != MOVED or (each.to and each.to != [seat]))]

    @property
    def bracketed(self) -> bool:
        """Whether a move without brackets gets some, as by the library's `ActionFormattingWrapper`."""
        return all(form.startswith("[") for form in PLAYED[self.form].moves)

    def _heard(self) -> list[TextShown]:
        """Return what the game has shown since the last call, each text with those who may know it."""
        state = self.env.state
        queues = {seat: list(state.observations[player]) for player, seat in enumerate(self.seats)}
        texts = list(_distributed(state.logs, queues))
        state.logs.clear()
        for waiting in state.observations.values():
            waiting.clear()
        if not state.done:
            player, more = self.env.get_observation()
            texts += [TextShown(_kind(kind), str(text), [self.seats[player]]) for _, text, kind in more]
        for each in texts:
            for seat in each.to or self.seats:
                self.words[seat].append(each)
            if not each.to and each.kind == BOARD:
                self.boards = [each.text]
            elif not each.to and each.kind != MOVED:
                self.message = each.text
        return texts

    def seen(self, seat: SeatId) -> str:
        boards = [each for each in self.words[seat] if each.kind == BOARD]
        shown = [each.text for each in self.words[seat] if each.kind != BOARD or each is boards[-1]]
        return "\n".join(shown)

    def common(self) -> str:
        return self.boards[0] if self.boards else self.message

    @property
    def apart(self) -> bool:
        return any(each.kind == BOARD and each.to for texts in self.words.values() for each in texts)

    def last(self, seat: SeatId) -> str:
        """Return the last board that the seat was shown; empty without one."""
        boards = [each.text for each in self.words[seat] if each.kind == BOARD]
        return boards[-1] if boards else ""

    def returns(self) -> Sequence[float]:
        rewards = self.env.state.rewards or {}
        given = [rewards.get(player, 0) for player in range(len(self.seats))]
        # Some games give the reason for a refusal in the place of its reward.
        return [-1.0 if isinstance(reward, str) else float(reward) for reward in given]

    def share(self, returns: Sequence[float]) -> list[float]:
        """Return rewards from -1 to 1 scaled to 0..1; alone, a seat is rewarded with 0 to 1, and fined with -1."""
        scaled = returns if len(returns) == 1 else [(each + 1) / 2 for each in returns]
        return [min(1.0, max(0.0, each)) for each in scaled]

    @property
    def outcome(self) -> Outcome | None:
        outcome = super().outcome
        reason = _reason(self.env.state, 0) if self.env.state.done else f"stopped after {MOST} moves"
        return dataclasses.replace(outcome, text=f"{outcome.text}: {reason}") if outcome and reason else outcome

    def about(self, seat: SeatId) -> str:
        return f"This is {self.title} of TextArena. Only your reward at the end counts."

    def random_action(self, seat: SeatId, rng: Random) -> Action:
        """Return a move at random among those that the rules take, as far as it can be found by trying."""
        shown = BRACKETED.findall("\n".join(each.text for each in self.words[seat][-RECENT:]))
        refused: set[str] = set()
        move = ""
        for _ in range(TRIES):
            move = rng.choice(shown) if shown and rng.random() < 0.5 else drawn_move(PLAYED[self.form], rng)
            if move not in refused and self._takes(seat, move):
                break
            refused.add(move)
        return {MOVE: move}

    def _takes(self, seat: SeatId, move: str) -> bool:
        try:
            return not any(isinstance(each, MoveRefused) for each in self.clone()._step(seat, (self.seed, move)))
        except Exception:
            return False

    def to_json(self) -> Json:
        return {
            "game": self.name,
            "seats": len(self.seats),
            "seed": self.seed,
            "game_seed": self.game_seed,
            "steps": [list(step) for step in self.steps],
        }

    @classmethod
    def load(cls, data: Json) -> Self:
        game = cls.__new__(cls)
        ForeignGame.__init__(game, data["seed"])
        game._begin(data["game"], data["seats"], data["game_seed"])
        for seed, word in data["steps"]:
            game._step(game.movers()[0], (seed, word))
        game.count = len(game.steps)
        return game

    def clone(self) -> Self:
        twin = self.__class__.__new__(self.__class__)
        vars(twin).update(vars(self))
        lists = (each for each in vars(self.env).values() if isinstance(each, list | set) and len(each) > LARGE)
        twin.env = copy.deepcopy(self.env, {id(each): each for each in lists})
        twin.steps, twin.words = list(self.steps), {seat: list(texts) for seat, texts in self.words.items()}
        twin.sealed, twin._slots = {}, {}
        return twin


def title(name: str) -> str:
    """Return the library's name in words: `Iterated Stag Hunt`, `Chess, blind`."""
    form, _, variant = name.partition("-v0")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", form)
    return f"{words}, {variant[1:].replace('-', ' ')}" if variant else words


def _distributed(logs: Sequence[tuple[int, Any]], queues: dict[SeatId, list[Any]]) -> Iterator[TextShown]:
    """Yield each logged text with the seats that have it next in their queues; nobody in particular for all of them."""
    for sender, text in logs:
        to = [seat for seat, queue in queues.items() if queue and queue[0][:2] == (sender, text)]
        kinds = [queues[seat].pop(0)[2] for seat in to]
        if to:
            yield TextShown(_kind(kinds[0]), str(text), [] if len(to) == len(queues) else to)


def _kind(kind: Any) -> str:
    return str(getattr(kind, "name", kind)).lower()


def _errors(state: Any) -> int:
    """Return how often the seat to move was refused in this turn."""
    return int(getattr(state, "error_count", 0))


def _faults(state: Any) -> int:
    """Return how many seats a refused move has cost their turn."""
    return sum(bool(info.get("invalid_move")) for info in state.game_info.values())


def _reason(state: Any, player: int) -> str:
    """Return why the match ended, in the library's words."""
    return " ".join(str(state.game_info[player].get("reason") or "").split())[:300]


def _refusal(heard: Sequence[TextShown]) -> str:
    """Return the library's reason for a refusal."""
    said = next((each.text for each in heard if each.kind == "game_admin"), "")
    return " ".join(said.partition("Reason: ")[2].partition("Please resubmit")[0].split()) or said
