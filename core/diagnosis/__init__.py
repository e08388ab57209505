"""Which module is broken: groups, accuracies, context comparison, hypothesis tests (GRAMMAR, section 4.3)."""

from core.diagnosis.diagnose import Dangling, Diagnosis, diagnose, open_domain_groups
from core.diagnosis.figures import Figures, GroupCount, Identity, Refined
from core.diagnosis.groups import GroupDiagnosis, RowDiagnosis
from core.diagnosis.mutual import Mutual
from core.diagnosis.rows import Attribution, DiagnosisRow, Tag

__all__ = [
    "Attribution",
    "Dangling",
    "Diagnosis",
    "DiagnosisRow",
    "Figures",
    "GroupCount",
    "GroupDiagnosis",
    "Identity",
    "Mutual",
    "Refined",
    "RowDiagnosis",
    "Tag",
    "diagnose",
    "open_domain_groups",
]
