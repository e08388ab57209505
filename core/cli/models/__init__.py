"""Commands and options on language models: endpoints, profiles, ledgers."""
