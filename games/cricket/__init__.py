"""Limited-overs cricket between two captains."""

from __future__ import annotations

from functools import partial

from games.base import Comparison, GameSpec
from games.cricket.bots import BOTS, showcase
from games.cricket.cricsheet import export_cricsheet, export_tactics
from games.cricket.events import EVENTS
from games.cricket.game import CricketGame
from games.cricket.measures import MEASURES, measures, quoted
from games.cricket.options import CricketOptions
from games.cricket.packs import PACKS, tasks
from games.cricket.preparation import preparation
from games.cricket.reply import REPLY
from games.cricket.training import training
from games.cricket.vocab import SEATS

GAME = GameSpec(
    name="cricket",
    title="Cricket captaincy",
    seats=SEATS,
    options=CricketOptions,
    new=CricketGame,
    load=CricketGame.load,
    events=EVENTS,
    bots=BOTS,
    showcase=showcase,
    exports={"cricsheet": export_cricsheet, "tactics": export_tactics},
    reply=REPLY,
    prepare=preparation,
    rules=2,
    tasks={name: partial(tasks, name) for name in PACKS},
    comparison=Comparison("neutral", measures, MEASURES, quoted),
    training=training,
)
