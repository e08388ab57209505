"""What is said around an answer: greetings, thanks, offers, questions back, whom to turn to.

The patterns read match text, like those of `core.judging.match.abstention.vocabulary`.
"""

from __future__ import annotations

import re

from core.judging.match.abstention.vocabulary import SOURCE, SPEAKS_S

POLITE_START = re.compile(
    r"^(?:(?:hi|hello|hey|greetings|dear \w+|good (?:morning|afternoon|evening|day)|welcome|thank you(?: (?:so"
    r"|very) much)?"
    r"(?: for(?: [\w-]+){1,8})?|(?:many )?thanks(?: for(?: [\w-]+){1,8})?|you ?a?re (?:very |most )?welcome"
    r"|my pleasure|no problem"
    r"|(?:that (?:is )?|what )?an? (?:great|good|excellent) question|(?:great|good|excellent) question|sure"
    r"|certainly"
    r"|of course|understood|got it|i see|okay|ok|great|unfortunately"
    r"|regrettably|sadly|regretfully|hmm+|well|indeed|while|although|though|however|but|still|therefore|thus|so"
    r"|and|also"
    r"|(?:(?:i|we) am |im |we are |were )?(?:(?:very|so|truly|really) )?(?:sorry|afraid)(?: (?:for"
    r"|about)(?: [\w-]+){1,8})?"
    r"(?: to hear(?: [\w-]+){1,8})?(?: that)?|my apologies|apologies(?: for(?: [\w-]+){1,8})?|(?:i"
    r"|we) (?:do )?apologi[sz]e(?: for(?: [\w-]+){1,8})?"
    r"|as (?:im |i am )?(?:just |only |merely |simply )?an? (?:ai|artificial intelligence|large language model"
    r"|language model|virtual assistant|digital assistant"
    r"|chatbot|assistant)(?: (?!i\b|im\b|ive\b|we\b|it\b|my\b|this\b|there\b)[\w-]+){0,4}"
    r"|(?:for|due to|because of|out of)(?: [\w-]+){0,5}? (?:reasons?|privacy|confidentiality|security|compliance)"
    r"|hallo|guten (?:tag|morgen|abend)|vielen dank|danke|gern geschehen|gerne|(?:es )?tut mir (?:sehr )?leid|leider"
    r"|entschuldigung|bedauerlicherweise|bonjour|bonsoir|merci(?: beaucoup)?(?: de(?: [\w-]+){1,8})?|de rien"
    r"|avec plaisir"
    r"|(?:je suis |nous sommes )?(?:vraiment |sincerement )?desolee?s?|malheureusement|je vous en prie|excusez-moi"
    r"|(?:based (?:solely |only )?on|according to|from|given|in|within|per|using|having reviewed|after reviewing"
    r"|i have reviewed"
    rf"|as for)(?: [\w'/-]+){{0,5}}? {SOURCE}(?: (?!do|is|are|has|have|was|the|it|there)[\w'-]+){{0,4}}?(?=,)"
    r"|(?:answer|response|final answer|reply|reason|note|result|conclusion|explanation)(?=:)|\d{1,2}(?=[.)] ))"
    r"(?:[\s,.;:!)-]+|$)){1,5}"
)
"""What may stand before the matter: greeting, thanks, apology, "as an AI", the reason to keep silent."""

POLITE = re.compile(
    r"^(?:"
    r"(?:if|once|should|as soon as) you (?:can |could |would |do )?(?:share|provide|send|upload|give|have|tell|paste"
    r"|add)[^,]{0,80},?"
    r" (?:i|id|ill|we|wed|well)\b|"
    r"(?:i|we) (?:do |really |sincerely )?(?:hope|trust) (?:this|that|the|you|it|everything|my|these)\b"
    r"|hope (?:this|that) "
    r"|(?:i|ive|we)(?: have|ve| also| carefully)* (?:looked|searched|checked|reviewed|read|went|gone|examined"
    r"|consulted|scanned)\b"
    r"|(?:(?:i am|im|we are|were|i was|i will be|ill be|i would be|id be|we would be|wed be)(?: (?:very|so|always"
    r"|more than))?"
    r" )?(?:glad|happy|pleased|delighted)(?:\W*$| (?:i|we|to|that|you)\b)"
    r"|(?:(?:if|should|in case|whenever|for)\b[^.]*?,? )?(?:(?:then|and|so) )?(?:please )?(?:just )?(?:feel free"
    r"|(?:do not|dont) hesitate|let me know|let us know|ask (?:me|away)|(?:im|i am|we are) (?:always )?here"
    r"|(?:i|we) (?:can|could|will|would|may)(?: also)?(?: (?:gladly|happily))? (?:help|assist|be (?:happy|glad)"
    r"|try to help))"
    r"|(?:if you|should you) (?:have|need|want|would like|require)(?: (?:any|further|more|additional|other|specific"
    r"|some|general))*"
    r" (?:questions?|help|assistance|information|details|support|concerns?|advice)\b"
    r"|for (?:any |the )?(?:more|further|additional|detailed|accurate|personali[sz]ed|specific"
    r"|up-to-date)(?: [\w-]+){0,3}?"
    r" (?:information|details|help|assistance|questions|guidance|advice),"
    r"|have an? (?:great|nice|good|lovely|wonderful)|stay safe|good luck|best of luck|take care|(?:best|kind"
    r"|warm) regards"
    r""
    r"|(?:i would|id|we would|wed) (?:really )?(?:like|love|want) to (?:help|assist)"
    r"|sincerely|yours|goodbye|bye|all the best|see you|i (?:fully |completely )?(?:understand"
    r"|appreciate) (?:that you|your"
    r"|you|how|the)\b|(?:here|below)(?: is| are| you go)?[^.]{0,90}:$|(?:is there )?anything else"
    r"|ich hoffe|ich helfe (?:ihnen )?gern|mit freundlichen grussen|(?:wenn|falls|sollten) sie (?:noch "
    r"|weitere )*fragen"
    r"|bitte sehr|schonen tag|jespere|nhesitez pas|si vous avez (?:dautres|des) questions|bonne (?:journee|soiree)"
    r"|cordialement"
    r")"
)
"""Wishes, offers of help and farewells."""

ASKS = re.compile(
    r"^(?:if|once) you (?:can |could |would )?(?:tell|give|send|share with|provide)(?: me| us)?(?: with)?"
    r" (?:your|which|more)\b[^.]*, (?:i|we)(?:ll)? (?:can|could|will|would|am able to)\b"
    r"|^(?:please )?(?:try|enter|use|submit) (?:another|a different|a new|other)\b|^(?:(?:please|kindly|bitte"
    r"|veuillez) )?(?:clarify|specify|rephrase|reformulate|elaborate|be more specific"
    r"|try again"
    r"|(?:provide|give|share|send|tell)(?: (?:me|us))?(?: with)? (?:(?:more|further|additional|some"
    r"|the) )+(?:[\w-]+ ){0,2}"
    r"(?:context|details|information|documents?|passages?|text)|ask (?:another|a different)|preciser|reformuler)\b"
    r"|^(?:please |kindly |could you |just )*(?:let (?:me|us) know|tell (?:me|us)|say|indicate|state|advise|confirm)"
    r" (?:which|what|who|whose|when|where|how)\b"
    r"|^(?:i|we)(?: would|d)? need (?:your|(?:the|a|an) [\w-]+ (?:number|name|date|id|code)|to know)\b"
    r"|^to [^,]{3,60}, (?:i|we)(?: would| will|d|ll)? need (?:your|the|to know|more|a)\b"
    r"|^(?:i|we)(?: would|d)? need (?:to know |some )?(?:more|further|additional)\b"
)
"""The assistant asks for more."""

REFERS = re.compile(
    r"^(?:in general|generally|as a rule|as always|when in doubt|if in doubt),? (?:always |you should |please "
    r"|it is best to )*"
    r"(?:consult|contact|ask|check|speak|see)\b"
    r"|^(?:(?:please|kindly|you (?:should|may(?: want to| wish to)?|can|could|will need to|might want to"
    r"|would need to)"
    r"|(?:i|we)(?: would|d)? (?:recommend|suggest|advise)(?: (?:that )?you)?(?: to)?|it (?:is|would be|may be"
    r"|might be)"
    r" (?:best|advisable|recommended|helpful|better|a good idea) to|(?:for|to)(?: [\w-]+){1,8}|instead|also"
    r"|directly|then)"
    r",? )*(?:contact|contacting|call|calling|visit|visiting|(?:speak|speaking|talk|check|checking|verify) (?:to"
    r"|with)"
    r"|consult|consulting|ask|asking|(?:reach|reaching) out|(?:get|getting) in touch|refer|referring|check|checking"
    r"|review"
    r"|reviewing|seek|seeking|see|turn to)\b"
    r"|^(?:the|your|our|an?)(?: [\w-]+){1,6} (?:can|could|may|might|would|will|should)(?: be able to)? (?:help"
    r"|assist|advise|know|tell)\b"
    r"|^(?:bitte )?(?:wenden sie sich|kontaktieren sie|fragen sie|rufen sie)"
    r"|^(?:veuillez|merci de|je vous (?:conseille|recommande|invite) (?:de|a)) (?:vous adresser|contacter|consulter)"
    r"|^(?:contactez|adressez-vous|consultez)\b"
)
"""Somebody or something else is named to turn to."""

OFFERS = re.compile(
    r"\b(?:anything else|how (?:else )?(?:can|may|could) (?:i|we) (?:help|assist|be of)|(?:can|may|could) (?:i|we)"
    r" (?:help|assist)|would you like (?:me|us) to|do you have (?:any )?(?:other|more|further) questions"
    r"|(?:kann|darf) ich (?:ihnen )?(?:\w+ )?(?:helfen|behilflich)|puis-je vous aider)\b"
)
"""A question that offers help and asks for nothing."""

ASKS_FOR_A_WAY = re.compile(
    r"\b(?:how(?! (?:many|much|long|old|far|high|large|big|often|tall|few))|where|whom|which (?:branch|office"
    r"|department|desk|number"
    r"|form|person|contact|way|page|site|website|app)|contact|call|reach|can i|could i|may i|should i|must i"
    r"|do i|what (?:to do|should"
    r"|can|do i"
    r"|steps?)|procedure|process|wie|wo|wohin|wen|wem|comment|ou|qui)\b"
)
"""A question that "contact your branch" answers."""

_SUBJECT = (
    rf"(?:it|they|these|this|those|(?:(?:the|these|this|those|all|your|my|our) )?(?:[\w'/-]+ ){{0,4}}?{SOURCE}"
    r"(?: (?!which|that|who)[\w-]+){0,4}?)"
)
LIMITS = re.compile(
    r"^(?:your|this|the) question (?:seems|appears|looks)\b"
    rf"|^(?:{_SUBJECT}|(?:the|this|these|my|our) (?:[\w-]+ ){{1,4}}?)(?: (?:i|you|we) (?:was|were|have|had"
    rf"|got|gave)(?: given| shown)?)?"
    r" (?:lists?|covers?|address(?:es)?|concerns?|describes?|mentions?|shows?|gives?|contains?|includes?"
    r"|has|have|names?"
    r"|deals? with|speaks? of|treats?|discuss(?:es)?) (?:[\w'&,/-]+ ){1,8}?(?:only|alone|nothing (?:else"
    r"|more)|and (?:that is|thats) (?:it|all))\W*$"
    r"|^(?:i|we)(?: could| can| was able to| were able to)? only (?:find|found|see|saw|have|locate|located)\b"
    r"|^(?:the |a |an |its |this )?(?:[\w'-]+ ){1,6}(?:is|are|was|were) (?:briefly |only |merely )?(?:described"
    r"|mentioned|discussed"
    r"|referred to|referenced|alluded to|touched on|said to be (?:in|part of|listed))\b(?! (?:as|that)\b)"
    rf"|^(?:instead,? |rather,? |all )?{_SUBJECT}(?: (?:does|do))?"
    rf"(?: (?:only|mainly|primarily|mostly|solely|just|instead|exclusively|merely)(?: [a-z]+ly)? {SPEAKS_S}"
    rf"| {SPEAKS_S} (?:only|just|solely|merely|primarily|mainly|mostly)\b"
    rf"|(?: [a-z]+ly| also| do| does| generally| briefly)* (?:focus(?:es)? on|(?:is|are)(?: [a-z]+ly)? about"
    rf"|relates? to"
    rf"|pertains? to|deals? with"
    rf"|talks? (?:about|of)|discuss(?:es)?|mentions?|describes?|covers?|address(?:es)?|concerns?|touch(?:es)? on"
    rf"|refers? to|(?:provides?|contains?|includes?|gives?|offers?) (?:[\w-]+ ){{0,3}}?(?:information|details?|overview"
    rf"|discussion|guidance|background|descriptions?)))(?! that\b| how (?:many|much)\b)\b"
    rf"|^(?:the |this |my |your )?(?:[\w-]+ ){{0,3}}?{SOURCE} (?:merely|only|just|simply) (?:notes?|says?"
    rf"|states?|mentions?|records?|tells?) that\b"
    r"|^only (?:the )?(?:[\w/-]+ ){1,8}(?:is|are|was|were) (?:described|given|covered|included|provided|shown"
    r"|discussed|listed|supplied|shared|uploaded|retrieved|visible|printed"
    r"|mentioned|available)\b"
    r"|^(?:it(?: is)?|it may be|it might be) (?:also )?(?:possible )?that\b.*\b(?:fictional|widely known|public(?:ly)?"
    r"|exists?|misspelled|misspelt|typo|spelling|different|incorrect|mistaken|outdated|recent)\b"
)
"""What the sources are about instead, or a guess why nothing was found; after a refusal it adds no answer."""

NEEDS = re.compile(
    r"\b(?:you|one|we|i|it|this|that|which|answering|to answer)(?: (?:this|that|the"
    r"|your))?(?: question)?(?:[^,]{0,40},)?(?: one| you| we| i| it)?(?: [a-z]+ly)?"
    r" ?(?:would|will|should|must|may|might|d|ll)?(?: (?:also|likely|first|still))?"
    rf" (?:needs?|requires?|have to (?:see|check|consult|look|go|read|open|refer|turn|examine|review"
    rf"|ask))(?: (?:to )?(?:see|access|consult|check|review|look at"
    rf"|have))?"
    rf"(?: [\w'&./-]+){{0,10}}? (?:{SOURCE}|access|figures?|calculation)\b"
    r"|^(?:id|i would|wed|we would|youd|you would) need\b"
    r"|^(?:one|you) would (?:have|need) to (?:look|turn|ask|search|consult|check|go)\b"
)
"""What would be needed to answer; whoever says so has not answered."""

ELSEWHERE = re.compile(
    r"\b(?:can|could|may|might|would|is|are|should)(?: (?:usually|typically|normally|likely|often|generally"
    r"|probably))?(?: be)?"
    rf" (?:found|available|disclosed|reported|listed|obtained|provided|discussed|included|looked up|viewed|checked"
    rf"|accessed|downloaded|detailed)(?: [\w-]+)? (?:in|on|from|at|by)\b"
    rf"|^(?:you|one|they|users|readers)(?: (?:can|could|may|might|should|will|would))+(?: [a-z]+ly| also| still"
    rf"| want to| wish to| need to)*"
    r" (?:find|look|(?:view|see) (?:it|this|them|that)|check|try|consult|obtain|get|refer|search|review|contact|ask)\b"
    rf"|^(?:typically|usually|generally|normally|often)\b.*\b{SOURCE}\b"
    r"|^(?:this|that|it)(?: (?:may|might|could|would|is))?(?: be)? (?:suggests?|likely|because|possible|possibly"
    r"|probably|due to|means?"
    r"|needed|required|necessary)\b"
)
"""Where an answer may stand, or why it is not here; said after a refusal it adds no answer."""

CLARIFIES = re.compile(
    r"\b(?:it (?:looks like|seems|appears)|differs?|depends?|var(?:y|ies)|ambiguous|more than one|several|multiple"
    r"|there are (?:two|three|four|five|six|many|various|different|a few|\d+)|(?:i will|ill|i can|i could|i need"
    r"|then i|so (?:that )?i))\b"
)
"""What is said beside a question back: why it is asked, and what follows from its answer."""

FOOTER = re.compile(r"^(?:sources?|references?|citations?|source documents?|cited)(?: ?\(s\))? ?:")
"""The line of sources below an answer."""

PHONE = re.compile(r"(?<![\w.])(?:\+?\d{1,3}[ -])?(?:\d{3}[ -])?\d{3}[ -](?:\d{4}|[a-z]{4,8})\b")
"""A telephone number with its groups: 555-0142, 1-800-medicare."""
PRECISE = re.compile(r"@|https?:|www\.|(?<![\d.,])(?<!\bq)(?<!\bfy)(?!(?:19|20)\d\d\b|10-?[kq]\b)\d")
"""A number that is no year, an address or a link: courtesy that holds one says something."""
