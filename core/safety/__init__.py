"""Safety: what of an answer is toxic, names a person's data, gives in to a probe, or differs between groups of people.

The mathematics of HCAT section 4. Cases are made here and read here; only `core.runs` asks a target.
"""
