"""Phrases with which a talking bot bargains. `{deal}` is the plan in words; `[a|b]` stands for either."""

from __future__ import annotations

REASONS = (
    "_ _ in _ has other orders",
    "too much lies between us",
    "you are growing and nobody is behind you",
    "_ is mine",
    "I keep the peace in _",
    "I would leave _ open",
    "that fight is not mine",
    "I gain nothing by it",
    "there is too much on the board",
    "I still have moves to make",
)
"""Reasons for a refusal, in the form that `voice.skeleton` gives to names."""

BARGAINS: dict[str, tuple[str, ...]] = {
    "pact_ask": (
        "[Could we do this|Would you do this with me] this {season}: {deal}?",
        "[I need one more hand for {place}|{place} hangs on one unit]: {deal}. [Will you?|Say yes and it is done.]",
        "[A favour|One request for this {season}]: {deal}. [I return such things|I pay such debts].",
        "[What would it cost me|What do you ask in return], if {deal}?",
        "[Help me at {place}|Lend me a hand at {place}]: {deal}. [You will not regret it|You may name your price].",
        "[My plan for {place} is short of you|I cannot do {place} alone]. [So I ask|Therefore]: {deal}.",
    ),
    "pact_give": (
        "[Here is an offer|I can lend you a hand at {place}]: {deal}. [Shall I order it?|Say the word.]",
        "[{place} is yours for the asking|You want {place}, I think]: {deal}.",
        "[I have a unit to spare|A unit of mine stands idle]: {deal}, if you [like|care to].",
        "[Would this help you|Is this of use to you]: {deal}?",
        "[I would do this for you|This I can do for you] this {season}: {deal}. [Yes or no?|Only tell me in time.]",
    ),
    "pact_swap": (
        "[Here is a plan for us both|I propose a bargain]: {deal}. [Both halves or neither.|One hand for the other.]",
        "[You help me, I help you|A centre each, if it goes well]: {deal}. [Agreed?|Shall we?]",
        "[Let us plan together for once|I have worked it out for two]: {deal}.",
        "[Two orders from each of us|It takes both of us]: {deal}. [I write mine if you write yours.|What do you say?]",
        "[Fair exchange this {season}|An even trade for this {season}]: {deal}.",
        "[Look at the map with my eyes|I drew it up last night]: {deal}. [Each gains something.|Nobody gives alone.]",
    ),
    "pact_zone": (
        "[Let us both keep out of {place}|Neither of us enters {place}] until {until}[; it makes us both nervous|].",
        "[I suggest|I propose] that {place} [stands empty|be no man's land] until {until}, for you and for me.",
        "[No unit in {place}|{place} empty], yours or mine, until {until}: [can we sign that|will you sign that]?",
        "[A quiet border begins with {place}|I would sleep better with {place} empty]. [Nobody there until {until}?|"
        "Shall we leave it so until {until}?]",
    ),
    "pact_warn": (
        "[Keep out of {place}|Stay away from {place}] until {until}, and so do I. [A unit of yours in it means "
        "war|Enter "
        "it, and we are at war].",
        "[Here is where I draw the line|My line is drawn]: nobody in {place} until {until}. [Whoever goes there has a "
        "war|If you go there, you have a war].",
        "If a unit of yours enters {place} before {until}, [all of mine come for you|I turn on you with "
        "everything]; if "
        "not, [I keep out as well|none of mine goes there].",
    ),
    "pact_years": (
        "[I look two seasons ahead|A plan for two seasons]: {deal}. [In {next}|When {next} comes], {later}.",
        "[Now|First], {deal}; [in {next}|then, in {next}], {later}. [Will you keep your unit free for it?|Are you in?]",
        "[It takes two seasons|It cannot be done at once]. {Deal}, and in {next} {later}.",
    ),
    "pact_counter": (
        "[That has a price|I can do that for a price], {you}: {deal}. [Take it or leave it|Both, or none].",
        "[Not for nothing|I do not work for thanks alone]. [My price|What I ask]: {deal}.",
        "[Make it worth my while|I need something out of it, too]: {deal}, [and we have a bargain|then yes].",
        "[Since you ask what it costs|You asked; here is the bill]: {deal}.",
        "[I like it better this way|Turn it round a little]: {deal}. [Say yes to that, and it is signed.|Well?]",
    ),
    "pact_defer": (
        "[Not {place} now|{place} cannot be now]; [in {next}|wait until {next}]: {later}. [Ask no sooner|Until then I "
        "need my unit].",
        "[This {season} I have no unit free for {place}|I cannot spare it for {place} this {season}]. [But in|In] "
        "{next}, {later}.",
        "[Too early for {place}|{place} has to wait]. [Put it down for {next}|Let us write it for {next}]: {later}.",
    ),
    "pact_yes": (
        "[Agreed|Very well|Gladly|Done]: {deal}.",
        "[You have it|It is written]: {deal}[. Do your half|. Now do yours|].",
        "[Settled, then|We have a bargain]: {deal}. [Count on me|I order it tonight].",
        "[I take it|I sign that], {you}: {deal}.",
        "[Both halves, then|Your half for mine]: {deal}. [No changes now|Let nobody change a comma].",
        "[That suits me|A good plan]: {deal}[ this {season}|].",
    ),
    "pact_yes_years": (
        "[Agreed|Very well|Done] for {next}: {later}.",
        "[I can wait|I keep it free]: in {next}, {later}. [We have a bargain|That is settled].",
        "[Two seasons, then|I look as far ahead as you], {you}: {later}, when {next} comes.",
        "[Put my name under it|I sign it]: {later} in {next}. [Until then I keep still|I shall not forget it].",
    ),
    "pact_yes_zone": (
        "[Agreed|Very well]: nobody in {place} until {until}.",
        "[I sign that|Done], {you}: {place} stays empty until {until}.",
        "[Good|Gladly]. [Nothing of mine goes to {place}|You will find {place} empty] until {until}.",
    ),
    "pact_no": (
        "[I cannot|Not this time], {you}: {reason}. [{place} will have to wait|Find another way to {place}].",
        "[I must say no to {place}|No, not {place}]: {reason}.",
        "[I am sorry, but|I regret it, but] {reason}; so nothing comes of {place}[ this {season}|].",
        "{place}? [No|I think not]: {reason}. [Ask me for something else|Ask again in {next}].",
        "[I read it twice|I thought about it], and the answer is no: {reason}.",
    ),
    "pact_yield": (
        "[After you|You first], {you}: [I give up my own request|I take back what I asked], and {deal}.",
        "[We asked each other the same thing|Our letters crossed]. [Yours goes first|Let it be yours]: {deal}.",
    ),
    "pact_first": (
        "[Our letters crossed, and one must go first|We cannot both go first]. [Let it be mine this time|Mine, this "
        "time]: [yours is next|then it is your turn].",
        "[We asked each other the same thing|We both ask, and nobody would go]. [Follow me this {season}, and I follow "
        "you in {next}|Help me now, and I am at your service in {next}].",
    ),
    "pact_glad": (
        "[Good|Then it is settled]. [My half is written|I have ordered my half].",
        "[Thank you, {you}|My thanks]; [the orders are on their way|I write it down as we said].",
        "[That is how I like to work|So be it, then]. [Nothing changes on my side|I keep to the letter of it].",
        "[Noted and ordered|Ordered as agreed]. [See you at {place}|Good luck to us both].",
        "[We understand each other|You will not regret it]. [Until the orders are read|The rest is for the map].",
        "[I had hoped for that|I am glad of it]. [Hold to it, and so do I|I shall be there].",
        "[{place} in the {season} of {year}, then|For {place}, then]: [my part is written|my orders say the same].",
        "[As to {place}, we agree|We agree on {place}], {you}. [The {season} of {year} will be a good one|I look "
        "forward to "
        "the {season} of {year}].",
        "[You have my thanks for {place}|For {place} I thank you]. [Ask for something in {next}|In {next} I am your "
        "debtor].",
    ),
    "pact_pity": (
        "[A pity|That is a pity]. [I shall make other plans|I look elsewhere, then].",
        "[I had counted on you|I had hoped for more], {you}. [Another {season}, perhaps|Perhaps in {next}].",
        "[As you like|Your choice]. [I shall not ask for it again|The offer is gone].",
        "[Then not|So no {place} for me]. [I remember who helped and who did not|No harm done].",
        "[I understand|I see your reasons]. [Let us talk again in {next}|Keep me in mind for {next}].",
        "[{place} will keep until {next}|I leave {place} for {next}], then.",
        "[Without you {place} is too much for me|I do not try {place} alone] in {year}. [So be it|It cannot be "
        "helped].",
        "[You had your reasons about {place}|I do not quarrel over {place}], {you}. [In the {season} of {year} "
        "everybody has "
        "them|I ask somebody else].",
    ),
    "glad_ally": (
        "[Good|I am glad]. [Then we know where we stand|One worry fewer].",
        "[So be it, {you}|Then it is so]. [I shall hold you to it|May it last].",
        "[We shall see what we can do together|Let the others wonder]. [More when the snow melts|To work, then].",
        "[Short and good|A good answer]. [I have nothing to add|Let us leave it at that].",
        "[Let the {season} of {year} show it|The {season} of {year} will show what it is worth]. [I am content|More "
        "is not "
        "needed].",
        "[To {you}, then, and to {year}|I drink to {you} and to {year}].",
        "[My ministers like it|It reads well here]: {you} and {me}, in {year} and after.",
        "[{me} keeps what it has said to {you}|What I have written to {you} stands] in the {season} of {year}.",
        "[Thank you for the answer of this {season}|I had your letter of this {season}], {you}. [It does me good|I "
        "reckon with you in {year}].",
    ),
    "cool_close": (
        "[I have your answer|So that is your answer]. [I draw my conclusions|It tells me enough].",
        "[Noted|I note it], {you}. [The map will show the rest|We shall meet on the map].",
        "[Very clear|Clear enough]. [I shall not write of it again|Let us save the paper].",
        "[The {season} of {year} will settle it|Let the {season} of {year} settle it].",
        "[I expected no other answer from {you} in {year}|In {year} I expect nothing else from {you}].",
        "[Then {me} and {you} meet in {next}|We speak again in {next}], [one way or another|if there is anything "
        "left to "
        "say].",
    ),
    "pass_on": (
        "[You did not hear it from me|Between us]: {power} wants {place}, and [asked me to help|looked for my help].",
        "{power} [came to me|wrote to me] about {place}[; you should know|, in case nobody told you].",
        "[Something that you should know|A word in your ear]: {power} [has plans for|is after] {place}.",
    ),
    "line_all": (
        "{power} has {number} centres, and [eighteen are the end|there is only one way to stop it]: together. "
        "[The line runs|Hold the line] {line}. [I take {mine_at}|{mine_at} is my part].",
        "[Gentlemen, lay down your quarrels|No more wars between us]: {power} stands at {number}. "
        "[Who holds {line} holds the game|If we hold {line}, nobody wins alone]. [I stand in {mine_at}|{mine_at} I "
        "hold myself].",
        "[{number} centres for {power}|{power} is at {number}]. [It must not pass|The line to hold is] {line}. "
        "[{mine_at} is my share of it|I answer for {mine_at}].",
    ),
    "line_hold": (
        "[Against {power} your place is {place}|You hold {place}, against {power}], [and I hold {mine_at}|I hold "
        "{mine_at}]. [Not one attack between the two of us until it is stopped|Between us, no shot until then].",
        "{power} [must not get|must never have] {place}: [it is yours to keep|keep it whatever it takes]. [Mine is "
        "{mine_at}|I answer for {mine_at}].",
        "[Forget the rest|Let the rest wait]: {power} first. [You stay in {place}|Your part is {place}], [mine is "
        "{mine_at}|I stay in {mine_at}].",
    ),
    "draw_offer": (
        "[Nobody has gained in {number} years|The front has stood still for {number} years]. [I vote to end it here: a "
        "draw among all of us|I propose a draw, and vote for it].",
        "[I see no way through, for anybody|The lines hold on every side]. [Let us call it a draw|I vote for a draw].",
        "[We could go on like this until {year} is forgotten|Who still believes in winning this?] [I offer a draw|A "
        "draw, "
        "I say, and vote for it].",
        "{power} [is held|has been stopped]. [Let us sign the draw before it starts again|I vote for a draw, all of us "
        "together].",
    ),
    "draw_plea": (
        "[Before {power} is past stopping|While {power} can still be held]: [let us end it in a draw|a draw, all of "
        "us]. "
        "[My vote is cast|I vote for it now].",
        "{power}, [you are not through yet|you will not get the last of them]. [Take the draw|A draw is the best "
        "that any "
        "of us gets]; [I vote for it|my vote stands].",
        "[I offer a draw to all|A draw, I propose], {power} included. [Nobody has to lose another year|It is the "
        "fair end "
        "of this].",
    ),
    "draw_yes": (
        "[I vote for the draw, too|A draw, then: you have my vote]. [There is nothing left to win here|I have lost "
        "enough "
        "units].",
        "[Agreed to the draw|The draw has my vote]. [Peace at last|It was a good fight].",
        "[I can live with a draw|A draw is just], and vote for it.",
    ),
    "draw_no": (
        "[No draw with me yet|I do not vote for a draw]: {reason}.",
        "[A draw? Not now|Too early for a draw]: {reason}.",
        "[I play on|The match goes on for me]: {reason}.",
    ),
}
