"""What a test set is made of: cases, templates, questions from documents and the drafts of them."""
