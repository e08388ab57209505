"""Tables of what test sets are made from: templates, questions from documents, topics."""
