"""One module for each format; each declares the file endings it reads."""
