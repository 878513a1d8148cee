"""The constructions of the sentences: several for each thing that can be said.

The first of each is that of the fact itself; the commentator chooses among all. `{a}` is the acting power, `{v}` the
affected one, `{b}` another power, `{place}` and `{origin}` are provinces, plural names are lists. A sentence says no
more than its slots.
"""

from __future__ import annotations

from collections.abc import Mapping

ORDERS: Mapping[str, tuple[str, ...]] = {
    "landing": (
        "{a} carries an army by sea from {origin} to {place}.",
        "Over the water from {origin}: an army of {a} lands in {place}.",
        "The convoy holds, and {a}'s army from {origin} goes ashore in {place}.",
        "{place} sees an army of {a} arrive by sea from {origin}.",
    ),
    "help": (
        "{a} helps {b}: its orders back the unit of {b} in {place}.",
        "The unit of {b} in {place} has {a} on its side this season.",
        "A hand across the border: {a} backs {b}'s unit in {place}.",
    ),
    "alliance": (
        "{a} and {b} act as allies: they support each other, and neither has attacked the other for a year.",
        "Support between {a} and {b}, and no attack for a year: that is an alliance in deed.",
        "A year of peace and support: {a} and {b} play side by side.",
    ),
    "promise": (
        "{a} promises {others}: {clause}.",
        "To {others}, {a} gives its word: {clause}.",
        "The word of {a} to {others} is that {clause}.",
        "{clause}: so {a} promises {others}.",
    ),
    "promise_kept": (
        "{a} keeps its word to {others}: {clause}.",
        "As {a} promised {others}, {clause}.",
        "{clause}, just as {a} told {others}.",
        "Its word to {others} is good: {a} said that {clause}, and so it was ordered.",
    ),
    "promise_broken": (
        "{a} breaks its word to {others}: it had promised that {clause}.",
        "{a} told {others} that {clause}. The orders say otherwise.",
        "A broken promise: from {a}, {others} had the word that {clause}.",
        "So much for what {others} heard from {a}: {clause}. It was not so.",
    ),
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
    ),
    "removal": (
        "{v} disbands in {places}.",
        "Too few centres for its units: {v} gives up {places}.",
        "{v} has to part with what stood in {places}.",
    ),
    "calm": (
        "Nobody attacks anybody this season; the count of moves is {moves}.",
        "Peace on the board: the moves number {moves}, the attacks none.",
        "No attack anywhere. The count of moves is {moves}.",
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
    ),
    "repelled": (
        "{a} attacks {place} from {origin}, alone, and {v} holds.",
        "{v} keeps {a} out of {place}.",
        "One against {defence}: {a}'s move on {place} comes to nothing against {v}.",
        "{a} tests {place} from {origin}, and {v} stays.",
        "The {unit} of {a} in {origin} cannot get into {place}, where {v} stands.",
        "{v} is still in {place}; {a} came from {origin} without support.",
        "No luck for {a} at {place}: {v} does not move aside.",
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
    ),
    "support_cut": (
        "{a} cuts the support that {v} gives from {place}.",
        "{a} breaks {v}'s support in {place} with an attack from {origin}.",
        "{v}'s unit in {place} cannot help: {a} hits it from {origin}.",
        "With a move from {origin}, {a} spoils the support of {v} in {place}.",
    ),
    "repeated": (
        "For the {nth} season in a row, {a} fails to get from {origin} to {place}.",
        "{origin} to {place} again, and again in vain: {a} has tried it {count} seasons running.",
        "{a} runs at {place} from {origin} for the {nth} season in a row and bounces.",
        "{count} seasons in a row now, and {a} is still not from {origin} into {place}.",
    ),
    "first_blood": (
        "First blood: {a} dislodges {v} in {place}.",
        "The first unit of the match is dislodged: {v}'s, in {place}, by {a}.",
    ),
    "new_front": (
        "A new front: {a} attacks {v} in {place}.",
        "{a} opens a front against {v}, in {place}.",
        "Until now {a} and {v} had left each other alone; {place} ends that.",
    ),
    "stab": (
        "A stab: {a} turns on {v} in {place}, within a year of supporting it.",
        "{a} supported {v} within the last year, and now it strikes {place}.",
        "The knife is out: {a}, who lent {v} support within the year, attacks it in {place}.",
        "{v} had the support of {a} within the year. In {place} it has the attack of {a}.",
    ),
    "stab_by_word": (
        "{a} gave {v} its word within the year, and now it strikes {place}.",
        "A stab against its own word: {a} attacks {v} in {place}, within a year of a promise.",
        "{v} had a promise of {a} within the year, and now an attack on {place}.",
    ),
    "alliance_over": (
        "The alliance of {a} and {v} is over: {a} attacks in {place}.",
        "{a} attacks {v} in {place}; they are allies no longer.",
        "{a} and {v} were allies. {place} ends it.",
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
    ),
}

CAPTURES: Mapping[str, tuple[str, ...]] = {
    "capture": (
        "{a} takes {places} from {v}.",
        "{v} loses {places} to {a}.",
        "Changing hands: {places}, from {v} to {a}.",
        "{a} has {places} now, at the expense of {v}.",
        "{places}: lost by {v}, won by {a}.",
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
    ),
    "regained": (
        "{a} wins back {places} from {v}.",
        "Back to {a}: {places}, from {v}.",
        "{v} has to return {places} to {a}.",
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

SUMMARIES: Mapping[str, tuple[str, ...]] = {
    "opening": (
        "{season}: {count} powers begin, and {solo} centres win.",
        "The board is set for {season}: {count} powers, and {solo} centres to win alone.",
        "{count} powers, {solo} centres to win: the match opens in {season}.",
    ),
    "lead_change": (
        "{a} takes the lead with {centres} centres; {b} has {others}.",
        "A new leader: {a}, on {centres} centres, ahead of {b} on {others}.",
        "{b} is overtaken: {a} leads with {centres} centres to {others}.",
    ),
    "lead_alone": (
        "{a} leads alone, with {centres} centres.",
        "The lead is {a}'s alone: {centres} centres.",
        "{a} pulls ahead of the others with {centres} centres.",
    ),
    "lead_shared": (
        "{powers} share the lead on {centres} centres each.",
        "Level at the top: {powers}, each with {centres} centres.",
        "The lead is shared by {powers}, on {centres} centres each.",
    ),
    "threat": (
        "{a} has {centres} centres and needs {needed} more to win alone; {powers} can stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and it is up to {powers} to stop her.",
        "{needed} more would win it for {a}, who has {centres}. In reach to stop her: {powers}.",
    ),
    "threat_one": (
        "{a} has {centres} centres and needs {needed} more to win alone; only {powers} can stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and nobody but {powers} is near enough.",
        "{needed} more would win it for {a}, who has {centres}. Only {powers} stands in the way.",
    ),
    "threat_open": (
        "{a} has {centres} centres and needs {needed} more to win alone; nobody is near enough to stop her.",
        "With {centres} centres {a} is {needed} short of winning alone, and no rival is in reach.",
    ),
    "standstill": (
        "No centre changes hands in {year}.",
        "{year} ends as it began: every centre with its owner.",
        "Not one capture in {year}.",
    ),
    "standstill_long": (
        "{year} is year number {count} without a capture.",
        "No centre has changed hands for {count} years, up to {year}.",
        "Still no capture in {year}: it is {count} years now.",
    ),
    "swing_up": (
        "{a}'s chance of winning goes up from {before} to {after} percent.",
        "That is worth a lot to {a}: its chance of winning was {before} percent and is {after}.",
        "From {before} to {after} percent: {a} gains most in the estimate.",
        "The estimate moves to {a}: {after} percent, after {before}.",
    ),
    "swing_down": (
        "{a}'s chance of winning falls from {before} to {after} percent.",
        "That hurts {a}: its chance of winning was {before} percent and is {after}.",
        "From {before} down to {after} percent: {a} loses most in the estimate.",
        "The estimate turns from {a}: {after} percent, after {before}.",
    ),
    "year": (
        "{year} ends with {a} ahead on {centres} centres; {b} is next with {others}.",
        "So ends {year}: {a} {centres}, {b} {others}.",
        "After {year} the order is {a} with {centres} centres, then {b} with {others}.",
        "The count for {year}: {a} leads on {centres}, and {b} follows on {others}.",
        "{a} {centres}, {b} {others}: that is the top of the table after {year}.",
    ),
    "year_alone": (
        "{year} ends with {a} ahead on {centres} centres.",
        "After {year}, {a} has most: {centres} centres.",
        "The count for {year}: {a} in front with {centres}.",
    ),
    "year_level": (
        "{year} ends with {powers} level at the top, {centres} centres each.",
        "After {year} nobody leads: {powers} have {centres} centres each.",
        "The count for {year} puts {powers} level on {centres} centres.",
    ),
    "gain": (
        "The year's biggest gain is {a}'s: {count} more than a year ago.",
        "Nobody grew like {a} this year: up by {count}, to {centres}.",
        "{a} has the best year, from {before} to {centres} centres.",
        "Best of the year: {a}, {count} up.",
    ),
    "loss": (
        "The year cost {v} most: {count} fewer, {centres} left.",
        "{v} has the worst year, down from {before} to {centres} centres.",
        "Nobody lost as much as {v}, which is down by {count}.",
    ),
    "solo": (
        "{a} wins alone with {centres} centres.",
        "It is over: {a} has {centres} centres and the whole match.",
        "{centres} centres: {a} wins alone.",
    ),
    "ahead": (
        "{year} was the last year, and {a} ends it ahead with {centres} centres.",
        "Time is up with {year}: {a} has most, {centres} centres.",
    ),
    "ahead_level": (
        "{year} was the last year, and {powers} end it level on {centres} centres.",
        "Time is up with {year}: {powers} share the top with {centres} centres each.",
    ),
    "draw": (
        "The match is drawn between {powers}.",
        "A draw: {powers} share it.",
    ),
    "stopped": (
        "The match is stopped in {season}.",
        "Play stops in {season}, without a result.",
    ),
}

NEEDS = {
    "place": "{a} wins with {place} {when}.",
    "any": "{a} wins with any of {places} {when}.",
    "of": "{a} needs {needed} of {places} {when}.",
    "more": "{a} needs {needed} more, with {prey} in reach {when}.",
    "far": "{a} needs {needed} more, and none is in reach {when}.",
}
"""What a leader needs to win alone."""
STOPS = {
    "open": "Nobody is near enough to stop her.",
    "one": "Only {powers} can stop her.",
    "some": "{powers} can stop her.",
    "many": "{count} powers are near enough to stop her.",
}
"""Who is near enough to stop it."""
HEADLINES: Mapping[str, tuple[str, ...]] = {
    **{
        f"headline_{needs}_{stops}": (f"{first} {second}",)
        for needs, first in NEEDS.items()
        for stops, second in STOPS.items()
    },
    "headline_start": ("{season}: no unit has moved yet.",),
    "headline_level": ("{powers} share the lead on {centres} centres each.",),
    "headline_lead": ("{a} leads with {centres} centres, {count} more than {b}.",),
    "headline_lead_alone": ("{a} leads with {centres} centres, {count} more than anybody else.",),
    "headline_rise": ("{headline} The chance of {b} rises to {after} per cent.",),
    "headline_fall": ("{headline} The chance of {b} falls to {after} per cent.",),
    "headline_last": ("{headline} The match ends with {year}.",),
}
"""The state of the match in a sentence or two, if no fact is important enough for the headline."""

FORMS: Mapping[str, tuple[str, ...]] = {**ORDERS, **CONFLICTS, **CAPTURES, **SUMMARIES, **HEADLINES}
CLOSING = frozenset(("solo", "ahead", "ahead_level", "draw", "stopped"))
"""The last line of a match."""
BEATS: Mapping[str, str] = {
    **dict.fromkeys(ORDERS, "orders"),
    **dict.fromkeys(CONFLICTS, "conflicts"),
    **dict.fromkeys(CAPTURES, "captures"),
    **dict.fromkeys(SUMMARIES, "summary"),
}
"""The part of a turn to which a sentence belongs."""
