"""Larkmoor Bank: a fictional retail bank to try Plumbline on."""
