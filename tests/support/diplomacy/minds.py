"""The mind of a talking bot in a given position."""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.diplomacy.rules.position import read_state

GERMANY, FRANCE, AUSTRIA = POWER["GERMANY"], POWER["FRANCE"], POWER["AUSTRIA"]

OPEN_DOOR = {
    "phase": "F1904M",
    "units": {"GERMANY": ["A MUN", "A RUH", "A TYR", "A BOH"], "AUSTRIA": ["F GRE"], "FRANCE": ["A BUR", "A PAR"]},
    "centers": {"GERMANY": ["MUN", "KIE", "BER"], "AUSTRIA": ["VIE", "BUD", "GRE", "TRI"], "FRANCE": ["PAR", "MAR"]},
}
"""Austria, an ally, has left Vienna and Trieste open to Germany."""


def mind_of(name: str, position: Mapping[str, object] = OPEN_DOOR, seat: str = "GERMANY") -> Mind:
    game = DiplomacyGame(DiplomacyOptions(), read_state(position))
    season = 2 * (game.state.year - 1901) + 1
    supports = {(AUSTRIA, GERMANY): season - 1, (GERMANY, AUSTRIA): season - 1}
    game.relations = Relations(attacks={(FRANCE, GERMANY): season - 1}, supports=supports)
    return Mind(game, seat, CHARACTERS[name], "key")
