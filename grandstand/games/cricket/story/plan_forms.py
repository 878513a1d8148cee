"""The constructions of the lines on a captain's plan for an over, as in `forms.py`."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, tuple[str, ...]] = {
    "field_slip": ("put in a slip", "set a slip", "posted a slip"),
    "field_ring": ("set a ring", "kept a ring in", "brought the ring up"),
    "field_rope": ("put {count} on the rope", "sent {count} out", "guarded the rope with {count}"),
    "theme_attack": ("bowled for wickets", "attacked", "went after a wicket"),
    "theme_hard_length": ("kept to a hard length", "bowled a hard length", "hit the hard length"),
    "theme_short": ("bowled short", "went short", "kept it short of a length"),
    "theme_yorkers": ("went for the toes", "bowled full at the toes", "wanted it right up at the toes"),
    "theme_change_of_pace": ("changed the pace", "mixed the pace", "played with the pace"),
    "zone": ("aimed at {zone}", "made {zone} the target", "kept to {zone}"),
    "told_one": ("told {name} to {risk}", "wanted {name} to {risk}", "had {name} {risk}"),
    "told_self": ("meant to {risk}", "set out to {risk}"),
    "told_both": ("told both batters to {risk}", "wanted both to {risk}", "had both ends {risk}"),
    "told_two": ("told {name} to {risk} and {other} to {more}", "had {name} {risk} and {other} {more}"),
    "told_partner": ("meant to {risk} and told {other} to {more}", "set out to {risk} and had {other} {more}"),
    "stroke": ("called for the {shot}", "had the {shot} in mind", "planned the {shot}"),
}
"""What a captain did, without the captain: what the field was set to, the theme, the line, the orders, the stroke."""

PLANS: Mapping[str, tuple[str, ...]] = {
    "plan_paid": (
        "{captain} {did}, and it worked: {runs} off the over, {mark}. The plan alone was worth {worth} to {side}.",
        "{captain} {did}. {Runs} came of it, {mark}: a plan worth {worth} to {side}.",
        "{Worth} gained by the plan: {captain} {did}, {runs} off the over.",
        "It paid that {captain} {did}. {Runs} in the over, and {worth} of the chance to {side}.",
        "{side} gain {worth} because {captain} {did}. The over went for {runs}, {mark}.",
        "The over went the way {captain} planned it, who {did}. {Runs}, {mark}, and {worth} to {side}.",
        "A good idea that {captain} {did}: {runs}, {mark}. Luck apart it was worth {worth}.",
    ),
    "plan_unrewarded": (
        "The right plan and the wrong over: {captain} {did}, worth {worth}. {Runs} came all the same, {mark}.",
        "{captain} {did}, which deserved better than {runs}: it was worth {worth} to {side}, luck apart.",
        "No reward for {captain}, who {did}: {runs}, {mark}. The plan itself gained {worth}.",
        "{side} had the better plan and not the over. {captain} {did}, for {worth}; the board says {runs}.",
        "Nothing wrong with the plan. {captain} {did}, worth {worth}, and the over brought {runs}.",
    ),
    "plan_failed": (
        "{captain} {did}, and it did not work: {runs} off the over, {mark}. The plan alone cost {side} {worth}.",
        "{captain} {did}. {Runs} came of it, {mark}: a plan that cost {side} {worth}.",
        "{Worth} lost by the plan: {captain} {did}, {runs} off the over.",
        "It did not pay that {captain} {did}. {Runs} in the over, and {worth} of the chance gone.",
        "{side} lose {worth} because {captain} {did}. The over went for {runs}, {mark}.",
        "{captain} may want that plan back. {side} {did}, for {runs}, {mark}; it cost {worth}.",
        "A poor idea that {captain} {did}: {runs}, {mark}. Luck apart it cost {worth}.",
    ),
    "plan_forgiven": (
        "The wrong plan and the right over: {captain} {did}, a loss of {worth}. {Runs} came all the same, {mark}.",
        "{captain} {did}, and got away with it: {runs}, {mark}. It was a plan that cost {worth}.",
        "Luck was kind to {captain}, who {did}: {runs}, {mark}. The plan itself lost {worth}.",
        "{side} had the over and not the better plan. {captain} {did}, for a loss of {worth}; the board says {runs}.",
        "The figures flatter the plan. {captain} {did}, and {runs} came of it, though it cost {worth}.",
    ),
    "plan_even": (
        "{captain} {did}. It changed little: {runs} off the over, {mark}.",
        "{captain} {did}, to no effect either way. {Runs} came, {mark}.",
        "{Runs} in the over in which {captain} {did}. The plan made next to no difference.",
        "That {captain} {did} was neither here nor there: {runs}, {mark}.",
        "{captain} {did}, which any captain might have done. {Runs} off it, {mark}.",
        "Little came of the plan. {captain} {did}, and the over brought {runs}.",
    ),
    "plan_made": (
        "{captain} {did}: {runs} off the over, {mark}.",
        "{captain} {did}. {Runs} came of it, {mark}.",
        "{Runs} in the over in which {captain} {did}.",
    ),
}
