"""Two runs side by side: did the change help, in which module, and could the comparison have shown it?"""
