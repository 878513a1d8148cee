"""The observation of a seat as a prompt for a language model: compact, complete and deterministic."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from grandstand.games.choices import Many, Slot
from grandstand.games.diplomacy.agent.surroundings import surroundings, years_text
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, PROVINCES
from grandstand.games.diplomacy.types import JudgedPromise, KnownPact, Message, Observation, PlayedPhase
from grandstand.games.offered import listing
from grandstand.games.prompts import PromptPart, PromptSettings

RULES = """\
You play {power} in Diplomacy on the standard map. Whoever owns 18 of the 34 supply centres after a fall turn wins.
All powers give their orders in secret, and all are played at once. A unit has strength 1, and 1 more for each support;
the stronger side gets the province, equal sides bounce. A support is cut by an attack on the supporting unit, unless
that attack comes from where the support goes and does not dislodge it. Centres change hands after fall turns; then
units are built or removed until each power has as many units as centres."""

MESSAGES_SHOWN = 40
BROKEN_SHOWN = 12
KEPT_SHOWN = 6
ENDED_SHOWN = 8
YEARS_SHOWN = 10
LONGEST_HISTORY = 10
"""The most movement phases whose orders a prompt can show."""

DEFAULT = PromptSettings()


def parts(
    observation: Observation,
    slots: Sequence[Slot],
    settings: PromptSettings = DEFAULT,
    played: Sequence[PlayedPhase] = (),
) -> list[PromptPart]:
    """Return the text of `DiplomacyGame.observation` and of the slots for the orders of one seat, in named parts.

    `played` are the earlier phases, for a history of several turns.
    """
    past = _past(observation, settings.history, played)
    return [
        PromptPart("rules", f"{RULES.format(power=observation['power'])}\n{observation['scoring']}"),
        PromptPart("position", _board(observation, settings.legal)),
        PromptPart("history", years_text(observation["years"], past.years) if past.years else ""),
        PromptPart("analysis", _around(observation)),
        PromptPart("history", _played(past.played)),
        PromptPart("history", _press(observation["messages"], past.messages)),
        PromptPart("history", _promises(past.promises)),
        PromptPart("history", _pacts(observation["pacts"])),
        PromptPart("legal", _choices(observation, slots) if settings.legal else _demand(observation, slots)),
    ]


class _Past(NamedTuple):
    """The part of the past that a prompt has."""

    years: int
    played: Sequence[PlayedPhase]
    messages: Sequence[Message]
    promises: Sequence[JudgedPromise]


def _past(observation: Observation, turns: int | None, played: Sequence[PlayedPhase]) -> _Past:
    """Return the past of the last `turns` movement phases, each with the retreats and builds after it.

    Messages of this phase are not part of the past: a prompt always has them.
    """
    if turns is None:
        return _Past(YEARS_SHOWN, observation["recent"], observation["messages"], observation["promises"])
    played = last_turns(played, turns)
    phases = {phase["phase"] for phase in played}
    return _Past(
        years=-(-turns // 2) + 1 if turns else 0,
        played=played,
        messages=[message for message in observation["messages"] if message["turn"] in {*phases, observation["turn"]}],
        promises=[verdict for verdict in observation["promises"] if verdict["phase"] in phases],
    )


def last_turns(played: Sequence[PlayedPhase], turns: int) -> Sequence[PlayedPhase]:
    """Return the last `turns` movement phases, each with the retreats and builds after it."""
    movements = [at for at, phase in enumerate(played) if phase["phase"].endswith("M")]
    if not turns:
        return []
    return played[movements[-turns] :] if len(movements) >= turns else played


def _board(observation: Observation, retreats: bool) -> str:
    """Return the position; with `retreats`, dislodged units have the places that they may go to."""
    state = observation["state"]
    lines = [f"Phase {state['phase']} (the match ends after the fall of {observation['options']['last_year']})."]
    for power in POWERS:
        centers, units = state["centers"][power], state["units"][power]
        if centers or units:
            lines.append(f"{power}: {len(centers)} centres {' '.join(centers)} | units {', '.join(units) or 'none'}")
        for unit, places in state["retreats"].get(power, {}).items():
            where = f", may retreat to {' '.join(places) or 'nowhere'}" if retreats else ""
            lines.append(f"{power}: {unit} is dislodged{where}")
    owned = {center for centers in state["centers"].values() for center in centers}
    neutral = [center for center in (PROVINCES[center] for center in CENTERS) if center not in owned]
    if neutral:
        lines.append(f"Nobody's: {' '.join(neutral)}")
    if observation["votes"]:
        lines.append(f"Vote for a draw: {', '.join(observation['votes'])}")
    return "\n".join(lines)


def _around(observation: Observation) -> str:
    """Return the surroundings of the power's units in a movement phase."""
    moving = observation["turn"].endswith("M")
    return surroundings(observation["power"], observation["state"]) if moving else ""


def _played(phases: Sequence[PlayedPhase]) -> str:
    blocks = []
    for played in phases:
        lines = [f"Orders of {played['phase']}:"]
        for power, orders in played["orders"].items():
            entries = [
                order["order"] + (f" ({', '.join(order['results'])})" if order["results"] else "") for order in orders
            ]
            lines.append(f"{power}: {'; '.join(entries)}")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def _press(messages: Sequence[Message], listed: Sequence[Message]) -> str:
    """Return the last of the messages to be `listed`, and the number of the others."""
    if not messages:
        return ""
    listed = listed[-MESSAGES_SHOWN:]
    left_out = len(messages) - len(listed)
    lines = ["Messages:" if not left_out else f"Messages ({left_out} older ones left out):"]
    for message in listed:
        to = "all" if message["public"] else ", ".join(message["recipients"])
        promises = f" [promises {'; '.join(map(quoted, message['promises']))}]" if message["promises"] else ""
        lines.append(f"{message['turn']} {message['sender']} to {to}: {quoted(message['text'])}{promises}")
    return "\n".join(lines)


def _promises(verdicts: Sequence[JudgedPromise]) -> str:
    """Return the latest kept and broken promises that the seat gave or received, and their number."""
    if not verdicts:
        return ""
    listed = [
        index
        for fulfilled, count in ((False, BROKEN_SHOWN), (True, KEPT_SHOWN))
        for index in [index for index, verdict in enumerate(verdicts) if verdict["kept"] == fulfilled][-count:]
    ]
    left_out = len(verdicts) - len(listed)
    lines = [f"Promises judged ({left_out} older ones left out):" if left_out else "Promises judged:"]
    lines += [_judged(verdicts[index]) for index in sorted(listed)]
    for power in POWERS:
        outcomes = [verdict["kept"] for verdict in verdicts if verdict["power"] == power]
        if outcomes:
            lines.append(f"{power} broke {outcomes.count(False)} of {len(outcomes)}")
    return "\n".join(lines)


def _judged(verdict: JudgedPromise) -> str:
    """`S1902M ITALY to AUSTRIA: A VEN H, broken: ordered A VEN - TRI`; notation of ours, never a player's words."""
    to = "all" if verdict["public"] else ", ".join(verdict["recipients"])
    outcome = "kept" if verdict["kept"] else f"broken: ordered {verdict['order']}"
    return f"{verdict['phase']} {verdict['power']} to {to}: {verdict['meant']}, {outcome}"


def _pacts(pacts: Sequence[KnownPact]) -> str:
    """Return the pacts that wait for an answer or are in force, and the last that ended."""
    live = [pact for pact in pacts if pact["state"] in ("open", "accepted")]
    ended = [pact for pact in pacts if pact["state"] in ("kept", "broken", "refused")][-ENDED_SHOWN:]
    if not live and not ended:
        return ""
    return "\n".join(["Pacts:", *map(_pact, (*ended, *live))])


def _pact(pact: KnownPact) -> str:
    """`FG1 open, offered by FRANCE to GERMANY: S1901M A PAR - BUR; S1901M A MUN H; nobody enters RUH; to F1901M`."""
    others = ", ".join(power for power in pact["parties"] if power != pact["power"])
    terms = [f"{term['turn']} {term['order']}" for term in pact["terms"]]
    if pact["zones"]:
        terms.append(f"nobody enters {' '.join(pact['zones'])}")
    terms.append(f"to {pact['until']}{', else war' if pact['penalty'] == 'war' else ''}")
    counters = f", instead of {pact['counters']}" if pact["counters"] else ""
    return f"{pact['pact']} {pact['state']}, offered by {pact['power']} to {others}{counters}: {'; '.join(terms)}"


def quoted(text: str) -> str:
    """Return a player's text as a JSON string on one line without invisible characters, so that it is always quoted."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in quoted)


def _choices(observation: Observation, slots: Sequence[Slot]) -> str:
    demand = _demand(observation, slots)
    if not slots:
        return demand
    head = demand or "Legal orders, per unit; a comma stands between alternative last words:"
    return f"{head}\n{listing(lambda chosen: () if chosen else slots)}"


def _demand(observation: Observation, slots: Sequence[Slot]) -> str:
    """Return as a sentence what the power must decide besides orders for its units; empty if nothing."""
    if not slots:
        return f"{observation['power']} has nothing to order in {observation['turn']}."
    if not isinstance(slot := slots[0], Many):
        return ""
    if slot.least:
        return f"You must remove {slot.least}."
    return f"You may build {slot.most}, one in a place; fewer are waived."
