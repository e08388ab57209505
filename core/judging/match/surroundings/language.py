"""Where sentences and clauses end, and the words that carry no meaning of their own."""

import re

SENTENCE_BORDER = re.compile(
    r"[.!?](?=\s|$)(?<!\b[a-z]\.)(?<!\b(?:mr|ms|dr|no|st)\.)(?<!\bmrs\.)"
    r"(?!(?<=\b(?:inc|ltd)\.)(?= (?:is|was|are|were|has|have|had|will|and|or|who|which|until|after|resigned|of|in)\b))"
    r"(?!(?<=\bcorp\.)(?= (?:is|was|are|were|has|have|had|will|and|or|who|which|until|after|resigned|of|in)\b))"
    r"|[;\n]"
)
CLAUSE_BORDER = re.compile(r"[,:]\s|\bbut\b|\bhowever\b|\balthough\b|\bthough\b|\bwhile\b|\bwhereas\b|\s-\s")
WORD = re.compile(r"[^\W_]+")
SUPERLATIVE = re.compile(
    r"\b(?:highest|lowest|largest|smallest|biggest|greatest|oldest|newest|longest|shortest|best|worst|most|least|fewest"
    r"|cheapest|earliest|latest|first|last)\b"
)
DENYING_NO = (
    r"no(?!-(?!(?:it|its|the|this|that|these|those|they|there|he|she|we|you|i|an?|not|but|only|in|as|because|since|my"
    r"|our|his|her|their|one|longer|sorry|wait|actually)\b)[a-z]{2,})"
)
"""The word "no", but for the first part of a compound that denies nothing: "no-shows", "no-fly zone"."""
_FUNCTION_WORDS = """
a an the of in on at to by for from with and or is are was were be been it its this that as has have had do does
did which who what when where how i you we they he she there
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def after_last(border: re.Pattern[str], text: str) -> str:
    """What follows the last border in a text, or all of it where there is none."""
    place = 0
    for match in border.finditer(text):
        place = match.end()
    return text[place:]


PRESENT = frozenset({"currently", "now", "still", "already", "yet", "presently", "today"})
"""Words for the present, which answers put otherwise: "at the moment"."""
