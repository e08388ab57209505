"""Semantic groups over all forms at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.diagnosis.figures import GroupCount, accuracy_of
from core.diagnosis.groups import GroupDiagnosis, RowDiagnosis
from core.domain.estimates import Proportion
from core.domain.results.diagnosis import Tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutual:
    """Tags and refined accuracies over the groups that are competent in at least one form.

    A group is a mutual gap only where every form that has a verdict is a gap; robust where all are robust; non-robust
    otherwise. A gap of one form alone is therefore not attributed to missing knowledge: the other form was answered.

    Attributes:
        tags: By filled SQL query.
        counts: Groups and rows by tag.
        refined: Per form, correct among judged rows of the groups competent in either form.
        comparable: Whether those groups have the same number of judged rows in every form, so that the refined
            accuracies may be compared.
    """

    tags: Mapping[str, Tag]
    counts: Mapping[Tag, GroupCount]
    refined: Mapping[str, Proportion]
    comparable: bool

    def as_json(self) -> dict[str, object]:
        """Counts, refined accuracies by form, and whether those may be compared."""
        return {
            "groups": {str(tag): count.as_json() for tag, count in self.counts.items()},
            "refined_accuracy": {form: proportion.as_json() for form, proportion in self.refined.items()},
            "comparable": self.comparable,
        }


def mutual_of(groups: Sequence[GroupDiagnosis]) -> Mutual:
    """The mutual tags of groups that were tagged form by form."""
    members: dict[str, list[GroupDiagnosis]] = {}
    for group in groups:
        members.setdefault(group.group_id, []).append(group)
    tags = {group_id: _mutual_tag({group.tag for group in query_groups}) for group_id, query_groups in members.items()}
    forms = tuple(dict.fromkeys(group.form for group in groups))
    inside: dict[str, list[RowDiagnosis]] = {form: [] for form in forms}
    comparable = True
    for group_id, query_groups in members.items():
        if tags[group_id].competent:
            comparable = (
                comparable and len(query_groups) == len(forms) and len({group.judged for group in query_groups}) == 1
            )
            for group in query_groups:
                inside[group.form].extend(group.rows)
    return Mutual(
        tags=tags,
        counts={tag: _count(members, tags, tag) for tag in Tag},
        refined={form: accuracy_of(rows) for form, rows in inside.items()},
        comparable=comparable,
    )


def _mutual_tag(tags: set[Tag]) -> Tag:
    judged_tags = tags - {Tag.UNTAGGED}
    if not judged_tags:
        return Tag.UNTAGGED
    return next(iter(judged_tags)) if len(judged_tags) == 1 else Tag.NON_ROBUST


def _count(members: Mapping[str, Sequence[GroupDiagnosis]], tags: Mapping[str, Tag], tag: Tag) -> GroupCount:
    tagged = [query_groups for group_id, query_groups in members.items() if tags[group_id] is tag]
    return GroupCount(
        groups=len(tagged), rows=sum(len(group.rows) for query_groups in tagged for group in query_groups)
    )
