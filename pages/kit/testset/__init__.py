"""Tests on screens: cases, templates, topics, experiments that several pages read."""
