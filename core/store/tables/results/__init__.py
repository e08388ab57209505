"""Tables of runs and of what is found from them: responses, scores, evidence, findings, safety, reports."""
