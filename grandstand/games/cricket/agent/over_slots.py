"""The slots of a plan for an over."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from grandstand.games.choices import Chosen, Many, Option, Pick, Slot, Text, picks
from grandstand.games.cricket.agent.actions import KEEP, MAX_NOTE, SIDE
from grandstand.games.cricket.laws.field import KEEPER_UP, PLACES, PRESETS
from grandstand.games.cricket.match import over_plan
from grandstand.games.cricket.match.observation import turning
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.teams import Cricketer
from grandstand.games.cricket.vocab import INTENTS, SHOTS, STYLES

NOBODY: Final = "nobody"
OWN: Final = "own"
"""For a field: nine positions, which come next."""
_HELP: Final = {
    over_plan.NATURAL: "as real bowlers do in this state",
    "attack": "full and swinging; of spin, good lengths and the wrong 'un",
    "hard_length": "back of a length, at the top of off stump",
    "short": "at the body, with the bouncers of the over",
    "yorkers": "at the base of the stumps",
    "change_of_pace": "slower balls and cutters; of spin, the quicker one and the arm ball",
}
_FIELD_HELP: Final = {
    **dict.fromkeys(KEEPER_UP, "the wicket-keeper up to the stumps where the bowler is of medium pace"),
    **dict.fromkeys(("pp_ring", "pp_spin"), "seven in the ring to save the single, two on the boundary"),
}
_POSITIONS: Final = (
    Many("positions", tuple(Option(place, target=place) for place in PLACES), 9, 9,
         "Nine positions; bowler and wicket-keeper stand anyway"),
)  # fmt: skip
_NOTE: Final = Text("note", MAX_NOTE, "The thought behind it, for yourself")


@lru_cache(maxsize=1024)
def field_options(names: tuple[str, ...]) -> tuple[Option, ...]:
    """Return the fields of these names, with what a name does not say as help."""
    return tuple(Option(name, help=_FIELD_HELP.get(name, "")) for name in names)


def bowler_options(state: ContestState, names: Sequence[str]) -> tuple[Option, ...]:
    """Return the bowlers of these names, with the style and the match-up as help."""
    team, out = state.teams[state.now.bowling_side], []
    for name in names:
        player = team.index(name)
        assert player is not None
        words = STYLES[team.players[player].style or "OB"][1], turning(state, player)
        out.append(Option(name, help=", ".join(filter(None, words))))
    return tuple(out)


def impact_now(state: ContestState, side: int) -> tuple[Pick, Pick]:
    """Return the slots for the impact player, and for whom he replaces."""
    players = state.teams[side].players
    come = tuple(Option(players[i].name, help=played_by(players[i])) for i in state.substitutes(side))
    leave = tuple(Option(players[i].name, help=played_by(players[i])) for i in state.replaceable(side))
    return Pick("impact", come, _IMPACT), Pick(
        "replaces", leave, "Whom the impact player replaces, for the rest of the match"
    )


def before_plan(state: ContestState, side: int, chosen: Chosen) -> tuple[Sequence[Slot], ContestState, Chosen]:
    """Return the next slot for the impact player, who comes before the rest of a plan; then the match with him, and
    what is chosen of the rest."""
    if not state.substitutes(side):
        return (), state, chosen
    if "impact" not in chosen:
        who, _ = impact_now(state, side)
        return (Pick("impact", (*picks(NOBODY), *who.options), _IMPACT, NOBODY),), state, chosen
    if chosen["impact"] != NOBODY:
        if "replaces" not in chosen:
            _, whom = impact_now(state, side)
            return (whom,), state, chosen
        comes, leaves = (state.teams[side].index(str(chosen[name])) for name in ("impact", "replaces"))
        assert comes is not None
        assert leaves is not None
        state = state.after(side, comes, leaves)
    return (), state, {name: value for name, value in chosen.items() if name not in ("impact", "replaces")}


_IMPACT: Final = "The substitute who comes in, once in the match"


def played_by(player: Cricketer) -> str:
    """Return the role of a player, the style and the season's figures."""
    season, style = player.season, STYLES[player.style][1] if player.style and player.front_line else ""
    bowls = f"{'/'.join(str(figure) for figure in season['econ'])} an over" if style else ""
    return ", ".join(filter(None, (player.role, f"average {season['avg']} at {season['sr']}", style, bowls)))


def slots(
    state: ContestState, side: int, chosen: Chosen, bowlers: Sequence[str], batters: Sequence[str]
) -> Sequence[Slot]:
    """Return the slots of the plan after what is chosen; `bowlers` and `batters` are the names of those who may."""
    if len(chosen) > 1:
        return _POSITIONS if chosen.get("field") == OWN and "positions" not in chosen else ()
    plan = over_plan.in_force(state, side)
    if side == state.now.batting_side:
        return _batting(state, side, batters)
    fields = tuple(name for name in ("standard", *PRESETS) if state.refused_field(name) is None)
    own = not state.field_locked and "field" not in state.now.fouls
    legal = tuple(name for name in fields if state.would_breach(name) is None)
    kept = (KEEP, *legal, OWN) if own else (KEEP, *legal)
    who = bowler_options(state, bowlers) if state.now.bowler is None else ()
    return _bowling(who, kept, over_plan.theme_of(plan), over_plan.zone_of(plan), plan is None)


@lru_cache(maxsize=1024)
def _bowling(bowlers: tuple[Option, ...], fields: tuple[str, ...], theme: str, zone: str, ask: bool) -> Sequence[Slot]:
    who = (Pick("bowler", (*picks(SIDE), *bowlers), "Who bowls the over", SIDE),) if bowlers else ()
    themes = tuple(Option(name, help=_HELP[name]) for name in over_plan.THEMES)
    return (
        *who,
        Pick("field", field_options(fields), "Where the fielders stand from now on", KEEP),
        Pick("theme", themes, "The kind of over", theme),
        Pick("zone", picks(*over_plan.ZONES), "The line of every third ball", zone),
        Pick("ask", picks("yes", "no"), "Whether to be asked again after a boundary", "yes" if ask else "no"),
        _NOTE,
    )


def _batting(state: ContestState, side: int, batters: Sequence[str]) -> Sequence[Slot]:
    innings, team = state.now, state.teams[side]
    plan = over_plan.in_force(state, side)
    known = over_plan.intents_of(plan)
    vacant = None in (innings.striker, innings.non_striker) and bool(batters)
    following = team.players[state.following_batter()].name if vacant else ""
    ends = []
    both = innings.striker is None and innings.non_striker is None
    for end, place, batter in (
        ("striker", "the batter on strike", innings.striker),
        ("non_striker", "the batter at the other end", innings.non_striker),
    ):
        unknown = place if both else "the new batter"
        name = unknown if batter is None else team.players[batter].name
        ends.append((end, name, known.get(name, "normal")))
    return _orders(tuple(batters) if vacant else (), following, tuple(ends), over_plan.shot_of(plan))


@lru_cache(maxsize=4096)
def _orders(
    batters: tuple[str, ...], following: str, ends: tuple[tuple[str, str, str], ...], shot: str
) -> Sequence[Slot]:
    who = (Pick("batter", picks(*batters), "Who comes in", following),) if batters else ()
    risks = (Pick(end, picks(*INTENTS), f"How much risk {name} takes", usual) for end, name, usual in ends)
    stroke = Pick("shot", picks(*SHOTS), "The stroke of every fourth ball, called before it is bowled", shot)
    return (*who, *risks, stroke, _NOTE)
