"""Long-term memory for Claude Code, in Markdown files that the user owns."""

__version__ = "0.1.0"
