"""Plain sentences taken apart: subject, verb and what stands behind it, and the questions that its values answer."""
