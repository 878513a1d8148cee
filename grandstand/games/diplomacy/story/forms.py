"""The constructions of the sentences: several for each thing that can be said.

The first of each is that of the fact itself; the commentator chooses among all. `{a}` is the acting power, `{v}` the
affected one, `{b}` another power, `{place}` and `{origin}` are provinces, plural names are lists. A sentence says no
more than its slots.
"""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.games.diplomacy.story.analyst.forms import ANALYSIS
from grandstand.games.diplomacy.story.summary_forms import HEADLINES, SUMMARIES

ORDERS: Mapping[str, tuple[str, ...]] = {
    "landing": (
        "{a} carries an army by sea from {origin} to {place}.",
        "Over the water from {origin}: an army of {a} lands in {place}.",
        "The convoy holds, and {a}'s army from {origin} goes ashore in {place}.",
        "{place} sees an army of {a} arrive by sea from {origin}.",
        "Ships bring an army of {a} from {origin} to {place}.",
        "{a} crosses the water: from {origin} to {place}.",
    ),
    "help": (
        "{a} helps {b}: its orders back the unit of {b} in {place}.",
        "The unit of {b} in {place} has {a} on its side this season.",
        "A hand across the border: {a} backs {b}'s unit in {place}.",
        "{b}'s unit in {place} can count on {a}.",
        "{a} lends its strength to {b} in {place}.",
        "Orders from {a} for the good of {b}: support in {place}.",
        "In {place}, {b} does not stand alone: {a} supports it.",
    ),
    "alliance": (
        "{a} and {b} act as allies: they support each other, and neither has attacked the other for a year.",
        "Support between {a} and {b}, and no attack for a year: that is an alliance in deed.",
        "A year of peace and support: {a} and {b} play side by side.",
    ),
    "promise": ("{a} promises {others}: {clause}.",),
    "promise_kept": ("{a} keeps its word to {others}: {clause}.",),
    "promise_broken": ("{a} breaks its word to {others}: it had promised that {clause}.",),
    "vote": (
        "{a} votes for a draw.",
        "A vote for a draw comes from {a}.",
        "{a} would take a draw.",
    ),
    "vote_withdrawn": (
        "{a} no longer votes for a draw.",
        "{a} takes back its vote for a draw.",
    ),
    "retreat": (
        "{v}'s {unit} falls back from {origin} to {place}.",
        "The {unit} that {v} lost {origin} with retreats to {place}.",
        "From {origin}, {v} retreats its {unit} to {place}.",
        "{origin} is lost to {v}, whose {unit} gets away to {place}.",
        "{place} takes in {v}'s {unit} from {origin}.",
        "Driven from {origin}, {v}'s {unit} regroups in {place}.",
    ),
    "retreat_lost": (
        "{v}'s {unit} from {origin} is disbanded.",
        "{v} loses the {unit} that was driven out of {origin}.",
        "The {unit} that left {origin} does not come back: {v} is one unit fewer.",
    ),
    "build": (
        "{a} builds in {places}.",
        "New units for {a} in {places}.",
        "{places}: here {a} builds.",
        "Fresh forces for {a} appear in {places}.",
        "{a} raises units in {places}.",
        "{a} has more to play with: units in {places}.",
        "Recruits for {a}, in {places}.",
        "Next year {a} has more: units in {places}.",
    ),
    "removal": (
        "{v} disbands in {places}.",
        "Too few centres for its units: {v} gives up {places}.",
        "{v} has to part with what stood in {places}.",
        "{v} is over its strength: gone from {places}.",
        "What {v} had in {places} goes home.",
        "Fewer units for {v}: none any more in {places}.",
    ),
    "calm": (
        "Nobody attacks anybody this season; the count of moves is {moves}.",
        "Peace on the board: the moves number {moves}, the attacks none.",
        "No attack anywhere. The count of moves is {moves}.",
        "{moves} is the count of moves, and none of them is an attack.",
    ),
}

CONFLICTS: Mapping[str, tuple[str, ...]] = {
    "dislodged": (
        "{a} drives {v}'s {unit} out of {place} from {origin}, with support from {helpers}.",
        "{origin} strikes at {place} with {helpers} behind it: {a} throws out {v}'s {unit}.",
        "{strength} against {defence} in {place}: {v}'s {unit} gives way to {a}.",
        "{v}'s {unit} in {place} is dislodged. {a} comes from {origin}, thanks to {helpers}.",
        "{a} has the numbers in {place}, {strength} to {defence}, and {v} must fall back.",
        "Out goes {v}'s {unit}: {a} comes from {origin} into {place}.",
        "{v} cannot hold {place} against {strength} from {a}.",
        "With {helpers} in support, {a} pushes from {origin} into {place} and {v} has to make way.",
    ),
    "dislodged_jointly": (
        "{a} drives {v}'s {unit} out of {place} from {origin}, and {allies} lends the support.",
        "{a} strikes from {origin} with the help of {allies}: {v}'s {unit} is out of {place}.",
        "Support from {allies} puts {a} into {place}, and {v} has to leave.",
        "{v}'s {unit} falls in {place} to {a}, which had {allies} on its side.",
    ),
    "destroyed": (
        "{a} destroys {v}'s {unit} in {place}: it is dislodged from {origin} and has nowhere to retreat.",
        "{v}'s {unit} in {place} is hit from {origin} by {a}, has no way out, and is gone.",
        "No retreat from {place}: {a} wipes out {v}'s {unit}, {strength} against {defence}.",
        "{a} falls upon {place} from {origin}, and {v} loses its {unit} there for good.",
        "{v}'s {unit} in {place} is trapped; {a}, {strength} strong, makes an end of it.",
    ),
    "entered": (
        "{a} moves from {origin} into {place}, a centre of {v}.",
        "Nobody guards {place}, and {a} walks in from {origin}. The centre is {v}'s.",
        "{place} stands open: {a} comes from {origin}, and {v} has a foreign {unit} in its centre.",
        "Into {v}'s centre of {place} goes {a}, from {origin}, with nobody in the way.",
        "{v} left {place} empty, and now {a}'s {unit} is there.",
        "{a}'s {unit} steps from {origin} into {place}, which {v} owns and nobody held.",
        "{v} owns {place}, and it is {a}'s {unit} from {origin} that stands there.",
        "{a} finds {place} empty and takes up quarters in {v}'s centre.",
        "From {origin} to {place} without a fight: {a} is in a centre of {v}.",
    ),
    "repelled": (
        "{a} attacks {place} from {origin}, alone, and {v} holds.",
        "{v} keeps {a} out of {place}.",
        "One against {defence}: {a}'s move on {place} comes to nothing against {v}.",
        "{a} tests {place} from {origin}, and {v} stays.",
        "The {unit} of {a} in {origin} cannot get into {place}, where {v} stands.",
        "{v} is still in {place}; {a} came from {origin} without support.",
        "No luck for {a} at {place}: {v} does not move aside.",
        "{a} knocks at {place} from {origin}; {v} does not open.",
        "{v} sits tight in {place} against {a}.",
        "The move of {a} from {origin} to {place} fails against {v}.",
        "{place} remains {v}'s, in spite of {a}.",
        "{a} had nobody to help it into {place}, and {v} stays.",
        "Strength {defence} is enough for {v}: {a} is turned away from {place}.",
    ),
    "repelled_in_strength": (
        "{a} attacks {place} from {origin} with a strength of {strength}, and {v} still holds.",
        "Even a strength of {strength} does not break {v} in {place}: {a} is thrown back.",
        "{place} stands: {a} brings {strength}, {v} has {defence}.",
        "A heavy blow at {place} from {origin} fails; {v} gives {a} nothing.",
        "{v} weathers the supported attack of {a} on {place}.",
        "Backed by {helpers}, {a} attacks {place}, and still {v} is not dislodged.",
    ),
    "standoff": (
        "{powers} bounce in {place}.",
        "Standoff at {place}: {powers} keep each other out.",
        "Nobody gets {place}; it was wanted by {powers}.",
        "{powers} meet at {place} and recoil.",
        "{place} stays empty between {powers}.",
        "{place}? Not for {powers}, who stop each other there.",
        "{powers} all want {place}, and none gets it.",
        "A bounce in {place}: {powers}.",
    ),
    "support_cut": (
        "{a} cuts the support that {v} gives from {place}.",
        "{a} breaks {v}'s support in {place} with an attack from {origin}.",
        "{v}'s unit in {place} cannot help: {a} hits it from {origin}.",
        "With a move from {origin}, {a} spoils the support of {v} in {place}.",
        "{place} is attacked from {origin} by {a}, and the support of {v} there is worth nothing.",
        "{v} meant to support from {place}; {a} does not let it.",
        "The support of {v} in {place} is cut, by {a} from {origin}.",
    ),
    "repeated": (
        "For the {nth} season in a row, {a} fails to get from {origin} to {place}.",
        "{origin} to {place} again, and again in vain: {a} has tried it {count} seasons running.",
        "{a} runs at {place} from {origin} for the {nth} season in a row and bounces.",
        "{count} seasons in a row now, and {a} is still not from {origin} into {place}.",
        "The {nth} season in a row that {a} tries {origin} to {place}, and it fails as before.",
        "Still {origin} to {place}, still no way through for {a}: {count} seasons.",
    ),
    "first_blood": (
        "First blood: {a} dislodges {v} in {place}.",
        "The first unit of the match is dislodged: {v}'s, in {place}, by {a}.",
    ),
    "new_front": (
        "A new front: {a} attacks {v} in {place}.",
        "{a} opens a front against {v}, in {place}.",
        "Until now {a} and {v} had left each other alone; {place} ends that.",
        "{a} and {v} are at war over {place}.",
        "{v} has a new enemy: {a} attacks it in {place}.",
        "Between {a} and {v} the peace ends in {place}.",
    ),
    "stab": (
        "A stab: {a} turns on {v} in {place}, within a year of supporting it.",
        "{a} supported {v} within the last year, and now it strikes {place}.",
        "The knife is out: {a}, who lent {v} support within the year, attacks it in {place}.",
        "{v} had the support of {a} within the year. In {place} it has the attack of {a}.",
        "{a} was at {v}'s side within the year. Now it is in {place} against it.",
        "Within the year {a} had supported {v}; {place} is the thanks.",
    ),
    "stab_by_word": (
        "{a} gave {v} its word within the year, and now it strikes {place}.",
        "A stab against its own word: {a} attacks {v} in {place}, within a year of a promise.",
        "{v} had a promise of {a} within the year, and now an attack on {place}.",
        "Within the year {v} had the word of {a}. It has an attack on {place} instead.",
        "So ends a year of {a}'s word to {v}: with an attack on {place}.",
    ),
    "alliance_over": (
        "The alliance of {a} and {v} is over: {a} attacks in {place}.",
        "{a} attacks {v} in {place}; they are allies no longer.",
        "{a} and {v} were allies. {place} ends it.",
        "With {place}, {a} ends the alliance with {v}.",
    ),
    "encirclement": (
        "{v} is hard pressed: every home centre that it owns is within reach of {powers}.",
        "All of {v}'s own home centres lie within reach of {powers}.",
    ),
    "gridlock": (
        "Elsewhere nobody passes: {places}.",
        "The rest is gridlock: {places}.",
        "Other moves that stop short: {places}.",
        "And no way through at {places}.",
        "Held up: {places}.",
        "Bounced elsewhere: {places}.",
        "Nothing moves at {places}.",
    ),
}

CAPTURES: Mapping[str, tuple[str, ...]] = {
    "capture": (
        "{a} takes {places} from {v}.",
        "{v} loses {places} to {a}.",
        "Changing hands: {places}, from {v} to {a}.",
        "{a} has {places} now, at the expense of {v}.",
        "{places}: lost by {v}, won by {a}.",
        "{a} is the new owner of {places}, {v} the old one.",
        "From {v}, {a} has won {places}.",
        "{a} counts {places} as its own; {v} no longer does.",
    ),
    "capture_free": (
        "{a} takes {places}, which nobody owned.",
        "New for {a}: {places}.",
        "{a} adds {places}.",
        "Nobody owned {places}; now {a} does.",
        "{a} plants its flag in {places}.",
        "{a} gathers in {places}.",
    ),
    "capture_home": (
        "{a} takes {places} from {v}, at home.",
        "{v} is losing its homeland: {a} has taken {places}.",
        "{a} cuts into the homeland of {v}: {places}.",
        "A blow at home for {v}: {a} holds {places}.",
        "In the homeland of {v}, {a} now owns {places}.",
        "{a} is master in {v}'s own country: {places}.",
        "Not abroad but at home, {v} loses {places} to {a}.",
    ),
    "regained": (
        "{a} wins back {places} from {v}.",
        "Back to {a}: {places}, from {v}.",
        "{v} has to return {places} to {a}.",
        "{a} has {places} again, and {v} has not.",
        "What {v} took from {a} goes back: {places}.",
    ),
    "last_home": (
        "{v} owns no home centre any more and cannot build; the last to go is {places}.",
        "With {places}, {v} has lost the last of its home centres: there will be no new units.",
    ),
    "elimination": (
        "{v} is out of the match: it has no unit and no centre left.",
        "Nothing is left of {v}, and the match goes on without it.",
        "{v} is eliminated.",
    ),
    "elimination_by": (
        "{v} is out of the match; the last of it goes to {others}.",
        "{v} falls to {others}, with no unit and no centre left.",
        "Goodbye {v}: eliminated, its last centres gone to {others}.",
    ),
}

FORMS: Mapping[str, tuple[str, ...]] = {
    **ORDERS,
    **CONFLICTS,
    **CAPTURES,
    **SUMMARIES,
    **HEADLINES,
    **ANALYSIS,
}
CLOSING = frozenset(("solo", "ahead", "ahead_level", "draw", "stopped"))
"""The last line of a match."""
BEATS: Mapping[str, str] = {
    **dict.fromkeys(ORDERS, "orders"),
    **dict.fromkeys(CONFLICTS, "conflicts"),
    **dict.fromkeys(CAPTURES, "captures"),
    **dict.fromkeys(SUMMARIES, "summary"),
    **dict.fromkeys(ANALYSIS, "analysis"),
}
"""The part of a turn to which a sentence belongs."""
