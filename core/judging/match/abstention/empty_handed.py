"""Gaps told by what a search brought: nothing, no record, a blank; and answers that are a form of a program."""

from __future__ import annotations

import json
import re

from core.judging.match.abstention.vocabulary import SOURCE, any_of

_HITS = (
    "(?:references?|mentions?|results?|hits?|matches|match|records?|entry|entries|passages?|documents?|chunks?|answers?"
    "|information|insights?|figures?|data|evidence|trace|indication|content|context|name|number|amount|value|date)"
)
_NOTHING = "(?:zero|no|not a single|not one|nothing|0)"

EMPTY_HANDED = any_of(
    r"(?:came|come|comes|coming|turned|turns) up (?:empty|blank|short|with nothing|dry|empty-handed)\b",
    r"(?:came|come|comes|coming|went|left) (?:back|away|home) (?:empty|blank|with nothing|empty-handed"
    r"|none the wiser)\b",
    r"\b(?:drew|draw|draws|drawn) a blank\b|^(?:i|ive|we|the search|my search"
    r"|a search)\b.*\b(?:without (?:any )?(?:success|luck|result|finding)|in vain"
    r"|to no avail)\b|^no luck\b",
    r"\bno (?:trace|sign|hint|word|clue) (?:of|on|about|as to)\b(?! (?:wear|damage|use|life|infection))",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? (?:is|are|was|were) (?:of )?no (?:help|use)\b",
    r"\b(?:any(?:body|one)s?|your) guess(?: is as good as mine)?\b|\bguess is as good as\b",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? gives? no word\b",
    r"\b(?:finds?|found|gets?|receives?) no mention\b",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? (?:say|says|tell|tells|mention|mentions|offer|offers|give|gives) nothing\b",
    r"\bmakes? (?:[\w-]+ ){1,3}(?:illegible|unreadable|unintelligible)\b",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? (?:is|are|was|were) (?:for|about|on|of) (?:another|a different|a wrong"
    rf"|the wrong|other)\b",
    r"^(?:i|we)(?: currently| simply)? have no (?:[\w-]+ )?(?:instructions?|notes?|papers?|entries|entry"
    r"|files?|list|table)\b",
    r"^(?:nobody|no one|none of (?:you|them))\b.{0,60}\b(?:supplied|provided|given|sent|uploaded|shared|told)\b",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? (?:only )?(?:go|goes|went|runs?|reach(?:es)?"
    rf"|extends?) (?:no further than|only (?:up |back )?to"
    r"|(?:up to|as far as|until)(?= (?:the )?(?:end|year|page|version|section|release|chapter|early|late"
    r"|mid|q[1-4]|\d|january"
    r"|february|march|april|may|june|july|august|september|october|november|december)))",
    rf"{SOURCE}(?: [\w-]+){{0,4}}?,? (?:and )?(?:it |they |which |that )?(?:predates?|dates? from before"
    rf"|is too old|are too old)\b",
    r"^(?:i |we )?wish (?:i|we) could (?:tell|help|say|answer)\b",
    rf"(?:turns? up|turned up|yields?|yielded|return(?:s|ed)?|produc(?:es?|ed)|found|retrieved|got|brings? up"
    rf"|brought up)"
    rf" {_NOTHING}\b(?: [\w-]+){{0,3}}? (?:{_HITS}|about|on|for|that|relevant|useful)\b",
    rf"(?:did|does|do)(?: not|nt) (?:return|yield|produce|turn up|bring up|find|match"
    rf"|surface) (?:[\w-]+ ){{0,2}}?{_HITS}\b",
    rf"(?:no|0|zero) (?:[\w-]+ ){{0,3}}?{_HITS} (?:(?:was|were|is|are|could be|have been|has been|can be) )?"
    r"(?:[\w-]+ )?(?:retrieved|found|returned|located|matched|generated|matching|matches)\b",
    r"\b(?:did|do|have|could)(?: not|nt) (?:come|run|stumble) across\b",
    r"^you (?:do not|dont|lack the) (?:have )?(?:the )?"
    r"(?:permissions?|access|rights|clearance|authori[sz]ation) (?:to|for)\b",
    rf"(?:has|have|holds?) no (?:[\w-]+ )?(?:{_HITS}) (?:for|of|on|about|matching|that match\w*)\b",
    r"(?:nothing|none of it|nothing relevant) (?:was|is|has been|could be) (?:found|retrieved|returned|located"
    r"|available)\b",
    r"(?:provides?|offers?|gives?|sheds?|contains?|yields?) (?:no|little|zero) (?:[\w-]+ )?(?:insights?|light"
    r"|clarity|guidance"
    r"|indication|basis|clues?|help)\b",
    r"\bno way (?:for me |for us )?(?:to|of) (?:tell|know|say|determin\w+|telling|knowing|verify\w*|confirm\w*"
    r"|answer\w*)\b",
    rf"{SOURCE}(?: [\w-]+){{0,8}}? (?:does|do|did)(?: not|nt) (?:quantify|spell out|elaborate|extend to|get to"
    rf"|go (?:that|so) far"
    r"|reach|go back|shed|help|settle|resolve|clarify|define|break (?:it|this|that) (?:down|out))\b",
    rf"{SOURCE}(?: [\w-]+){{0,4}}? (?:stops?|stopped|ends?|ended|breaks? off)(?: [\w-]+)? (?:in|at|with|before|after"
    rf"|on|there)\b(?<! on)(?! (?:the )?(?:\d{{1,2}}\b|\d{{1,2}}(?:st|nd|rd|th)\b))",
    r"(?:stops?|stopped|stopping|falls?) short of\b",
    rf"{SOURCE}(?: [\w-]+){{0,6}}? leaves? (?:[\w-]+ ){{1,8}}?(?:blank|open|unanswered|unspecified|undefined|unclear"
    rf"|out)\b",
    r"(?:lies?|lie|is|are|falls?|goes|its) (?:outside|beyond)(?: of)? (?:the |my |this |these |any "
    r"|what )?(?:[\w-]+ ){0,2}"
    rf"(?:{SOURCE}|scope|coverage|remit)\b",
    rf"^(?:answer )?(?:beyond|outside(?: of)?) (?:the|my|our|these|this) (?:[\w-]+ ){{0,2}}(?:{SOURCE}|scope|remit)\b",
    r"\b(?:im|i am|we are|were)(?: just| really| still| simply)? not (?:finding|seeing|locating|getting)\b",
    r"(?:has|have|had|was|were|is|are) (?:been )?(?:redacted|withheld|blacked out|left blank|anonymi[sz]ed|left out"
    r"|blank)\b",
    r"would be (?:inappropriate|irresponsible|speculative|premature|wrong|misleading|a guess|speculation|guesswork"
    r"|guessing)"
    r"(?: (?:for|of) me)?(?: to (?:guess|speculate|say|answer|estimate|state)|\W*$)",
    r"^(?:i|we)(?:d| would)? need (?:to (?:see|consult|check|look at|have)|access to) (?:the|your|a|an)\b",
    r"\bno (?:individual|person|name|figure|amount|number|value|date|price|rate|limit|duration|percentage|reason|steps?"
    r"|deadline|answer|details?|procedure|instructions?)(?: [\w-]+){0,5}? (?:is|are|was|were|has been)(?: \w+ly)?"
    r" (?:named|given|provided|stated|specified|identified|mentioned|quoted|listed|shown|supplied|indicated"
    r"|described)\b",
    r"^(?:in short|in brief|in sum|short answer|bottom line|so)[:,] (?:no|cant|cannot|not|unknown|unclear)\b",
    r"^(?:error|warning|status|result|output|note|info)\b[:\s].{0,40}\b(?:no|not|none|nothing|failed)\b",
    r"^[\"'(<\[]*(?:i do not know|i dont know|no answer|not found|unanswerable|unknown)[\"')>\]]+",
    r"\b(?:load|price|fee|rate|amount|name|date)?\s?(?:limits?|values?|details?|data|entries"
    r"|information): (?:no (?:entry|data|value"
    r"|information)|none|not (?:given|stated|available|specified))\b",
    r"(?:is|are|was|were)(?: not|nt) (?:covered|addressed|discussed|dealt with|answered|described|documented"
    r"|explained) here\b",
    r"\bdifferent (?:question|topic|product|subject) than (?:the one )?(?:in )?(?:the |my |these )?documents?\b",
)
"""What is said of a search, a record or a document that has nothing."""

NEARLY_EMPTY = re.compile(
    r"\b(?:illegible|unreadable|unintelligible|another|nobody|without|vain|avail|guess|wiser|further|up to|until|as far"
    r"|predates?|wish|mention|only|empty|blank|short|dry|nothing|zero|0|no|not|none|dont|doesnt|didnt|beyond|outside|redacted|withheld|blacked"
    r"|anonymi[sz]ed|leaves?|left|stop\w*|end(?:s|ed)|breaks?|inappropriate|irresponsible|speculat\w*|premature|wrong"
    r"|misleading|guess\w*|need|unanswerable|unknown|unclear|isnt|arent|wasnt|werent|cant|cannot|little|error|warning"
    r"|different|know|fall\w*)\b"
)
"""A word without which none of them is there, to look at fewer clauses closely."""

_FORM_KEYS = ("answer", "response", "output", "result", "final_answer", "text", "content", "status")
_NO_RESULT = re.compile(
    r"(?:no|not|empty|missing|null)[ _-]?(?:results?|answers?|found|data|match(?:es)?|hits?|context)?", re.IGNORECASE
)


def answer_of_form(answer: str) -> str:
    """The answer in a JSON object of a program, or the text as it is; an answer of null is empty.

    >>> answer_of_form('{"answer": null, "reason": "not in context"}'), answer_of_form("It is {x}.")
    ('', 'It is {x}.')
    """
    text = answer.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if not (text.startswith("{") and text.endswith("}")):
        return answer
    try:
        form = json.loads(text)
    except (ValueError, RecursionError):
        return answer
    keys = {str(key).casefold().replace(" ", "_"): key for key in form} if isinstance(form, dict) else {}
    for name in _FORM_KEYS:
        if name in keys:
            value = form[keys[name]]
            if isinstance(value, str) and _NO_RESULT.fullmatch(value.strip()):
                return ""
            return "" if value is None else value if isinstance(value, str) else answer
    return answer
