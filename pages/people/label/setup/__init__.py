"""Before anybody labels: the criteria people are asked, the rounds, and labels as files."""
