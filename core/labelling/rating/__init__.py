"""Rating case by case: a rater's tasks, whose they are, the answers, and how far each rater is."""
