"""SQL templates and wordings by a language model."""
