"""Which form a recorded run is of: what its rows say, else its file's name; contradictions are refused."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final

from core.domain.errors import InvalidInput

FORM: Final = re.compile(r"results_(.+?)(?:_(?:un)?balanced)?", re.IGNORECASE)
WORD: Final = re.compile(r"[^\W_]+")
FORM_FIELD: Final = "form"
SHORT: Final = "short"
LONG: Final = "long"

EXCHANGE: Final = "Exchange --grammar-a and --grammar-b to turn the comparison round."


def form_of(path: Path) -> str:
    """The form a file of results is about, from its name.

    >>> form_of(Path("results_short_balanced.json")), form_of(Path("mine.json"))
    ('short', 'mine')
    """
    return _named(path) or path.stem


def forms_in(rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """The forms that rows say they are of, in the order they come; none where no row says so."""
    stated = (row.get(FORM_FIELD) for row in rows)
    return tuple(dict.fromkeys(str(form).strip() for form in stated if form is not None and str(form).strip()))


def form_of_file(path: Path, rows: Sequence[Mapping[str, object]]) -> str:
    """The form of a file: the one its rows say where that is one, else the one its name says, else its name."""
    stated = forms_in(rows)
    return stated[0] if len(stated) == 1 else form_of(path)


def known_forms(path: Path, rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """The forms that a file is known to hold, by its rows or by a name of GRAMMAR's; none where neither says so."""
    named = _named(path)
    return forms_in(rows) or ((named,) if named else ())


def compared_form(path: Path, forms: Sequence[str], given: str | None, *, option: str) -> str:
    """The form that one side of a comparison is.

    Args:
        path: The recording.
        forms: As :func:`known_forms` has them.
        given: What the option says; None where it is not given.
        option: The name of the option.

    Raises:
        InvalidInput: The option contradicts the file, or the file holds several forms and no option names one.
    """
    if given is None:
        if len(forms) > 1:
            raise InvalidInput(
                f"{path} holds the forms {', '.join(forms)}.",
                f"Name one of them with {option}, or give a file for each form.",
            )
        return forms[0] if forms else form_of(path)
    match = next((form for form in forms if form.casefold() == given.casefold()), None)
    if forms and match is None:
        raise InvalidInput(
            f"{option} is {given}, but {path} holds the form {', '.join(forms)}.",
            f"Leave out {option}, or name the file after the form it holds. {EXCHANGE}",
        )
    return match or given


@dataclass(frozen=True, slots=True, kw_only=True)
class FormSide:
    """One side of a comparison of two recordings.

    Attributes:
        form: What it is taken for.
        path: The file.
        questions: The group and the text of each question.
    """

    form: str
    path: Path
    questions: Sequence[tuple[str, str]]


def check_sides(a: FormSide, b: FormSide) -> None:
    """Refuses two recordings whose names or questions contradict the forms they are taken for.

    A file's name contradicts where it has the form of the other side as a word and not its own. Questions contradict
    where the forms are short and long and the side called short has more words: the median of each group, its mean
    over the groups that both sides ask about.

    Raises:
        InvalidInput: Both are of one form, or names or questions contradict the forms.
    """
    forms = (a.form.casefold(), b.form.casefold())
    if forms[0] == forms[1]:
        raise InvalidInput(
            f"{a.path} and {b.path} are both of the form {a.form}.",
            "Give a recording of each form, and name each file after its form, such as results_short.json.",
        )
    for side, other in ((a, b), (b, a)):
        words = {word.casefold() for word in WORD.findall(side.path.stem)}
        if other.form.casefold() in words and side.form.casefold() not in words:
            raise InvalidInput(
                f"{side.path} is taken for the form {side.form}, but its name says {other.form}.",
                f"Name the file after the form it holds. {EXCHANGE}",
            )
    short, long = (a, b) if forms == (SHORT, LONG) else (b, a)
    if set(forms) != {SHORT, LONG}:
        return
    short_words, long_words = _words_by_group(short.questions), _words_by_group(long.questions)
    shared = short_words.keys() & long_words.keys()
    if not shared:
        return
    means = [fmean(words[group] for group in shared) for words in (short_words, long_words)]
    if means[0] > means[1]:
        raise InvalidInput(
            f"{short.path} is taken for the form {SHORT} and {long.path} for {LONG}, but the questions of the first "
            f"have {means[0]:.1f} words on average and those of the second {means[1]:.1f}.",
            f"Name each file after the form it holds. {EXCHANGE}",
        )


def _named(path: Path) -> str:
    """The form that a name such as ``results_short.json`` says, empty for any other name."""
    match = FORM.fullmatch(path.stem)
    return match.group(1).casefold() if match else ""


def _words_by_group(questions: Sequence[tuple[str, str]]) -> dict[str, float]:
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for group, text in questions:
        groups[group].append(len(text.split()))
    return {group: median(counts) for group, counts in groups.items()}
