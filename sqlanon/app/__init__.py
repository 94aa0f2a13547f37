"""The page that anonymizes a table in a browser: its files (page/), and what puts them together."""
