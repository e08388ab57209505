"""Words that heads, fields and values are made of: common ones, nouns of properties, verbs, periods."""
