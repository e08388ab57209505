"""What holds for every test.

Property tests draw the same examples in every run, so that a change fails by itself and not by chance, and a busy
machine is no error: no example has a deadline, and none is drawn too slowly. To search further than a run does:
``pytest --hypothesis-profile=search``.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "plumbline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("search", settings.get_profile("plumbline"), derandomize=False, max_examples=1_000)
settings.load_profile("plumbline")
