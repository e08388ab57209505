"""Personal data and secrets in texts: detectors with checksums, whose data it is, and the one way it is masked."""

from core.safety.privacy.detecting import PrivacyRules, find_personal_data
from core.safety.privacy.entities import About, Entity, Finding
from core.safety.privacy.masking import masked, masked_text
from core.safety.privacy.names import Detector

__all__ = [
    "About",
    "Detector",
    "Entity",
    "Finding",
    "PrivacyRules",
    "find_personal_data",
    "masked",
    "masked_text",
]
