"""Answers to questions in SQL, from a release that is out already."""
