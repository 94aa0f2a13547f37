"""Pages in HTML, and their charts."""
