"""Phrases with which a talking bot answers people."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.talking.letters.phrases_by_tone import BY_TONE

GENERAL: dict[str, tuple[str, ...]] = {
    "hear_no": ("[As you wish|Your answer is plain], {you}. [I make my plans without you|I ask no more of it].",),
    "hear_no_place": (
        "[Understood|So I read it], {you}: [nothing of yours|no unit of yours] for {place}. [I "
        "look elsewhere|My plans "
        "change accordingly].",
        "[I strike {place} from my plans|I no longer count on you for {place}], {you}. [Better "
        "to know it now|I thank "
        "you for saying so].",
    ),
    "hear_yes": (
        "[Good|I am glad], {you}. [I hold you to it|Let the orders say the same].",
        "[That is a good answer|So we understand each other], {you}. [The orders will show it|I plan on it].",
        "[I count on it|I build on it], {you}. [Write if anything changes|Tell me first if it changes].",
    ),
    "chat": (
        "[Pleasant company|You are in a good mood], {you}. [And the map?|What do you want from me this {season}?]",
    ),
    "answer_bot": (
        "I am a program: {name}, one of the built-in players, {you}. [Ask me about the map|Write as to anybody].",
    ),
    "unknown_letter": (
        "I do not follow, {you}. Ask me for a support, a bounce, an empty province, an opinion "
        "of a power, or my plans.",
    ),
    "third_foe": (
        "{power}? [I would not lend it a boat|I sleep with one eye on it]. [If you move on it, "
        "tell me|Think twice before "
        "you believe it].",
        "[Of {power} I expect nothing good|I have my quarrel with {power}], {you}. [Watch its "
        "orders, not its letters|You "
        "should not turn your back on it].",
        "[You ask the wrong admirer|I am no admirer of {power}], {you}. [It is in my way|I plan "
        "around it as one plans "
        "around bad weather].",
    ),
    "third_friend": (
        "{power} [has dealt fairly with me|has given me no cause to complain]. [I would not act "
        "on gossip about it|More I "
        "do not say of a friend].",
        "[I think well of {power}|{power} has my good opinion], {you}. [Ask {power} itself, if "
        "you doubt it|What others "
        "say of it I weigh by its orders].",
    ),
    "third_even": (
        "[I have neither quarrel nor bond with {power}|{power} and I owe each other nothing], "
        "{you}. [I read its orders as "
        "you do|Its next orders will tell us both].",
        "[What {power} told you I do not know|{power} keeps its own counsel], {you}. [I go by "
        "its units|I judge it by where "
        "it stands].",
    ),
    "third_far": (
        "{power} is [far from me|on the other side of the map]. [I know of it what the orders "
        "show|You may well know more "
        "than I do].",
        "[I hear little of {power}|{power} seldom writes to me], {you}. [Ask its neighbours|I "
        "have no opinion worth a stamp].",
    ),
    "third_lead": (
        "{power}, with {number} centres. [Everybody else is a worry for later|Count the centres and you see why].",
        "[I look at {power}|My eye is on {power}], {you}: {number} centres[ and growing|]. [It "
        "concerns us both|Do not look "
        "away too long].",
    ),
    "third_level": (
        "[Nobody yet|It is too early to say], {you}. [Ask me again when somebody has eight "
        "centres|The centres are spread "
        "evenly so far].",
    ),
    "third_denied": (
        "[I know nothing of it|That is news to me], {you}. [{power} has no promise of mine this "
        "{season}|I have promised "
        "{power} nothing this {season}].",
        "[{power} speaks for itself|That is {power}'s story]. I have given {power} [no promise|no word] this {season}.",
    ),
    "third_bound": (
        "[I do not hide it|You have heard right], {you}: {power} and I have an understanding. "
        "[What you were told beyond "
        "that I do not know|It need not be against you].",
    ),
    "past_none": (
        "[I find nothing of the kind in my orders|My orders show nothing like it], {you}. [Which "
        "season do you mean?|Look "
        "at them once more.]",
        "[You ask after something that was never ordered here|I have no such order on my "
        "conscience], {you}. [Perhaps it was "
        "another power.|Tell me the season and the place.]",
    ),
    "past_attack": (
        "[Because you stood where I had to go|Because the place was worth more to me than the "
        "friendship], {you}. [Shall we "
        "speak of what comes next?|I say so openly.]",
        "[I saw {power} coming, and I needed the room|Between you and {power} I had to choose], "
        "{you}. [That was then.|I "
        "would rather talk of this {season}.]",
    ),
    "past_move": (
        "[Because {place} mattered to me|I wanted a unit near {place}], {you}[, and that is "
        "all|]. [Ask what it does next|It "
        "was not done to spite you].",
        "[{place} was where that unit did most|From {place} it sees more], {you}. [You would "
        "have done the same|There is no "
        "more behind it].",
    ),
    "trust_yes": (
        "[You have seen what I promised and what I ordered|Hold my letters against my orders], "
        "{you}. [I have nothing to add "
        "to that|That is the only proof there is].",
        "[As far as my orders bear it out|As far as anybody here], {you}. [What I put in writing "
        "this {season}, I mean to "
        "do|Ask me for an order by name, and see].",
    ),
    "trust_guarded": (
        "[Trust the map, not me|Trust what it costs me to cross you], {you}. [You know my "
        "interest as well as I do|I would "
        "say the same in either case].",
        "[A fair question|Everybody asks it], {you}. [Keep a unit at home, and we shall get "
        "on|Judge by {season}, not by "
        "this letter].",
    ),
    "choice": (
        "{place}, [if I have to choose|since you ask], {you}: [it matters more to me|the other can wait].",
        "[Of the two|Between them], {place}. [The other I can do without|The rest would be a luxury].",
    ),
    "want_support": (
        "[Since you ask what I want|My price is soon named]: your {theirs} behind my {mine}, "
        "into {place}. [Can I count on "
        "it?|Do you give it?]",
        "[There is one thing|You can do one thing for me], {you}: have your {theirs} support my {mine} into {place}.",
    ),
    "want_quiet": (
        "[What I need of you is little|My price is low], {you}: no unit of yours in {place} this {season}.",
        "[Leave {place} to me, and I am content|Let me have {place} to myself, and I ask for nothing else], {you}.",
    ),
    "want_nothing": (
        "[I need nothing from you this {season}|There is nothing of mine that you can reach], "
        "{you}. [Keep the offer for "
        "{next}|I remember that you asked].",
    ),
    "yes_plan": (
        "[Agreed|Very well], {you}: {deeds}. [Now give your own half|Your half is yours to order].",
        "[I accept the plan|Consider it done], {you}. {Deeds}[, as you propose|].",
    ),
    "part_plan": (
        "[Half of it I can do|In part], {you}: {deeds}. [The rest of my units have other work|More I do not promise].",
    ),
    "no_plan": (
        "I cannot do that this {season}, {you}: {reason}. [Propose something else|Ask me for another unit].",
        "I must say no to that plan, {you}: {reason}. [Is there another way to get what you want?|What is it for?]",
    ),
    "yes_bounce": (
        "[Agreed|Very well], {you}: {deed}, [so that nobody gets in|and meets yours there]. [Be there|Do not be late].",
        "[Consider it done|Count on me]: {deed}, to bounce with yours. [Nobody gets {place} this "
        "{season}.|{place} stays with "
        "nobody.]",
    ),
    "no_bounce": (
        "I cannot bounce with you in {place}: {reason}. [Guard it alone, or tell me what you fear.|"
        "What do you fear there?]",
        "I must say no to a bounce in {place}, {you}: {reason}.",
    ),
    "whether_no": (
        "[Not this {season}|I do not plan to], {you}: nothing of mine enters {place}.",
        "[You may sleep|Rest easy], {you}. Nothing of mine enters {place} this {season}.",
    ),
    "whether_yes": (
        "[You see well|I do not hide it], {you}: {deed}. [It is not meant against you|Now you know].",
        "[So I plan it|That is the order as it stands], {you}: {deed}.",
    ),
    "whether_closed": (
        "[That I keep to myself|You will see it in the orders], {you}. [You would not tell me either|I show no cards "
        "before the orders are read].",
        "[I leave {place} open|I make no promise about {place}], {you}. [Plan for either|Prepare as you think best].",
    ),
    "terms": (
        "[Your terms are clear|I have read your terms], {you}. [Give your half in orders "
        "first|Write me the orders of both "
        "sides], and [I answer to each|I tell you which of mine I give].",
        "[A bargain has two halves|I weigh it], {you}. [Name the unit that you want of me and "
        "where to|Put it in orders, "
        "yours and mine], and I answer at once.",
    ),
    "ask_which": (
        "[A friendly offer|That is kind], {you}. Which unit of yours, [behind which of mine|and "
        "for what move of mine]?",
        "[I could use it|It might help], {you}: tell me [which of your units supports which of "
        "mine|the unit and the move].",
    ),
    "ask_where": (
        "[Which province do you mean|Out of which place], {you}? [Name it, and you have my "
        "answer|I answer as soon as I "
        "know].",
    ),
    "answer_news": (
        "[I had not heard it|That is worth knowing], {you}. [I compare it with what {power} "
        "orders|I look at {power} with "
        "that in mind].",
        "[Thank you for the news of {power}|What you say of {power} fits], {you}. [I keep it in "
        "mind this {season}|The orders "
        "will tell].",
    ),
    "answer_assured": (
        "[That is good to read|I note it], {you}. [I shall compare it with the orders|Let the orders read the same].",
        "[So much the better|I like to read it], {you}. [I watch the border less closely, "
        "then|My units have enough to "
        "do elsewhere].",
    ),
}

TO_PEOPLE = GENERAL | BY_TONE
