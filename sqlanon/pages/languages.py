"""The languages of pages that somebody signs."""

LANGUAGES = ("en", "de", "fr")
