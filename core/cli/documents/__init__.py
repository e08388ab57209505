"""Commands on documents and files of other tools."""
