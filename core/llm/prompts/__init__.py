"""Prompts: one file each, their versions, examples of their inputs."""
