"""The part of the Judges page that puts judges to unit tests."""
