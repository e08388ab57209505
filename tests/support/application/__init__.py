"""The application as people use it: its server, a browser, what a person does on a page."""
