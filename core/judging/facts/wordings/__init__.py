"""How documents word a property: sentences, places and spellings, learnt from the facts of other subjects."""
