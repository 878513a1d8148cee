"""Limited-overs cricket between two captains."""

from __future__ import annotations

from functools import partial

from grandstand.games.cricket.agent.measures import MEASURES, measures, quoted
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.agent.text import THIS_OVER
from grandstand.games.cricket.agent.training import training
from grandstand.games.cricket.bots import BOTS, showcase
from grandstand.games.cricket.events import EVENTS
from grandstand.games.cricket.export.cricsheet import export_cricsheet, export_tactics
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.imports.cricsheet import FORM
from grandstand.games.cricket.options import CricketOptions, option_words
from grandstand.games.cricket.packs import PACKS, tasks
from grandstand.games.cricket.picture import PICTURES
from grandstand.games.cricket.preparation import preparation
from grandstand.games.cricket.questions import CricketAsker
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.prompts import PromptForm
from grandstand.games.spec import Bots, Comparison, Exchange, GameSpec, Learning, Rules, Storytelling, Talk

GAME: GameSpec[CricketGame] = GameSpec(
    name="cricket",
    rules=Rules(
        title="Cricket captaincy",
        seats=SEATS,
        options=CricketOptions,
        new=CricketGame,
        load=CricketGame.load,
        events=EVENTS,
        version=6,
        option_words=option_words,
        standing=lambda game, seat: game.standing(seat),
        prepare=preparation,
        public=CricketGame.public,
    ),
    bots=Bots(BOTS, showcase, pace=3.5, showcase_options={"decisions": "over", "conditions": "ipl-2023"}),
    talk=Talk(reply=REPLY, prompts=PromptForm(version=6, unit="overs", longest=50, default=THIS_OVER)),
    story=Storytelling(CricketStory, questions=CricketAsker),
    picture=PICTURES,
    learning=Learning(
        training=training,
        tasks={name: partial(tasks, name) for name in PACKS},
        comparison=Comparison("neutral", measures, MEASURES, quoted),
    ),
    exchange=Exchange(exports={"cricsheet": export_cricsheet, "tactics": export_tactics}, imports={"cricsheet": FORM}),
)
