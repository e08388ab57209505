"""Faults put into copies of documents."""

from core.faults.planting.documents import Assigned, Planting, plant, plant_each
from core.faults.planting.facts import PlantedFault, SoundFact, kind_of, other_value

__all__ = ["Assigned", "PlantedFault", "Planting", "SoundFact", "kind_of", "other_value", "plant", "plant_each"]
