"""Which module is broken: groups, accuracies, context comparison, hypothesis tests (GRAMMAR, section 4.3)."""

from core.diagnosis.diagnose import Dangling, Diagnosis, diagnose, open_domain_groups
from core.diagnosis.figures import Figures, GroupCount, Identity, Refined
from core.diagnosis.groups import GroupDiagnosis, RowDiagnosis
from core.diagnosis.hypothesis.bootstrap import ModuleTest
from core.diagnosis.hypothesis.comparison import TestedModule
from core.diagnosis.hypothesis.test import HypothesisReport, test_hypothesis
from core.diagnosis.mutual import Mutual
from core.domain.results.diagnosis import Attribution, DiagnosisRow, Policy, Tag, Unjudged

__all__ = [
    "Attribution",
    "Dangling",
    "Diagnosis",
    "DiagnosisRow",
    "Figures",
    "GroupCount",
    "GroupDiagnosis",
    "HypothesisReport",
    "Identity",
    "ModuleTest",
    "Mutual",
    "Policy",
    "Refined",
    "RowDiagnosis",
    "Tag",
    "TestedModule",
    "Unjudged",
    "diagnose",
    "open_domain_groups",
    "test_hypothesis",
]
