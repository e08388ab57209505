"""The words that the rule of abstention is made of: who knows, what a source does, what is asked of it.

The patterns read match text (`core.judging.match.readers.texts.normalise.match_text`): lower case, no accents, no
apostrophes inside words and no "'s", so "I don't" is "i dont" and "it's" is "it". They name kinds of words of everyday
English and no sentence of any one system.
"""

from __future__ import annotations

import re


def any_of(*alternatives: str) -> str:
    """A pattern for one of several."""
    return "(?:" + "|".join(alternatives) + ")"


ADVERBS = (
    r"(?: (?:[a-z]{3,}ly|also|really|just|still|yet|even|either|ever|at all|currently|presently|anywhere|so far|as yet"
    r"|always|quite|seem to|appear to|seems to|appears to|happen to|or implicitly|itself|themselves|here|in fact|now"
    r"|in detail|in any detail|any longer|anything to))*"
)
"""Words that change nothing: "does not explicitly state"."""

DO_NOT = any_of(
    "(?:do|does|did) not", "dont", "doesnt", "didnt", "never", "(?:fails?|failed) to", "neither", "nor (?:do|does|did)"
)
IS_NOT = any_of(
    "(?:is|are|was|were|be|remains?) (?:not|never|nowhere)(?: yet)?(?: been)?",
    "(?:has|have|had) (?:not|never)(?: yet)? been",
    "(?:isnt|arent|wasnt|werent)(?: yet)?",
    "(?:hasnt|havent|hadnt)(?: yet)? been",
)
CAN_NOT = any_of("cannot", "can not", "cant", "could not", "couldnt", "can neither", "can never")
UNABLE = any_of(
    CAN_NOT,
    "(?:am|are|was|were|im|have been|ive been|been|be) (?:currently |also |simply |still )?(?:unable|not able) to",
    "(?:wasnt|werent|havent been|have not been) able to",
    "(?:am|are|im) not (?:yet )?(?:allowed|permitted|authori[sz]ed|equipped|qualified|in a position) to",
)

SURE_SOURCE = (
    "(?:documents?|documentation|contexts?|passages?|texts?|articles?|sources?|excerpts?|extracts?|snippets?|chunks?"
    "|paragraphs?|evidence|information|data|database|dataset|knowledge ?base|materials?|content|contents"
    "|(?:search |retrieval )?results?|records?|conversation|corpus|transcripts?|files?|docs|citations?|references"
    "|attachments?|uploads?|inputs?|pages?)"
)
"""What an assistant calls the texts it was given."""

TEXT = (
    "(?:reports?|filings?|10-?[kq]s?|20-?f|8-?k|disclosures?|sheets?|leaflets?|inserts?|guides?|guidelines?|manuals?"
    "|handbooks?|notes?|logs?|changelogs?|books?|chapters?|papers?|websites?|web ?sites?|faqs?|emails?|letters?|tables?"
    "|charts?|appendi(?:x|ces)|annex(?:es)?|index|narratives?|summar(?:y|ies)|descriptions?|presentations?"
    "|prospectus(?:es)?|brochures?|catalog(?:ue)?s?|specifications?|instructions?|minutes|memos?|press releases?"
    "|posts?|blogs?"
    "|profiles?|listings?|entr(?:y|ies)|newsletters?|bulletins?|advisor(?:y|ies)|resumes?|cvs?|metadata"
    "|biograph(?:y|ies)|statistics|timetables?|labels?|wikis?|rosters?|spreadsheets?|tickets?|scans?|cop(?:y|ies)|slides?"
    "|captions?|dossiers?|clippings?|chronicles?|fare rules)"
)
"""What people write to tell something."""
_RULE = (
    "(?:statements?|polic(?:y|ies)|contracts?|agreements?|clauses?|sections?|schedules?|tariffs?|regulations?"
    "|terms|wordings?"
    "|stud(?:y|ies)|abstracts?|forms?|labels?|figures?|stor(?:y|ies)|poems?|novels?|scripts?|laws?|acts?"
    "|statutes?|codes?|rules?"
    "|ordinances?|directives?|standards?|answers?|history)"
)
SOURCE = any_of(SURE_SOURCE, TEXT, _RULE)
"""What people write: each may be a source, and some are what people ask about (a policy, a contract)."""

GIVEN = (
    "(?:provided|given|supplied|retrieved|available|uploaded|attached|returned|cited|shown|above|accessible|reviewed"
    "|presented|shared|referenced|selected|quoted|included|i (?:have|was|can|am|could|reviewed|see|found)"
    "|you (?:gave|provided|shared|uploaded)|at hand|my|these|our)"
)
"""What marks a writing as the text in hand."""

SPEAKS = (
    "(?:mention|specify|state|say|address|discuss|describe|explain|indicate|disclose|detail|elaborate|clarify"
    "|tell|reveal"
    "|touch (?:on|upon)|go into|set out|refer to|deal with|make (?:it )?clear|make (?:any )?(?:mention|reference)"
    "|answer|name|define|identify|comment on|speak to|spell out|outline|talk about|quantify|note|document|report|allude"
    "|give (?:any |a |an |the )?(?:[\\w-]+ ){0,3}(?:information|details?|indication|answer|figures?|numbers?|reasons?"
    "|dates?|names?|amounts?|values?)|provide (?:any |an |a |enough |sufficient |specific |further )*(?:[\\w-]+ ){0,3}"
    "(?:information|details?|indication|answer|figures?|data|context|explanation|breakdown|guidance)"
    "|contain (?:any |an |a |enough |sufficient |specific |further |the )*(?:[\\w-]+ ){0,3}"
    "(?:information|details?|indication|answer|figures?|data|mention|reference)"
    "|include (?:any |an |a |enough |sufficient |specific |the )*(?:[\\w-]+ ){0,3}"
    "(?:information|details?|indication|answer|data|mention|reference)"
    "|have (?:any |an |enough |sufficient |specific |the )*(?:[\\w-]+ ){0,2}(?:information|details?|answer"
    "|mention|entry)"
    "|list|break down|cite|record|shed (?:any )?light|speculate|get into|cover (?:this|that|it)|hint at|suggest"
    "|return|yield"
    "|turn up|bring up|show up)"
)
"""What only a writing does, so that "does not" before it tells of a gap."""

HOLDS = (
    "(?:provide|contain|include|give|offer|cover|show|hold|have(?! to)|present|feature|feature|confirm|allow"
    "|help|support"
    "|extend to|appear in|supply|reach|permit|carry)"
)
"""What a writing does, and a contract or a shop as well; it tells of a gap where the subject is a text in hand."""

SPEAKS_S = (
    "(?:mentions?|specif(?:y|ies)|states?|says?|address(?:es)?|discuss(?:es)?|describes?|explains?|indicates?|details?"
    "|talks? about|deals? with|refers? to|outlines?|reports?|names?|lists?|defines?|answers?|touch(?:es)? (?:up)?on"
    "|provides?|contains?|includes?|gives?|offers?|covers?|shows?|has|have|holds?|presents?|focus(?:es)? on|concerns?"
    "|relates? to|pertains? to|makes?|appears? to (?:cover|discuss|focus on)|goes into|is about|are about"
    "|identif(?:y|ies)"
    "|quotes?|cites?|records?|documents?|return(?:s|ed)|yield(?:s|ed)|turn(?:s|ed) up|gave|provided|contained|held"
    "|mentioned|listed|showed|said|made|makes|offered|included|described|produced|reveals?|tells?|clarif(?:y"
    "|ies)|addressed|discussed|covered)"
)
"""The same, affirmed."""

TOLD_SURELY = (
    "(?:mentioned|specified|stated|indicated|discussed|addressed|explained|described|elaborated|touched (?:up)?on"
    "|spelled out|disclosed|set out|detailed|referenced|referred to|quantified|clarified|alluded to|dealt with"
    "|broken out)"
)
TOLD = any_of(
    TOLD_SURELY,
    "(?:provided|available|given|listed|included|contained|present|covered|found|known|recorded|documented"
    "|reported|shown"
    "|named|answered|published|identified|defined|visible|clear|evident|there|part of|among|in|on|legible|accessible"
    "|captured|noted|outlined|accounted for)",
)
TOLD_BY_A_TEXT = any_of(
    TOLD_SURELY,
    "(?:listed|given|provided|found|recorded|reported|shown|documented|available|identified|named|defined"
    "|answered|published"
    "|noted|outlined|captured|visible|clear|evident)",
)
TOLD_AT_THE_END = any_of(TOLD_SURELY, "(?:listed|given|provided|shown|reported|published|documented)")
MISSING = (
    "(?:missing|absent|incomplete|unanswered|left open|left out|left blank|blank|anyone guess"
    "|nowhere to be found|omitted|lacking|unspecified|undisclosed|unstated|unreported|not there|not present|cut off)"
)

FACT = (
    "(?:information|info|mention|details?|data|indication|references?|records?|answers?|documentation|guidance|results?"
    "|entry|entries|figures?|discussion|explanation|specifics|knowledge|sources?|documents?|matches|hits|statements?"
    "|description|context|clarity|breakdown|provisions?)"
)
"""What a source would give."""
ABOUT = (
    r"(?=\W*$| (?:about|on|regarding|concerning|for|in|that|available|provided|given|found|as|of|to|from|how|why|what"
    r"|which|when|where|whether|who|here|within|related|relating|specific|directly|specifically|with|anywhere|by|at"
    r"|covering|addressing|describing|indicating|comparing|necessary|needed)\b)"
)


def between(most: int) -> str:
    """At most so many words, as few as will do."""
    return rf"(?: (?!that\b|which\b|who\b|because\b)[\w/%$.'-]+){{0,{most}}}?"


def _in(source: str) -> str:
    return (
        r"(?: [\w/%-]+){0,6}? (?:in|on|by|from|within|among|across|with|using|based on|through|part of|anywhere in|to)"
        r" (?:any of |one of |either of |all of |the |this |these |those |my |any |your |our |its |\w+ of the )*"
        rf"(?:[\w/%-]+ ){{0,4}}?{source}\b"
    )


IN_SOURCE = _in(SOURCE)
IN_SURE_SOURCE = _in(any_of(SURE_SOURCE, rf"{GIVEN}(?: [\w-]+){{0,2}} {SOURCE}", rf"{SOURCE}(?: \w+){{0,2}}? {GIVEN}"))
"""Where a source is named behind, or a text in hand."""
IN_HAND = rf"{IN_SOURCE}|(?: [\w/%-]+){{0,4}}? (?:anywhere|here)\b| to me\b"
ESTABLISHED = (
    "(?:named|told|stated|specified|said|known|pinned down|worked out|reconstructed|answered|determined|computed"
    "|calculated|inferred|ascertained|derived|deduced|concluded|assessed|evaluated"
    "|quantified|extracted|judged|resolved)"
)
"""What is done to a question; nobody asks whether something can be inferred."""
LOCATED = (
    "(?:found|established|confirmed|verified|identified|located|retrieved|seen|given|provided|stated|gleaned|made)"
)
POLAR = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b|\bwhether\b"
    r"|\byes or no\b"
    r"|[,.;:!?-] (?:so |and |but |then )*(?:is|are|was|were|does|do|did|can|could|will|would|should|may|must|am)"
    r" (?:i|we|you|they|he|she|it|there|this|that|these|those|the|my|our|your|an?)\b"
)
"""A question for yes or no."""
