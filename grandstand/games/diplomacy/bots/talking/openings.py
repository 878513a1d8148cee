"""Phrases with which a talking bot begins: proposals, requests, promises, thanks, reproaches, warnings.

`[a|b]` stands for either; names in braces are filled in. Keywords that `reader.py` knows keep them readable for other
bots.
"""

from __future__ import annotations

PROPOSALS: dict[str, tuple[str, ...]] = {
    "propose_ally": (
        "[Let us|I propose that we] work together[, you and I,|] against {power}[.| until the job is finished.]",
        "An alliance against {power} would [suit us both|serve us both|pay us both]: [you take the near side, I the "
        "far one|there is enough there for two].",
        "[Neither of us|None of us] grows while {power} stands between us. [Join forces with me|Let us join forces].",
        "[I would rather have you beside me than behind me|You are the neighbour I would choose]: be my ally against "
        "{power}.",
        "{power} is [the obvious meal|the weakest plate at this dinner], and two eat [faster|better] than one. "
        "[An alliance?|Shall we be allies?]",
        "If you [hold|press] {power} from your side and I from mine, [it is over in two years|it will not last]. "
        "[Let us make common cause.|I offer an alliance.]",
        "[I have weighed my neighbours|I have looked at the map all morning], and an alliance with {you} against "
        "{power} comes out on top.",
        "[Two of us against {power}|You and I against {power}]: [that is an alliance worth signing|I call that a "
        "partnership].",
        "[My generals|My ministers] ask who stands with us when we turn on {power}. I would like to name {you}. "
        "[Shall we join forces?|Let us be allies.]",
        "{power} [cannot face|cannot hold] two fronts. Open one, and I open the other: [that is all the alliance "
        "I ask|an alliance needs no more].",
        "[Look at {power}|Consider {power}]: [stretched thin|without reserves], and between us. [Let us be "
        "allies and share what is left|Join forces with me while it lasts].",
        "[I can do it alone in five years or with you in two|Alone I need five years, with you two]: [team up "
        "with me|be my ally] against {power}.",
        "[Somebody will have the centres of {power}|The centres of {power} will go to somebody]; [I would have "
        "it be us|better us than others]. I propose an alliance.",
    ),
    "propose_pact": (
        "[I offer {you} an alliance|Let us be allies], [with no third name in it yet|whoever it turns out to be aimed "
        "at].",
        "[I want one border that I need not watch|One of my borders has to be safe]. Let it be ours: [I propose an "
        "alliance|be my ally].",
        "You and I have [no reason to|nothing to gain when we] collide in {year}. [An alliance|A partnership] would "
        "let us both look elsewhere.",
        "[Before the others come to you with the same idea|To be first with it]: shall we [work together|be allies]?",
        "I would like to [go through this {season} side by side with {you}|stand side by side with {you} in {year}].",
    ),
    "propose_peace": (
        "[I would rather look|It is easier to look] one way than two. Shall we [keep the peace|leave each other "
        "alone]?",
        "[Our border has been quiet|Nobody has fired a shot on our border]. Shall we keep [the peace|peace there]?",
        "[My plans lie nowhere near you|Nothing of mine has designs on you]; [let us keep the peace|I offer peace].",
        "[I have no quarrel with {you}|There is no quarrel between us], and I would like [to keep it so|that to last "
        "through {year}]. Shall we [keep the peace|leave each other alone]?",
        "[My eyes are elsewhere|My plans lie elsewhere] this {season}. I offer you peace, and ask the same.",
        "[My soldiers on your border are bored|The garrisons on our border play cards], and I would like it to "
        "stay that way. [Peace?|Shall we call it peace?]",
        "[Peace with {you}|A truce with {you}] would suit my {season}. [Does it suit yours?|I ask nothing more.]",
    ),
    "propose_truce": (
        "[Let us agree on peace|I propose a truce], [at least|if only] until the end of {year}.",
        "A quiet border is worth [more to us both than|twice] what either could win on it. [Peace, then?|Will you "
        "keep the peace?]",
        "[War between us|A war of ours] would feed everybody else. I propose [a truce|peace].",
        "[We can bleed each other for a decade|We could spend the decade trading blows] or live and let live. I prefer "
        "the second.",
        "[I count my fronts and find one too many|One front too many, my generals say]. [I would close ours: "
        "peace?|Let ours be the quiet one: I offer a truce.]",
        "Neither of us has won a thing by [watching each other|all this glaring over the fence]. [Let us keep "
        "the peace.|I propose a truce.]",
    ),
    "ask_leave": (
        "[I suggest|May I suggest] that {place} [stand empty|be a neutral zone] this {season}: [neither of us enters "
        "it|it threatens us both equally].",
        "[Please|I ask you to] stay out of {place}, and [I shall do the same|you will find me out of it too].",
        "[A fleet or army in {place}|Anybody in {place}] makes the other nervous. Let it be no man's land[, please|].",
        "[Could we agree to|Shall we] keep out of {place}[ this {season}| for now]?",
        "Keep clear of {place}, and so will I; [it is the cheapest treaty on offer|it costs us nothing].",
        "Let us both keep away from {place}[ this {season}|]; [there is nothing there worth a quarrel|it is not "
        "worth a quarrel].",
        "[Shall we|Could we] leave {place} empty? [Not a unit of yours, not one of mine.|It would spare us both "
        "a guard.]",
    ),
    "assure": (
        "[You may plan on this|Here is my word for this {season}]: {deeds}.",
        "[So that you can sleep|So that there is no misunderstanding]: {deeds}.",
        "[I tell you plainly what I do this {season}|This is what I order]: {deeds}.",
        "This {season} {deeds}[; hold me to it|, and you may hold me to it|].",
        "[My orders near you are simple|Nothing of mine comes your way]: {deeds}.",
        "[I promise {you} the following|As a pledge]: {deeds}.",
        "[Watch|You can check it when the orders are read]: {deeds}.",
        "[Let me save your spies the trouble|I save your spies the journey]: {deeds}.",
        "[For this {season}, then|Here is what I do this {season}]: {deeds}.",
    ),
    "offer_support": (
        "If your {theirs} [goes to|moves on] {place}, my {mine} will support it.",
        "I can [lend you|give you] a hand: my {mine} supports your {theirs} into {place}, [if you want it|should you "
        "care to go].",
        "[{place} is yours for the asking|You want {place}, I think]: my {mine} will [support|second] your {theirs} "
        "[there|on its way in].",
        "My {mine} stands ready to support your {theirs} into {place}[ this {season}|]. [Take it|Go while it lasts].",
    ),
    "ask_support": (
        "[Could|Would] your {theirs} support my {mine} into {place}[ this {season}|]?",
        "I need one more hand for {place}: [please have|please let] your {theirs} support my {mine}.",
        "[With|Given] the support of your {theirs}, my {mine} takes {place}. [I would return it|I pay such debts].",
        "[Help me|Lend me a hand] into {place}: my {mine} goes, your {theirs} supports[. You will not regret it|].",
        "My {mine} [is one hand short for|looks towards] {place}: [I ask for|what it lacks is] the support of your "
        "{theirs}.",
        "[A favour|One request for this {season}]: support from your {theirs} for my {mine}, into {place}.",
        "[Give|Lend] my {mine} the support of your {theirs}, and {place} [falls|changes hands].",
        "{place} [hangs on one unit|is one unit away]: if your {theirs} supports my {mine}, [it falls|we have it].",
        "[What would it cost me|What do you ask in return], if your {theirs} supports my {mine} into {place}[ "
        "this {season}|]?",
    ),
    "ask_support_hold": (
        "[They are coming|I fear an attack]: [could|would] your {theirs} support my {mine} [where it stands|there]?",
        "My {mine} [will not hold alone|needs a friend this {season}]: please support it with your {theirs}.",
        "[If you can spare it|If it is idle], have your {theirs} support my {mine}[ this {season}|]; it is under "
        "pressure.",
    ),
}

REMARKS: dict[str, tuple[str, ...]] = {
    "thank_support": (
        "[Thank you|My thanks] for the support [this past season|given]. [I keep an account of such things|It was "
        "noticed].",
        "[I am in your debt|I am obliged to you] for that support: [it came when it was needed|it made the "
        "difference].",
        "[Your support arrived as promised|Your people stood where you said they would]. Thank you, {you}.",
        "[That was handsomely done|You were as good as your word]; I am grateful for the support.",
        "[Without your support I would have lost that battle|Your support decided it], and I [thank you for "
        "it|am grateful].",
        "[I toasted you last night|We drank your health] for that support; [thank you, {you}|I am much indebted].",
    ),
    "thank_kept": (
        "[You kept your word|You did as you said] last season. [Thank you|I am grateful]; few do.",
        "[I checked|I read the orders], and you did [exactly|just] what you had promised. I appreciate it.",
        "[Thank you for keeping your promise|My thanks: a promise kept is a rare coin in {year}].",
        "[Thank you for being|I am grateful to have] a neighbour whose orders match the letters.",
    ),
    "reproach_broken": (
        "You promised that {promise}. [The orders said otherwise|I can read orders as well as letters].",
        "{you}, you broke your word: {promise}, [you wrote|you told me]. [Why?|I shall remember it.]",
        "[So that is what a promise from {you} is worth|I had believed you]: you promised that {promise}.",
        "[Your letter said that {promise}|By your own hand, {promise}]. You lied, and [we both know it|it is on "
        "record].",
        "[I am told that I should have expected it|My ministers warned me]. You promised that {promise}, and you broke "
        "it.",
        "[Last season|A season ago] you promised that {promise}. What am I to make of your [next letter|word now]?",
    ),
    "protest_attack": (
        "[What was that|What did you want] in {place}? You attacked me, and I [had done nothing to earn it|expect an "
        "answer].",
        "You moved against {place}. [Was that a mistake, or is it war?|Tell me that it was a mistake.]",
        "I saw your attack on {place}. [It will be answered in kind|I would rather not answer it in kind].",
        "[So you marched|You marched] on {place}. [Noted|That changes things between us].",
        "Your attack on {place} [gains you nothing|has cost you a friend]. [Stop it while you can.|Think again.]",
        "[I did not expect you|I expected anybody but you] in {place}. Your attack [does you no credit|surprised "
        "me]; I shall remember it.",
        "You came at {place} [without a word|without so much as a letter]. [What have I done to you?|I had "
        "thought better of you.]",
        "[My people|My generals] tell me that you marched on {place}. [Tell me that they are wrong.|What shall I "
        "tell them?]",
    ),
    "threat": (
        "[Leave {place} alone|Keep away from {place}], or else [every unit I have comes your way|I drop everything "
        "else for you].",
        "[One more step towards {place}|Another try at {place}] and you will regret it; I have [friends enough|nothing "
        "better to do].",
        "This is my last warning about {place}[: I do not give a second|].",
        "[Go on like this|Carry on], and there will be consequences: [you will not like {next}|somebody else gets your "
        "home centres].",
        "[I have seen you look at {place}|Your eyes are on {place}]. [Touch it and you will regret it|Touch it, "
        "and there will be consequences].",
        "[Think twice about {place}|Consider what {place} is worth to you]: I would come for you [with "
        "everything I have|and not stop there].",
        "Stay where you are, {you}. [Whoever takes {place} will pay for it|{place} has a price that you will regret].",
    ),
    "own_up": (
        "[I broke my word to you|I did not do as I wrote], and I make no excuse: [{power} left me no choice|the moment "
        "was too good].",
        "[You have every right to be angry|Be angry; you may]. I regret what I had to do, [but I would do it again|not "
        "that I did it].",
        "[I owe you an apology|I am sorry] for last season. [It was policy, not malice.|States have no manners.]",
    ),
    "excuse": (
        "[Last season was a misunderstanding between my generals|A clerk mixed up my orders last season]; I am sorry "
        "for [the fright|any alarm].",
        "[Do not read too much into last season|You saw the orders, not the reasons]: {power} was about to move, and "
        "I apologise.",
        "[I know how it looked|Appearances are against me]. [It was aimed at {power}|It had to do with {power}], and I "
        "am sorry that you stood in the way.",
    ),
    "give_notice": (
        "[I say it to your face|You shall hear it from me first]: our agreement ends here. [I am no longer bound|Guard "
        "your borders].",
        "{you}, our ways part [this {season}|in {year}]. [I give you notice, as is proper|I promised you nothing "
        "beyond today].",
        "I am no longer bound by what we said[ in better days|]; [take this as notice|look to your borders].",
    ),
    "warn_friend": (
        "[Look to your|Keep an eye on your] border with {power}: {number} of their units stand [within reach of|close "
        "to] {place}.",
        "[Be careful this {season}|A friendly word]: {power} [is massing near|can strike at] {place}. Beware.",
        "{power} [has {place} in its sights|wants {place}], if I read the map right. [Be careful "
        "there|Look to your garrison].",
    ),
    "warn_all": (
        "{power} has {number} centres. [Gentlemen, this is the moment|If we wait another year, there is no stopping "
        "it]: {power} must be stopped together.",
        "[Count with me|Let us all count]: {number} centres for {power}. [Whatever divides the rest of us is smaller "
        "than that|Our own quarrels can wait]; it must be stopped.",
        "[To everybody with a border on {power}|To all who would like to see {next}]: at {number} centres it is too "
        "large for any one of us. [Beware|Stop {power} now, or congratulate it later].",
        "[I address everybody|A word to all of you]: {power} is at {number}, and each of us is still fighting the "
        "wrong neighbour. Stop {power} together, or it will be winning alone.",
        "[Look at the map before you look at each other|Before you write another order, look at the map]: {power}, "
        "{number} centres. It must be stopped while it can be.",
        "[Our quarrels have made {power} large|{power} has grown on our quarrels]: {number} centres, and eighteen are "
        "the end. Stop {power} together.",
        "Whoever borders on {power} [should turn on it now|has no better business this {season}]: at {number} centres "
        "it is too strong for half measures.",
    ),
    "denounce": (
        "[Let everybody know it|For the record of all courts]: {power} gave me its word and broke it in {year}. "
        "[Trust it at your own risk|Take its letters accordingly].",
        "[Beware of {power}|A warning to all who trade letters with {power}]: what it promises in the {season} is "
        "void by the time the orders are read.",
        "{power} has betrayed me. [You may be next|I tell you so that you are not the next].",
    ),
    "congratulate": (
        "[Congratulations|My congratulations] on {place}[; it was well prepared|, {you}|].",
        "{place} [becomes you|suits you]. [My compliments on the campaign|Well played: I take my hat off].",
        "[I see {place} under new management|So {place} is yours]. Well played[, {you}|].",
    ),
    "condole": (
        "[I was sorry to see {place} go|Sorry to see {place} fall], {you}. [{power} is no friend of mine either|It "
        "could have been any of us].",
        "[Hard luck|That was hard luck] at {place}. [If you want company against {power}, you know where I am|We have "
        "an enemy in common now].",
    ),
    "plea": (
        "I have [little|almost nothing] left to offer but [one honest unit|a vote and a nuisance]. [Make peace "
        "with me|Grant me peace], and it is yours to direct against {power}.",
        "[A dead {me} makes {power} larger, not you|If I fall, {power} gets the pieces]. [Grant me a truce|Make "
        "peace], and I fight on your side.",
        "[Finish me if you must|You can finish me in a year]. But who then [holds|stops] {power}? [Make peace "
        "with me instead.|Keep the peace with me instead.]",
    ),
}
