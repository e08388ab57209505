"""The model of refusals in words that no rule knows: what words say, how they sound, both weighed with the rules."""
