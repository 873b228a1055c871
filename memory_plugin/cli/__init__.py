"""The memory-plugin command."""
