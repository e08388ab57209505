"""The description of each form for a model (GRAMMAR, appendix C); a user's own form has the user's description."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.errors import InvalidInput
from core.testset.grounded.wording.frames import FRAMES

FORM_CRITERIA: Mapping[str, str] = {
    "short": "As people type into a search field: a fragment or a terse question of at most 15 words. Articles, "
    "conjunctions and polite words are left out; the meaning stays whole.",
    "long": "Whole, rather complex sentences of at least 30 words, a placeholder counting as one word. Conjunctions, "
    "subordinate clauses and some background on why somebody asks are welcome, as long as the background states no "
    "fact about what is asked.",
    "interrogative": "One direct question that begins with a question word or an auxiliary verb and ends with a "
    "question mark.",
    "directive": "One request in the imperative, such as Tell, Find, Name or Give; not a question.",
    "formal": "Courteous and impersonal, as in a business letter; no contractions and no slang.",
    "casual": "As in a chat between colleagues: relaxed, contractions welcome, still clear about what is asked.",
}
"""Built-in forms by name."""


def form_criteria(form: str, described: str = "") -> str:
    """The description of a form.

    Args:
        form: The form's name.
        described: The user's description; it replaces the built-in one. A rule of length, where the form has one, is
            added, since wordings must keep it.

    Raises:
        InvalidInput: The form is not built in and has no description.
    """
    words = described.strip() or FORM_CRITERIA.get(form, "")
    if not words:
        raise InvalidInput(
            f"The form {form!r} is not built in and has no description.",
            f"Describe it in a sentence, or use one of: {', '.join(FORM_CRITERIA)}.",
        )
    rule = FRAMES.get(form)
    if described.strip() and rule is not None:
        most = f" and at most {rule.most_words}" if rule.most_words is not None else ""
        words += f" At least {rule.least_words} words{most}."
    return words
