"""Texts cut and compared by rules alone: sentences, passages, words, citations, languages."""
