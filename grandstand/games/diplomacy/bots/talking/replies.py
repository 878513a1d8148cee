"""Phrases with which a talking bot answers."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.talking.letters.phrases import TO_PEOPLE

ANSWERS: dict[str, tuple[str, ...]] = {
    "yes_support": (
        "[Agreed|Very well|Gladly]: {deed}.",
        "[You have it|Consider it done]: {deed}[. Do not waste it|].",
        "[I have given the order|The order is written]: {deed}[; now it is up to you|].",
        "[Since you ask|As you ask], {deed}. [Count on me|I accept your thanks in advance].",
        "[Done|With pleasure], {you}: {deed} this {season}.",
    ),
    "no_support": (
        "I cannot spare my {mine} for {place} this {season}: {reason}.",
        "[Ask me again in {next}|Another time]; for {place} I must say no: {reason}.",
        "I decline, and you shall have the reason: {reason}. [{place} will have to wait|Find {place} another friend].",
        "[I am afraid not|Not this time], {you}: {reason}.",
    ),
    "yes_ally": (
        "[Agreed: we are allies|I accept: an alliance it is][, from this {season} on|].",
        "[Gladly|With pleasure]. [We go on side by side|Let the alliance stand] [until one of us has reason to "
        "say otherwise|as long as your orders match your letters].",
        "[I accept your alliance|You have an ally], {you}. [I shall say so with units, not only ink|Let the orders "
        "prove it].",
        "[It is settled|Settled, then]: allies. [I had been about to propose it myself|You write faster than I].",
        "Yes: [allies it is|we stand together]. [I have told my generals|My generals know].",
        "[I was hoping for that letter|That is the letter I was waiting for]. I accept[ the alliance|].",
        "Agreed, {you}. [Somebody is going to dislike this|Let the others read about it in the orders].",
        "[Count on me|You may count on me]: we [stand together|march together].",
    ),
    "yes_attack": (
        "[Agreed|Very well]: {power} it is. [You from your side, I from mine.|Tell me where you want the first blow.]",
        "[I accept|Count on me]. {power} has [had it coming|been asking for this] long enough.",
        "[Gladly: against {power}|Agreed, against {power}], and the spoils [by proximity|to whoever stands in them].",
        "[Yes|Agreed]: [{power} first|{power} before anybody else]. [The sooner the better|I had the same thought].",
        "[Count on me|You may count on me] against {power}; [save me a corner of it|save me a centre].",
    ),
    "yes_peace": (
        "[Agreed|I accept]: peace between us [through {year}|as long as you keep it].",
        "Peace suits me. [It is settled|Very well], and [I shall look elsewhere|nothing of mine moves against you].",
        "[Very well, {you}: live and let live|Agreed, {you}: we keep the peace]. [I have enough to do on the other "
        "side|I sleep better already].",
        "You [shall have your quiet border|have your truce]; gladly[, this {season}|].",
        "[Yes, let there be peace|Yes: peace]. [One border fewer to watch|My garrisons will be glad of the rest].",
        "[I accept your truce|I accept], {you}, [and I mean it to last|and hope that it lasts].",
        "Agreed. [You mind your side, I mind mine|The border stays where it is].",
    ),
    "no_peace": (
        "[I must decline|I decline]: [too much lies between us|your units say something else than your letter].",
        "[It was cheaper a year ago|You should have asked before]. I cannot [promise it now|give it this {season}].",
        "I will not [sign what I do not mean to keep|promise you that]. [Better an honest refusal than a false "
        "promise.|Judge me by my orders.]",
        "[I cannot make peace with you|I cannot call it peace] while your units stand where they do.",
        "I decline. [We both know how that would end|That is what one asks for before one comes back stronger].",
        "I cannot[ yet|]. [Step back first, and write again|Show me first that you mean it].",
    ),
    "no_ally": (
        "I decline, {you}, [with respect|for now]: [I have other engagements this {season}|my hands are not free].",
        "[An alliance of ours|Such an alliance] is not possible [while {year} lasts|yet]. [Perhaps later.|Let us see "
        "what {next} brings.]",
        "I cannot be your ally [today|this {season}]. [I tell you so because you asked plainly|I would rather tell you "
        "than deceive you].",
        "I cannot [take your side|join you], {you}: [I have given my word elsewhere|I am spoken for].",
        "I must say no[ this {season}|]: [your quarrel is not mine|I have nothing to win by it].",
    ),
    "yes_leave": (
        "[Agreed|Very well]: {place} stays empty[ of me this {season}| as far as I am concerned].",
        "I accept. [You will find nobody of mine in {place}|Nothing of mine enters {place}][ this {season}|].",
        "[Gladly|Done]; {place} is worth more to me empty.",
        "[Very well|Agreed], {place} is no man's land[ this {season}|].",
        "[Done|Settled, then]: nobody of mine [goes to|sets foot in] {place}.",
    ),
    "no_leave": (
        "I cannot stay out of {place}: [too much depends on it|my plans need it].",
        "[I must say no as to {place}|I decline as to {place}]; [I have interests there|it is not yours to close].",
        "I will not promise anything about {place}[ this {season}|].",
        "I cannot keep out of {place}: [it is on my way|this {season} leaves me no choice].",
    ),
    "take_offer": (
        "[I accept|Gladly accepted]: {deed}, with your support.",
        "[Agreed|Very well]. {Deed}[, and I shall remember who helped|; the rest is up to you].",
        "[You are generous|A fine offer]. I accept: {deed}.",
    ),
    "no_offer": (
        "[A kind offer|That is kind], {you}, but I decline: my {theirs} has [other work|other orders] this {season}.",
        "[I cannot use it|I cannot take it up] this {season}; [do offer again|keep it warm for {next}].",
    ),
    "answer_thanks": (
        "[It was a pleasure|Think nothing of it]. [The next favour is yours|You would have done the same].",
        "[You are welcome|Gladly done], {you}. [Let us keep it that way|There is more where it came from].",
    ),
    "answer_reproach_sorry": (
        "[You are right to reproach me|I have earned that]. I am sorry; [it was {power} or you|let me make it good].",
        "[I do not deny it|It is true]. [I apologise, for what it is worth|I regret what it did to us].",
    ),
    "answer_reproach_cold": (
        "[States have interests|You would have done it in my place], {you}. [Let us speak of {next} instead|It was "
        "nothing personal].",
        "[You left the door open|The door stood open]; [anybody would have walked in|I only walked through it].",
        "[Promises are made to the strong|I promised what was true when I wrote it]. [The board moved.|Things "
        "changed.]",
    ),
    "answer_untrue": (
        "[I have done nothing of the kind|You must mean somebody else], {you}. [Look at the orders again|The record "
        "says so].",
        "[That is not true|You do me wrong], {you}: [no promise to you was broken by me|I have kept what I promised "
        "you and left alone what is yours].",
    ),
    "answer_noted": (
        "[I take note of it|Noted], {you}. [I shall compare it with the orders.|It helps me to know.]",
        "[Thank you for telling me|Good to know], {you}. [I plan accordingly.|I keep it in mind this {season}.]",
    ),
    "answer_late": (
        "[Your letter reached me|I had your letter] after the orders were sealed, {you}. [Ask me again for this "
        "{season}.|Tell me what you need now.]",
        "[It was too late for that last season|The couriers were slow], {you}. [What would you have me do now?|Is it "
        "still of use to you?]",
    ),
    "no_way": (
        "I cannot help you there, {you}: [no unit of mine reaches it|nothing of mine is close enough].",
        "[I see no unit of mine that could do it|None of my units can do that], so I must say no. [Ask me for another "
        "one.|Is there another place?]",
    ),
    "answer_protest_sorry": (
        "[It was not aimed at you|You were not the target], {you}: {power} was. [I am sorry|My apologies].",
        "[Consider it a mistake|It will not happen twice]. I am sorry, and I would rather have peace with you.",
    ),
    "answer_protest_cold": (
        "[You asked what it means|What it means]? It means that [I want {place}|{place} matters to me].",
        "[You know quite well why|Do not act surprised]. [Your units stood where mine had to go|You would have come "
        "for me by {next}].",
        "[Call it what you like|Call it war if you wish]. I call it {year}.",
    ),
    "answer_threat_defy": (
        "[Threats are cheap|I have heard threats before]; [supports are what counts|show me the units].",
        "[Come, then|Try it], {you}. [I have prepared for less|You will find me at home].",
        "[You frighten nobody here|I do not scare easily]. [Spend your {season} on me and somebody else spends theirs "
        "on you.|Think of who gains if we fight.]",
    ),
    "answer_threat_calm": (
        "[There is no need for that tone|Let us not shout]. [I want peace with you|Tell me what you need], and you may "
        "have it.",
        "[I take your point|You have made your point], {you}. I keep the peace if you do.",
    ),
    "plans_open": (
        "[Since you ask: {deeds}|You ask what I do. {Deeds}]. [And you?|What of yours?]",
        "[I have no secrets from you|To you I can say it]: {deeds}.",
        "[My {season} is soon told|It is no mystery]: {deeds}.",
    ),
    "plans_closed": (
        "[I have not decided|My orders are not written yet], [and I would rather not guess|so I can promise nothing].",
        "[You will see when the orders are read|That I keep to myself this {season}]. [Nothing in it concerns you|Take "
        "it as caution, not as unfriendliness].",
        "[Forgive me|With respect], {you}, [I do not show my cards to neighbours|that is for my generals]. [Tell me "
        "what worries you, and I answer that.|Ask me about one place, and I may answer.]",
    ),
    "answer_draw_no": (
        "A draw [is not for me yet|seems early]: [there is too much on the board|I still have moves to make].",
        "[Let us play {next} before we count|I would rather play on], {you}. [Ask me about a draw then.|No draw "
        "today.]",
    ),
    "answer_greet": (
        "[Good to hear from you|Your letter is welcome], {you}. [What can we do for each other in {year}?|Where do you "
        "look this {season}?]",
        "[Greetings from {me}|{me} greets you]. [I have no quarrel with you so far.|Let us stay in touch.]",
    ),
    "answer_insult": (
        "[I have been called worse by better|That was beneath you], {you}. [Let the units talk.|Shall we discuss the "
        "map instead?]",
        "[Insults move no units|Hard words take no centres]. [When you have a proposal, I shall read it.|Write again "
        "when you have an offer.]",
    ),
    "answer_warning": (
        "[I had seen it too|I see it as well]. {power} [worries me|is a problem], and I [act on it|look to it] this "
        "{season}.",
        "[A fair warning|Well observed], {you}. [I look at {power} more closely now.|{power} will not find me asleep.]",
    ),
    "answer_congratulate": (
        "[You are kind to say so|Kind words]. [May your {season} go as well|I wish you the same].",
        "[Fortune helped|It took some luck], {you}. [Let us see what you make of {year}|Your turn].",
    ),
    "answer_sorry": (
        "[I note your apology|I have read your apology], {you}. [Orders will tell whether you mean it|Let your next "
        "orders say it again].",
        "[It is forgotten|Let it rest], [this once|if it stays the only time].",
    ),
    "answer_sorry_cold": (
        "[Keep your apologies|An apology holds no province]. [Give back what you took|I look at units, not at "
        "regrets].",
        "[Words|Fine words], {you}. [I have had those before|I had those last season too].",
    ),
    "answer_break": (
        "[So be it|As you wish], {you}. [At least you said it|I thank you for the notice]; we know where we stand.",
        "[I had expected it|It comes as no surprise]. [May it cost you more than it brings|Then each for himself].",
    ),
}
ANSWERS |= TO_PEOPLE
