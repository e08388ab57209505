"""Other names of the same thing: countries and their people, currencies, acronyms that a text spells out."""

from core.judging.match.aliases.names import of_its_own, other_names

__all__ = ["of_its_own", "other_names"]
