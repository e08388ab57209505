"""Topics of a corpus: vectors, few dimensions, groups, their words, their quality, and what people changed."""
