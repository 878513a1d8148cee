"""Sentences that a tone puts before and after what a message has to say."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.talking.characters import Tone

BEFORE: dict[Tone, tuple[str, ...]] = {
    "courtly": (
        "[Permit me|Allow me] a [frank|private] word, {you}.",
        "I hope that this {season} finds {you} well.",
        "[With every respect|With the respect that I owe you], {you}.",
        "Your last months have been followed here with [interest|admiration].",
        "I write to you before I write to anybody else.",
        "One does not often have the pleasure in {year}.",
    ),
    "blunt": (
        "[Short and plain|To the point], {you}.",
        "No flattery from me in {year}.",
        "[I say this once|Read this once and burn it].",
        "{Season} {year}, business.",
        "[You know me|You know how I work].",
        "[Time is short|The couriers leave in an hour].",
    ),
    "wry": (
        "[Well, well, {you}|So, {you}].",
        "[The board grows interesting|This is where it gets interesting].",
        "[I was just thinking of you|Your name came up at dinner].",
        "{Year} has been [unkind to idealists|a poor year for saints].",
        "[Do sit down|Pour yourself something].",
        "[Everybody is writing to everybody|The post is busy this {season}], so I shall be brief.",
    ),
    "warm": (
        "[Dear|My dear] {you}.",
        "[It is good to write to a friend|I always like writing to you].",
        "[How are things in your corner this {season}|How goes {year} for you]?",
        "[I have been thinking of us|You were on my mind this {season}].",
        "[From my heart|Between friends], {you}.",
        "[We have come some way since 1901|What a year {year} has been].",
    ),
    "grand": (
        "{you}! [Hear me|Listen well].",
        "[History watches this {season}|They will write about {year}].",
        "[The hour is serious|Great things are at stake].",
        "{me} speaks [seldom|once], and means it.",
        "[My nation has a long memory|A great power forgets nothing].",
        "[The {season} of {year} will be remembered|There comes a moment in every war].",
    ),
    "exact": (
        "[In reply to the situation of {season} {year}|As to {season} {year}].",
        "[I put this in writing|For the record], {you}.",
        "[Two facts and a request|A fact first], {you}.",
        "[I have checked the position twice|I have gone over the map].",
        "[No more than is necessary|Briefly], {you}.",
    ),
}

AFTER: dict[Tone, tuple[str, ...]] = {
    "courtly": (
        "I remain, as ever, at your [service|disposal].",
        "[Burn this when you have read it|This stays between us, I trust].",
        "[May {year} be kind to you|My compliments to your generals].",
        "Europe [deserves|has need of] a little order this {season}.",
        "I [await|look forward to] your answer with the next courier.",
    ),
    "blunt": (
        "[Answer or do not|One line will do].",
        "[That is all|That is the whole of it].",
        "I shall know by your orders[, this {season}|].",
        "[Iron will settle the rest|The rest is units].",
        "[Do not make me repeat it in {next}|Think fast].",
    ),
    "wry": (
        "[Do not look so surprised|You look surprised, even by post].",
        "[It would make a fine last act|It makes a better story, too].",
        "[If it goes wrong, we never spoke|And if anybody asks, we spoke of the weather].",
        "I am [nearly always|often] sincere in {season}.",
        "[Loyalty is a matter of dates, and {year} is a good one|The dinner is on me in {next}].",
    ),
    "warm": (
        "[I would be glad of it|It would please me more than I can say].",
        "[We can do great things together|There is a lot that two can do] in {year}.",
        "[Write soon|Do write back].",
        "[Whatever you decide, no hard feelings|Either way, I wish you a good {season}].",
        "[My door is open|You know where to find me].",
    ),
    "grand": (
        "[Choose well|Choose, and be remembered].",
        "The flag [goes forward|does not turn back] this {season}.",
        "[So it is written|I have spoken].",
        "{next} [belongs to the bold|will judge us both].",
        "[Let nobody say that I did not offer it|My honour stands behind it].",
    ),
    "exact": (
        "[Please confirm|A line in reply is enough].",
        "[I have nothing to add|That covers it] for {season} {year}.",
        "[My orders will agree with this letter|You may compare this with my orders].",
        "[This holds for the {season} only|It applies to this {season} and no longer].",
    ),
}
