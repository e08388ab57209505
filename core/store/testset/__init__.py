"""Everything a test set is made of, in the store: templates, chunks, topics, question drafts, the sets themselves."""
