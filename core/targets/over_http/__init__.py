"""A system under test over HTTP: settings, client, replies."""
