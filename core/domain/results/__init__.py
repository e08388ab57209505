"""What a run brings: responses, judgements and scores, labels of people, diagnoses, findings."""
