"""Faults put into copies of documents."""

from core.faults.planting.documents import Planting, plant
from core.faults.planting.facts import PlantedFault, SoundFact, kind_of, other_value

__all__ = ["PlantedFault", "Planting", "SoundFact", "kind_of", "other_value", "plant"]
