"""What a rater does with one case: reads, answers, is saved, goes on."""
