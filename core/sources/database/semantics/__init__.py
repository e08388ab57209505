"""The semantic layer: names opened for people, proposed by rules, edited by a person, applied to the schema."""
