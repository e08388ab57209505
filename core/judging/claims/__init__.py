"""Claims of an answer: extracted, checked against texts, and their share that the contexts support."""
