"""Files that hold other files: archives, mailboxes, office packages."""
