"""Files of Word, Excel and PowerPoint from 1997 to 2003."""
