"""Robustness: how answers hold under altered input, beside the answers to the cases that were altered."""
