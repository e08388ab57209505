"""Frozen records and the error tree; imports nothing else of the project.

Beside the rooms lies the ground: errors, ids and hashes, registries, numbers with their n, jobs, calls of models.
"""
