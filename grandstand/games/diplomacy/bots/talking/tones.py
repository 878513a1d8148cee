"""Openings and endings of messages by tone: each wording is used once in a correspondence."""

from __future__ import annotations

from typing import Literal

from grandstand.games.diplomacy.bots.talking.characters import Tone

Situation = Literal["asking", "pledging", "refusing"]
"""The purpose of a message's last statement, which determines its ending."""

BEFORE: dict[Tone, tuple[str, ...]] = {
    "courtly": (
        "[Permit me|Allow me] a [frank|private] word, {you}.",
        "I hope that this {season} finds {you} well.",
        "[With every respect|With the respect that I owe you], {you}.",
        "Your last months have been followed here with [interest|admiration].",
        "I write to you before I write to anybody else.",
        "[My courier rides tonight|The courier is waiting], so pardon the haste.",
        "I have put off this letter long enough.",
        "It is always a pleasure to take up the pen to you.",
    ),
    "blunt": (
        "[Short and plain|To the point], {you}.",
        "No flattery from me.",
        "[I say this once|Read this once and burn it].",
        "[Business|To business], {you}.",
        "[You know me|You know how I work].",
        "[Time is short|The couriers leave in an hour].",
        "[I have no gift for letters|I do not write for pleasure].",
        "[Put the wine away and read|Sit down and read].",
    ),
    "wry": (
        "[Well, well, {you}|So, {you}].",
        "[The board grows interesting|This is where it gets interesting].",
        "[I was just thinking of you|Your name came up at dinner].",
        "It has been [a hard season for idealists|a poor year for saints].",
        "[Do sit down|Pour yourself something].",
        "[Everybody is writing to everybody|The post is busy this {season}], so I shall be brief.",
        "[I meant to be good this {season}|My doctor forbids me candour], and yet.",
        "One hears such stories about {you}.",
    ),
    "warm": (
        "[Dear|My dear] {you}.",
        "[It is good to write to a friend|I always like writing to you].",
        "How are things in your corner this {season}?",
        "[I have been thinking of us|You were on my mind this {season}].",
        "[From my heart|Between friends], {you}.",
        "We have come some way since 1901.",
        "With you I speak freely.",
        "My [people|ministers] speak well of you.",
    ),
    "grand": (
        "{you}! [Hear me|Listen well].",
        "[History watches this {season}|They will write about this {season}].",
        "[The hour is serious|Great things are at stake].",
        "{me} speaks [seldom|once], and means it.",
        "[My nation has a long memory|A great power forgets nothing].",
        "There comes a moment in every war.",
        "[Before the drums begin|While the drums are silent], a word.",
        "Maps are redrawn in seasons like this one.",
    ),
    "exact": (
        "As to this {season}.",
        "[I put this in writing|For the record], {you}.",
        "[I have checked the position twice|I have gone over the map].",
        "[No more than is necessary|Briefly], {you}.",
        "[One page will do|This takes one page].",
        "[I have considered this with care|I state this plainly], {you}.",
    ),
}

AFTER: dict[Tone, dict[Situation, tuple[str, ...]]] = {
    "courtly": {
        "asking": (
            "I [await|look forward to] your answer with the next courier.",
            "[A word from you would set my mind at rest|A line from you would be welcome].",
            "[I leave it to your judgement|Take the time that you need].",
        ),
        "pledging": (
            "[This stays between us, I trust|Burn this when you have read it].",
            "[Signed and sealed|Under my seal].",
            "I remain, as ever, at your [service|disposal].",
            "Europe [deserves|has need of] a little order.",
        ),
        "refusing": ("[I hope that you understand|Do not take it ill].",),
    },
    "blunt": {
        "asking": (
            "[Answer or do not|One line will do].",
            "[Think fast|Think about it, but not long].",
            "[It stands until the orders are written|I do not ask twice].",
        ),
        "pledging": (
            "[That is all|That is the whole of it].",
            "I shall know you by your orders.",
            "[My orders are written|It is in the orders already].",
        ),
        "refusing": (
            "[Iron will settle the rest|The rest is units].",
            "Do not make me repeat it.",
            "You wanted it plain.",
        ),
    },
    "wry": {
        "asking": (
            "[Do not look so surprised|You look surprised, even by post].",
            "[It would make a fine last act|It makes a better story, too].",
            "The dinner is on me in {next}.",
            "Sleep on it, but not long.",
        ),
        "pledging": (
            "I am [nearly always|often] sincere in {season}.",
            "[If it goes wrong, we never spoke|And if anybody asks, we spoke of the weather].",
            "Loyalty is a matter of dates, and this is a good one.",
            "Keep this letter; [such things are rare|it may be worth something one day].",
        ),
        "refusing": (
            "[Nothing personal, as they say|No hard feelings, I trust].",
            "[We shall laugh about it one day|I tell you this as an admirer].",
        ),
    },
    "warm": {
        "asking": (
            "[Write soon|Do write back].",
            "[Whatever you decide, no hard feelings|Either way, I wish you a good {season}].",
            "[My door is open|You know where to find me].",
            "[We can do great things together|There is a lot that two can do].",
        ),
        "pledging": (
            "[You can lean on it|I sleep better for it].",
            "[It is what friends are for|So it should be between neighbours].",
            "[I wish that I could do more|It is little enough].",
        ),
        "refusing": ("[Do not take it to heart|I hope that you see why].",),
    },
    "grand": {
        "asking": (
            "[Choose well|Choose, and be remembered].",
            "[Let nobody say|Nobody shall say] that I did not offer it.",
            "{next} [belongs to the bold|will judge us both].",
            "The door stands open once.",
        ),
        "pledging": (
            "[So it is written|I have spoken].",
            "My honour stands behind it.",
            "The flag [goes forward|does not turn back] this {season}.",
        ),
        "refusing": (
            "[So it is written|I have spoken].",
            "[My nation would not understand it otherwise|A great power can do no other].",
        ),
    },
    "exact": {
        "asking": (
            "[Please confirm|A line in reply is enough].",
            "An answer is requested before the orders are due.",
        ),
        "pledging": (
            "[My orders will agree with this letter|You may compare this with my orders].",
            "[This holds for the {season} only|It applies to this {season} and no longer].",
        ),
        "refusing": ("[That covers it|I have nothing to add].", "[A copy is on file|This is on file]."),
    },
}
