"""What two runs have in common, and what must be said before they are compared."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.errors import InvalidInput
from core.domain.results.runs import Run, RunState
from core.domain.specs import HIDDEN, bare_addresses, bare_spec, named_secret
from core.domain.testset.cases import TestSet

JUDGE_OPTIONS = ("judge", "match", "repeats", "prompts")
"""What the names of options begin with that change verdicts."""
UNIMPORTANT = frozenset({"parent_run", "ledger", "concurrency", "judge_concurrency", "force", "name", "notes"})
"""Options that change nothing of what is compared."""

SPECS = ("system", "judge")
"""Settings whose values are specs, which may name a file of this server."""

LONGEST_OPTION = 200
"""Characters of an option that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing that differs between two runs.

    Attributes:
        name: In words ("test set", "judge", "option k").
        before, after: In run A and in run B.
        decisive: Whether a difference of it makes the outcomes hard to compare: other questions, or another judge.
    """

    name: str
    before: str
    after: str
    decisive: bool = False

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {"name": self.name, "a": self.before, "b": self.after, "decisive": self.decisive}


def differing(
    first: Run, second: Run, sets: Mapping[str, TestSet], documents_a: str = "", documents_b: str = ""
) -> tuple[Setting, ...]:
    """What differs, the decisive things first.

    Args:
        first: Run A.
        second: Run B.
        sets: Their test sets, by id.
        documents_a: The documents of run A, by name and content.
        documents_b: Those of run B.
    """
    found = [
        _setting("test set", _called(sets[first.test_set_id]), _called(sets[second.test_set_id]), decisive=True),
        _setting("judge", first.judge, second.judge, decisive=True),
        *(
            _setting(
                f"option {name}",
                first.options.get(name),
                second.options.get(name),
                decisive=name.startswith(JUDGE_OPTIONS),
            )
            for name in sorted({*first.options, *second.options} - UNIMPORTANT)
        ),
        _setting("system", first.target, second.target),
        _setting("documents", documents_a, documents_b),
        _setting("seed", first.seed, second.seed),
    ]
    return tuple(sorted((one for one in found if one is not None), key=lambda one: not one.decisive))


class OtherSettings(InvalidInput):
    """Two runs of other questions or under another judge, which nobody has accepted."""


def refuse(first: Run, second: Run, settings: tuple[Setting, ...], *, accept: bool) -> None:
    """Refuses two runs that cannot be compared, or not without saying so.

    Raises:
        InvalidInput: It is one run twice, or one of them is not finished.
        OtherSettings: Test set or judge differ and nobody accepted that.
    """
    if first.id == second.id:
        raise InvalidInput(f"Both runs are {first.id}.", "Choose two different runs.")
    for run in (first, second):
        if run.state is not RunState.FINISHED:
            raise InvalidInput(f"Run {run.id} is not finished.", "Resume it, or choose one that is.")
    decisive = [one for one in settings if one.decisive]
    if decisive and not accept:
        raise OtherSettings(
            f"The runs differ in more than the system: {decisive[0].name} {decisive[0].before} against "
            f"{decisive[0].after}.",
            "Choose runs of one test set and one judge, or accept the difference: it may explain what you see.",
        )


def why_no_noise(run: Run) -> str:
    """Why a repeated run says nothing about what changes by itself; "" where it does.

    A recording gives the same answers whenever it is run, and a model that Plumbline asks itself answers the same
    question of a later run from the ledger: a noise of 0 would be ours, not the system's.
    """
    if run.target.startswith("recorded:"):
        return "the answers of A are a recording, which gives the same ones whenever it is run"
    if run.target.startswith("openai:"):
        return "a repeated run of a model takes its answers from the ledger; the kind repeat of Robustness asks anew"
    return ""


def repeats(run: Run, others: list[Run]) -> list[Run]:
    """Finished runs with everything as in this one and answers given anew: what differs between them is noise."""
    if why_no_noise(run):
        return []
    return [
        other
        for other in others
        if other.id != run.id
        and other.state is RunState.FINISHED
        and (other.test_set_id, other.target, other.judge, other.corpus_id)
        == (run.test_set_id, run.target, run.judge, run.corpus_id)
        and _important(other) == _important(run)
    ]


def _important(run: Run) -> dict[str, object]:
    return {name: value for name, value in run.options.items() if name not in UNIMPORTANT}


def _called(test_set: TestSet) -> str:
    # Two stores may hold the same set under two ids: what counts is what was frozen.
    return f"{test_set.name} v{test_set.version} {test_set.content_hash[:12] or test_set.id}"


def _setting(name: str, before: object, after: object, *, decisive: bool = False) -> Setting | None:
    """One thing, where it differs; secrets of its values are not shown, that they differ is."""
    if before == after:
        return None
    hidden = named_secret(name)
    shown = bare_spec if name in SPECS else bare_addresses
    first, second = (
        HIDDEN if hidden and isinstance(value, str) else shown(_option(value)) for value in (before, after)
    )
    if first == second:
        told = _option(before) != _option(after)
        second += " (differs in what is not shown)" if told else " (differs further on)"
    return Setting(name=name, before=first, after=second, decisive=decisive)


def _option(value: object) -> str:
    """An option in words: the entries of a list with commas, and never cut within one.

    >>> _option(["token_f1", "hit"]), _option(None), _option(3)
    ('token_f1, hit', 'not set', '3')
    """
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value)) or "none"
    return "not set" if value is None else textwrap.shorten(str(value), LONGEST_OPTION, placeholder=" ...")
