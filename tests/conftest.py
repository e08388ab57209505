"""What holds for every test: property tests have no deadline, since a busy machine is no error."""

from hypothesis import settings

settings.register_profile("plumbline", deadline=None)
settings.load_profile("plumbline")
