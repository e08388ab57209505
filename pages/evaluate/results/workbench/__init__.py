"""The case workbench: cases as a list beside the evidence of one, stepped through by key, sent to where they belong."""
