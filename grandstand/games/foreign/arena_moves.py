"""The games of TextArena: their seats, and the moves of which a random player draws."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from grandstand.games.foreign.arena_library import words_of_length


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """What is known of a game before it begins."""

    moves: tuple[str, ...]
    """Forms of moves: `{a-h}` and `{0-8}` stand for one of a range, `{x|y}` for one of several, `{near}` for a square
    beside the one before it, `{word 5}` for a word of five letters, and `{word}` for a word of any length."""
    least: int = 2
    most: int = 2
    """The numbers of seats."""


PLACE: Final = re.compile(r"\{([^{}]*)\}")
NEAR: Final = re.compile(r"([a-z])(\d) ?\{near\}")
RANGE: Final = re.compile(r"(\w+)-(\w+)")
ALPHABETS: Final = (ascii_lowercase, ascii_uppercase)
TALK: Final = "{Let us both gain.|I do not trust that.|What do you offer?|I will keep my word.|Tell me more.}"
CARD: Final = "[{a|k|q|j|10|9|8|7|6|5|4|3|2}]"
WAYS: Final = "[{up|down|left|right}]"
NINE: Final = "[{0-8}]"


def _alone(*moves: str) -> ArenaGame:
    return ArenaGame(moves, 1, 1)


def _two(*moves: str) -> ArenaGame:
    return ArenaGame(moves)


NEWER: Final = frozenset(
    ("Checkers", "Chess", "IteratedStagHunt", "Klondike", "ReverseTicTacToe", "UltimateTexasHoldem")
)
"""Games whose files are valid Python from 3.12 on."""
ALL: Final[Mapping[str, ArenaGame]] = {
    "2048": _alone(WAYS),
    "Alquerque": _two("[{a-e}{1-5} {near}]"),
    "Bandit": _alone("[{red|blue|green|yellow|purple}]"),
    "Battleship": _two("[{A-E}{0-4}]"),
    "Blackjack": _alone("[{hit|stand}]"),
    "Breakthrough": _two("[{a-h}{1-8}{near}]"),
    "Briscola": ArenaGame(("[play {1-3}]",), 2, 4),
    "Checkers": _two("[{0-7} {0-7} {0-7} {0-7}]"),
    "Chess": _two("[{a-h}{1-8}{a-h}{1-8}]"),
    "Chopsticks": _two("[attack {0-1} {0-1}]", "[split {0-4} {0-4}]"),
    "Codenames": ArenaGame(("[{word} {1-3}]", "[{word}]"), 4, 4),
    "ColonelBlotto": _two("[A{0-20} B{0-20} C{0-20}]"),
    "ConnectFour": _two("[col {0-6}]"),
    "Countdown": _alone("[{0-5} {0-5} {+|-|*|/}]"),
    "Crosswords": _alone("[{0-9} {0-9} {a-z}]"),
    "Crusade": _two("[{a-h}{1-8} {a-h}{1-8}]"),
    "Cryptarithm": _alone("[{S|E|N|D|M|O|R|Y} {0-9}]"),
    "DontSayIt": _two(TALK),
    "FifteenPuzzle": _alone(WAYS),
    "FrozenLake": _alone(WAYS),
    "GameOfPureStrategy": _two(CARD),
    "GermanWhist": _two("[play {1-13}]"),
    "Golf": ArenaGame(("[{draw|take|discard|knock}]", "[{swap|peek} {0-1} {0-2}]"), 2, 4),
    "GuessTheNumber": _alone("[{1-20}]"),
    "Hangman": _alone("[{a-z}]"),
    "HighSociety": _two("[{1-11}]"),
    "IndianPoker": _two("[{check|call|fold}]", "[{bet|raise} {1-20}]"),
    "IteratedMatchingPennies": _two("[{heads|tails}]"),
    "IteratedPrisonersDilemma": _two(TALK, "[{Cooperate|Defect}]"),
    "IteratedRockPaperScissors": _two("[{rock|paper|scissors}]"),
    "IteratedStagHunt": _two(TALK, "[{Stag|Hare}]"),
    "IteratedTwoThirdsAverage": _two("[{0-100}]"),
    "IteratedUltimatumGame": _two("[Offer: ${0-50}]", "[{Accept|Reject}]"),
    "Klondike": _alone("[draw]", "[move W {F|T}{1-7}]", "[move T{1-7} {F|T}{1-7}]"),
    "KuhnPoker": _two("[{Check|Bet|Fold|Call}]"),
    "LetterAuction": _two("[bid {1-20}]", "[pass]", "[{word}]"),
    "LiarsDice": ArenaGame(("[bid: {1-10}, {1-6}]", "[call]"), 2, 15),
    "LightsOut": _alone("[{0-4} {0-4}]"),
    "LinesOfAction": _two("[{a-h}{1-8}{a-h}{1-8}]"),
    "LogicPuzzle": _alone("[{word} {word} {X|O}]"),
    "MarketEntryGame": ArenaGame(("[{E|S}]", f"{{{TALK}}}"), 2, 15),
    "Mastermind": _alone("[{1-6} {1-6} {1-6} {1-6}]"),
    "MemoryGame": _two("[{0-3} {0-3} {0-3} {0-3}]"),
    "Minesweeper": _alone("[{0-7} {0-7}]"),
    "NewRecruit": _two("A fair deal. [Propose] {A-E}{A-E}{A-E}{A-E}{A-E}{A-E}{A-E}{A-E}", "[{Accept|Reject}]"),
    "Nim": _two("[{0-2} {1-5}]"),
    "Othello": _two("[{0-7}, {0-7}]"),
    "PegJump": _alone("[{1-15} {1-15}]"),
    "PigDice": _two("[{roll|hold}]"),
    "Poker": ArenaGame(("[{check|call|fold}]", "[{bet|raise} {20-200}]"), 2, 15),
    "PublicGoodsGame": ArenaGame(("[{0-20}]", f"{{{TALK}}}"), 2, 15),
    "QuantumTicTacToe": _two("[{0-8},{0-8}]"),
    "ReverseTicTacToe": _two(NINE),
    "RushHour": _alone("[{A-Z}{+|-}]"),
    "Secretary": _alone("[{accept|continue}]"),
    "Set": _alone("[{1-12}, {1-12}, {1-12}]"),
    "SettlersOfCatan": ArenaGame(("[{1-9}]", "[{0-3}]", "[{done|accept|deny}]"), 4, 4),
    "SimpleBlindAuction": _two(TALK, "[Bid on Item {0-4}: {1-200}]"),
    "SimpleNegotiation": _two(
        "[Offer: {1-3} {Wheat|Wood|Sheep|Brick|Ore} -> {1-3} {Wheat|Wood|Sheep|Brick|Ore}]", "[{Accept|Deny}]"
    ),
    "SimpleTak": _two("[{0-15}]"),
    "Slitherlink": _alone("[{h|v} {0-4} {0-4}]"),
    "Snake": ArenaGame((WAYS,), 2, 15),
    "Sokoban": _alone(WAYS),
    "SpellingBee": _two("[{word}]"),
    "SpiteAndMalice": _two("[draw]", "[{play|discard} {A|2|3|4|5|6|7|8|9|J|Q|K}{♠|♥|♦|♣} {0-3}]"),
    "Stratego": _two("[{A-J}{0-9} {A-J}{0-9}]"),
    "Sudoku": _alone("[{1-9} {1-9} {1-9}]"),
    "Surround": ArenaGame((WAYS,), 2, 15),
    "Taboo": ArenaGame(("It is a kind of {word}.", "[{word}]"), 4, 8),
    "Tak": _two("[place () {'({0-3},{0-3})': ['{F|W}{0-1}']}]"),
    "ThreeCardMonte": _alone("[{0-2}]"),
    "ThreePlayerGOPS": ArenaGame((CARD,), 3, 3),
    "ThreePlayerIPD": ArenaGame((TALK, "[0 {cooperate|defect}] [1 {cooperate|defect}] [2 {cooperate|defect}]"), 3, 3),
    "ThreePlayerTicTacToe": ArenaGame(("[{0-24}]",), 3, 3),
    "TicTacToe": _two(NINE),
    "TowerOfHanoi": _alone("[{A-C} {A-C}]"),
    "TruthAndDeception": _two(TALK, "[Fact {1-2}]"),
    "TwoDollar": _two("Take it. [Propose] ${0-2}.{0-9}0", "[{Accept|Reject}]"),
    "UltimateTexasHoldem": _alone("[{check|fold|skip|play bet 1x|play bet 2x|play bet 4x}]"),
    "UltimateTicTacToe": _two("[{0-8} {0-8}]"),
    "WildTicTacToe": _two("[{X|O} {0-8}]"),
    "WordChains": _two("[{word}]"),
    "WordSearch": _alone("[{0-9} {0-9} {0-9} {0-9}]"),
    "Wordle": _alone("[{word 5}]"),
}
"""The games that can be played, by the library's names without version."""
PLAYED: Final = {name: game for name, game in ALL.items() if name not in NEWER or sys.version_info >= (3, 12)}
"""Those that this Python can load."""

LEFT_OUT: Final[Mapping[str, str]] = {
    "BabyAiText": "needs a package that no registry has",
    "CharacterConclave": "fails at the vote, since a call in it lacks an argument",
    "Debate": "language models of a paid service judge it",
    "GuessWho": "a language model of a paid service answers in it",
    "ScenarioPlanning": "language models of a paid service judge it",
    "SantoriniBaseFixed": "runs forever after a second refused move",
    "ScorableGames": "the package lacks its files",
    "SecretMafia": "whose turn it is at night names the mafia; Werewolf keeps it secret",
    "TwentyQuestions": "a language model of a paid service answers in it",
    "UsedCarNegotiation": "the package lacks its files",
    "WordLadder": "needs a list of basic words that NLTK downloads",
}
"""Games of the library that are not offered -> the reason."""


def drawn_move(game: ArenaGame, rng: Random) -> str:
    """Return a move of one of the game's forms at random, legal or not."""
    move = PLACE.sub(lambda place: _drawn(place[1], rng), rng.choice(game.moves))
    return NEAR.sub(lambda square: square[0].replace("{near}", _near(square[1], square[2], rng)), move)


def _near(letter: str, number: str, rng: Random) -> str:
    """Return a square beside another, diagonals included."""
    return f"{chr(ord(letter) + rng.randint(-1, 1))}{int(number) + rng.randint(-1, 1)}"


def _drawn(place: str, rng: Random) -> str:
    """Return one of what a place of a form stands for."""
    kind, _, length = place.partition(" ")
    if kind == "word":
        return rng.choice(words_of_length(int(length or 0)))
    if "|" in place:
        return rng.choice(place.split("|"))
    ends = RANGE.fullmatch(place)
    if ends is None:
        return f"{{{place}}}"
    if ends[1].isdecimal():
        return str(rng.randint(int(ends[1]), int(ends[2])))
    alphabet = next(each for each in ALPHABETS if ends[1] in each)
    return rng.choice(alphabet[alphabet.index(ends[1]) : alphabet.index(ends[2]) + 1])
