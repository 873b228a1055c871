"""The memory itself: transcripts to facts to Markdown. Standard library only, so that a hook can run it."""
