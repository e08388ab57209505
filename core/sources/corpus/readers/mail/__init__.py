"""E-mails: of any mail program (.eml) and of Outlook (.msg)."""
