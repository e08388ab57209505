"""Templates of a project: proposed, written by a model, reviewed, saved and approved."""
