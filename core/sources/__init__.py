"""Sources of ground truth and knowledge: databases and corpora."""
