"""Which of an answer's figures is its answer: what it does with each, and which stands closest to the question."""
