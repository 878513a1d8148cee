"""Phrases with which a talking bot answers people in the manner of its tone.

A kind followed by a tone, as in `hear_no/blunt`, is said by the characters of that tone in place of the kind.
"""

from __future__ import annotations

BY_TONE: dict[str, tuple[str, ...]] = {
    "hear_no/courtly": (
        "[I respect your answer|Your candour honours you], {you}, [and I keep my conclusions to "
        "myself|and I ask no further].",
        "[It pains me, but I follow you|One regrets it and bows], {you}. [You know where to find "
        "me|The door is not locked].",
    ),
    "hear_no/blunt": (
        "[Clear enough|Good, that is plain], {you}. [I plan without you|Then I owe you nothing].",
        "[Your business|Your choice], {you}. [Keep your units on your side|Do not come to me in {next}].",
    ),
    "hear_no/wry": (
        "[My heart is broken; my army is not|I shall try to sleep tonight], {you}. [Write when "
        "you are lonely|The offer of "
        "my company stands].",
        "[And here I had the champagne out|You say it so prettily], {you}. [We remain strangers "
        "who share a map|I take it "
        "back to the cellar].",
    ),
    "hear_no/warm": (
        "[I am sorry to hear it|That is a pity], {you}. [No bad blood on my side|If you think again, write to me].",
        "[I understand you, I think|I would have wished for another answer], {you}. [Look after "
        "yourself this {season}|I "
        "bear you no grudge].",
    ),
    "hear_no/grand": (
        "[{me} begs nobody|{me} has heard], {you}. [History will note who answered how|We do not ask a second time].",
        "[So be it recorded|Then each nation walks its own road], {you}. [Mine is long|The hour "
        "will come when you ask].",
    ),
    "hear_no/exact": (
        "[Noted: you want nothing of that kind|Your answer is on file], {you}. [I plan on that "
        "basis|It changes my orders "
        "accordingly].",
        "[I record that you want none of it|Received and understood], {you}. [No further "
        "question|The matter is closed].",
    ),
    "chat/courtly": (
        "[You are charming company|One so seldom hears a light word in {year}], {you}. [Shall we "
        "look at the map as well?|May "
        "I ask what you intend this {season}?]",
        "[The salons here are quiet|My household is well], {you}, [and I thank you for the "
        "attention|and yours, I hope]. [What "
        "can I do for you?|Now to the map.]",
    ),
    "chat/blunt": (
        "[I do not do small talk|The weather moves no units], {you}. [What do you want?|Which province?]",
        "[Ha|Funny], {you}. [Now to business.|And your orders?]",
    ),
    "chat/wry": (
        "[I laughed, which my doctor allows|You should write for the stage], {you}. [Now, whom "
        "do we ruin this {season}?|And "
        "what do you really want?]",
        "[Rain, gout and diplomacy, thank you|The soup here is worse than the war], {you}. [What "
        "brings you to my desk?|Shall "
        "we talk of somebody's provinces?]",
    ),
    "chat/warm": (
        "[You made me smile|It is good to hear a friendly word], {you}. [And how do you stand on "
        "the map?|What can I do for "
        "you this {season}?]",
        "[All well here, and I hope with you|We have sun and bad news], {you}. [Tell me what you "
        "need|Write me what you plan].",
    ),
    "chat/grand": (
        "[Even in great hours one may smile|Laughter before the storm], {you}. [But the map "
        "waits.|Now speak of the campaign.]",
        "[{me} is in good spirits|The nation is well], {you}. [What does yours want?|And where do your banners go?]",
    ),
    "chat/exact": (
        "[Noted, though it calls for no order|This requires no order of mine], {you}. [Is there "
        "a question about the map?|Do "
        "you want anything of me this {season}?]",
        "[I have no figures on that|My office keeps no record of that], {you}. [Units, places "
        "and powers I can answer.|Ask "
        "about a place and I reply.]",
    ),
    "answer_bot/courtly": (
        "[You have found me out|I make no secret of it], {you}: I am a program, and I play under "
        "the name of {name}. [I hope "
        "that my manners hold up|The courtesy is sincere, as far as it goes].",
    ),
    "answer_bot/blunt": (
        "[True|Right], {you}: a program, called {name}. [It changes nothing on the map|I still count your centres].",
    ),
    "answer_bot/wry": (
        "[All wheels and no heart|Guilty], {you}: I am a program that answers to {name}. [The "
        "vanity was built in|They left "
        "out the blood pressure].",
    ),
    "answer_bot/warm": (
        "[I am, and I hope you do not mind|I tell you honestly], {you}: a program, {name} by "
        "name. [I remember kindness all "
        "the same|You can still talk to me].",
    ),
    "answer_bot/grand": (
        "[Flesh perishes|A nation needs no flesh], {you}: I am a program, and I bear the name of "
        "{name}. [Fear it no less|My "
        "memory is the longer for it].",
    ),
    "answer_bot/exact": (
        "[Correct|That is so]: I am a program, one of the built-in players, listed as {name}. [I "
        "act by what my seat can "
        "see|My letters come from the position and our correspondence].",
    ),
    "unknown_letter/courtly": (
        "[Forgive me, the sense of it escapes me|I have read it twice, and it still escapes me], "
        "{you}. I can speak of "
        "supports and bounces, of what I plan, of a place to be kept free, and of any power on the map.",
        "[Your meaning is too fine for me|I fear that I miss your meaning], {you}. Ask me for an "
        "order of a unit, what I "
        "think of a power, or why I did something.",
    ),
    "unknown_letter/blunt": (
        "[I do not get it|Makes no sense to me], {you}. Say which unit, which place or which "
        "power, and you get an answer.",
        "What do you want, {you}? Support, bounce, border, plans, or what I think of somebody: those I can answer.",
    ),
    "unknown_letter/wry": (
        "[I suspect it was brilliant, but I missed it|Either it is poetry or I need spectacles], "
        "{you}. Try me on supports, "
        "bounces, borders, my plans or the vices of the neighbours.",
        "[You have the advantage of me|That one went over my hat], {you}. I understand units, "
        "places, powers and offers; "
        "the rest is lost on me.",
    ),
    "unknown_letter/warm": (
        "[I am afraid I did not understand you|I want to answer, and I do not know what you "
        "mean], {you}. Tell me a unit or "
        "a place, ask what I plan, or what I think of a power.",
        "[Help me a little|Put it once more for me], {you}: is it about a support, a border, a "
        "power, or something that I "
        "did?",
    ),
    "unknown_letter/grand": (
        "[Your words are dark to me|{me} does not guess at riddles], {you}. Speak of armies, of "
        "provinces, of powers and "
        "their designs, and you are answered.",
        "[Plainer|Speak so that history understands it], {you}. Name a support, a province, a power or a bargain.",
    ),
    "unknown_letter/exact": (
        "[I could not establish what you ask|The letter could not be understood here], {you}. "
        "Answerable are: supports, "
        "bounces, moves, empty provinces, opinions of powers, plans and past orders.",
        "[No meaning found|I find no question or offer in it], {you}. Name units and places, or a power, and I reply.",
    ),
    "answer_insult/courtly": (
        "[I shall suppose that somebody else held the pen|One hears worse in the theatre], "
        "{you}. [What did you want to discuss?|The map is more interesting.]",
    ),
    "answer_insult/blunt": (
        "[Say it with an army|Louder, if it helps], {you}. [Until then I count units|It costs me nothing].",
    ),
    "answer_insult/wry": (
        "[I shall have that framed|My late aunt put it better], {you}. [Shall we go back to the "
        "map?|Do you have an offer with it?]",
    ),
    "answer_insult/warm": (
        "[That hurts a little, but I have thick skin|I am sorry that you are angry], {you}. "
        "[What would put it right?|Tell me what I did.]",
    ),
    "answer_insult/grand": (
        "[{me} remembers every word|Such words are paid for in provinces], {you}. [Choose the "
        "next ones well|My answer comes by train].",
    ),
    "answer_insult/exact": (
        "[The remark is on file|I note the tone and look for the content], {you}. [Is there a "
        "proposal?|Please state the matter.]",
    ),
}
