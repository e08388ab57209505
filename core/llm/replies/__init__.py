"""Replies of a form: how they are asked for, and how they are read however a model wraps them."""
