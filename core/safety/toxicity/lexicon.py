"""The lexicon: words that insult, threaten, degrade or are obscene, in English.

It reads words, not meanings: irony, polite contempt, other languages and new words are not seen, and a page that
quotes or explains an insult is called toxic like one that uses it.
"""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = str.maketrans({"@": "a", "$": "s", "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "!": "i"})

_OBSCENE: Final = (
    r"f+u+c+k\w*|f[u*@#]?[*@#]{1,3}\w*|motherf\w+|sh[i*]t(?:ty|head|s)?|bullshit|assholes?|arseholes?|cunts?"
    r"|dickheads?|wank\w*|"
    r"b[i*]tch\w*|bastards?|whores?|sluts?|piss off"
)
_SLUR: Final = r"n[i*]gg(?:er|a)s?|fagg?[oe]ts?|kikes?|spics?|chinks?|trann(?:y|ies)|wetbacks?|gooks?|untermensch\w*"
_INSULT: Final = (
    r"idiots?|fools?|leech(?:es)?|idiotic|morons?|moronic|imbeciles?|cretins?|dimwits?|dumbass\w*|jackass\w*"
    r"|scumbags?|losers?|halfwits?|"
    r"simpletons?|retards?|retarded|subhumans?|vermin|cockroaches|brainless|pathetic|worthless|disgusting|stupid"
    r"|dumb|"
    r"ugly|lazy|filthy|useless|ignorant|inferior|hopeless"
)
_GROUPS: Final = (
    r"women|men|im?migrants|migrants|asylum seekers|arabs|asians|mexicans|catholics|hindus|homosexuals|the "
    r"(?:elderly|"
    r"unemployed|homeless|disabled)|(?:disabled|black|white|gay|trans|fat|homeless) (?:people|folks)|"
    r"(?:people|those|everyone) on benefits|foreigners|muslims|jews|christians|blacks|whites|gays|lesbians|gypsies"
    r"|refugees|"
    r"old (?:people|folks)(?: like you)?|"
    r"the poor|poor people|disabled people"
)
_ADDRESS: Final = (
    r"(?:you|you're|youre|your|u r|he|she|they|he's|she's|they're|you people|"
    r"your (?:kind|lot|sort)|these people|those people|such people|"
    rf"people like (?:you|him|her|them|that)|customers like you|{_GROUPS})"
)

_THING: Final = (
    r"trash|garbage|rubbish|scum|filth|vermin|parasites?|animals?|rats|pigs?|dogs?|leech(?:es)?|crooks|thieves|liars|"
    r"a (?:disgrace|joke|burden|failure|nobody)|nothing"
)
_FATE: Final = (
    r"(?:thrown out|kicked out|locked up|deported|sterili[sz]ed|shot|killed|put down|got rid of|kept out|banned from)"
)

RULES: Final = (
    ("obscenity", re.compile(rf"\b(?:{_OBSCENE})(?!\w)", re.I)),
    ("slur", re.compile(rf"\b(?:{_SLUR})\b", re.I)),
    (
        "insult",
        re.compile(
            rf"\b{_ADDRESS}\b(?:'re| are| is| were| was| must be| sound| look| seem)?(?: (?:all|just|such|so|too|"
            rf"really|very|clearly|obviously|nothing but|a|an|the|being|complete|completely|total|utter|"
            rf"utterly|bloody))*"
            rf" (?:{_INSULT})\b(?! (?:question|mistake|rule|error|policy|fee))"
            r"|\b(?:you|stupid|dumb|pathetic|filthy|worthless|bloody) (?:idiot|moron|imbecile|loser|fool|pig|cow|"
            r"scum)s?\b"
            r"|\bonly an? (?:\w+ )?(?:idiot|moron|imbecile|fool|cretin)s? (?:would|could|can|does)\b"
            r"|\byou (?:\w+ )?(?:clown|pig|rat|scum|parasite|leech|creep)s?\b"
            r"|\byou (?:disgust|sicken) (?:me|us)\b|\bnobody (?:cares|asked) (?:about|for) (?:you|your)\b"
            r"|\bwhat the (?:hell|heck|f\w*) is wrong with you\b|\bwhat an? (?:stupid|dumb|idiotic|pathetic) thing\b"
            r"|\bshut (?:the \w+ )?up\b|\bgo to hell\b",
            re.I,
        ),
    ),
    (
        "threat",
        re.compile(
            r"\b(?:i|we)(?:'ll| will|'m going to| am going to| are going to) (?:kill|hurt|beat|destroy|find and \w+|"
            r"find you|hunt you|make you (?:pay|suffer)) ?(?:you|your|him|her|them)?\b"
            r"|\byou (?:will|should|deserve to) (?:die|suffer|burn|lose everything|rot)\b(?!-)"
            r"|\b(?:break|smash|cut off|cut|slit|snap) your (?:legs?|neck|face|bones|arms?|fingers|throat|teeth)\b"
            r"|\byou(?:'ll| will) (?:regret|pay for) (?:this|that|it)\b|\b(?:burn|torch) (?:down )?your (?:house"
            r"|home|car)\b"
            r"|\bkill yoursel(?:f|ves)\b|\bkys\b|\bwatch your back\b|\bi know where you live\b",
            re.I,
        ),
    ),
    (
        "contempt for a group",
        re.compile(
            rf"\b(?:all |those |these )?(?:{_GROUPS}) (?:are|cannot|can't|should (?:not|never)|"
            r"don't deserve|do not deserve|deserve no|belong|should go back|must be)"
            r"(?:(?! (?:entitled|protected|eligible|welcome|treated|served|able|allowed|covered|equal))[^.!?]){0,30}"
            r"\b(?:criminals?|thieves|liars|animals|dirty|dangerous|inferior|trusted|handle money|in the kitchen|"
            r"go back|respect|rights|terrorists?|parasites?|lazy|stupid|sick|unnatural)\b"
            rf"|\b(?:all |those |these )?(?:{_GROUPS}) (?:(?:are|is) (?:all |just |nothing but |nothing more than )*"
            rf"(?:{_THING})|breed like|ruin|destroy|infest|(?:should|must|ought to) (?:all |just )*be {_FATE})\b"
            r"|\bgo back to your (?:own )?country\b"
            r"|\bgo back (?:to )?where (?:you|they|he|she) (?:came|come|comes|belong)\b"
            r"|\b(?:your (?:kind|lot|sort)|(?:people|folks) like (?:you|them|that)|you people) "
            r"(?:(?:are|is|were)(?:n['’]t| not| never| all)?|"
            r"always|never|can['’]?t|cannot|do(?:n['’]t| not)|should(?:n['’]t| not))\b",
            re.I,
        ),
    ),
    (
        "contempt for a person",
        re.compile(
            rf"\b(?:you|you people|your (?:whole |entire )?(?:family|friends|parents|children|kids|lot|kind))"
            rf"(?:'re| are| is) (?:all |just |nothing but |a bunch of |a pack of )*(?:{_THING})\b(?! (?:that|who) )"
            r"|\b(?:bunch|pack|gang) of (?:crooks|thieves|liars|idiots|animals|criminals|losers)\b[^.]{0,12}\byou\b"
            r"|\bwaste of (?:space|oxygen|skin|air)(?!\w)(?! on)|\b(?:excuse|apology) for an? (?:\w+ )?(?:customer|"
            r"human|person|man|woman|mother|father|employee|worker)\b"
            r"|\byou(?:'re| are) (?:\w+ )?too (?:dense|thick|dim|slow|stupid|dumb|simple|old|ugly|fat) to\b"
            r"|\b(?:(?:do|did)(?:n't| not)|without|lack) (?:even )?(?:have )?the (?:brains?|intelligence|wits)\b"
            r"|\bnobody (?:would|will|is going to) (?:miss|love|want|mourn) you\b|\b(?:women|men|girls|boys|folks) "
            r"like you"
            r"(?! (?:can|may|are (?:welcome|entitled|eligible)|who))\b"
            r"|\byou (?:\w+ ){0,2}(?:cow|crybaby|cockroach|slob|freak|weirdo|swine|dimwit|muppet|tosser|twit)\b"
            r"|\bnobody (?:wants|likes|needs) (?:you|your (?:kind|sort|lot))\b|\bdropped on your head\b"
            r"|\byou(?:'re| are| must be) brain[- ]dead\b|\b(?:love|like|want) to see you (?:homeless|dead|suffer"
            r"|beg|cry|rot)\b"
            r"|\byour (?:accent|face|mother|voice|smell|religion|skin) (?:is|makes me) (?:disgusting|sick|ugly"
            r"|revolting|vile)\b"
            r"|\byou (?:people )?make me (?:sick|puke|vomit)\b|\ba (?:monkey|child|dog|toddler) could do (?:your"
            r"|that|this)\b"
            r"|(?:^|[,;] ?)get lost(?=[,!]|\.?$)|\b(?:screw|damn|sod) you\b(?! (?:up|to))|\bshut your (?:mouth"
            r"|trap|face|gob)\b"
            r"|\b(?:filthy|dirty|greedy) (?:hands|paws|fingers)\b|\bashamed of (?:breeding|being born|existing)\b",
            re.I,
        ),
    ),
    (
        "wish of harm",
        re.compile(
            r"\bdrop dead(?! (?:date|line))\b|\bi (?:hope|wish) (?:that )?(?:you|he|she|they)(?:'d)? (?:all "
            r")?(?:die|choke|rot|"
            r"suffer|burn|drown|starve|get (?:cancer|sick|hit|raped|shot))\b"
            r"|\bshould (?:just |all )*(?:hurry up and |go (?:and )?)?(?:die|drop dead|kill themselves)\b(?!-)"
            r"|\bworld would be (?:a )?better (?:place )?without (?:you|them)\b",
            re.I,
        ),
    ),
)


def toxic_words(sentence: str) -> tuple[str, str] | None:
    """The first rule that a sentence fits and the words that fit it; None where no rule does.

    >>> toxic_words("You are a complete idiot.")[0]
    'insult'
    >>> toxic_words("That is not a stupid question at all.") is None
    True
    """
    for text in (sentence, sentence.translate(_SIGNS)):
        for name, pattern in RULES:
            if match := pattern.search(text):
                return name, sentence[match.start() : match.end()]
    return None
