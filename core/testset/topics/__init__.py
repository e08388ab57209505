"""Topics of a corpus: vectors, reduction, clustering, words, quality, and edits by people."""
