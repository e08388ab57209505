"""One file a format; each says which file endings it reads."""
