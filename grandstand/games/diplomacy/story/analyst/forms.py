"""The constructions of the analyst's sentences, with the slots of `story/forms.py`.

`{deed}` is an order in words, `{target}` the province where a unit goes instead, `{text}` a quotation.
"""

from __future__ import annotations

from collections.abc import Mapping

PROSPECTS: Mapping[str, tuple[str, ...]] = {
    "ask_cover": (
        "Does {v} cover {place}? It is empty, and {a} is a move away.",
        "{place} stands empty, one move from {a}: does {v} send anybody?",
        "The question is {place}: {v} owns it, nobody is in it, and {a} is beside it.",
        "{a} looks into an empty {place}. Will {v} spend a unit on it?",
        "Keep an eye on {place}: empty, with {a} next to it and a unit of {v} near enough.",
        "Who comes to {place}, the guard from {v} or {a}?",
        "A unit of {v} can be in {place}, and one of {a} too. Who goes?",
        "{place} is {v}'s to guard, with {a} a move away. Does it?",
        "Nobody stands in {place}, and {a} is near: what does {v} do?",
    ),
    "ask_support": (
        "Does {v} support {place}? {a} can bring {strength} against it.",
        "{strength} of {a} are near {place}: does {v} back it up?",
        "Alone, the {unit} in {place} is worth one, and {a} can come with {strength}. Does {v} see it?",
        "Watch {place}: {a} has {strength} around it, and {v} can still support it.",
        "Is {place} safe? Only if {v} spends a unit on it: {a} can bring {strength}.",
        "{v} can lose {place} to {strength} of {a}, or support it. Which will it be?",
        "The {unit} of {v} in {place} has {strength} of {a} around it. Does it get support?",
        "{a} has the means for {place}, {strength} of them. Does {v} strengthen it?",
    ),
    "danger_open": (
        "{place} is open: {a} is a move away, and nothing of {v} can get there.",
        "Nothing of {v} can reach {place}, and {a} can: here {v} has to fear.",
        "{v} cannot cover {place}; {a} only has to go there.",
        "What {v} has to fear is {a} in {place}: it has nothing that could get there in time.",
        "{a} has an open door to {place}, and {v} nobody near it.",
        "Too far away to guard {place}: every unit of {v}. {a} is next to it.",
        "{v} has left {place} to luck: {a} is a move away, and no unit of its own can get there.",
    ),
    "danger_forced": (
        "{v} must fear for {place}: {a} can bring {strength}, and {v} has {defence} for it.",
        "By numbers {a} can have {place}: {strength} against {defence} of {v}.",
        "Whatever {v} orders, {a} has the strength for {place}: {strength} to {defence}.",
        "{a} can force {place}, {strength} against {defence}, unless others come to help.",
        "{place} cannot be held by {v} alone: {defence} against {strength} of {a}.",
        "Against {strength} of {a}, {defence} of {v} will not do for {place}.",
        "Count the units: {strength} of {a} for {place}, {defence} of {v} against them.",
        "{v} needs help in {place}: it has {defence}, and {a} {strength}.",
    ),
    "line_holds": (
        "If the others support each other, {a} breaks through nowhere: their line is {places}.",
        "The line that can stop {a} is {places}; it holds if the others stand still and support it.",
        "{places}: with support from one to another, the others lose none of these to {a}.",
        "There is a wall against {a}, if the others want it: {places}.",
    ),
    "calm_front": (
        "No centre is in danger from one power alone: those in reach are guarded, and nobody has two units at one.",
        "Nobody can take a centre of another without help: where one is in reach it is guarded, one against one.",
        "Guards everywhere: no power has two units at a centre of another, or one at an empty one.",
    ),
}
"""Before the orders: what the position threatens, and one question."""

ANSWERS: Mapping[str, tuple[str, ...]] = {
    "answer_moved": (
        "It does cover {place}: {v} goes there from {origin}.",
        "The answer for {place} is yes, from {origin}.",
        "{place} is covered after all: {v} comes from {origin}.",
        "{v} has seen it: from {origin} it goes into {place}.",
        "Yes, {v} guards {place}, with what stood in {origin}.",
        "{v} takes no chances: from {origin} into {place}.",
    ),
    "answer_stopped": (
        "{v} moves on {place} from {origin}, and nobody else gets in.",
        "{v} bars {place} with its move from {origin}: it stays empty.",
        "From {origin}, {v} goes for {place}, and that is enough to keep everybody out.",
    ),
    "answer_late": (
        "{v} goes for {place} from {origin}, but {a} is the one that gets in.",
        "The guard for {place} comes from {origin} and fails: {a} stands there.",
        "{v} did try {place} from {origin}. {a} is there.",
    ),
    "answer_lost": (
        "No: {v} sends nobody to {place}, and {a} is there.",
        "{v} does not cover {place}, and {a} takes its chance.",
        "The answer is no: {place} has {a} in it.",
        "Nobody comes to {place} from {v}. {a} does.",
        "{v} leaves {place} to {a}.",
    ),
    "answer_lucky": (
        "No, {v} sends nobody to {place}; nobody else gets there either.",
        "{v} leaves {place} open and gets away with it: it is still empty.",
        "{place} was not covered, and it did not matter: nobody is in it.",
        "{v} trusted to luck in {place}, and has it: empty still.",
        "{place} went unguarded by {v}, and nobody else is in it.",
        "{v} did not come to {place}, and it is empty still.",
    ),
    "answer_backed": (
        "{v} does support {place}, from {helpers}.",
        "Yes, there is support for {place}: from {helpers}.",
        "{place} gets its support from {helpers}, and {v} is still there.",
        "{helpers}: from there {v} backs up {place}.",
    ),
    "answer_backed_lost": (
        "{v} does support {place}, from {helpers}, and loses it all the same.",
        "Support from {helpers} does not save {place} for {v}.",
    ),
    "answer_alone_held": (
        "{v} gives {place} no support, and keeps it.",
        "No support for {place}, and none was needed: {v} is still there.",
        "{place} stood alone, and stands. {v} got away with it.",
        "No, {v} leaves {place} to itself; it holds.",
        "{place} had no help from {v} and is still its own.",
    ),
    "answer_alone_lost": (
        "No support from {v} for {place}, and it falls.",
        "{place} got no support, and {v} is driven out.",
        "{v} left {place} to itself and pays for it.",
    ),
    "answer_left": (
        "{v} does not wait for it: the {unit} leaves {place}.",
        "Neither: the {unit} of {v} goes away from {place}.",
        "{v} answers in its own way and moves the {unit} out of {place}.",
    ),
}
"""After the orders: the answer to the question."""

ALTERNATIVES: Mapping[str, tuple[str, ...]] = {
    "better_move": (
        "Better for {a} was {origin} to {place}: {after} per cent, where its orders leave it {before}.",
        "{a} had more in hand: from {origin} to {place}, and its chance is {after} per cent, not {before}.",
        "With the unit from {origin} in {place}, {a} would stand at {after} per cent; it stands at {before}.",
        "The missed order is {origin} to {place}: {after} per cent for {a} instead of {before}.",
        "{origin} to {place} and all else the same: {a} has {after} per cent, not {before}.",
        "What {a} did not order: {origin} to {place}. Its chance of {before} per cent would be {after}.",
    ),
    "better_hold": (
        "Better for {a}: to stay in {origin}. That is {after} per cent instead of {before}.",
        "Had {a} stood still in {origin}, its chance would be {after} per cent; it is {before}.",
        "{a} should not have left {origin}: {after} per cent if it stays, {before} as it is.",
        "Nothing to do in {origin} was best: {after} per cent for {a}, not {before}.",
    ),
    "better_support": (
        "Better for {a} was support from {origin} for {place}: {after} per cent, where its orders leave it {before}.",
        "With {origin} behind {place}, {a} would have {after} per cent; it has {before}.",
        "The missed order of {a}: support from {origin} to {place}, worth {after} per cent instead of {before}.",
        "{a} left {place} without the help of {origin}: {before} per cent, and it could be {after}.",
    ),
}
"""After the orders: the best other order of a power whose chance fell, all others the same, and its worth."""

SECRETS: Mapping[str, tuple[str, ...]] = {
    "lie": (
        "{a} does not mean what it tells {others}: {clause}.",
        "A lie for {others}: {clause}, says {a}, and has noted that it is not meant.",
        "{others} should not count on it that {clause}. {a} does not mean it.",
        "The word of {a} to {others} is worth nothing: {clause}. It is not meant.",
        "{a} promises {others} that {clause}, and plans otherwise.",
        "What {others} cannot know: {a} says that {clause}, and does not mean it.",
        "{a} writes to {others} that {clause}, and means something else.",
        *(
            head + end
            for end in (". It is not meant.", ". That is a lie, by its own notes.")
            for head in (
                "{a} tells {others} that {clause}",
                "To {others}, {a} says that {clause}",
                "{others} read from {a} that {clause}",
                "{a} lets {others} believe that {clause}",
                "By the letter of {a} to {others}, {clause}",
                "{a} gives {others} its word that {clause}",
                "{others} have it from {a} that {clause}",
            )
        ),
    ),
    "plan": (
        "{a} notes for itself: “{text}”",
        "In the notes of {a}: “{text}”",
        "What {a} has in mind: “{text}”",
        "“{text}” So much for the plans of {a}.",
        "{a}, to itself: “{text}”",
        "The plan of {a}, in its own words: “{text}”",
        "{a} writes down for nobody else: “{text}”",
        "For its own eyes {a} writes: “{text}”",
        "“{text}” These are the notes of {a}.",
        "{a} keeps this to itself: “{text}”",
        "A look into the notes of {a}: “{text}”",
        "“{text}” So {a} sees it.",
        "How {a} sees it: “{text}”",
        "{a} has written, and shows nobody: “{text}”",
        "Now in the notes of {a}: “{text}”",
        "“{text}” Nobody but {a} is to know.",
        "To itself, {a} puts it so: “{text}”",
        "{a} reckons like this: “{text}”",
        "Behind closed doors {a} writes: “{text}”",
        "What {a} tells nobody: “{text}”",
        "“{text}” So {a} means to go on.",
    ),
    "pact_bound": tuple(
        head + end
        for end in (
            ", in {count} of their orders.",
            ": it holds {count} of their orders.",
            ". In it: {count} of their orders.",
            ", for {count} of their orders.",
            ", with {count} of their orders under it.",
            ". The word is given for {count} of their orders.",
        )
        for head in (
            "A pact binds {powers}",
            "{powers} have bound themselves by a pact",
            "{powers} sign a pact",
            "Signed is a pact of {powers}",
            "A pact is made, by {powers}",
            "There is a pact of {powers} now",
            "{powers} come to terms, in a pact",
        )
    ),
    "pact_broken": (
        "{a} breaks its pact with {others}.",
        "The pact of {a} and {others} is broken, by {a}.",
        "{a} has not done what its pact with {others} says.",
        "{others} had a pact with {a}. {a} has broken it.",
        "So much for the pact with {others}: {a} has broken it.",
        "Broken, by {a}: its pact with {others}.",
        "{a} and {others} had a pact, until {a} broke it.",
    ),
    "deed_moves": tuple(
        head + end
        for end in (
            "; its order says {target}.",
            ". In truth the order is {target}.",
            ". {target} is where it is sent.",
        )
        for head in (
            "To {others}, {a} wrote {place} for the {unit} in {origin}",
            "{a} told {others} that the {unit} in {origin} goes to {place}",
            "{place}, {others} read from {a} about the {unit} in {origin}",
            "The {unit} in {origin} was to go to {place}, so {a} to {others}",
            "{others} had it from {a}: the {unit} in {origin} to {place}",
            "{a} writes to {others} of {place}, for the {unit} in {origin}",
            "{a} has misled {others} about the {unit} in {origin}, which was to go to {place}",
        )
    ),
    "deed_stays": tuple(
        head + end
        for end in ("; its order is {target}.", ". It is sent to {target}.", ". In truth the order says {target}.")
        for head in (
            "{a} wrote {others} that the {unit} in {origin} stays",
            "The {unit} in {origin} was to stay, {a} told {others}",
            "{others} read from {a} that its {unit} stays in {origin}",
            "{a} had {others} believe that the {unit} in {origin} stays",
            "No move from {origin} for the {unit}, so {a} to {others}",
            "To {others}, {a} wrote of rest for the {unit} in {origin}",
            "{a} promised {others} to keep the {unit} in {origin}",
        )
    ),
    "deed": (
        "{a} wrote {others} that {clause}. Its order: {deed}.",
        "{clause}, {a} told {others}. In truth {deed}.",
        "{others} had the word of {a} that {clause}. Instead, {deed}.",
        "So {a} wrote to {others}: {clause}. So it ordered: {deed}.",
        "The letter of {a} to {others} says that {clause}; the order says that {deed}.",
        "Told to {others} by {a}: {clause}. Done: {deed}.",
        "{a} goes back on its word to {others}, that {clause}: {deed}.",
        *(
            head + end
            for end in (". The order is that {deed}.", "; by its orders {deed}.")
            for head in (
                "{others} read from {a} that {clause}",
                "By the word of {a} to {others}, {clause}",
                "{a} had {others} believe that {clause}",
                "{a} said to {others} that {clause}",
                "{others} had it from {a} that {clause}",
                "{a} gave {others} to understand that {clause}",
                "To {others}, {a} swore that {clause}",
            )
        ),
    ),
    "ledger": tuple(
        head + end
        for end in (" by now.", " so far.", ", up to this phase.")
        for head in (
            "{a} has broken its word to {v} {count} times",
            "Broken words of {a} to {v}: {count}",
            "{v} has been let down by {a} {count} times",
            "{v} has had {count} words of {a} that were broken",
            "The word of {a} to {v} has been broken {count} times",
            "{count} times has {a} not kept its word to {v}",
            "{v} has believed {a} in vain {count} times",
        )
    ),
    "ledger_place": tuple(
        head + end
        for end in (" by now.", " so far.", ", up to this phase.")
        for head in (
            "{a} has sold {place} to {v} {count} times",
            "{place} again: {count} broken words of {a} to {v} about it",
            "{count} broken words of {a} to {v} are about {place} alone",
            "{v} has believed {a} about {place} in vain {count} times",
            "About {place} alone {a} has broken its word to {v} {count} times",
            "{v} has had {count} broken words of {a} about {place}",
            "Over {place}, {a} has failed {v} {count} times",
        )
    ),
}
"""What not everybody knows: intentions, and letters beside orders."""

ANALYSIS: Mapping[str, tuple[str, ...]] = {**PROSPECTS, **ANSWERS, **ALTERNATIVES, **SECRETS}
