"""The peers' formats, one file each; a new one is found by being here."""
