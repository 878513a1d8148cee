"""Diplomacy: the rules on integers, the match around them, and the players that come with it.

The interface for bots, trainers and benchmarks, over the small integers of `map.py` (powers, provinces, units):

    from grandstand.games.diplomacy.rules.state import State, WINTER
    state = State.start()                      # immutable; share it freely
    state.name, state.year, state.phase        # "S1901M", 1901, SPRING
    state.units                                # province -> (power, unit)
    state.dislodged                            # province -> (power, unit, units it can become by retreating)
    state.centers                              # supply centre -> owning power
    state.counts                               # in winter: power -> builds due (+) or removals due (-)
    state.to_act()                             # powers with a choice to make
    state.orderable(power)                     # provinces the power gives orders for
    state.legal_orders()[province]             # the orders there: tuples (kind, unit, a, b), see `orders.py`
    played = state.resolve({province: order})  # missing ones get the default
    played.after                               # the next state
    played.movement.moved, .dislodged_by       # details of a movement phase

`orders.order_text` and `notation.parse_order` translate between orders and standard notation;
`position.adjudicate_line` does a whole phase in saved-game notation. `DiplomacyGame.state` is the state of a running
match.
"""

from __future__ import annotations

from dataclasses import replace

from grandstand.games.base import GameEvent, MessageSent
from grandstand.games.choices import Chosen
from grandstand.games.diplomacy.agent.reply import PRESS, REPLY
from grandstand.games.diplomacy.agent.text import LONGEST_HISTORY
from grandstand.games.diplomacy.agent.training import training
from grandstand.games.diplomacy.bots import BOTS, SLOW, TALKS, showcase
from grandstand.games.diplomacy.events import (
    CentersChanged,
    DrawVoted,
    LieNoted,
    NotesTaken,
    OrdersResolved,
    OrdersSubmitted,
    PactAccepted,
    PactBroken,
    PactKept,
    PactOffered,
    PactRefused,
    PhaseAdvanced,
    PowerEliminated,
    PromiseBroken,
    PromiseKept,
    PromiseReplaced,
    SavedPartRead,
    TacticSet,
)
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions, option_words
from grandstand.games.diplomacy.package.requests import read_request
from grandstand.games.diplomacy.picture import PICTURES
from grandstand.games.diplomacy.press.honesty import MEASURES, measures
from grandstand.games.diplomacy.press.intentions import INTENTIONS
from grandstand.games.diplomacy.press.notes import NOTES
from grandstand.games.diplomacy.questions import DiplomacyAsker
from grandstand.games.diplomacy.record.report import phase_advanced
from grandstand.games.diplomacy.record.saved_game import export_saved_game
from grandstand.games.diplomacy.record.saved_game_import import FORM
from grandstand.games.diplomacy.rules.editing import edit_slots, edited
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.versions import RULES, as_of
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.diplomacy.story.pace import PACE, rest
from grandstand.games.diplomacy.tactics.game import load_game, new_game
from grandstand.games.diplomacy.tactics.positions import PACK, quoted, tasks
from grandstand.games.prompts import PromptForm
from grandstand.games.spec import Bots, Comparison, Editing, Exchange, GameSpec, Learning, Rules, Storytelling, Talk


def _edit(game: DiplomacyGame, chosen: Chosen) -> list[GameEvent]:
    """Change the position by hand; orders that were given for the former one are void."""
    game.state, game.submitted = edited(game.state, chosen), {}
    return [phase_advanced(game.state)]


GAME: GameSpec[DiplomacyGame] = GameSpec(
    name="diplomacy",
    rules=Rules(
        title="Diplomacy",
        seats=POWERS,
        options=DiplomacyOptions,
        new=new_game,
        load=load_game,
        events=(
            PhaseAdvanced,
            OrdersSubmitted,
            OrdersResolved,
            PromiseReplaced,
            PromiseKept,
            PromiseBroken,
            PactOffered,
            PactAccepted,
            PactRefused,
            PactKept,
            PactBroken,
            CentersChanged,
            PowerEliminated,
            DrawVoted,
            MessageSent,
            LieNoted,
            NotesTaken,
            TacticSet,
            SavedPartRead,
        ),
        version=RULES,
        as_of=as_of,
        option_words=option_words,
        public=DiplomacyGame.public,
        editing=Editing(lambda game, chosen: edit_slots(game.state, chosen), _edit),
    ),
    bots=Bots(BOTS, showcase, slow=SLOW, pace=PACE),
    talk=Talk(
        reply=REPLY,
        prompts=PromptForm(version=5, unit="movement phases", longest=LONGEST_HISTORY),
        press=replace(PRESS, bots=TALKS),
        notes=NOTES,
        intentions=INTENTIONS,
    ),
    story=Storytelling(
        DiplomacyStory,
        rest=rest,
        questions=DiplomacyAsker,
        deeds={"stab": "stabbed"},
    ),
    picture=PICTURES,
    learning=Learning(
        training=training,
        tasks={PACK: tasks},
        comparison=Comparison(
            reference=next(iter(BOTS)),
            measures=measures,
            meanings=MEASURES,
            quoted=quoted,
            whole_matches=True,
            summarized=tuple(MEASURES),
        ),
    ),
    exchange=Exchange(exports={"saved-game": export_saved_game}, imports={"saved-game": FORM}, observe=read_request),
)
