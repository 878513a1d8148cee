"""A match of any game as an environment of PettingZoo, in which agents take their turns one after another (AEC).

docs/other-programs.md has an example.

An action is one word of an answer: the number of one of those that may come next, which `infos` list and the mask
admits. An agent whose answer has several words is asked again at once. Texts and rounds of press stay empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from grandstand.games.base import IllegalAction, OptionError, SeatId
from grandstand.games.choices import Walk
from grandstand.games.match import Match
from grandstand.games.picture_text import text_lines
from grandstand.games.registry import game_spec

WORDS: Final = 1024
"""Words of which one may come next, at most."""
LETTERS: Final = 16_384
"""Bytes of an observation: the text of the position in UTF-8, cut or filled with zeros."""
SEEDS: Final = 2**31


def env(
    game: str,
    options: Mapping[str, Any] | None = None,
    players: Mapping[SeatId, str] | None = None,
    render_mode: str | None = None,
) -> Any:
    """Return the environment with the wrappers that PettingZoo's own games have: an action that the mask excludes ends
    the match, at a cost of one for the agent."""
    inner = AgentEnvironment(game, options, players, render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(inner, illegal_reward=-1)))


class AgentEnvironment(AECEnv):  # type: ignore[misc]
    """A match between agents; `players` are built-in players of the other seats, by seat."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        players: Mapping[SeatId, str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Raise OptionError naming what is unknown."""
        super().__init__()
        self.metadata = {"name": f"grandstand_{game}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._spec, self._options, self._players = game_spec(game), dict(options or {}), dict(players or {})
        seats = self._spec.seats(self._options)
        for seat, name in self._players.items():
            if seat not in seats or name not in self._spec.bots.players:
                known = ", ".join(self._spec.bots.players)
                raise OptionError(f"players.{seat}: {name} in {seat}; there are {known}, and seats {', '.join(seats)}")
        self.possible_agents = [seat for seat in seats if seat not in self._players]
        self.observation_spaces = {seat: _observations() for seat in self.possible_agents}
        self.action_spaces = {seat: spaces.Discrete(WORDS) for seat in self.possible_agents}
        self.agents: list[SeatId] = []
        self._words: list[str] = []
        """What the agent has chosen of its answer."""
        self._offered: list[str] = []

    def observation_space(self, agent: SeatId) -> Any:
        """Return the space of the agent's observations, always the same one."""
        return self.observation_spaces[agent]

    def action_space(self, agent: SeatId) -> Any:
        """Return the space of the agent's actions, always the same one."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match with this seed, or a random one. The match options are those of the environment."""
        seed = int(seeding.np_random(None)[0].integers(SEEDS)) if seed is None else seed
        self._match: Match[Any] = Match(self._spec, self._options, seed)
        self._match.opening()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[SeatId, dict[str, Any]] = {seat: {} for seat in self.agents}
        self.agent_selection = self.agents[0]
        self._words = []
        self._go_on()

    def step(self, action: int | None) -> None:
        """Add the word of that number to the answer of the agent whose turn it is; the last one plays it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None or not 0 <= int(action) < len(self._offered):
            raise ValueError(f"action: {action} is none of 0 to {len(self._offered) - 1}, which the mask admits")
        self._words.append(self._offered[int(action)])
        walk = self._walk()
        refused = ""
        if not walk.steps:
            self._words = []
            refused = self._play(agent, walk)
        self._go_on()
        if refused and agent in self.infos:
            self.infos[agent]["refused"] = refused
        self._accumulate_rewards()

    def observe(self, agent: SeatId) -> dict[str, Any]:
        """Return what the agent knows, as the bytes of a text, and which actions it has."""
        text = self._match.game.text(agent).encode()[:LETTERS]
        letters = np.zeros(LETTERS, np.uint8)
        letters[: len(text)] = np.frombuffer(text, np.uint8)
        mask = np.zeros(WORDS, np.int8)
        if agent == self.agent_selection and not self._match.over:
            mask[: len(self._offered)] = 1
        return {"observation": letters, "action_mask": mask}

    def render(self) -> str | None:
        """Return the position as everybody sees it, where the environment was made for it."""
        if self.render_mode != "ansi":
            return None
        draw = self._spec.picture.draw
        return "\n".join(text_lines(draw(self._match.game, None))) if draw else self._match.game.turn

    def close(self) -> None:
        """Release nothing: a match holds no resources."""

    def _walk(self) -> Walk:
        game, agent = self._match.game, self.agent_selection
        return Walk(lambda chosen: game.choices(agent, chosen), self._words)

    def _play(self, agent: SeatId, walk: Walk) -> str:
        """Play the whole answer, and return the reason if the rules refuse it."""
        try:
            self._match.apply(agent, self._match.game.action(agent, walk.chosen))
        except IllegalAction as error:
            return str(error)
        return ""

    def _go_on(self) -> None:
        """Let the built-in players answer until an agent is asked or the match is over, and say what comes next."""
        match = self._match
        while not match.over and (bots := [seat for seat in match.waiting if seat in self._players]):
            player = self._spec.bots.players[self._players[bots[0]]]
            match.apply(bots[0], player(match.game, bots[0], match.rng(bots[0])))
        self._offered = []
        if match.over:
            self._end()
            return
        if not self._words:
            self.agent_selection = match.waiting[0]
        steps = self._walk().steps
        self._offered = [word.word for word in steps[0]]
        if len(self._offered) > WORDS:
            raise OptionError(f"game: {self._spec.name} offers {len(self._offered)} words at once; at most {WORDS} fit")
        self._inform()

    def _inform(self) -> None:
        """Tell the agent whose turn it is what its actions mean."""
        agent = self.agent_selection
        self.infos = {seat: {} for seat in self.agents}
        self.infos[agent] = {
            "text": self._match.game.text(agent),
            "words": list(self._offered),
            "chosen": list(self._words),
        }

    def _end(self) -> None:
        scores = self._match.game.scores()
        self.rewards = {seat: float(scores[seat]) for seat in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {seat: {} for seat in self.agents}


def _observations() -> Any:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (LETTERS,), np.uint8),
            "action_mask": spaces.Box(0, 1, (WORDS,), np.int8),
        }
    )
